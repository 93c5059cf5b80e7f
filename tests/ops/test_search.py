from __future__ import annotations

import pytest

from taskpilot.domain.errors import Invalid
from taskpilot.domain.selection import Selection
from taskpilot.ops import search, tasks


def ids(found):
    return [task.id for task in found.tasks]


def test_every_word_must_occur_in_some_form(do, add):
    both = add("Fix authentication", notes="login page")
    add("Fix plumbing")
    assert ids(do(search.find, "auth login")) == [both.id]


def test_done_tasks_are_found_unless_left_out(do, add):
    task = add("Roof")
    do(tasks.complete, task.id)
    assert ids(do(search.find, "roof")) == [task.id]
    assert ids(do(search.find, "roof", selection=Selection())) == []


def test_deleted_tasks_are_not_found(do, add):
    do(tasks.delete, add("Roof").id)
    assert ids(do(search.find, "roof")) == []


def test_a_changed_title_is_found_by_its_new_words_only(do, add):
    task = add("Roof")
    do(tasks.update, task.id, {"title": "Cellar"})
    assert ids(do(search.find, "roof")) == []
    assert ids(do(search.find, "cellar")) == [task.id]


@pytest.mark.parametrize("query", ["", "   ", "x" * 501])
def test_a_query_must_have_a_sensible_length(do, query):
    with pytest.raises(Invalid, match="query"):
        do(search.find, query)


def test_a_strangers_tasks_are_not_found(app, add, stranger):
    add("Roof")
    assert ids(app.run(stranger, search.find, "roof")) == []


@pytest.fixture
def scan(do):
    return lambda query, **more: [task.title for task in do(search.find_parts, query, **more)]


def test_a_part_inside_a_word_is_found_in_title_and_notes(add, scan):
    add("Fix authentication", notes="the login page")
    add("Fix plumbing")
    assert scan("UTHENT gin") == ["Fix authentication"]
    assert scan("login", places=("title",)) == []
    assert scan("login", places=("notes",)) == ["Fix authentication"]
    assert scan("fix", places=("notes",)) == []


def test_parts_come_highest_priority_first_and_the_done_ones_too(do, add, scan):
    add("Roof a", priority=2)
    add("Roof b", priority=5)
    add("Roof c", priority=2)
    done = add("Roof d", priority=3)
    do(tasks.complete, done.id)
    do(tasks.delete, add("Roof e").id)
    assert scan("roof") == ["Roof b", "Roof d", "Roof a", "Roof c"]


@pytest.mark.parametrize(
    ("title", "query"),
    [
        ("GRÜSSE an Ødegård", "grüsse øDEGÅRD"),
        ("ПРИВЕТ мир", "привет МИР"),
        ("re\u0301sume\u0301", "E\u0301SUM"),
        ("😀 launch", "😀"),
    ],
)
def test_case_makes_no_difference_in_any_alphabet(add, scan, title, query):
    add(title)
    assert scan(query) == [title]


@pytest.mark.parametrize(
    "sign", [*"!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", "***:", "[a-z]", ".*", "%%", "\\d", "[^x]", "a]"]
)
def test_no_sign_in_a_query_means_anything_but_itself(add, scan, sign):
    add(f"with a sign {sign} inside")
    add("plain words and 7 letters")
    assert scan(sign) == [f"with a sign {sign} inside"]


def test_a_strangers_tasks_have_no_parts(app, add, stranger):
    add("Roof")
    assert app.run(stranger, search.find_parts, "oo") == []
