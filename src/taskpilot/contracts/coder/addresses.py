"""URIs of coder resources, written and read."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, date
from typing import NamedTuple
from urllib.parse import quote, unquote

from taskpilot.domain import text
from taskpilot.domain.errors import NotFound
from taskpilot.domain.events import Event
from taskpilot.domain.run import Agent

LISTS = ("agent://status", "agent://tasks", "task://list", "agent://sessions")
LOGS = ("task", "run", "audit")

_BEFORE = re.compile(r"before=(\d{1,18})")
_FORMS = {
    "agent": re.compile(r"(status|tasks|sessions)"),
    "task": re.compile(r"(\w+)(?:/(logs|result))?"),
    "session": re.compile(r"([^/]+)/([^/]+)"),
    "branch": re.compile(r"(.+)/tasks"),
    "project": re.compile(r"(.+)/status"),
    "log": re.compile(rf"({'|'.join(LOGS)})/(\d{{4}}-\d\d-\d\d)"),
}


class Address(NamedTuple):
    kind: str
    first: str
    second: str
    before: int | None
    """Where a log goes on: at what came before this entry."""


def read(uri: str) -> Address:
    """What a URI names; NotFound if nothing here could."""
    kind, _, rest = uri.partition("://")
    path, _, query = rest.partition("?")
    form = _FORMS.get(kind)
    found = form.fullmatch(path) if form else None
    before = _BEFORE.fullmatch(query) if query else None
    if found is None or (query and before is None):
        raise missing(uri)
    first, second = (text.clean_line(unquote(part or "")) for part in (*found.groups(), "")[:2])
    return Address(kind, first, second, int(before[1]) if before else None)


def read_day(given: str) -> date:
    """A day with a day before and a day after it."""
    try:
        day = date.fromisoformat(given)
    except ValueError:
        raise NotFound(f"There is no day {given}.") from None
    if not 1 < day.year < 9999:
        raise NotFound(f"There is no log of {given}.")
    return day


def read_agent(given: str) -> Agent:
    for agent in Agent:
        if agent.startable and agent == given.lower():
            return agent
    raise NotFound(f"There is no agent {given}.")


def missing(uri: str) -> NotFound:
    return NotFound(f"Resource not found: {text.shorten(text.clean_line(uri), 200)}")


def touched(event: Event) -> Iterable[str]:
    """What an event may have changed. A `*` at the end stands for whatever follows."""
    day = event.at.astimezone(UTC).date().isoformat()
    yield f"log://audit/{day}"
    if event.noun == "store":
        yield from (*LISTS, *(f"{kind}://*" for kind in _FORMS if kind != "agent"))
    elif event.noun == "task":
        # Which branches, sessions and folders it belongs to, an event of the task does not say.
        yield from (*LISTS, f"task://{event.subject}", "session://*", "branch://*", "project://*")
    elif event.noun == "run":
        yield from LISTS
        yield from _touched_by_run(event, day)
    elif event.noun == "workspace" and "path" in event.after:
        yield _write("project", event.after["path"], "status")


def _touched_by_run(event: Event, day: str) -> Iterable[str]:
    """A change of a run is told beside an entry of its log, and that names all it belongs to."""
    told = event.after
    if event.kind == "run.undone":
        yield from (f"{kind}://*" for kind in ("task", "session", "branch", "project"))
    if "task" not in told:
        return
    yield from (f"task://{told['task']}", f"task://{told['task']}/logs", f"task://{told['task']}/result")
    if event.kind == "run.logged":
        yield from (f"log://task/{day}", f"log://run/{day}")
    if told.get("session"):
        yield f"session://{told['agent']}/{told['session']}"
    if told.get("branch"):
        yield _write("branch", told["branch"], "tasks")
    if told.get("path"):
        yield _write("project", told["path"], "status")


def _write(kind: str, value: str, page: str) -> str:
    return f"{kind}://{quote(value, safe='')}/{page}"


def reshelved(event: Event) -> bool:
    """Whether the list of resources, which names the latest sessions' tasks, reads otherwise now."""
    return event.kind in ("run.created", "task.deleted", "task.undone", "store.restored") or (
        event.noun == "task" and event.before is not None and "title" in event.after
    )
