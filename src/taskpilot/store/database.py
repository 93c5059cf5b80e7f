"""The seam between SQLite and PostgreSQL: run SQL, get rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Literal, Protocol

from taskpilot.domain.errors import Unavailable

Row = dict[str, Any]
Dialect = Literal["sqlite", "postgres"]


class TimeUp(Unavailable):
    """A statement ran past its time box. Whoever set the box catches it."""

    def __init__(self) -> None:
        super().__init__("The database took too long.", hint="Ask for less, or try again in a moment.")


class Damaged(Unavailable):
    """The database's own file cannot be read. Only a backup helps."""


class Connection(Protocol):
    """One transaction's worth of SQL. Parameters are `:name`; a list fills `IN :name`."""

    @property
    def dialect(self) -> Dialect: ...

    @property
    def changes(self) -> int:
        """Grows whenever this connection changes a row: equal before and after means nothing to undo."""
        ...

    def one(self, sql: str, **params: Any) -> Row | None: ...
    def all(self, sql: str, **params: Any) -> list[Row]: ...
    def tuples(self, sql: str, **params: Any) -> list[tuple[Any, ...]]:
        """`all`, for those who read thousands and know the order of the columns."""
        ...

    def run(self, sql: str, **params: Any) -> int:
        """How many rows it changed."""
        ...

    def insert(self, sql: str, **params: Any) -> int:
        """Run an INSERT of one row; the `id` the database gave it."""
        ...

    def script(self, sql: str) -> None:
        """Many statements, without parameters."""
        ...

    def stream(self, sql: str) -> Iterator[tuple[Any, ...]]:
        """Rows as they come, for tables that do not fit into memory."""
        ...

    def load(self, table: str, columns: Sequence[str], rows: Iterable[tuple[Any, ...]]) -> None:
        """Insert many rows in one go. They may refer to each other in any order."""
        ...

    def savepoint(self) -> AbstractContextManager[None]:
        """What fails inside is undone; what was done before stays. If it cannot stay: Unavailable."""
        ...

    def within(self, seconds: float) -> AbstractContextManager[None]:
        """Stop what takes longer, with TimeUp."""
        ...


class Database(Protocol):
    """A place where tasks live. Every error that leaves it is a TaskPilotError or a bug."""

    def migrate(self) -> None: ...
    def glancing(self) -> Connection | None:
        """For a single look-up on the calling thread, without a transaction; it cannot write either.

        None where that is not the cheapest way: over a network, a look-up belongs into a reader's thread.
        """
        ...

    def reading(self) -> AbstractContextManager[Connection]:
        """A snapshot that cannot be written to."""
        ...

    def writing(self) -> AbstractContextManager[Connection]:
        """The one write transaction there is at a time, in every process."""
        ...

    def wait_for_commit(self, timeout: float) -> bool:
        """Block until somebody, in any process, may have committed; False when time ran out."""
        ...

    def close(self) -> None: ...


def open_database(where: str | Path) -> Database:
    """SQLite at a path, PostgreSQL at a URL. Only what is used is imported."""
    if isinstance(where, str) and where.startswith(("postgresql://", "postgres://")):
        from taskpilot.store.postgres import PostgresDatabase

        return PostgresDatabase(where)
    from taskpilot.store.sqlite import SqliteDatabase

    return SqliteDatabase(Path(where))
