from __future__ import annotations

from dataclasses import replace

import pytest

from taskpilot.domain.errors import Conflict, Invalid, NotFound
from taskpilot.domain.operation import writes
from taskpilot.domain.run import Agent, Ended, NotLive, Run, State, stand, stand_at_rest
from taskpilot.domain.task import Status
from taskpilot.ops import history, run_orders, runs, tasks
from taskpilot.store.work import Work
from tests.contracts import stage


@pytest.fixture
def create(do):
    def create(description="Fix bug", **options):
        options = {"agent": Agent.CODEX, "instructions": "Debug it", "start": False, **options}
        return do(runs.create, description=description, **options)

    return create


@writes
def claim(work: Work, task_id: int, state: State = State.IN_PROGRESS) -> Run:
    """As a worker takes a run."""
    run = work.runs.latest(task_id)
    return work.runs.save(run, replace(run.move(state, work.now), attempt=run.attempt + 1, worker="w"))


def test_a_run_is_kept_as_it_was_given(do, create):
    made = create(branch="main", workspace="/srv/app", config={"model": "x"})
    assert do(runs.get, made.task.id) == made
    run = made.run
    assert (run.agent, run.state, run.branch, run.instructions) == (Agent.CODEX, State.PENDING, "main", "Debug it")
    assert (run.config, run.result, run.attempt, run.worker) == ({"model": "x"}, None, 0, "")
    assert run.workspace == made.task.workspace


def test_a_run_that_is_to_start_waits_in_the_queue(create):
    made = create(start=True, workspace="/srv/app")
    assert (made.run.state, made.run.queued_at is not None) == (State.PENDING, True)
    assert create().run.queued_at is None


def test_nothing_starts_without_a_repository_and_nothing_is_made(do, create):
    with pytest.raises(Invalid, match="needs a repository"):
        create(start=True)
    assert do(history.list_page).items == ()


def test_input_is_checked_before_anything_is_made(create):
    with pytest.raises(Invalid):
        create(description="", start=True)


def test_a_run_lives_its_life(do, create, clock):
    create()
    clock.forward(seconds=5)
    now = do(runs.update, 1, state=State.IN_PROGRESS)
    assert (now.state, now.task.status) == (State.IN_PROGRESS, Status.IN_PROGRESS)
    clock.forward(seconds=5)
    now = do(runs.end, 1, State.COMPLETED, result={"ok": True})
    assert (now.state, now.task.status, now.run.result) == (State.COMPLETED, Status.DONE, {"ok": True})
    assert now.seconds(clock.now) == 5.0
    assert do(runs.get, 1) == now
    with pytest.raises(Ended, match="completed already"):
        do(runs.end, 1, State.FAILED)


def test_a_task_begun_elsewhere_has_worked_since_then(do, create, clock):
    create()
    clock.forward(seconds=5)
    do(tasks.update, 1, {"status": "in_progress"})
    clock.forward(seconds=7)
    assert do(runs.end, 1, State.COMPLETED).seconds(clock.now) == 7.0


def test_failing_goes_back_to_the_status_before(do, add):
    add(status="blocked")
    do(runs.update, 1, state=State.IN_PROGRESS)
    assert do(runs.update, 1, state=State.FAILED).task.status is Status.BLOCKED
    add(status="in_progress")
    assert do(runs.update, 2, state=State.FAILED).task.status is Status.TODO


def test_a_task_without_a_run_gets_one_only_where_something_must_be_kept(do, add):
    add()
    assert do(runs.update, 1, state=State.IN_PROGRESS, log="x").run is None
    assert do(runs.update, 1, state=State.COMPLETED).run is None
    add()
    kept = do(runs.end, 2, State.COMPLETED, result=0).run
    assert (kept.agent, kept.result) == (Agent.HAND, 0)
    assert do(runs.list_sessions, limit=10) == ()


def test_instructions_need_an_agent_at_work(app, do, create, add, tmp_path):
    create()
    with pytest.raises(NotLive):
        do(run_orders.update, 1, instructions="more")
    task = add(workspace=str(tmp_path))
    stage.seat(app, task.id)
    assert do(run_orders.update, task.id, instructions="more").state is State.IN_PROGRESS


def test_an_attached_agent_is_believed_before_the_task(do, create):
    create()
    do(claim, 1, State.WAITING)
    do(tasks.complete, 1)
    assert do(runs.get, 1).state is State.WAITING
    assert do(runs.get, 1).run.live


def test_a_worker_that_was_replaced_may_write_nothing(app, me, do, create):
    create()
    old = do(claim, 1)
    do(claim, 1)

    @writes
    def write(work: Work) -> None:
        work.runs.save(old, old.move(State.COMPLETED, work.now))

    with pytest.raises(Conflict):
        app.run(me, write)
    assert do(runs.get, 1).run.attempt == 2


@pytest.mark.parametrize(
    ("status", "state", "expected"),
    [
        ("todo", None, "pending"),
        ("backlog", None, "pending"),
        ("in_progress", None, "in_progress"),
        ("blocked", None, "in_progress"),
        ("review", None, "in_progress"),
        ("done", None, "completed"),
        ("dropped", None, "failed"),
        ("todo", "pending", "pending"),
        ("in_progress", "pending", "in_progress"),
        ("todo", "in_progress", "pending"),
        ("done", "failed", "completed"),
        ("todo", "failed", "failed"),
        ("in_progress", "failed", "in_progress"),
        ("todo", "completed", "pending"),
        ("review", "completed", "completed"),
        ("todo", "waiting", "waiting"),
        ("in_progress", "interrupted", "interrupted"),
        ("done", "interrupted", "completed"),
        ("dropped", "pending", "cancelled"),
        ("dropped", "failed", "failed"),
        ("todo", "cancelled", "cancelled"),
    ],
)
def test_how_a_task_stands(status, state, expected):
    assert stand_at_rest(Status(status), State(state) if state else None) == expected


def test_a_task_without_a_run_stands_by_itself(add):
    assert stand(add(status="review"), None) is State.IN_PROGRESS


def test_strangers_see_and_change_nothing(app, stranger, create):
    made = create(branch="main")
    for op, args in [
        (runs.get, (1,)),
        (runs.end, (1, State.FAILED)),
        (runs.get_session, (Agent.CODEX, made.run.session)),
    ]:
        with pytest.raises(NotFound):
            app.run(stranger, op, *args)
    with pytest.raises(NotFound):
        app.run(stranger, runs.update, 1, log="x")
    assert app.run(stranger, runs.list_tasks, limit=10).standings == ()
    assert app.run(stranger, runs.list_sessions, limit=10) == ()
    assert app.run(stranger, runs.list_branch, "main", limit=10) == ()
    assert app.run(stranger, runs.list_branches, limit=10) == []


def test_lists_are_latest_first(do, create, add):
    create(branch="a")
    create(branch="b", agent=Agent.GEMINI)
    add()
    create(branch="a")
    assert [item.task.id for item in do(runs.list_tasks, limit=2).standings] == [4, 3]
    assert do(runs.list_tasks, limit=2).total == 4
    assert [item.task.id for item in do(runs.list_sessions, limit=10)] == [4, 2, 1]
    assert [item.task.id for item in do(runs.list_sessions, limit=10, agent=Agent.GEMINI)] == [2]
    assert [item.task.id for item in do(runs.list_branch, "a", limit=10)] == [4, 1]
    assert do(runs.list_branches, limit=10) == ["a", "b"]
