"""What one can do with runs. An agent is started by a worker; these keep the account."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import uuid4

from taskpilot.domain import payload, policy, run, text
from taskpilot.domain.errors import Invalid, Unfit
from taskpilot.domain.operation import reads, writes
from taskpilot.domain.policy import Caps
from taskpilot.domain.run import Agent, Ended, Kind, Run, Said, State, stand
from taskpilot.domain.scopes import Scope
from taskpilot.domain.selection import Selection, Sort
from taskpilot.domain.task import PROSE_MOST, Status, Task
from taskpilot.ops import claims, run_log, tasks, tokens
from taskpilot.store.work import Work

TITLE_MOST = 255
LOOK_BACK = 200


@dataclass(frozen=True, slots=True)
class Standing:
    """A task with its latest run, and how it stands."""

    task: Task
    run: Run | None
    unproved: str = ""
    """Why the task is in review although it was said to be done."""

    @property
    def state(self) -> State:
        return stand(self.task, self.run)

    @property
    def stopping(self) -> bool:
        """Whether its agent was asked to stop, and has not yet."""
        return self.run is not None and self.run.wanted and self.run.stop_asked_at is not None

    @property
    def started_at(self) -> datetime | None:
        return self.run.started_at if self.run and self.run.started_at else self.task.started_at

    @property
    def ended_at(self) -> datetime | None:
        ended = self.run.ended_at if self.run and self.run.ended_at else self.task.completed_at
        return ended if self.state.over else None

    def seconds(self, now: datetime) -> float:
        """How long it has been at work, or was."""
        rested = self.run.updated_at if self.run is not None and self.run.state is State.WAITING else now
        return max(0.0, ((self.ended_at or rested) - self.started_at).total_seconds()) if self.started_at else 0.0


@dataclass(frozen=True, slots=True)
class Listing:
    standings: tuple[Standing, ...]
    total: int
    """How many there are; those given are the newest."""


@writes(scope=Scope.RUN)
def create(
    work: Work,
    *,
    agent: Agent,
    description: str,
    instructions: str,
    branch: str | None = None,
    workspace: str | None = None,
    config: Mapping[str, Any] | None = None,
    start: bool = True,
) -> Standing:
    """Add a task and a run of it; with `start`, a worker carries it out as soon as one is free."""
    about = text.prose(description, "Description", PROSE_MOST)
    if not about:
        raise Invalid("Description cannot be empty.", hint="Say in a few words what is to be done.")
    orders = text.prose(instructions, "Instructions", PROSE_MOST)
    if not orders:
        raise Invalid("Instructions cannot be empty.", hint="Tell the agent what to do.")
    chosen = run.parse_branch(branch) if branch is not None else None
    settings = check_config(agent, config or {})
    if start and workspace is None:
        raise no_repository()
    title = text.clean_line(about.split("\n", 1)[0])[:TITLE_MOST]
    (task,) = tasks.create(work, [{"title": title, "description": about, "workspace": workspace}]).tasks
    made = make(
        work,
        task,
        agent,
        branch=chosen or run.name_branch(task.id, task.title),
        instructions=orders,
        config=settings,
        queued_at=work.now if start else None,
    )
    return Standing(task, made)


@writes(scope=Scope.RUN)
def make(work: Work, task: Task, agent: Agent, **fields: Any) -> Run:
    """A run of a task, with whatever else is known of it."""
    made = work.runs.add(
        Run(
            id=0,
            owner=work.caller.user,
            task=task.id,
            workspace=task.workspace,
            session=str(uuid4()),
            agent=agent,
            created_at=work.now,
            updated_at=work.now,
            **fields,
        )
    )
    work.record("run.created", None, made)
    return made


def no_repository() -> Unfit:
    return Unfit(
        "This needs a repository to work in.", hint="Name its folder: the task's workspace, or config.workspace_path."
    )


@writes(scope=Scope.RUN)
def update(work: Work, task_id: int, *, state: State | None = None, log: str | None = None) -> Standing:
    """Say how a task goes that no worker carries out, or add to its log; both or none. A repeated state is safe."""
    line = _line(log, "A log entry", run.LOG_MOST)
    now = get(work, task_id)
    if now.state.over and not (state is now.state and line is None):
        raise ended(now)
    if line is not None:
        run_log.say(work, now.task, now.run, Said(Kind.LOG, line))
    return now if state is None or state is now.state else _move(work, now, state)


@writes(scope=Scope.RUN)
def end(work: Work, task_id: int, state: State, *, result: Any = None) -> Standing:
    """Close a task's run with its outcome. Once."""
    outcome = payload.mask(payload.parse(result, "result"))
    now = get(work, task_id)
    if now.state.over:
        raise ended(now)
    return _move(work, now, state, outcome)


@reads
def get(work: Work, task_id: int) -> Standing:
    """One task with its latest run."""
    return Standing(work.tasks.get(task_id), work.runs.latest(task_id))


@reads
def list_tasks(work: Work, *, limit: int, workspace: int | None = None) -> Listing:
    """The newest tasks, those dropped left out."""
    kept = Selection(statuses=tasks.KEPT, workspace=workspace)
    found = work.tasks.page(kept, Sort.NEWEST, limit).items
    return Listing(_standings(work, found), len(found) if len(found) < limit else work.tasks.count(kept))


@reads
def list_branch(work: Work, branch: str, *, limit: int) -> tuple[Standing, ...]:
    """Tasks worked on in a branch, latest first."""
    return _standings(work, work.tasks.many(work.runs.on_branch(branch, limit)))


@reads
def list_sessions(work: Work, *, limit: int, agent: Agent | None = None, begun: str = "") -> tuple[Standing, ...]:
    """Runs of agents with their tasks, latest first."""
    found = work.runs.recent(limit, agent=agent, begun=begun)
    owners = {task.id: task for task in work.tasks.many(each.task for each in found)}
    return tuple(Standing(owners[each.task], each) for each in found)


@reads
def get_session(work: Work, agent: Agent, session: str) -> Standing:
    """One run of an agent, with its task."""
    found = work.runs.by_session(session)
    if found.agent is not agent:
        raise run.missing(session)
    return Standing(work.tasks.get(found.task), found)


@reads
def list_branches(work: Work, *, limit: int, begun: str = "") -> list[str]:
    """Names of branches that runs were given, latest first."""
    return work.runs.branches(limit, begun=begun)


def check_config(agent: Agent, given: Mapping[str, Any]) -> dict[str, Any]:
    """What the run is to know, its secrets masked. A program is named by COMMAND runs, and by no other."""
    settings = dict(given)
    if agent is Agent.COMMAND:
        settings["command"] = run.parse_argv(given.get("command"))
    elif given.get("command") is not None:
        raise Invalid("config.command belongs to the tool COMMAND.", hint="Leave it out, or choose that tool.")
    if "caps" in settings:
        policy.change_caps(Caps(), settings["caps"])
    return payload.mask(payload.parse(settings, "config"), names=True)


@writes(scope=Scope.RUN)
def conclude(work: Work, now: Standing, state: State, *, error: str = "") -> Standing:
    """Bring a run that nobody carries out any more to its end, and its task to where that leaves it."""
    if now.run is not None:
        tokens.close_desk(work, now.run.id)
        if now.run.claim is not None:
            claims.leave(work, now.task.id, now.run.claim, failed=error)
    return _move(work, now, state, error=error)


@writes(scope=Scope.RUN)
def send_off(work: Work, before: Run) -> Run:
    """Once more from the queue, as the next turn."""
    after = replace(
        before,
        state=State.PENDING,
        turn=before.turn + 1,
        queued_at=work.now,
        admitted_at=None,
        stop_asked_at=None,
        ends_as="",
        ended_at=None,
        error="",
        worker="",
        updated_at=work.now,
        version=before.version + 1,
    )
    work.runs.save(before, after)
    work.record("run.queued", before, after)
    return after


def _move(work: Work, now: Standing, state: State, result: Any = None, *, error: str = "") -> Standing:
    """Bring the run to a state, and the task to the status that goes with it."""
    before = now.run
    if before is None and (result is not None or state is State.FAILED):
        before = make(work, now.task, Agent.HAND, started_at=now.task.started_at)
    after = before
    if before is not None:
        moved_on = before.move(state, work.now, began=now.task.started_at, result=result)
        after = replace(moved_on, worker="", lease_until=None, error=error or before.error)
        work.runs.save(before, after)
        work.record("run.ended" if state.over else "run.updated", before, after)
    changed = _move_task(work, now.task, state)
    moved = Standing(changed.task, after, changed.unproved)
    run_log.say_state(work, moved.task, after, now.state, state)
    return moved


def _move_task(work: Work, task: Task, state: State) -> tasks.Changed:
    if task.deleted_at is not None:
        return tasks.Changed(task)
    if state is State.COMPLETED:
        return tasks.complete(work, task.id)
    status = Status.IN_PROGRESS if state is State.IN_PROGRESS else status_before(work, task)
    return tasks.Changed(task) if status is task.status else tasks.update(work, task.id, {"status": status})


@reads
def status_before(work: Work, task: Task) -> Status:
    """The open status a task had before it was begun; the one it has, if it was not."""
    if task.status is not Status.IN_PROGRESS:
        return task.status
    for event in work.events.history(noun="task", subject=task.id, before=None, limit=LOOK_BACK):
        if event.before and event.after.get("status") == Status.IN_PROGRESS:
            status = Status(event.before["status"])
            return status if status.open else Status.TODO
    return Status.TODO


def _standings(work: Work, found: Sequence[Task]) -> tuple[Standing, ...]:
    latest = work.runs.latest_of(task.id for task in found)
    return tuple(Standing(task, latest.get(task.id)) for task in found)


def _line(given: str | None, name: str, most: int) -> str | None:
    if given is None:
        return None
    words = text.prose(given, name, most)
    if not words:
        raise Invalid(f"{name} cannot be empty.", hint="Leave it out, or say something.")
    return words


def ended(now: Standing) -> Ended:
    return Ended(f"Task {now.task.id} is {now.state} already.", hint="Create a new task for more work.")
