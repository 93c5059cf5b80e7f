"""Numbered migrations, and how far a database has come."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.resources import files
from uuid import uuid4

from taskpilot.domain.caller import LOCAL_HANDLE, LOCAL_USER
from taskpilot.domain.errors import Unavailable
from taskpilot.domain.moments import stamp
from taskpilot.store.database import Connection, Database, Dialect


@dataclass(frozen=True, slots=True)
class Migration:
    number: int
    name: str
    sql: str


def migrations(dialect: Dialect) -> list[Migration]:
    """All of them, in order. The file name is its number, an underscore, and what it brings."""
    folder = files("taskpilot.store").joinpath("migrations", dialect)
    found: list[Migration] = []
    for script in folder.iterdir():
        number, _, name = script.name.removesuffix(".sql").partition("_")
        found.append(Migration(int(number), name, script.read_text(encoding="utf-8")))
    return sorted(found, key=lambda migration: migration.number)


def latest(dialect: Dialect) -> int:
    return migrations(dialect)[-1].number


def version(db: Connection) -> int:
    """The number of the newest migration applied; 0 for an empty database."""
    if db.one(_THERE[db.dialect]) is None:
        return 0
    row = db.one("SELECT coalesce(max(number), 0) AS number FROM schema_migration")
    return row["number"] if row else 0


_THERE: dict[Dialect, str] = {
    "sqlite": "SELECT 1 AS there FROM sqlite_master WHERE type = 'table' AND name = 'schema_migration'",
    "postgres": "SELECT 1 AS there WHERE to_regclass('schema_migration') IS NOT NULL",
}


def pending(db: Connection) -> list[Migration]:
    """What is still to be applied. A database newer than this program is left alone."""
    known, applied = migrations(db.dialect), version(db)
    if applied > known[-1].number:
        raise Unavailable(
            f"The database is at version {applied}; this TaskPilot knows only {known[-1].number}.",
            hint="Update TaskPilot, or restore a backup made with this version.",
        )
    return [migration for migration in known if migration.number > applied]


def upgrade(database: Database) -> None:
    """Apply what is pending, each migration in a transaction of its own.

    Only a database that needs it is written to. Start as many processes at
    once as you like: each finds what the others have left to do.
    """
    with database.reading() as db:
        todo = pending(db)
    while todo:
        with database.writing() as db:
            todo = pending(db)
            if todo:
                _apply(db, todo[0], last=len(todo) == 1)


def _apply(db: Connection, migration: Migration, *, last: bool) -> None:
    db.run(CREATE)
    db.script(migration.sql)
    note(db, migration)
    if last:
        welcome(db)


CREATE = "CREATE TABLE IF NOT EXISTS schema_migration (number BIGINT PRIMARY KEY, name TEXT NOT NULL, at TEXT NOT NULL)"


def note(db: Connection, migration: Migration) -> None:
    """Write down, in the migration's own transaction, that it was applied."""
    db.run(
        "INSERT INTO schema_migration (number, name, at) VALUES (:number, :name, :at)",
        number=migration.number,
        name=migration.name,
        at=stamp(datetime.now(UTC)),
    )


def welcome(db: Connection) -> None:
    """Every store has the local user."""
    db.run(
        """
        INSERT INTO user_account (id, uuid, handle, created_at) VALUES (:id, :uuid, :handle, :at)
        ON CONFLICT DO NOTHING
        """,
        id=LOCAL_USER,
        uuid=str(uuid4()),
        handle=LOCAL_HANDLE,
        at=stamp(datetime.now(UTC)),
    )
