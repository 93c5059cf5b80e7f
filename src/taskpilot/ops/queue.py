"""What to do next."""

from __future__ import annotations

from dataclasses import dataclass

from taskpilot.domain.candidate import ANY, Candidate, Means, score
from taskpilot.domain.errors import Invalid
from taskpilot.domain.estimate import read_minutes
from taskpilot.domain.operation import reads
from taskpilot.domain.task import Energy, Status, Task
from taskpilot.domain.wip import LimitKind, WipLimit
from taskpilot.store.claims import Glance
from taskpilot.store.work import Work

LOOK_AT_LEAST = 4
LOOK_AT = 50
LOOK_AT_MOST = 200
"""How many of the most important and of the soonest due are compared: few where only those can be best, because
nobody waits on anything and any task fits; more if the first of them touch files that others hold.
"""
NOTHING = "Nothing is ready: every open task is begun, blocked, or starts later."


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What the next task should be like, and what the caller has to give."""

    project: str | None = None
    tag: str | None = None
    workspace: int | None = None
    energy: str | None = None
    time: str | None = None
    """How long there is: `45m`, `2h`."""

    @property
    def means(self) -> Means:
        minutes = read_minutes(self.time) if self.time else None
        if self.time and minutes is None:
            raise Invalid(f"{self.time!r} is not a length of time.", hint="Write 45m or 2h.")
        try:
            energy = Energy(self.energy.strip().lower()) if self.energy else None
        except ValueError:
            raise Invalid(f"Energy cannot be {self.energy!r}.", hint=f"Choose one of: {', '.join(Energy)}.") from None
        return Means(energy=energy, minutes=minutes)


@dataclass(frozen=True, slots=True)
class HeldBack:
    """A task that would have been better, but must wait for what others are doing."""

    task: int
    title: str
    why: str


@dataclass(frozen=True, slots=True)
class Next:
    task: Task | None
    reason: str
    held_back: tuple[HeldBack, ...] = ()


@reads
def next_task(
    work: Work,
    *,
    project: str | None = None,
    tag: str | None = None,
    workspace: int | None = None,
    energy: str | None = None,
    time: str | None = None,
) -> Next:
    """The best task that can be started now, and why it is the best.

    Ready means: not begun, or begun by somebody whose lease has run out; nothing open
    blocks it, its start has come, and it has no open subtasks of its own. See `domain/candidate.py` for the points.
    """
    wish = Wish(project=project, tag=tag, workspace=workspace, energy=energy, time=time)
    seen = work.claims.glance(work.now)
    chosen = choose(work, wish, seen, work.wip_limits.all() if seen.limited else [])
    if chosen.best is None:
        return Next(None, chosen.reason, chosen.held_back)
    task = work.tasks.get(chosen.best.id)
    lapsed = ", a lease on it ran out" if task.status is Status.IN_PROGRESS else ""
    return Next(task, f"{chosen.reason}{lapsed}", chosen.held_back)


@dataclass(frozen=True, slots=True)
class Chosen:
    best: Candidate | None
    reason: str
    held_back: tuple[HeldBack, ...] = ()


@reads
def choose(work: Work, wish: Wish, seen: Glance, limits: list[WipLimit]) -> Chosen:
    """The same, with as little read as it takes."""
    means, held = wish.means, ()
    for limit in (LOOK_AT if seen.linked or means != ANY else LOOK_AT_LEAST, LOOK_AT_MOST):
        found = work.candidates.first(
            work.now, limit, project=wish.project, tag=wish.tag, workspace=wish.workspace, lapsed=seen.over
        )
        scored = sorted(
            ((score(task, work.now, means), task) for task in found), key=lambda item: (-item[0][0], item[1].id)
        )
        kept: list[HeldBack] = []
        for (_, reason), task in scored:
            why = _collide(work, task) or (tell_full(work, limits, task.project, task.workspace) if limits else None)
            if why is None:
                return Chosen(task, reason, tuple(kept))
            kept.append(HeldBack(task.id, task.title, why))
        held = tuple(kept)
        if len(found) < limit:
            break
    return Chosen(None, _explain(held), held)


def _collide(work: Work, task: Candidate) -> str | None:
    """The file it shares with a task that somebody holds."""
    if not task.files:
        return None
    busy = work.claims.files_held(task.workspace, task.id, work.now)
    file = next((path for path in task.files if path in busy), None)
    return None if file is None else f"{file} is in the hands of task {busy[file]}"


@reads
def tell_full(work: Work, limits: list[WipLimit], project: int | None, workspace: int | None) -> str | None:
    """Which limit of work in progress leaves no room for another task there, in words."""
    for limit in limits:
        if _fills(work, limit, project, workspace):
            where = f"Project {limit.name!r}" if limit.kind is LimitKind.PROJECT else f"Workspace {limit.name}"
            return f"{where} has {limit.most} of at most {limit.most} tasks in progress"
    return None


def _fills(work: Work, limit: WipLimit, project: int | None, workspace: int | None) -> bool:
    if limit.kind is LimitKind.PROJECT and project == limit.place:
        return work.wip_limits.count_project(limit.place, work.now) >= limit.most
    if limit.kind is LimitKind.WORKSPACE and workspace == limit.place:
        return work.wip_limits.count_workspace(limit.place, work.now) >= limit.most
    return False


def _explain(held: tuple[HeldBack, ...]) -> str:
    return NOTHING if not held else f"All that is ready has to wait. Task {held[0].task}: {held[0].why}."
