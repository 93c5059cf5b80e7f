"""How an operation touches the store, said once, where it is declared."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any, TypeVar, overload

from taskpilot.domain.scopes import Scope

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


@overload
def writes(op: Op) -> Op: ...
@overload
def writes(*, scope: Scope) -> Callable[[Op], Op]: ...
def writes(op: Op | None = None, *, scope: Scope = Scope.WRITE) -> Op | Callable[[Op], Op]:
    """Mark an operation that changes the store, and what a caller must be allowed to use it."""
    if op is not None:
        return _mark(op, Access.WRITE, scope)
    return lambda op: _mark(op, Access.WRITE, scope)


@overload
def reads(op: Op) -> Op: ...
@overload
def reads(*, quick: bool = False, scope: Scope = Scope.READ) -> Callable[[Op], Op]: ...
def reads(op: Op | None = None, *, quick: bool = False, scope: Scope = Scope.READ) -> Op | Callable[[Op], Op]:
    """Mark an operation that only looks. It gets a connection that cannot write.

    `quick` promises a single indexed look-up, never a scan: such an operation may run on the event
    loop itself, and needs no transaction to see one state of things.
    """
    access = Access.GLANCE if quick else Access.READ
    if op is not None:
        return _mark(op, access, scope)
    return lambda op: _mark(op, access, scope)


def sends(*, scope: Scope) -> Callable[[Op], Op]:
    """Mark an errand: it runs outside any transaction, and runs operations on its way."""
    return lambda op: _mark(op, Access.ERRAND, scope)


def access_of(op: Callable[..., Any]) -> Access:
    """The marker of an operation; one without is a bug, found on its first call."""
    access = getattr(op, "access", None)
    if not isinstance(access, Access):
        raise TypeError(f"{op!r} is not marked with @reads or @writes")
    return access


def scope_of(op: Callable[..., Any]) -> Scope:
    """What a caller must be allowed to use it."""
    access_of(op)
    return op.scope  # pyright: ignore[reportFunctionMemberAccess]


def _mark(op: Op, access: Access, scope: Scope) -> Op:
    op.access = access  # pyright: ignore[reportFunctionMemberAccess]
    op.scope = scope  # pyright: ignore[reportFunctionMemberAccess]
    return op
