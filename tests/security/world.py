"""A whole server on which signing in is required, with Ann and Bob on it, and everything it stores in plain view."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from starlette.testclient import TestClient

from taskpilot.app import App
from taskpilot.store import tables
from taskpilot.store.sqlite import SqliteDatabase
from tests.security.people import Person

REVISION = "2026-07-28"
NEVER = 987_654_321
"""A number that nothing has."""
UNTOLD = ("call_log",)
"""Says who asked for what, also in vain."""
USED = "last_used_at"
APART = 10_000
"""Ids of different tables begin this far apart, so that a number says what it is the id of."""
RANDOM = re.compile(
    r"eyJ[\w-]+\.[\w-]+\.[\w-]+|tp_\d+_[\w-]{43}|\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|[\w-]{43}"
)
"""Tokens and UUIDs."""

Row = tuple[Any, ...]
Dump = dict[str, frozenset[Row]]


@dataclass(frozen=True)
class Said:
    """What came back, as far as a caller could learn something from it."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: str

    def without(self, probe: Any) -> Said:
        """The same, but for what was asked about."""
        text = str(probe)
        spelled = {text, text.removeprefix("TP-"), text.removeprefix("/srv/"), quote(text, safe=""), text.upper()}
        said = self
        for spelling in sorted(spelled, key=len, reverse=True):
            headers = tuple((name, value.replace(spelling, "•")) for name, value in said.headers)
            said = Said(said.status, headers, said.body.replace(spelling, "•"))
        return said

    def settled(self) -> Said:
        """The same, but for what is made up anew each time."""
        return Said(self.status, self.headers, RANDOM.sub("?", self.body))


class World:
    def __init__(self, app: App, gate: Any, client: TestClient, ann: Person, bob: Person) -> None:
        self.app = app
        self.gate = gate
        self.client = client
        self.ann = ann
        self.bob = bob
        self._columns = list_columns()
        self.before = self.dump()
        self._rows = self._read_all()
        self._counters = self._read_counters()
        self._anns = {number for number in ann.numbers.values() if number >= APART} | {ann.id}

    def ask(self, token: str, method: str, path: str, **options: Any) -> Said:
        """Without a token, nothing is shown."""
        shown = {"Authorization": f"Bearer {token}"} if token else {}
        headers = {**shown, **options.pop("headers", {})}
        response = self.client.request(method, path, headers=headers, follow_redirects=False, **options)
        told = tuple(
            (name, response.headers[name])
            for name in ("content-type", "etag", "location", "www-authenticate")
            if name in response.headers
        )
        return Said(response.status_code, told, response.text)

    def speak(self, token: str, contract: str, method: str, subject: str = "", /, **params: Any) -> Said:
        """One request of MCP."""
        meta = {
            "io.modelcontextprotocol/protocolVersion": REVISION,
            "io.modelcontextprotocol/clientInfo": {"name": "tests", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {},
        }
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": meta}}
        headers = {
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": REVISION,
            "Mcp-Method": method,
        }
        if subject:
            headers["Mcp-Name"] = subject
        return self.ask(token, "POST", f"/mcp/{contract}", json=message, headers=headers)

    def dump(self) -> Dump:
        """All rows of all tables, but for what every call may leave."""
        with self.app.database.reading() as db:
            return {
                table: frozenset(
                    tuple(sorted((key, value) for key, value in row.items() if key != USED))
                    for row in db.all(f"SELECT {', '.join(columns)} FROM {table}")
                )
                for table, columns in self._columns.items()
                if table not in UNTOLD
            }

    def check(self, what: object) -> bool:
        """Whether Bob changed anything; it must be his own. Whatever he changed is put back."""
        after = self.dump()
        if after == self.before:
            return False
        assert mentions(after, self._anns) == mentions(self.before, self._anns), f"{what} touched what is Ann's"
        for table, rows in self.before.items():
            lost = {row for row in rows - after[table] if self.bob.id not in dict(row).values()}
            assert not [row for row in lost if "owner_id" in dict(row)], f"{what} took {lost} from {table}"
        self.reset()
        return True

    def reset(self) -> None:
        """Everything as it was, numbers that come next included."""
        with self.app.database.writing() as db:
            for table in reversed(self._columns):
                db.run(f"DELETE FROM {table}")
            for table, columns in self._columns.items():
                db.load(table, columns, self._rows.get(table, []))
            self._write_counters(db)

    def _read_all(self) -> dict[str, list[Row]]:
        with self.app.database.reading() as db:
            return {
                table: list(db.stream(f"SELECT {', '.join(columns)} FROM {table}"))
                for table, columns in self._columns.items()
                if table not in UNTOLD
            }

    def _read_counters(self) -> dict[str, int]:
        with self.app.database.reading() as db:
            if db.dialect == "sqlite":
                return {row["name"]: row["seq"] for row in db.all("SELECT name, seq FROM sqlite_sequence")}
            return {
                row["sequencename"]: row["last_value"]
                for row in db.all("SELECT sequencename, last_value FROM pg_sequences WHERE last_value IS NOT NULL")
            }

    def _write_counters(self, db: Any) -> None:
        for name, value in self._counters.items():
            if db.dialect == "sqlite":
                db.run("UPDATE sqlite_sequence SET seq = :value WHERE name = :name", value=value, name=name)
            else:
                db.one("SELECT setval(:name, :value)", name=name, value=value)


def list_columns() -> dict[str, list[str]]:
    """Every table with its columns, those that are referred to first."""
    import tempfile
    from contextlib import closing
    from pathlib import Path

    with tempfile.TemporaryDirectory() as folder, closing(SqliteDatabase(Path(folder, "taskpilot.db"))) as database:
        database.migrate()
        with database.reading() as db:
            return tables.list_all(db)


EARLIER = """
    INSERT INTO event (id, at, owner_id, actor, door, noun, kind, subject_id, after_fields, reason)
    VALUES (:id, '2025-01-01T00:00:00.000000Z', 1, 'tests', 'tests', 'note', 'note.made', 0, '{}', '')
"""


def spread(app: App) -> None:
    """Let the ids of each table begin somewhere of their own."""
    with app.database.writing() as db:
        for number, (table, columns) in enumerate(list_columns().items(), 1):
            if "id" not in columns or table == "user_account":
                continue
            if table == "event":
                db.run(EARLIER, id=number * APART)
            if db.dialect == "sqlite":
                db.run("DELETE FROM sqlite_sequence WHERE name = :table", table=table)
                db.run(
                    "INSERT INTO sqlite_sequence (name, seq) VALUES (:table, :start)", table=table, start=number * APART
                )
            else:
                db.one(
                    """
                    SELECT setval(sequence, :start)
                      FROM (SELECT pg_get_serial_sequence(:table, 'id')::regclass AS sequence) AS found
                     WHERE sequence IS NOT NULL
                    """,
                    table=table,
                    start=number * APART,
                )


def refers(column: str) -> bool:
    return column.endswith("id") or column == "undoes"


def mentions(dump: Dump, ids: Iterable[int]) -> dict[str, frozenset[Row]]:
    """Every row that has to do with these ids, whoever's row it is."""
    wanted = set(ids)
    return {
        table: frozenset(row for row in rows if any(value in wanted for key, value in row if refers(key)))
        for table, rows in dump.items()
    }
