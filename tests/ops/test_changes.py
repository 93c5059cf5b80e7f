from __future__ import annotations

from dataclasses import replace

import pytest

from taskpilot.access.secrets import hash_secret
from taskpilot.domain.errors import Invalid
from taskpilot.domain.scopes import USUAL
from taskpilot.ops import changes, tasks, tokens
from taskpilot.store import backup
from taskpilot.store.events import OF_TASKS_AFTER


def test_what_is_past_an_event_comes_in_order_and_in_pieces(do, add):
    start = do(changes.find_last)
    for number in range(5):
        add(f"Task {number}")
    heard, last, pieces = [], start, 0
    while True:
        news = do(changes.read_after, last, limit=2)
        assert not news.reset
        heard += news.events
        last, pieces = news.last, pieces + 1
        if not news.more:
            break
    assert [event.after["title"] for event in heard] == [f"Task {number}" for number in range(5)]
    assert [event.id for event in heard] == sorted(event.id for event in heard)
    assert pieces == 3
    assert last == do(changes.find_last)


def test_where_nothing_is_new_one_stays_where_one_is(do, add):
    add()
    end = do(changes.find_last)
    assert do(changes.read_after, end) == changes.News((), end)


def test_nobody_hears_of_anothers_changes(app, do, add, stranger):
    start = do(changes.find_last)
    app.run(stranger, tasks.create, [{"title": "Secret plan"}])
    mine = add()
    assert [event.subject for event in do(changes.read_after, start).events] == [mine.id]
    assert [event.after["title"] for event in app.run(stranger, changes.read_after, start).events] == ["Secret plan"]


def test_what_happens_to_accounts_is_not_told(do):
    start = do(changes.find_last)
    do(tokens.create, "laptop", hash_secret("x"), USUAL)
    assert do(changes.find_last) > start
    assert do(changes.read_after, start).events == ()


def test_an_id_beyond_the_log_is_another_logs(do, add):
    add()
    end = do(changes.find_last)
    assert do(changes.read_after, end + 1_000) == changes.News((), end, reset=True)
    assert do(changes.read_after, 2**63 - 1).reset


def test_a_restored_backup_voids_what_everybody_knew(app, do, add, stranger, tmp_path):
    add("Kept")
    backup.write(app.database, tmp_path / "tasks.backup")
    add("Lost")
    before = do(changes.find_last)
    backup.restore(app.database, tmp_path / "tasks.backup")
    later = add("Later")
    for caller_run in (do, lambda op, *args: app.run(stranger, op, *args)):
        news = caller_run(changes.read_after, before)
        assert news.reset
        assert news.events == ()
        assert news.last > before
    news = do(changes.read_after, do(changes.read_after, before).last)
    assert [event.subject for event in news.events] == [later.id]
    assert do(changes.read_after, 0).reset


def test_all_that_happened_to_a_task_is_one_change(do, add, me, app):
    first, second, third, fourth = (add(title) for title in "ABCD")
    start = do(changes.find_last)
    do(tasks.update, first.id, {"priority": "high", "notes": "x"})
    app.run(replace(me, actor="bob"), tasks.update, first.id, {"priority": "low"})
    do(tasks.complete, second.id)
    do(tasks.delete, third.id)
    fifth = add("E")
    do(tasks.delete, fifth.id)
    do(tasks.update, fourth.id, {"title": "Z"})
    do(tasks.update, fourth.id, {"title": "D"})
    do(tasks.reopen, second.id)
    do(tasks.complete, second.id)
    news = do(changes.sum_up, start)
    assert [(each.task, each.title, each.what, each.status) for each in news.changes] == [
        (first.id, "A", "notes: – → x; priority: medium → low", "todo"),
        (third.id, "C", "deleted", "todo"),
        (fifth.id, "E", "created and deleted", "todo"),
        (fourth.id, "D", "changed back", "todo"),
        (second.id, "B", "completed", "done"),
    ]
    assert news.changes[0].actors == (me.actor, "bob")
    assert (news.last, news.more, news.reset) == (do(changes.find_last), 0, False)


def test_what_comes_after_the_limit_is_told_from_the_revision_given(do, add):
    for number in range(7):
        add(f"T{number}")
    seen, since, more = [], 0, True
    while more:
        news = do(changes.sum_up, since, limit=3)
        seen += [each.task for each in news.changes]
        since, more = news.last, bool(news.more)
    assert seen == list(range(1, 8))
    assert do(changes.sum_up, since).changes == ()


def test_too_many_changes_are_only_counted(do):
    do(tasks.create, [{"title": f"T{number}"} for number in range(500)])
    do(tasks.create, [{"title": f"U{number}"} for number in range(500)])
    do(tasks.complete, 1)
    news = do(changes.sum_up, 0)
    assert (news.changes, news.counts, news.last) == ((), {"completed": 1, "created": 1_000}, do(changes.find_last))


def test_a_digest_tells_nothing_of_others_and_nothing_from_before_a_backup(app, do, add, stranger, tmp_path):
    start = do(changes.find_last)
    app.run(stranger, tasks.create, [{"title": "Secret plan"}])
    assert do(changes.sum_up, start).changes == ()
    backup.write(app.database, tmp_path / "tasks.backup")
    add("Lost")
    before = do(changes.find_last)
    backup.restore(app.database, tmp_path / "tasks.backup")
    assert do(changes.sum_up, before) == changes.Digest((), do(changes.find_last), reset=True)
    assert do(changes.sum_up, 2**63 - 1).reset
    with pytest.raises(Invalid, match="A revision cannot be"):
        do(changes.sum_up, -1)


def test_what_others_did_is_not_even_walked_through(app):
    if app.database.__class__.__name__ != "SqliteDatabase":
        pytest.skip("PostgreSQL plans by what it has counted itself")
    with app.database.reading() as db:
        plan = db.all(f"EXPLAIN QUERY PLAN {OF_TASKS_AFTER}", owner=1, id=5, limit=10)
    assert plan[0]["detail"] == "SEARCH event USING INDEX event_owner (owner_id=? AND id>?)"
