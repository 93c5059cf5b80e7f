"""SQLite: one file, one writer at a time, readers beside it."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import threading
import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal
from weakref import WeakSet

from taskpilot.domain.errors import DiskFull, InDoubt, Invalid, Unavailable
from taskpilot.store import schema
from taskpilot.store.database import Damaged, Dialect, Row, TimeUp

BUSY_SECONDS = 30.0
POLL_SECONDS = 0.1
CACHE_KIB = 64 * 1024
LOG_MOST = 64 * 1024 * 1024
"""What the write-ahead log shrinks to after a large transaction."""

Kind = Literal["reader", "writer"]
_LISTS = re.compile(r"\bIN :(\w+)")


class SqliteConnection:
    dialect: Dialect = "sqlite"

    def __init__(self, raw: sqlite3.Connection, kind: Kind, file: tuple[int, int] | None) -> None:
        self.raw = raw
        self.kind = kind
        self.file = file
        """Which file this is, to notice when the path means another."""
        self.broken = False
        """The disk or the file failed it: better opened anew than trusted."""
        self.seen = -1
        """The file's change counter when `wait_for_commit` last looked."""
        self._execute = raw.execute

    def __del__(self) -> None:
        # Its thread has ended.
        self.raw.close()

    @property
    def changes(self) -> int:
        return self.raw.total_changes

    def one(self, sql: str, **params: Any) -> Row | None:
        try:
            cursor = self._execute(*_fit(sql, params))
            row = cursor.fetchone()
        except _FAILURES as error:
            raise self._explain(error) from error
        return None if row is None else dict(zip([column[0] for column in cursor.description], row, strict=True))

    def tuples(self, sql: str, **params: Any) -> list[tuple[Any, ...]]:
        try:
            return self._execute(*_fit(sql, params)).fetchall()
        except _FAILURES as error:
            raise self._explain(error) from error

    def all(self, sql: str, **params: Any) -> list[Row]:
        try:
            cursor = self._execute(*_fit(sql, params))
            rows = cursor.fetchall()
        except _FAILURES as error:
            raise self._explain(error) from error
        if not rows:
            return []
        names = [column[0] for column in cursor.description]
        return [dict(zip(names, row, strict=True)) for row in rows]

    def run(self, sql: str, **params: Any) -> int:
        try:
            return self._execute(*_fit(sql, params)).rowcount
        except _FAILURES as error:
            raise self._explain(error) from error

    def insert(self, sql: str, **params: Any) -> int:
        # Not RETURNING: it makes SQLite guard the statement with a savepoint, which costs twice the insert.
        try:
            return self._execute(sql, params).lastrowid or 0
        except _FAILURES as error:
            raise self._explain(error) from error

    def script(self, sql: str) -> None:
        for statement in split(sql):
            self.run(statement)

    def stream(self, sql: str) -> Iterator[tuple[Any, ...]]:
        try:
            yield from self._execute(sql)
        except _FAILURES as error:
            raise self._explain(error) from error

    def load(self, table: str, columns: Sequence[str], rows: Iterable[tuple[Any, ...]]) -> None:
        self.run("PRAGMA defer_foreign_keys = ON")
        marks = ", ".join("?" * len(columns))
        try:
            self.raw.executemany(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})", rows)
            if table == "task":  # tasks that come this way have not been indexed one by one
                self._execute("INSERT INTO task_search (task_search) VALUES ('rebuild')")
        except _FAILURES as error:
            raise self._explain(error) from error

    @contextmanager
    def savepoint(self) -> Generator[None]:
        self.run("SAVEPOINT step")
        try:
            yield
        except BaseException as error:
            # A full disk, say, may have ended the whole transaction; there is nothing to go back to then.
            if not self.raw.in_transaction:
                raise self._lost() from error
            try:
                self._execute("ROLLBACK TO step")
                self._execute("RELEASE step")
            except sqlite3.Error:
                raise self._lost() from error
            raise
        self.run("RELEASE step")

    @contextmanager
    def within(self, seconds: float) -> Generator[None]:
        end = time.monotonic() + seconds
        self.raw.set_progress_handler(lambda: time.monotonic() > end, 2_000)
        try:
            yield
        finally:
            self.raw.set_progress_handler(None, 0)

    def end(self) -> None:
        """Leave no transaction open: not even a failed COMMIT may leak into the next one."""
        if self.raw.in_transaction:
            try:
                self._execute("ROLLBACK")
            except sqlite3.Error:
                self.broken = True

    def _explain(self, error: Exception) -> Exception:
        code = getattr(error, "sqlite_errorcode", 0)
        if code == sqlite3.SQLITE_READONLY and self.kind == "reader":
            return error  # an operation marked @reads that writes: a bug
        self.broken = self.broken or code & 0xFF in _MISTRUST
        return translate(error)

    def _lost(self) -> Unavailable:
        self.broken = True
        return Unavailable("The database gave up on the change; nothing was changed.", hint="Try again in a moment.")


class SqliteDatabase:
    def __init__(self, path: Path) -> None:
        self.path = path
        self._threads = threading.local()
        self._open: WeakSet[SqliteConnection] = WeakSet()
        self._lock = threading.Lock()
        self._closed = False
        self._committed = threading.Event()

    def migrate(self) -> None:
        """Bring the file up to date, each step in its own transaction: kill it anywhere, start it again."""
        self._make_folder()
        self._connection("writer", create=True)
        schema.upgrade(self)

    def glancing(self) -> SqliteConnection:
        return self._connection("reader")

    @contextmanager
    def reading(self) -> Generator[SqliteConnection]:
        db = self._connection("reader")
        db.run("BEGIN")
        try:
            yield db
        finally:
            db.end()

    @contextmanager
    def writing(self) -> Generator[SqliteConnection]:
        db = self._connection("writer")
        db.run("BEGIN IMMEDIATE")
        try:
            yield db
            db.run("COMMIT")
        finally:
            db.end()
        self._committed.set()

    def wait_for_commit(self, timeout: float) -> bool:
        """Ask the file's change counter; it moves when any other connection commits."""
        end = time.monotonic() + timeout
        while True:
            self._committed.clear()
            db = self._connection("reader")
            row = db.one("PRAGMA data_version")
            counter: int = row["data_version"] if row else 0
            if counter != db.seen:
                db.seen = counter
                return True
            if time.monotonic() >= end:
                return False
            self._committed.wait(POLL_SECONDS)  # our own commits at once, other processes' a little later

    def close(self) -> None:
        with self._lock:
            self._closed = True
            opened = list(self._open)
        self._threads = threading.local()
        for db in opened:
            with suppress(sqlite3.Error):
                db.raw.close()

    def _connection(self, kind: Kind, *, create: bool = False) -> SqliteConnection:
        """This thread's own. One that failed, or whose file was moved away under it, is replaced."""
        found: SqliteConnection | None = getattr(self._threads, kind, None)
        if found is not None and not found.broken and found.file == _identify(self.path):
            return found
        if found is not None:
            delattr(self._threads, kind)
            found.raw.close()
        found = self._connect(kind, create=create)
        setattr(self._threads, kind, found)
        return found

    def _connect(self, kind: Kind, *, create: bool) -> SqliteConnection:
        if not create and _identify(self.path) is None:
            raise Unavailable(f"There is no database at {self.path}.", hint="Put it back, or check --data-dir.")
        raw: sqlite3.Connection | None = None
        try:
            raw = sqlite3.connect(
                f"{self.path.absolute().as_uri()}?mode={'rwc' if create else 'rw'}",
                uri=True,
                timeout=BUSY_SECONDS,
                isolation_level=None,
                check_same_thread=False,
                cached_statements=256,
            )
            for pragma in _PRAGMAS[kind]:
                _patiently(raw, pragma)
        except sqlite3.Error as error:
            if raw is not None:
                raw.close()
            raise translate(error, self.path) from error
        db = SqliteConnection(raw, kind, _identify(self.path))
        with self._lock:
            if self._closed:
                raise Unavailable("TaskPilot is stopping; nothing was changed.", hint="Repeat when it runs again.")
            self._open.add(db)
        return db

    def _make_folder(self) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise Unavailable(
                f"The folder {self.path.parent} cannot be made: {error.strerror}.",
                hint="Choose another with --data-dir.",
            ) from None


# FULL: the write-ahead log is on the disk before anybody is told "saved". fullfsync: on macOS too.
_PRAGMAS: dict[Kind, tuple[str, ...]] = {
    "reader": (f"PRAGMA cache_size = -{CACHE_KIB}", "PRAGMA temp_store = MEMORY", "PRAGMA query_only = ON"),
    "writer": (
        f"PRAGMA cache_size = -{CACHE_KIB}",
        "PRAGMA temp_store = MEMORY",
        "PRAGMA journal_mode = WAL",
        "PRAGMA synchronous = FULL",
        "PRAGMA fullfsync = ON",
        f"PRAGMA journal_size_limit = {LOG_MOST}",
        "PRAGMA foreign_keys = ON",
    ),
}


def split(script: str) -> list[str]:
    """The statements of a script; a trigger's inner semicolons do not end it."""
    statements: list[str] = []
    text = ""
    for piece in script.split(";")[:-1]:
        text += piece + ";"
        if sqlite3.complete_statement(text):
            statements.append(text.strip())
            text = ""
    rest = text + script.rpartition(";")[2]
    if any(line.strip() and not line.strip().startswith("--") for line in rest.splitlines()):
        raise ValueError(f"the last statement has no end: {rest.strip()!r}")
    return statements


def translate(error: Exception, path: Path | None = None) -> Exception:
    """What a database error means to the caller; an error that means a bug comes back as it is."""
    if isinstance(error, OverflowError | UnicodeError):
        return Invalid("A number is too large or a text is not Unicode.", hint="Correct it and repeat.")
    extended: int = getattr(error, "sqlite_errorcode", 0)
    code = extended & 0xFF
    where = f" {path}" if path else ""
    if code == sqlite3.SQLITE_INTERRUPT:
        return TimeUp()
    if code == sqlite3.SQLITE_FULL:
        return DiskFull("The disk is full; nothing was changed.", hint="Free some space and repeat.")
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return Damaged(f"The database file{where} is damaged.", hint="Run `taskpilot check`, then restore a backup.")
    if extended == sqlite3.SQLITE_IOERR_FSYNC:
        return InDoubt(
            "The disk failed while it was saving: the change may or may not be stored.",
            hint="Check the disk, and look before you repeat it.",
        )
    if code in _OUTCOMES:
        what, hint = _OUTCOMES[code]
        return Unavailable(what.format(where=where), hint=hint)
    return error


_FAILURES = (sqlite3.Error, OverflowError, UnicodeError)
_MISTRUST = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN}
_BUSY = ("The database is busy with another program; nothing was changed.", "Try again in a moment.")
_READ_ONLY = ("The database{where} cannot be written to.", "Check the folder's permissions, or use --data-dir.")
_OUTCOMES = {
    sqlite3.SQLITE_BUSY: _BUSY,
    sqlite3.SQLITE_LOCKED: _BUSY,
    sqlite3.SQLITE_READONLY: _READ_ONLY,
    sqlite3.SQLITE_PERM: _READ_ONLY,
    sqlite3.SQLITE_CANTOPEN: (
        "The database{where} cannot be opened.",
        "Check that the folder exists and is yours, or use --data-dir.",
    ),
    sqlite3.SQLITE_IOERR: ("The disk answered with an error; nothing was changed.", "Check the disk, then repeat."),
}


def _fit(sql: str, params: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """A list becomes one parameter, so that a statement is the same for three ids and three thousand."""
    if "IN :" not in sql:
        return sql, params
    return _list_out(sql), {
        name: json.dumps(value) if isinstance(value, list | tuple) else value for name, value in params.items()
    }


@lru_cache(maxsize=512)
def _list_out(sql: str) -> str:
    return _LISTS.sub(r"IN (SELECT value FROM json_each(:\1))", sql)


def _identify(path: Path) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _patiently(raw: sqlite3.Connection, pragma: str) -> None:
    """Turning the write-ahead log on ignores the busy timeout, so processes that start at once must retry."""
    end = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            raw.execute(pragma)
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                raise
            time.sleep(0.02)
