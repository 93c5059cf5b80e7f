"""PostgreSQL, spoken to in the same SQL."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from typing import Any, LiteralString, cast

import psycopg
from psycopg.rows import dict_row, tuple_row

from taskpilot.domain.errors import DiskFull, InDoubt, Invalid, Unavailable
from taskpilot.store import schema
from taskpilot.store.database import Dialect, Row, TimeUp
from taskpilot.store.pool import Pool, Raw

# Writers, in every process, take turns on this lock from the first statement to the commit. It gives both
# databases the same rules: event ids are in commit order, and a check (no cycle, still free) holds until saved.
WRITER_LOCK = 0x7A5C_9110
CHANNEL = "taskpilot_event"
CONNECT_SECONDS = 5
BUSY_SECONDS = 30
IDLE_SECONDS = 60
"""A writer that stops in the middle of a transaction (a laptop that sleeps) gives way after this."""
READERS = 8
# A server whose machine is gone does not answer; without these, that takes hours to notice.
KEEPALIVE: dict[str, Any] = {
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 2,
    "tcp_user_timeout": 10_000,
}

_NAMED = re.compile(r"(?<![:\w]):([a-z_]\w*)")
_LISTS = re.compile(r"\bIN :(\w+)")


class PostgresConnection:
    dialect: Dialect = "postgres"

    def __init__(self, raw: Raw) -> None:
        self.raw = raw
        self.changes = 0

    def one(self, sql: str, **params: Any) -> Row | None:
        return self._execute(sql, params).fetchone()

    def all(self, sql: str, **params: Any) -> list[Row]:
        return self._execute(sql, params).fetchall()

    def tuples(self, sql: str, **params: Any) -> list[tuple[Any, ...]]:
        cursor = cast(Any, self._execute(sql, params))
        cursor.row_factory = tuple_row
        return cursor.fetchall()

    def run(self, sql: str, **params: Any) -> int:
        return self._execute(sql, params).rowcount

    def insert(self, sql: str, **params: Any) -> int:
        row = self._execute(f"{sql} RETURNING id", params).fetchone()
        return row["id"] if row else 0

    def script(self, sql: str) -> None:
        self._execute(sql, {})

    def stream(self, sql: str) -> Iterator[tuple[Any, ...]]:
        try:
            with self.raw.cursor("stream", row_factory=tuple_row) as cursor:
                cursor.itersize = 2_000
                yield from cursor.execute(_trust(sql))
        except psycopg.Error as error:
            raise self._explain(error) from error

    def load(self, table: str, columns: Sequence[str], rows: Iterable[tuple[Any, ...]]) -> None:
        copy_in = _trust(f"COPY {table} ({', '.join(columns)}) FROM STDIN")
        try:
            with self.raw.cursor() as cursor, cursor.copy(copy_in) as copy:
                for row in rows:
                    copy.write_row(row)
        except (psycopg.DataError, psycopg.IntegrityError) as error:
            raise Invalid(f"A row does not fit into {table}: {str(error).splitlines()[0]}.") from error
        except psycopg.Error as error:
            raise self._explain(error) from error

    @contextmanager
    def savepoint(self) -> Generator[None]:
        self.run("SAVEPOINT step")
        try:
            yield
        except BaseException as error:
            try:
                self.raw.execute("ROLLBACK TO step")
                self.raw.execute("RELEASE step")
            except psycopg.Error:
                raise _away() from error
            raise
        self.run("RELEASE step")

    @contextmanager
    def within(self, seconds: float) -> Generator[None]:
        with self.savepoint():  # PostgreSQL ends a transaction whose statement it stopped, up to a savepoint
            self.run(f"SET LOCAL statement_timeout = {max(1, int(seconds * 1000))}")
            yield
            self.run("SET LOCAL statement_timeout = 0")

    def _execute(self, sql: str, params: dict[str, Any]) -> psycopg.Cursor[Row]:
        try:
            cursor = self.raw.execute(_translate_names(sql), params) if params else self.raw.execute(_trust(sql))
        except (psycopg.Error, UnicodeError) as error:
            self.changes += 1  # a statement that failed has spoiled the transaction
            raise self._explain(error) from error
        if cursor.statusmessage is None or not cursor.statusmessage.startswith("SELECT"):
            self.changes += 1
        return cursor

    def _explain(self, error: Exception) -> Exception:
        if isinstance(error, psycopg.errors.ReadOnlySqlTransaction) and self.raw.read_only:
            return error  # an operation marked @reads that writes: a bug
        return translate(error)


class PostgresDatabase:
    def __init__(self, url: str) -> None:
        self.url = url
        self._readers = Pool(self._connect_reader, READERS, BUSY_SECONDS)
        self._writer = Pool(self._connect_writer, 1, BUSY_SECONDS)
        self._listener: Raw | None = None

    def migrate(self) -> None:
        """Each migration in one transaction, under the writers' lock: start as many processes at once as you like."""
        schema.upgrade(self)

    def glancing(self) -> None:
        return None

    @contextmanager
    def reading(self) -> Generator[PostgresConnection]:
        with self._readers.borrow() as raw:
            try:
                yield PostgresConnection(raw)
            finally:
                with suppress(psycopg.Error):
                    raw.rollback()

    @contextmanager
    def writing(self) -> Generator[PostgresConnection]:
        with self._writer.borrow() as raw:
            db = PostgresConnection(raw)
            try:
                db.run(f"SELECT pg_advisory_xact_lock({WRITER_LOCK})")
                yield db
                db.run(f"NOTIFY {CHANNEL}")
                _commit(raw)
            except BaseException:
                with suppress(psycopg.Error):
                    raw.rollback()
                raise

    def wait_for_commit(self, timeout: float) -> bool:
        try:
            if self._listener is None:
                self._listener = self._connect(autocommit=True)
                self._listener.execute(f"LISTEN {CHANNEL}")
                return True  # something may have happened while nobody listened
            return next(iter(self._listener.notifies(timeout=timeout, stop_after=1)), None) is not None
        except psycopg.Error as error:
            if self._listener is not None:
                self._listener.close()
            self._listener = None
            raise translate(error) from error

    def close(self) -> None:
        if self._listener is not None:
            self._listener.close()
        self._readers.close()
        self._writer.close()

    def _connect_reader(self) -> Raw:
        raw = self._connect()
        raw.read_only = True
        raw.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        return raw

    def _connect_writer(self) -> Raw:
        raw = self._connect()
        raw.execute(_trust(f"SET lock_timeout = '{BUSY_SECONDS}s'"))
        raw.execute(_trust(f"SET idle_in_transaction_session_timeout = '{IDLE_SECONDS}s'"))
        raw.commit()
        return raw

    def _connect(self, *, autocommit: bool = False) -> Raw:
        try:
            return psycopg.Connection[Row].connect(
                self.url, autocommit=autocommit, row_factory=dict_row, connect_timeout=CONNECT_SECONDS, **KEEPALIVE
            )
        except psycopg.Error as error:
            raise translate(error) from error


def _commit(raw: Raw) -> None:
    try:
        raw.commit()
    except psycopg.Error as error:
        if not raw.closed:
            raise translate(error) from error
        raise InDoubt(
            "The database went away while it was saving: the change may or may not be stored.",
            hint="Look before you repeat it, or repeat it with the same idempotency key.",
        ) from error


def translate(error: Exception) -> Exception:
    """What a database error means to the caller; an error that means a bug comes back as it is."""
    if isinstance(error, UnicodeError | psycopg.errors.NumericValueOutOfRange) or type(error) is psycopg.DataError:
        return Invalid("A number is too large or a text is not Unicode.", hint="Correct it and repeat.")
    if isinstance(error, psycopg.errors.QueryCanceled):
        return TimeUp()
    if isinstance(error, psycopg.errors.DiskFull):
        return DiskFull("The database's disk is full; nothing was changed.", hint="Free some space and repeat.")
    if isinstance(error, psycopg.errors.LockNotAvailable):
        return Unavailable("The database is busy; nothing was changed.", hint="Try again in a moment.")
    if isinstance(error, psycopg.errors.ReadOnlySqlTransaction):
        return Unavailable("The database takes no changes at the moment.", hint="Is it a standby? Ask its operator.")
    if isinstance(error, psycopg.OperationalError | psycopg.InterfaceError):
        return _away()
    return error


def _away() -> Unavailable:
    return Unavailable(
        "The database cannot be reached; nothing was changed.", hint="Check that PostgreSQL is running, then repeat."
    )


@lru_cache(maxsize=1024)
def _translate_names(sql: str) -> LiteralString:
    listed = _LISTS.sub(r"= ANY(:\1)", sql.replace("%", "%%"))
    return _trust(_NAMED.sub(r"%(\1)s", listed))


def _trust(sql: str) -> LiteralString:
    return cast(LiteralString, sql)
