from __future__ import annotations

from dataclasses import replace

import pytest

from taskpilot.domain.caller import Caller
from taskpilot.domain.errors import Conflict, NotFound, OutOfScope, Unauthenticated
from taskpilot.domain.scopes import PERSONAL, USUAL
from taskpilot.ops import answers, closing, history, logins, projects, rules, sessions, tags, tasks, tokens, users
from taskpilot.ops import workspaces as folders
from taskpilot.store.check import inspect
from taskpilot.store.erasure import ERASED, KEPT

EMAIL = "ann@example.com"


def columns(db):
    """Every table with its columns, as the database describes itself."""
    if db.dialect == "sqlite":
        names = [
            row["name"] for row in db.all("PRAGMA table_list") if row["type"] == "table" and row["schema"] == "main"
        ]
        return {
            name: {row["name"] for row in db.all(f"PRAGMA table_xinfo({name})")}
            for name in names
            if not name.startswith("sqlite_")
        }
    found: dict[str, set[str]] = {}
    for row in db.all("SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public'"):
        found.setdefault(row["table_name"], set()).add(row["column_name"])
    return found


def references(db, table):
    if db.dialect == "sqlite":
        return {row["table"] for row in db.all(f"PRAGMA foreign_key_list({table})")} - {table}
    rows = db.all(
        """
        SELECT target.relname AS name FROM pg_constraint
          JOIN pg_class AS source ON source.oid = conrelid JOIN pg_class AS target ON target.oid = confrelid
         WHERE contype = 'f' AND source.relname = :table
        """,
        table=table,
    )
    return {row["name"] for row in rows} - {table}


@pytest.fixture
def ann(app, me):
    """Somebody with an account, and a bit of everything in it."""
    user = app.run(me, users.add, EMAIL, "the-hash", name="Ann")
    caller = Caller(user.id, user.handle, "rest", scopes=PERSONAL, address="10.0.0.9", tool="DELETE /api/me")
    run = lambda op, *args, **kwargs: app.run(caller, op, *args, **kwargs)  # noqa: E731
    folder = run(folders.open_folder, "/srv/ann")
    run(rules.add, folder.id, "git", "Ann's rule")
    run(sessions.start, folder.id)
    run(tags.create, "anns-tag")
    first = run(tasks.create, [{"title": "Ann's first", "project": "Ann's", "tags": ["a"]}], key="k").tasks[0]
    run(tasks.create, [{"title": "Ann's second", "blocked_by": [first.id], "parent": first.id, "workspace": folder.id}])
    run(tasks.update, first.id, {"title": "Ann's other"})
    run(history.undo)
    run(tokens.create, "Ann's token", "t-hash", USUAL)
    run(logins.open_login, user.id, "r-hash")
    run(answers.keep, "k", "f", _answer)
    app.note(caller, "not_found")
    app.trail.flush()
    return caller


def _answer(work):
    return {}


_answer.access, _answer.scope = tasks.create.access, tasks.create.scope


def test_every_table_is_named_and_in_an_order_that_works(app):
    with app.database.reading() as db:
        found = columns(db)
        tables = {name for name in found if not name.startswith("task_search")}
        assert tables == {*ERASED, *KEPT}
        owned = {name for name in tables if "owner_id" in found[name]}
        assert owned <= set(ERASED)
        order = list(ERASED)
        for table in tables - set(KEPT):
            for target in references(db, table) & set(ERASED):
                assert order.index(table) < order.index(target), (table, target)


def test_nothing_of_an_account_is_left_but_that_it_was_deleted(app, me, ann, add):
    mine = add("Mine", project="Ours", tags=["a"])
    app.run(ann, closing.leave, "the-hash")
    with app.database.reading() as db:
        left = {
            name: rows
            for name, names in columns(db).items()
            if "owner_id" in names and (rows := db.all(f"SELECT * FROM {name} WHERE owner_id = :user", user=ann.user))
        }
        user = db.one("SELECT * FROM user_account WHERE id = :id", id=ann.user)
        everything = str([db.all(f"SELECT * FROM {name}") for name in columns(db)])
    assert list(left) == ["event"]
    (event,) = left["event"]
    assert (event["kind"], event["actor"], event["address"]) == ("user.deleted", f"deleted-{ann.user}", "10.0.0.9")
    assert user is not None
    assert (user["handle"], user["email"], user["name"], user["password"]) == (f"deleted-{ann.user}", None, "", None)
    assert "Ann" not in everything
    assert "ann" not in everything.replace("channel", "")
    assert "-hash" not in everything
    assert app.run(me, tasks.get, mine.id) == mine
    assert inspect(app.database) == []


def test_the_log_goes_on_above_what_was_deleted(app, ann, add):
    heard = []
    app.subscribe(heard.extend)
    add("Before")
    app.run(ann, closing.leave, "the-hash")
    with app.database.reading() as db:
        last = db.one("SELECT max(id) AS id FROM event")["id"]
    add("After")
    with app.database.reading() as db:
        assert db.one("SELECT max(id) AS id FROM event")["id"] > last


def test_a_closed_account_is_closed(app, me, ann):
    app.run(ann, closing.leave, "the-hash")
    with pytest.raises(NotFound):
        app.run(ann, closing.leave, None)
    with pytest.raises(NotFound):
        app.run(me, users.find, EMAIL)
    with pytest.raises(NotFound):
        app.run(me, closing.remove, ann.user)
    again = app.run(me, users.add, EMAIL, "another-hash")
    assert again.id != ann.user


def test_what_was_noted_before_is_not_written_after(app, ann):
    app.note(ann, "ok")
    app.run(ann, closing.leave, "the-hash")
    app.note(ann, "ok")
    app.trail.flush()
    with app.database.reading() as db:
        assert db.all("SELECT * FROM call_log WHERE owner_id = :user", user=ann.user) == []


def test_only_the_right_password_of_a_person_ends_an_account(app, me, ann):
    with pytest.raises(Unauthenticated):
        app.run(ann, closing.leave, "an-older-hash")
    with pytest.raises(OutOfScope):
        app.run(replace(ann, scopes=USUAL), closing.leave, "the-hash")
    with pytest.raises(OutOfScope):
        app.run(ann, closing.remove, me.user)
    assert app.run(ann, projects.list_all)


def test_the_local_user_cannot_go(app, me):
    for attempt in (lambda: app.run(me, closing.leave, None), lambda: app.run(me, closing.remove, 1)):
        with pytest.raises(Conflict, match="local user cannot be deleted"):
            attempt()


def test_an_administrator_deletes_somebody_and_the_log_says_who_did(app, me, ann):
    gone = app.run(me, closing.remove, EMAIL, reason="She asked")
    assert gone.handle == f"deleted-{ann.user}"
    with app.database.reading() as db:
        (event,) = db.all("SELECT * FROM event WHERE owner_id = :user", user=ann.user)
    assert (event["kind"], event["actor"], event["reason"]) == ("user.deleted", "dev-user", "She asked")
