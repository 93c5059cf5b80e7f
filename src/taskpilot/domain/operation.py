"""How an operation touches the store, said once, where it is declared."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any, TypeVar, overload

Op = TypeVar("Op", bound=Callable[..., Any])


class Access(Enum):
    """Which connection an operation is given."""

    GLANCE = "glance"  # one indexed look-up: run wherever the caller is
    READ = "read"  # may take a while: kept off the event loop
    WRITE = "write"  # through the writer, in its transaction
    ERRAND = "errand"  # goes out into the world, and runs operations on its way

    @property
    def read_only(self) -> bool:
        return self in (Access.GLANCE, Access.READ)


def writes(op: Op) -> Op:
    """Mark an operation that changes the store."""
    return _mark(op, Access.WRITE)


@overload
def reads(op: Op) -> Op: ...
@overload
def reads(*, quick: bool) -> Callable[[Op], Op]: ...
def reads(op: Op | None = None, *, quick: bool = False) -> Op | Callable[[Op], Op]:
    """Mark an operation that only looks. It gets a connection that cannot write.

    `quick` promises a single indexed look-up, never a scan: such an operation may run on the event
    loop itself, and needs no transaction to see one state of things.
    """
    access = Access.GLANCE if quick else Access.READ
    if op is not None:
        return _mark(op, access)
    return lambda op: _mark(op, access)


def access_of(op: Callable[..., Any]) -> Access:
    """The marker of an operation; one without is a bug, found on its first call."""
    access = getattr(op, "access", None)
    if not isinstance(access, Access):
        raise TypeError(f"{op!r} is not marked with @reads or @writes")
    return access


def _mark(op: Op, access: Access) -> Op:
    op.access = access  # pyright: ignore[reportFunctionMemberAccess]
    return op
