"""Who did what: changes, calls that changed nothing, and those that failed."""

from __future__ import annotations

import re
from dataclasses import replace

from taskpilot.domain import calls
from taskpilot.domain.calls import Search, Step
from taskpilot.domain.errors import Invalid
from taskpilot.domain.operation import reads
from taskpilot.domain.scopes import Scope
from taskpilot.domain.selection import Page, limit
from taskpilot.store.calls import FIRST, Calls
from taskpilot.store.work import Work

_CURSOR = re.compile(r"([0-9]{1,18})\.([0-9]{1,18})", re.ASCII)


@reads
def list_page(work: Work, search: Search | None = None, *, limit: int = 50, cursor: str | None = None) -> Page[Step]:
    """What was done in the caller's name, latest first."""
    return _page(work, work.caller.user, search or Search(), limit, cursor)


@reads(scope=Scope.ADMIN)
def list_everybody(
    work: Work, search: Search | None = None, *, limit: int = 50, cursor: str | None = None
) -> Page[Step]:
    """What anybody did, and who was turned away; latest first."""
    return _page(work, None, search or Search(), limit, cursor)


def _page(work: Work, owner: int | None, search: Search, most: int, cursor: str | None) -> Page[Step]:
    if search.outcome is not None:
        search = replace(search, outcome=calls.parse_outcome(search.outcome))
    event, call = _read_cursor(cursor)
    steps, more = Calls(work.db).steps(owner, search, event, call, limit(most))
    if not more:
        return Page(tuple(steps), None)
    event = min([event, *(step.id for step in steps if step.source == "event")])
    call = min([call, *(step.id for step in steps if step.source == "call")])
    return Page(tuple(steps), f"{min(event, _LARGEST)}.{min(call, _LARGEST)}")


_LARGEST = 10**18 - 1


def _read_cursor(cursor: str | None) -> tuple[int, int]:
    """Before which event and which call the page begins."""
    if cursor is None:
        return FIRST, FIRST
    found = _CURSOR.fullmatch(cursor)
    if found is None:
        raise Invalid("This cursor does not belong to this list.", hint="Start again without a cursor.")
    return int(found[1]), int(found[2])
