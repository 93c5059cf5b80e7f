from __future__ import annotations

import pytest

from taskpilot.domain.errors import Conflict, Invalid, NotFound
from taskpilot.domain.rule import RULES_MOST
from taskpilot.ops import history, rules, workspaces


@pytest.fixture
def here(do):
    return do(workspaces.open_folder, "/srv/app").id


def told(do, here):
    return [(rule.kind.value, rule.content) for rule in do(rules.list_all, here)]


def test_a_rule_is_added_once(do, here):
    first = do(rules.add, here, "git", "  Be kind\r\nto git ")
    assert do(rules.add, here, "git", "Be kind\nto git") == first
    do(rules.add, here, "coding", "Be kind\nto git")
    assert told(do, here) == [("git", "Be kind\nto git"), ("coding", "Be kind\nto git")]


def test_an_update_replaces_all_of_its_kind(do, here):
    for content in ("One", "Two", "Three"):
        do(rules.add, here, "git", content)
    do(rules.add, here, "coding", "Other")
    assert do(rules.update, here, "git", "All").version == 2
    assert told(do, here) == [("git", "All"), ("coding", "Other")]
    count = len(do(history.list_page).items)
    do(rules.update, here, "git", "All")
    assert len(do(history.list_page).items) == count
    do(rules.update, here, "custom", "New")
    assert told(do, here)[-1] == ("custom", "New")


def test_a_rule_is_removed_by_its_words_or_its_first_line(do, here):
    do(rules.add, here, "git", "Be kind\nand brief")
    do(rules.add, here, "git", "Be Bold")
    do(rules.remove, here, "git", "be kind")
    do(rules.remove, here, "git", "BE  BOLD")
    assert told(do, here) == []
    with pytest.raises(NotFound, match="There is no git rule at all"):
        do(rules.remove, here, "git", "Be kind")


def test_a_rule_that_is_not_there_is_answered_with_those_that_are(do, here):
    do(rules.add, here, "git", "Be kind")
    with pytest.raises(NotFound, match=r"with these words. There are: Be kind"):
        do(rules.remove, here, "git", "Be rude")


def test_one_rule_is_rewritten_or_deleted_by_its_number(do, here):
    one, two = (do(rules.add, here, "git", content) for content in ("Be kind", "Be bold"))
    assert do(rules.get, here, one.id) == one
    assert do(rules.rewrite, here, one.id, " Be brief ", version=1).content == "Be brief"
    assert told(do, here) == [("git", "Be brief"), ("git", "Be bold")]
    with pytest.raises(Conflict, match="with these words already"):
        do(rules.rewrite, here, one.id, "Be bold")
    for change in (
        lambda: do(rules.rewrite, here, one.id, "x", version=1),
        lambda: do(rules.delete, here, one.id, version=1),
    ):
        with pytest.raises(Conflict, match="at version 2, not 1"):
            change()
    do(rules.delete, here, two.id)
    assert told(do, here) == [("git", "Be brief")]
    do(history.undo)
    assert told(do, here) == [("git", "Be brief"), ("git", "Be bold")]


def test_a_rule_is_only_in_its_own_workspace(do, here):
    there = do(workspaces.open_folder, "/srv/there").id
    one = do(rules.add, here, "git", "Be kind")
    for ask in (
        lambda: do(rules.get, there, one.id),
        lambda: do(rules.rewrite, there, one.id, "x"),
        lambda: do(rules.delete, there, one.id),
    ):
        with pytest.raises(NotFound, match=f"Rule {one.id} not found"):
            ask()
    assert told(do, here) == [("git", "Be kind")]


@pytest.mark.parametrize(
    ("kind", "content", "says"),
    [("style", "x", "no rule type"), ("git", " \u200b ", "cannot be empty"), ("git", "x" * 10_001, "at most 10000")],
)
def test_a_rule_that_is_none_is_refused(do, here, kind, content, says):
    for change in (rules.add, rules.update, rules.remove):
        with pytest.raises(Invalid, match=says):
            do(change, here, kind, content)


def test_there_are_not_endless_rules(do, here):
    for number in range(RULES_MOST):
        do(rules.add, here, "custom", f"Rule {number}")
    with pytest.raises(Conflict, match="at most 200"):
        do(rules.add, here, "custom", "One more")


def test_each_change_is_in_the_log_with_its_workspace(do, here):
    do(rules.add, here, "git", "Be kind")
    do(rules.update, here, "git", "Be bold")
    do(rules.remove, here, "git", "Be bold")
    events = [event for event in do(history.list_page).items if event.noun == "rule"]
    assert [event.kind for event in events] == ["rule.deleted", "rule.updated", "rule.created"]
    assert {event.workspace for event in events} == {here}


def test_a_stranger_sees_and_changes_no_rule(app, do, here, stranger):
    one = do(rules.add, here, "git", "Be kind")
    for ask, more in ((rules.get, ()), (rules.rewrite, ("x",)), (rules.delete, ())):
        with pytest.raises(NotFound):
            app.run(stranger, ask, here, one.id, *more)
    with pytest.raises(NotFound):
        app.run(stranger, rules.list_all, here)
    for change in (rules.add, rules.update, rules.remove):
        with pytest.raises(NotFound):
            app.run(stranger, change, here, "git", "Be kind")
    assert told(do, here) == [("git", "Be kind")]
