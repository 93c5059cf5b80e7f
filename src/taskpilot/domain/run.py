"""A run: one go at a task, by an agent or by hand, and what it says on its way."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Any, cast

from taskpilot.domain import text
from taskpilot.domain.errors import Conflict, Invalid, NotFound
from taskpilot.domain.moments import load_moment
from taskpilot.domain.task import Status, Task

BRANCH_MOST = 200
SLUG_MOST = 40
LOG_MOST = 10_000
ARGV_MOST = 200


class Agent(StrEnum):
    CLAUDECODE = "claudecode"
    GEMINI = "gemini"
    CODEX = "codex"
    OPENCODE = "opencode"
    COMMAND = "command"  # any program, by its argv
    HAND = "hand"  # nobody was started: somebody says how it goes

    @property
    def startable(self) -> bool:
        return self is not Agent.HAND


class State(StrEnum):
    PENDING = "pending"
    IN_PROGRESS = "in_progress"
    WAITING = "waiting"  # done, session open
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"  # after a crash; can be resumed

    @property
    def over(self) -> bool:
        return self in (State.COMPLETED, State.FAILED, State.CANCELLED)

    @property
    def active(self) -> bool:
        return self in (State.IN_PROGRESS, State.WAITING)


class Kind(StrEnum):
    """What an entry of a run's log is."""

    LOG = "log"
    STATUS = "status"
    INSTRUCTIONS = "instructions"
    MESSAGE = "message"
    THOUGHT = "thought"
    TOOL_CALL = "tool_call"
    TOOL_RESULT = "tool_result"
    FILE_CHANGE = "file_change"
    PERMISSION_REQUEST = "permission_request"
    USAGE = "usage"
    ERROR = "error"
    END = "end"


class Ended(Conflict):
    """The task is over; it takes no more updates."""


class NotLive(Conflict):
    """No agent is at work that could be spoken to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    id: int
    owner: int
    task: int
    session: str
    """What callers name it by."""
    agent: Agent
    created_at: datetime
    updated_at: datetime
    state: State = State.PENDING
    workspace: int | None = None
    branch: str = ""
    instructions: str = ""
    config: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """As given, secrets masked."""
    result: Any = None
    """Any JSON; None until there is one."""
    error: str = ""
    attempt: int = 0
    """How often a worker has claimed it: the fencing token of whoever holds it now."""
    worker: str = ""
    """Who holds it; empty: nobody."""
    claim: int | None = None
    """The claim on its task that goes with the attempt."""
    turn: int = 0
    """How often it was sent off: once to begin with, and again with every follow-up to a run at rest."""
    told: int = 0
    """The last instruction in its log that the agent was given."""
    way: str = ""
    """acp, cli_json or command, once that is settled."""
    base: str = ""
    """The branch it started from."""
    base_head: str = ""
    head: str = ""
    """The last commit of its own branch."""
    worktree: str = ""
    turns: int = 0
    """How many prompts the agent has answered."""
    queued_at: datetime | None = None
    """Since when somebody wants it carried out; None: nobody does."""
    admitted_at: datetime | None = None
    """Since when a worker may take it."""
    stop_asked_at: datetime | None = None
    ends_as: str = ""
    """What it is to end as, once it has stopped: a state."""
    lease_until: datetime | None = None
    agent_session: str = ""
    """The agent's own name for its session, to resume it by."""
    exit_code: int | None = None
    files_changed: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    tokens_in: int = 0
    tokens_out: int = 0
    cost_micros: int = 0
    started_at: datetime | None = None
    ended_at: datetime | None = None
    version: int = 1

    @property
    def live(self) -> bool:
        """Whether an agent is attached to it now."""
        return bool(self.worker) and not self.state.over

    @property
    def stopping(self) -> bool:
        """Whether somebody wants it to end, and it has not yet."""
        return self.stop_asked_at is not None and not self.state.over

    @property
    def wanted(self) -> bool:
        """Whether a worker carries it out, or is to."""
        return self.queued_at is not None and self.state in (State.PENDING, State.IN_PROGRESS, State.INTERRUPTED)

    @property
    def at_rest(self) -> bool:
        """Whether nothing more comes of it unless somebody says so."""
        idle = self.state is State.PENDING and self.queued_at is None
        return self.state.over or self.state is State.WAITING or idle

    def move(self, state: State, at: datetime, *, began: datetime | None = None, result: Any = None) -> Run:
        """To another state. `began` is when work on the task began, if somebody noted it before the run did."""
        begun = began if began is not None and began >= self.created_at else at
        return replace(
            self,
            state=state,
            started_at=self.started_at or (None if state is State.PENDING else begun),
            ended_at=at if state.over else None,
            result=self.result if result is None else result,
            updated_at=at,
            version=self.version + 1,
        )


@dataclass(frozen=True, slots=True)
class Said:
    """Something an agent said or did.

    `data`, by kind: tool_call {id, name, kind, input}; tool_result {id, ok}; file_change {path, change};
    usage {tokens_in, tokens_out, cost_micros}, what has come on top since the last one; end {reason}.
    """

    kind: Kind
    text: str
    data: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Hold:
    """What every write of a worker carries: with an old one, nothing is written."""

    run: int
    owner: int
    attempt: int
    claim: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One entry of a log."""

    id: int
    task: int
    run: int | None
    number: int
    kind: Kind
    text: str
    at: datetime
    attempt: int = 0
    data: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Logged:
    """An entry as the event log tells it: with all that its followers know the run by, and not all of the text."""

    id: int
    task: int
    number: int
    kind: Kind
    text: str
    session: str = ""
    agent: str = ""
    branch: str = ""
    workspace: int | None = None
    path: str = ""


def stand(task: Task, run: Run | None) -> State:
    """How a task stands: what an agent at work or in the queue says, else the task, else how the last run went.

    Doors that know no runs change the task alone; whoever completes, drops or takes up a task again is believed.
    """
    if run is None:
        return _OF_TASK[task.status]
    if run.live or (run.state is State.PENDING and run.wanted and task.status.open):
        return run.state
    return stand_at_rest(task.status, run.state)


def stand_at_rest(status: Status, state: State | None) -> State:
    """`stand`, for a task whose latest run, if any, nobody holds."""
    told = _OF_TASK[status]
    if state is None or status is Status.DONE:
        return told
    if status is Status.DROPPED:
        return state if state in (State.FAILED, State.CANCELLED) else State.CANCELLED
    if state in (State.WAITING, State.INTERRUPTED):
        return state
    if state in (State.FAILED, State.CANCELLED):
        return told if status is Status.IN_PROGRESS else state
    if state is State.COMPLETED and status is Status.REVIEW:
        return state
    return told


_OF_TASK = {
    Status.BACKLOG: State.PENDING,
    Status.TODO: State.PENDING,
    Status.IN_PROGRESS: State.IN_PROGRESS,
    Status.BLOCKED: State.IN_PROGRESS,
    Status.REVIEW: State.IN_PROGRESS,
    Status.DONE: State.COMPLETED,
    Status.DROPPED: State.FAILED,
}


def missing(given: object) -> NotFound:
    """By its number it is a run; by its name, a session."""
    if isinstance(given, int):
        return NotFound(f"Run {given} not found.", hint="List the runs to see their numbers.")
    return NotFound(f"Session {given!r} not found.", hint="List the sessions to see their ids.")


def revive(plain: Mapping[str, Any]) -> dict[str, Any]:
    """Field values back from their JSON form."""
    return {name: _REVIVE[name](value) if name in _REVIVE else value for name, value in plain.items()}


_REVIVE: dict[str, Any] = {
    "agent": Agent,
    "state": State,
    "files_changed": tuple,
    "commands": tuple,
    **dict.fromkeys(
        (
            *("created_at", "updated_at", "started_at", "ended_at", "lease_until"),
            *("queued_at", "admitted_at", "stop_asked_at"),
        ),
        load_moment,
    ),
}


def name_branch(task_id: int, title: str) -> str:
    """`task/42-add-authentication`."""
    ascii_title = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]+", "-", ascii_title).strip("-")
    if len(slug) > SLUG_MOST:
        slug = slug[: SLUG_MOST + 1].rpartition("-")[0] or slug[:SLUG_MOST]
    return f"task/{task_id}-{slug}" if slug else f"task/{task_id}"


_NOT_A_BRANCH = re.compile(r"[\s~^:?*\[\\]|\.\.|@\{|//|^[-/]|[/.]$|(^|/)\.|\.lock(/|$)|^@$")


def parse_branch(given: str) -> str:
    """A branch name that git takes."""
    branch = text.line(given, "A branch", BRANCH_MOST)
    if branch != given.strip() or _NOT_A_BRANCH.search(branch):
        raise Invalid(f"{text.shorten(branch, 60)!r} is not a branch name.", hint="One looks like feature/auth.")
    return branch


def parse_argv(given: Any) -> list[str]:
    """A program and its arguments, never a shell string."""
    items: list[Any] = cast("list[Any]", given) if isinstance(given, list) else []
    if not items or not all(isinstance(item, str) for item in items) or not items[0].strip():
        raise Invalid("config.command must be a list of texts.", hint='For example ["make", "test"].')
    if len(items) > ARGV_MOST or any("\0" in item for item in items):
        raise Invalid("config.command cannot be run.", hint=f"Give at most {ARGV_MOST} arguments, none with NUL.")
    return items
