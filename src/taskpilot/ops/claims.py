"""Taking a task for oneself, keeping it, and giving it back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from taskpilot.domain import claim, text
from taskpilot.domain.claim import HANDOFF_MOST, Claim, Ending, Handoff, parse_handoff, parse_lease
from taskpilot.domain.errors import Conflict, NotFound
from taskpilot.domain.events import Event
from taskpilot.domain.moments import wire
from taskpilot.domain.operation import reads, writes
from taskpilot.domain.scopes import Scope
from taskpilot.domain.task import Status, Task
from taskpilot.domain.wip import EACH, LimitKind, WipLimit, check_most
from taskpilot.domain.wording import describe
from taskpilot.ops import queue
from taskpilot.ops.queue import HeldBack, Wish, tell_full
from taskpilot.store.claims import Glance
from taskpilot.store.work import Work

SWEPT_AT_ONCE = 100
TOLD_MOST = 5
REASON_MOST = 1_000
NOT_BEGUN = (Status.TODO, Status.BACKLOG)


@dataclass(frozen=True, slots=True)
class Taken:
    task: Task | None
    claim: Claim | None
    reason: str
    held_back: tuple[HeldBack, ...] = ()
    before: Claim | None = None
    """Who had it last and said how it went; else who had it last."""
    did: tuple[str, ...] = ()
    """What they had done to it, latest first, where they did not say."""


@writes
def take_next(work: Work, wish: Wish, *, lease: int | None = None) -> Taken:
    """Hand the best ready task to the caller alone. Nobody else gets it while the lease lasts."""
    lease = parse_lease(lease)
    seen, limits = _prepare(work)
    chosen = queue.choose(work, wish, seen, limits)
    if chosen.best is None:
        return Taken(None, None, chosen.reason, chosen.held_back)
    before = None if chosen.best.last_claim is None else work.claims.find(chosen.best.last_claim)
    if before is not None and before.ended_at is None:
        before, task = _expire(work, before)
    else:
        task = work.tasks.get(chosen.best.id)
    return _take(work, task, lease, chosen.reason, before, chosen.held_back)


@writes
def take(work: Work, task_id: int, *, lease: int | None = None) -> Taken:
    """Hand one task to the caller alone."""
    lease = parse_lease(lease)
    _, limits = _prepare(work)
    task = work.tasks.get(task_id)
    if not task.status.open:
        raise Conflict(f"Task {task_id} is {task.status.value}.", hint="Reopen it first, or take another.")
    held = work.claims.current(task_id)
    if held is not None and held.holds(work.now):
        raise Conflict(f"{held.actor} holds task {task_id} until {wire(held.lease_until)}.", hint="Take another.")
    if held is not None:  # there was more to sweep than is swept at once
        _, task = _expire(work, held)
    _mind_places(work, task, limits)
    return _take(work, task, lease, "asked for", work.claims.last_ended(task_id))


@writes
def renew(work: Work, task_id: int, token: int, *, lease: int | None = None) -> Claim:
    """Keep a task for longer. Any write with the token does so, too."""
    held = _hold(work, task_id, token)
    return work.claims.save(held.renew(work.now, None if lease is None else parse_lease(lease)))


@writes
def release(
    work: Work, task_id: int, token: int | None = None, *, handoff: Mapping[str, str] | None = None, reason: str = ""
) -> tuple[Task, Claim]:
    """Give a task back, with what was done, tried, failed and comes next. Without a token, a person takes it away."""
    held = work.claims.current(task_id) if token is None else _hold(work, task_id, token)
    if held is None:
        raise Conflict(f"Nobody holds task {task_id}.", hint="There is nothing to release.")
    ending = Ending.RELEASED if token is not None or held.actor == work.caller.actor else Ending.TAKEN
    ended = work.claims.save(held.end(ending, work.now, parse_handoff(handoff or {})))
    return _put_back(work, held, "task.released", reason or f"{held.actor} gave it back"), ended


@reads(quick=True)
def check(work: Work, task_id: int, token: int) -> Claim:
    """The claim, if it still holds; Conflict if not."""
    held = work.claims.find(token)
    if held is None or held.task != task_id or not held.holds(work.now):
        raise claim.stale(task_id, token, held, work.claims.current(task_id), work.now)
    return held


@reads
def list_live(work: Work) -> list[Claim]:
    """Everything that is held at the moment, oldest first."""
    return work.claims.live(work.now)


@reads(quick=True)
def find(work: Work, task_id: int) -> tuple[Claim | None, Claim | None]:
    """Who holds a task now, and who had it last."""
    latest = work.claims.latest(task_id)
    held = next((each for each in latest if each.holds(work.now)), None)
    return held, next((each for each in latest if each.ended_at is not None), None)


@reads
def list_limits(work: Work) -> list[WipLimit]:
    return work.wip_limits.all()


@writes
def limit(work: Work, kind: LimitKind, name: str, most: int) -> WipLimit:
    """Say how much may be under way at once in a project or a workspace, or in the hands of an agent. 0: no limit."""
    wanted = WipLimit(kind, name, check_most(most), _find_place(work, kind, name))
    known = (each for each in work.wip_limits.all() if replace(each, most=most) == wanted)
    before = next(known, replace(wanted, most=0))
    if wanted != before:
        work.wip_limits.set(wanted)
        work.record("limit.updated", before, wanted, reason=f"{kind} {name}".strip())
    return wanted


@reads(scope=Scope.ADMIN)
def list_lapsed_owners(work: Work) -> list[int]:
    """Whose claims have run out and are not ended yet: everybody's, for the server's own upkeep."""
    return work.claims.owners_over(work.now)


@writes
def sweep(work: Work) -> list[Claim]:
    """Return the tasks whose leases ran out, each with a note of who had it and what it did. Safe to repeat."""
    return [_expire(work, held)[0] for held in work.claims.run_out(work.now, SWEPT_AT_ONCE)]


@writes
def fence(work: Work, task_id: int, token: int | None, *, done: bool = False) -> None:
    """Let a write through only while its token holds, and renew the lease. Without a token, nothing is checked.

    Completing a task that is `done` again is safe with the claim that ended so, and with no other.
    """
    if token is None:
        return
    ended = work.claims.find(token) if done else None
    if ended is None or ended.task != task_id or ended.ending is not Ending.COMPLETED:
        work.claims.save(_hold(work, task_id, token).renew(work.now))


@writes
def seize(work: Work, task_id: int, *, lease: int, mine: int | None = None) -> Taken:
    """`take`, by a worker that goes on with its own run: its earlier claim, `mine`, ends and counts no more."""
    task = work.tasks.get(task_id)
    held = work.claims.current(task_id)
    if held is not None and held.id != mine and held.holds(work.now):
        raise Conflict(
            f"{held.actor} holds task {task_id} until {wire(held.lease_until)}.", hint="Wait until it is over."
        )
    before = work.claims.last_ended(task_id)
    if held is not None:
        work.claims.save(held.end(Ending.EXPIRED, work.now))
    return _take(work, task, lease, "carried out", before)


@writes
def leave(work: Work, task_id: int, token: int, *, failed: str = "") -> None:
    """End a worker's claim, if it is still its own. The task stays where it is; `failed` is for who comes next."""
    held = work.claims.current(task_id)
    if held is not None and held.id == token:
        said = Handoff(failed=text.shorten(failed, HANDOFF_MOST)) if failed and not held.handoff else held.handoff
        work.claims.save(held.end(Ending.RELEASED, work.now, said))


@writes
def settle(work: Work, task_id: int) -> None:
    """End the claim on a task that was closed or deleted."""
    held = work.claims.current(task_id)
    if held is not None:
        work.claims.save(held.end(Ending.COMPLETED, work.now))


@writes
def follow_undo(work: Work, before: Task, after: Task, undone: Event) -> None:
    """What taking an event back means for the claim on its task: it ends with what it was for, or goes on.

    A claim that the undone event ended goes on as if it had not, unless there was another since; a lease that has run
    out meanwhile is swept like any other. So no task is left in progress in nobody's hands.
    """
    held = work.claims.current(after.id)
    gone = after.deleted_at is not None or not after.status.open
    if held is not None:
        taken_back = undone.kind == "task.claimed" and held.claimed_at == undone.at
        if gone:
            work.claims.save(held.end(Ending.COMPLETED, work.now))
        elif taken_back or (before.status is Status.IN_PROGRESS and after.status in NOT_BEGUN):
            work.claims.save(held.end(Ending.TAKEN, work.now))
    elif not gone and after.status is Status.IN_PROGRESS and (before.deleted_at or before.status is not after.status):
        last = work.claims.last_ended(after.id)
        if last is not None and last.ended_at == undone.at:
            work.claims.save(last.resume())


@reads
def tell_doings(work: Work, held: Claim) -> tuple[str, ...]:
    """What the holder did to the task since claiming it, latest first."""
    events: list[Event] = work.events.history(noun="task", subject=held.task, before=None, limit=50)
    return tuple(
        describe(event)
        for event in events
        if event.actor == held.actor and event.at >= held.claimed_at and event.kind != "task.claimed"
    )[:TOLD_MOST]


def _find_place(work: Work, kind: LimitKind, name: str) -> int:
    if kind is LimitKind.WORKSPACE:
        return work.workspaces.get(int(name)).id
    if kind is LimitKind.AGENT:
        return 0
    project = work.projects.find(name)
    if project is None:
        raise NotFound(f"There is no project {name!r}.", hint="List projects to see their names.")
    return project.id


def _hold(work: Work, task_id: int, token: int) -> Claim:
    held = work.claims.find(token)
    if held is None or held.task != task_id or not held.holds(work.now):
        raise claim.stale(task_id, token, held, work.claims.current(task_id), work.now)
    return held


def _prepare(work: Work) -> tuple[Glance, list[WipLimit]]:
    """What comes before taking anything: what ran out returns, and the caller has room for one more."""
    seen = work.claims.glance(work.now)
    if seen.over:
        seen = seen._replace(over=len(sweep(work)) == SWEPT_AT_ONCE)
    limits = work.wip_limits.all() if seen.limited else []
    _mind_agent(work, limits)
    return seen, limits


def _expire(work: Work, held: Claim) -> tuple[Claim, Task]:
    ended = work.claims.save(held.end(Ending.EXPIRED, work.now))
    told = "; ".join(tell_doings(work, held)) or "it changed nothing"
    reason = f"The lease of {held.actor} ran out: {told}"[:REASON_MOST]
    return ended, _put_back(work, held, "task.returned", reason)


def _take(
    work: Work, task: Task, lease: int, reason: str, before: Claim | None, held_back: tuple[HeldBack, ...] = ()
) -> Taken:
    made = work.claims.add(task=task.id, actor=work.caller.actor, now=work.now, lease=lease)
    begun = task.begin(work.now)
    if begun is not task:
        work.tasks.save(task, begun)
    work.record("task.claimed", task, begun, reason=f"claim {made.id}")
    if before is None or before.handoff:
        return Taken(begun, made, reason, held_back, before)
    left = work.claims.last_word(task.id) or before  # whoever came in between left nothing to read
    return Taken(begun, made, reason, held_back, left, tell_doings(work, before))


def _put_back(work: Work, held: Claim, kind: str, reason: str) -> Task:
    """Back among the tasks that can be taken, unless somebody moved it elsewhere meanwhile."""
    before = work.tasks.get(held.task, deleted=True)
    after = before
    if before.deleted_at is None and before.status is Status.IN_PROGRESS:
        after = before.edit({"status": Status.TODO}, work.now)
        work.tasks.save(before, after)
    work.record(kind, before, after, reason=reason)
    return after


def _mind_agent(work: Work, limits: list[WipLimit]) -> None:
    agents = {limit.name: limit.most for limit in limits if limit.kind is LimitKind.AGENT}
    most = agents.get(work.caller.actor, agents.get(EACH))
    if most is not None and work.claims.count_of(work.caller.actor, work.now) >= most:
        raise Conflict(
            f"{work.caller.actor} holds {most} of at most {most} tasks.", hint="Complete or release one first."
        )


def _mind_places(work: Work, task: Task, limits: list[WipLimit]) -> None:
    if task.status is Status.IN_PROGRESS:
        return
    full = tell_full(work, limits, task.project_id, task.workspace)
    if full is not None:
        raise Conflict(f"{full}.", hint="Finish one of them, or take a task elsewhere.")
