from __future__ import annotations

from taskpilot.access.secrets import hash_secret
from taskpilot.domain.scopes import USUAL
from taskpilot.ops import changes, tasks, tokens
from taskpilot.store import backup


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
