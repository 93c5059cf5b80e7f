"""Isolation is kept in one place: the store's own SQL. A statement that could reach another's rows fails here."""

from __future__ import annotations

import ast
import re

import pytest

from taskpilot.store.sqlite import SqliteConnection
from tests.security.calls import list_all
from tests.security.statements import STORE, TABLE, Statement, list_bound
from tests.security.world import list_columns

DOOR = "the door: nobody is known yet, and what was shown is a secret or signed"
FEED = "the feed: tells which processes have something to do; who hears what is decided by the owner in each event"
PARENT = "has no owner of its own; what it belongs to was found by its owner just before"
BEGUN = "the beginning of statements, or a list of columns; what really runs is looked at below"
AGE = "housekeeping: what has been in the bin for a month goes, whoever put it there"
EXCEPTIONS = {
    "bin.Bin.purge": AGE,
    "events.Events.restored": FEED,
    "events.Events.last": FEED,
    "events.Events.after": FEED,
    "events.Events.find_ends": FEED,
    "invitations.Invitations.find_hash": DOOR,
    "logins.Logins.find": DOOR,
    "logins.Logins.save": DOOR,
    "logins.Logins.add_refresh": DOOR,
    "logins.Logins.find_refresh": DOOR,
    "logins.Logins.use_refresh": DOOR,
    "tokens.Tokens.find_hash": DOOR,
    "remotes.Remotes.put_link": PARENT,
    "tasks.Tasks._set_blockers": PARENT,
    "transfer._insert": BEGUN,
}
"""Where a repository of one owner touches rows without naming the owner, and why."""
CHILDREN = {"task_tag", "task_blocker", "remote_link", "refresh_token"}


@pytest.fixture(scope="module")
def owned() -> set[str]:
    """Tables whose rows belong to somebody, by themselves or through what they belong to."""
    columns = list_columns()
    return {table for table, names in columns.items() if "owner_id" in names} | CHILDREN


def test_every_table_belongs_to_somebody_or_to_everybody(owned):
    """A new table has to be thought about here."""
    assert set(list_columns()) - owned == {"user_account", "oauth_client"}


def test_every_statement_of_a_bound_repository_names_the_owner(owned):
    bare = {each.where: each for each in list_bound() if each.tables & owned and not names_owner(each)}
    unexpected = [bare[where] for where in bare if where not in EXCEPTIONS]
    assert not unexpected, f"These touch owned rows without owner_id: {unexpected}"
    assert set(EXCEPTIONS) <= set(bare), "An exception is not needed any more."
    assert len(list(list_bound())) > 100


def names_owner(statement: Statement) -> bool:
    """In its text; or, where a part is filled in, in the function that makes it or in one that it calls for that."""
    if "owner_id" in statement.sql:
        return True
    return "{" in statement.sql and any("owner_id" in text for text in related(statement.where))


def related(where: str) -> list[str]:
    """The source of a function, of those of its module that it calls or that call it, and of the shared conditions."""
    module, _, name = where.partition(".")
    source = (STORE / f"{module}.py").read_text(encoding="utf-8")
    functions = [
        (node.name, ast.get_source_segment(source, node) or "")
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef)
    ]
    own = name.rpartition(".")[2]
    mine = [text for other, text in functions if other == own]
    near = [text for other, text in functions if calls(text, own) or any(calls(each, other) for each in mine)]
    shared = any("conditions." in text and "self.owner" in text for text in (*mine, *near))
    return [*mine, *near, *([(STORE / "conditions.py").read_text(encoding="utf-8")] if shared else [])]


def calls(source: str, name: str) -> bool:
    return re.search(rf"\.{name}\b|\b{name}\(", source) is not None


def test_whatever_runs_names_the_owner(world, owned, monkeypatch):
    """The same, of the SQL that really runs when everything is asked for once, with all parts filled in."""
    ran: set[str] = set()

    def record(name):
        original = getattr(SqliteConnection, name)

        def recorded(self, sql, *args, **params):
            ran.add(" ".join(sql.split()))
            return original(self, sql, *args, **params)

        monkeypatch.setattr(SqliteConnection, name, recorded)

    for name in ("one", "all", "run", "insert"):
        record(name)
    for call in list_all(world):
        call.send(world, world.ann.session, call.examples(world.ann).build(call.schema))
        if world.dump() != world.before:
            world.reset()
    monkeypatch.undo()
    excused = [" ".join(each.sql.split()) for each in list_bound() if each.where in EXCEPTIONS]
    bare = {
        sql
        for sql in ran
        if set(TABLE.findall(sql)) & owned and "owner_id" not in sql and sql not in excused and not is_ours(sql)
    }
    assert len(ran) > 50
    assert not bare, "\n".join(sorted(bare))


def is_ours(sql: str) -> bool:
    """The audit's own batches, the number of a log's next line, and this test's looking and putting back."""
    if sql.startswith("SELECT coalesce(max(number), 0) + 1 AS number FROM run_log WHERE"):
        return True  # of a task or run that was found by its owner just before
    return "call_log" in sql or "SET last_used_at = :at WHERE id = :id" in sql or " WHERE " not in sql
