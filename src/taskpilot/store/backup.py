"""Backups: one SQLite file, whichever database it came from and whichever it goes back to."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from taskpilot.domain.caller import LOCAL_USER
from taskpilot.domain.errors import Conflict, Invalid, NotFound, Unavailable
from taskpilot.domain.moments import stamp
from taskpilot.store import schema, tables
from taskpilot.store.database import Connection, Damaged, Database
from taskpilot.store.events import RESTORED
from taskpilot.store.sqlite import SqliteConnection, SqliteDatabase, translate

Progress = Callable[[int, int], None]
"""Told now and then how much is done, and of how much."""

TELL_EVERY = 1_000
STEPS_EVERY = 100_000


def write(database: Database, path: Path, progress: Progress | None = None) -> int:
    """Save everything into a new file, while others keep working; says how many tasks it holds.

    The file appears whole or not at all.
    """
    if os.path.lexists(path):
        raise _taken(path)
    try:
        with TemporaryDirectory(dir=path.parent, prefix=".backup-") as folder:
            part = Path(folder, path.name)
            os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
            if isinstance(database, SqliteDatabase):
                _copy_file(database.path, part, progress)
            else:
                _copy_rows(database, part, progress)
            with _open(part) as copy:
                number = _count(copy, "task")
            _publish(part, path)
    except FileExistsError:
        raise _taken(path) from None
    except OSError as error:
        raise Unavailable(f"{path} cannot be written: {error.strerror}.", hint="Choose another place.") from None
    return number


def restore(database: Database, path: Path, progress: Progress | None = None) -> int:
    """Put everything back as it was when the backup was written; says how many tasks there are now.

    All or nothing, in one transaction: until it is done, others see and keep
    what there was. The event log goes on from the higher number, with one
    event that tells followers to look again. A database too damaged for that
    is set aside, and a new one takes its place.
    """
    with _open_backup(database, path) as backup:
        try:
            database.migrate()
            _refill(database, backup, path, progress)
        except Damaged:
            if not isinstance(database, SqliteDatabase):
                raise
            with TemporaryDirectory(dir=database.path.parent, prefix=".restoring-") as folder:
                with closing(SqliteDatabase(Path(folder, database.path.name))) as fresh:
                    fresh.migrate()
                    _refill(fresh, backup, path, progress)
                _take_place(fresh.path, database.path)
        return _count(backup, "task")


def _copy_file(source: Path, part: Path, progress: Progress | None) -> None:
    with _open(source) as db:
        pages, size = _number(db, "PRAGMA page_count"), _number(db, "PRAGMA page_size")
        if progress:
            db.raw.set_progress_handler(lambda: progress(min(part.stat().st_size // size, pages), pages), STEPS_EVERY)
        db.run("VACUUM INTO :part", part=str(part))
        if progress:
            progress(pages, pages)


def _copy_rows(database: Database, part: Path, progress: Progress | None) -> None:
    """Make a SQLite store with the same rows, then a copy of that."""
    with closing(SqliteDatabase(part.with_name("scratch"))) as scratch:
        scratch.migrate()
        with database.reading() as source, scratch.writing() as target:
            if schema.pending(source):
                raise Unavailable("The database is not up to date.", hint="Start TaskPilot once, then repeat.")
            _pour(source, target, tables.list_all(target), progress)
        _copy_file(scratch.path, part, None)


def _publish(part: Path, path: Path) -> None:
    with part.open("rb") as file:
        os.fsync(file.fileno())
    try:
        os.link(part, path)  # unlike a rename, it never overwrites
    except FileExistsError:
        raise
    except OSError:  # no links here: a memory stick
        part.rename(path)
    _sync_folder(path.parent)


def _refill(database: Database, backup: SqliteConnection, path: Path, progress: Progress | None) -> None:
    columns = tables.list_all(backup)
    try:
        with database.writing() as db:
            last = _last_event(db)
            _pour(backup, db, columns, progress)
            schema.welcome(db)
            _record(db, 1 + max(last, _last_event(db)), path.name, _count(backup, "task"))
            tables.raise_counters(db, tables.read_counters(backup, columns))
    except (Invalid, sqlite3.IntegrityError) as error:
        raise _damaged(path) from error


def _pour(source: Connection, target: Connection, columns: dict[str, list[str]], progress: Progress | None) -> None:
    """Replace all rows of all tables. What is referred to goes in first and out last."""
    total = sum(_count(source, table) for table in columns)
    done = 0

    def count(rows: Iterator[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
        nonlocal done
        for row in rows:
            yield row
            done += 1
            if progress and done % TELL_EVERY == 0:
                progress(done, total)

    for table in reversed(columns):
        target.run(f"DELETE FROM {table}")
    for table, names in columns.items():
        target.load(table, names, count(source.stream(f"SELECT {', '.join(names)} FROM {table}")))
    if progress:
        progress(total, total)


def _record(db: Connection, number: int, name: str, count: int) -> None:
    db.run(
        """
        INSERT INTO event (id, at, owner_id, actor, door, noun, kind, subject_id, after_fields, reason)
        VALUES (:id, :at, :owner, 'taskpilot', 'backup', 'store', :kind, 0, :after, :reason)
        """,
        id=number,
        at=stamp(datetime.now(UTC)),
        owner=LOCAL_USER,
        kind=RESTORED,
        after=json.dumps({"tasks": count}),
        reason=f"Restored from {name}",
    )


@contextmanager
def _open_backup(database: Database, path: Path) -> Generator[SqliteConnection]:
    """The backup, checked, and as the newest version writes it."""
    if not path.exists():
        raise NotFound(f"There is no file {path}.", hint="Check the name of the backup.")
    if isinstance(database, SqliteDatabase) and database.path.exists() and path.samefile(database.path):
        raise Conflict(f"{path} is the database itself.", hint="Give the file of a backup.")
    with _open(path) as db:
        _examine(db, path)
        if schema.version(db) == schema.latest("sqlite"):
            yield db
            return
        with TemporaryDirectory() as folder:
            upgraded = SqliteDatabase(Path(folder, "taskpilot.db"))
            db.run("VACUUM INTO :path", path=str(upgraded.path))
            with closing(upgraded):
                upgraded.migrate()
            with _open(upgraded.path) as newer:
                yield newer


def _examine(db: SqliteConnection, path: Path) -> None:
    """Refuse a file that could not be restored whole."""
    try:
        version = schema.version(db)
        if version == 0:
            raise _foreign(path)
        if version > schema.latest("sqlite"):
            raise Invalid(
                f"{path} was written by a newer TaskPilot: it is at version {version}, and this one knows"
                f" {schema.latest('sqlite')}.",
                hint="Update TaskPilot, then restore.",
            )
        whole = db.all("PRAGMA integrity_check(1)") == [{"integrity_check": "ok"}]
        if not whole or db.all("PRAGMA foreign_key_check"):
            raise _damaged(path)
    except Damaged as error:
        cause = error.__cause__
        foreign = isinstance(cause, sqlite3.Error) and cause.sqlite_errorcode == sqlite3.SQLITE_NOTADB
        raise (_foreign if foreign else _damaged)(path) from None


@contextmanager
def _open(path: Path) -> Generator[SqliteConnection]:
    """A file nobody may change through this connection; not one of the store's own."""
    try:
        raw = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None, check_same_thread=False
        )
    except sqlite3.Error as error:
        raise translate(error, path) from error
    with closing(raw):
        yield SqliteConnection(raw, "reader", None)


def _take_place(fresh: Path, path: Path) -> None:
    """Swap a whole database in for a damaged one, which is kept beside it for whoever wants to look."""
    aside = path.with_name(f"{path.name}.damaged-{datetime.now(UTC):%Y%m%dT%H%M%S}")
    os.link(path, aside)
    for end in ("-wal", "-shm"):  # they belong to the old file and would spoil the new one
        with suppress(FileNotFoundError):
            path.with_name(path.name + end).rename(aside.with_name(aside.name + end))
    fresh.replace(path)
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    with suppress(OSError):  # not every system can
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _last_event(db: Connection) -> int:
    return _number(db, "SELECT coalesce(max(id), 0) FROM event")


def _count(db: Connection, table: str) -> int:
    return _number(db, f"SELECT count(*) FROM {table}")


def _number(db: Connection, sql: str) -> int:
    return next(iter((db.one(sql) or {"": 0}).values()))


def _taken(path: Path) -> Conflict:
    return Conflict(f"{path} exists already; nothing was written.", hint="Choose another name, or move it away.")


def _foreign(path: Path) -> Invalid:
    return Invalid(f"{path} is not a TaskPilot backup; nothing was changed.", hint="Give a file that a backup wrote.")


def _damaged(path: Path) -> Invalid:
    return Invalid(f"The backup {path} is damaged; nothing was changed.", hint="Restore an older one.")
