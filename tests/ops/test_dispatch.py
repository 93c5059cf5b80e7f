from __future__ import annotations

import pytest

from taskpilot.domain.caller import worker
from taskpilot.domain.errors import Conflict, NotFound
from taskpilot.domain.operation import reads
from taskpilot.domain.run import Agent, Kind, Said, State
from taskpilot.domain.task import Status
from taskpilot.domain.wip import LimitKind
from taskpilot.domain.wording import describe
from taskpilot.ops import claims, desk, dispatch, history, policies, queue, run_log, run_orders, runs, tasks
from taskpilot.store.runs import Diff

LEASE = 8


@pytest.fixture
def start(add, do, tmp_path):
    """Queue a run on a new task, or on a given one."""

    def start(agent=Agent.CLAUDECODE, task=None, **fields):
        config = {"command": ["true"]} if agent is Agent.COMMAND else {}
        task = task or add(workspace=str(tmp_path), **fields)
        return do(run_orders.start, task.id, agent=agent, config=config).run

    return start


@pytest.fixture
def carry(app, me):
    """Run an operation as the worker of a run."""

    def carry(run_id, op, *args, **kwargs):
        return app.run(worker(me.user, "claudecode", run_id), op, *args, **kwargs)

    return carry


@pytest.fixture
def take(carry):
    def take(run_id, name="w1"):
        carry(run_id, dispatch.admit, run_id)
        return carry(run_id, dispatch.take, run_id, name, lease=LEASE)

    return take


def agenda(app):
    return app.run(worker(), dispatch.list_agenda)


def test_a_queued_run_is_admitted_taken_and_ends_with_its_session_open(app, start, carry, take, do):
    run = start()
    assert [each.run for each in agenda(app).waiting] == [run.id]
    order = take(run.id)
    assert (order.run.state, order.run.attempt, order.task.status) == (State.IN_PROGRESS, 1, Status.IN_PROGRESS)
    assert do(claims.check, run.task, order.hold.claim)
    ended = carry(run.id, dispatch.finish, order.hold, ok=True, result={"summary": "done"})
    assert (ended.run.state, ended.task.status, ended.run.worker) == (State.WAITING, Status.REVIEW, "")
    with pytest.raises(Conflict):
        do(claims.check, run.task, order.hold.claim)
    assert not agenda(app)


def test_a_command_that_succeeds_completes_its_task_and_one_that_fails_gives_it_back(start, carry, take):
    good, bad = start(Agent.COMMAND), start(Agent.COMMAND)
    ended = carry(good.id, dispatch.finish, take(good.id).hold, ok=True, exit_code=0)
    assert (ended.run.state, ended.task.status) == (State.COMPLETED, Status.DONE)
    failed = carry(bad.id, dispatch.finish, take(bad.id).hold, ok=False, error="exit 3", exit_code=3)
    assert (failed.run.state, failed.task.status, failed.run.error) == (State.FAILED, Status.TODO, "exit 3")


@pytest.mark.parametrize(("accepted", "status"), [(True, Status.DONE), (False, Status.REVIEW), (None, Status.REVIEW)])
def test_a_task_is_done_only_where_that_is_proved(start, carry, take, accepted, status):
    run = start()
    assert carry(run.id, dispatch.finish, take(run.id).hold, ok=True, accepted=accepted).task.status is status


def test_whoever_was_replaced_writes_nothing(app, start, carry, take, clock):
    run = start()
    old = take(run.id, "w1").hold
    clock.forward(seconds=LEASE + 1)
    assert [each.run for each in agenda(app).silent] == [run.id]
    assert carry(run.id, dispatch.interrupt, run.id).state is State.INTERRUPTED
    new = take(run.id, "w2").hold
    assert (new.attempt, new.claim > old.claim) == (2, True)
    diff = Diff("abc", "patch", 1, 0)
    for op, args in (
        (dispatch.note, ([Said(Kind.MESSAGE, "late")],)),
        (dispatch.keep, (diff, ["a.py"])),
        (dispatch.next_instructions, ()),
        (dispatch.check, ()),
    ):
        with pytest.raises(Conflict, match="was replaced"):
            carry(run.id, op, old, *args)
    with pytest.raises(Conflict, match="was replaced"):
        carry(run.id, dispatch.finish, old, ok=True)
    assert carry(run.id, dispatch.note, new, [Said(Kind.MESSAGE, "mine")]).attempt == 2


def test_a_live_run_is_not_taken_from_its_worker(start, carry, take):
    run = start()
    take(run.id, "w1")
    with pytest.raises(Conflict, match="Worker w1 carries out run"):
        carry(run.id, dispatch.take, run.id, "w2", lease=LEASE)


def test_signs_of_life_keep_a_run_and_its_claim(app, start, take, clock, do):
    run = start()
    hold = take(run.id).hold
    for _ in range(20):
        clock.forward(seconds=5)
        assert app.run(worker(), dispatch.renew, "w1", lease=LEASE) == [run.id]
    assert do(claims.check, run.task, hold.claim)
    clock.forward(seconds=LEASE + 1)
    assert app.run(worker(), dispatch.renew, "w1", lease=LEASE) == []


def test_a_worker_that_stops_gives_its_run_back_for_another(app, start, carry, take):
    run = start()
    hold = take(run.id).hold
    carry(run.id, dispatch.give_back, hold)
    assert [each.run for each in agenda(app).interrupted] == [run.id]
    assert take(run.id, "w2").hold.attempt == 2


def test_the_log_has_no_gap_whoever_wrote_it(start, carry, take, do):
    run = start()
    for name in ("w1", "w2"):
        hold = take(run.id, name).hold
        carry(run.id, dispatch.note, hold, [Said(Kind.MESSAGE, str(number)) for number in range(5)])
        carry(run.id, dispatch.give_back, hold)
    entries = do(run_log.read_run, run.id)
    assert [entry.number for entry in entries] == list(range(1, len(entries) + 1))
    assert do(run_log.read_run, run.id, after=3)[0].number == 4


def test_usage_files_commands_and_session_add_up(start, carry, take, do):
    run = start()
    hold = take(run.id).hold
    usage = {"tokens_in": 10, "tokens_out": 3, "cost_micros": 7}
    for _ in range(2):
        carry(
            run.id,
            dispatch.note,
            hold,
            [
                Said(Kind.USAGE, "", usage),
                Said(Kind.FILE_CHANGE, "a.py", {"path": "a.py", "change": "modified"}),
                Said(Kind.TOOL_CALL, "make test", {"id": "1", "kind": "execute"}),
            ],
            session="s-1",
        )
    now = do(runs.get, run.task).run
    assert (now.tokens_in, now.tokens_out, now.cost_micros) == (20, 6, 14)
    assert (now.files_changed, now.commands, now.agent_session) == (("a.py",), ("make test", "make test"), "s-1")


def test_secrets_do_not_reach_the_log(start, carry, take, do):
    run = start()
    carry(run.id, dispatch.note, take(run.id).hold, [Said(Kind.MESSAGE, "key sk-abcdefghijklmnop1234567890")])
    assert "sk-abc" not in str(do(run_log.read_run, run.id))


def test_instructions_come_in_order_and_once(start, carry, take, do):
    run = start()
    hold = take(run.id).hold
    assert carry(run.id, dispatch.next_instructions, hold) == run.instructions
    assert carry(run.id, dispatch.next_instructions, hold) is None
    do(run_orders.follow_up, run.id, "first")
    do(run_orders.follow_up, run.id, "second")
    assert carry(run.id, dispatch.next_instructions, hold) == "first\n\nsecond"
    assert carry(run.id, dispatch.next_instructions, hold) is None


def test_only_ready_tasks_are_admitted(start, add, carry, do, tmp_path):
    first = add("First")
    run = start(blocked_by=[first.id])
    assert carry(run.id, dispatch.admit, run.id) is False
    assert do(dispatch.tell_obstacle, run.id) == f"Task {run.task} waits on task {first.id}"
    do(tasks.complete, first.id)
    assert carry(run.id, dispatch.admit, run.id) is True


def test_a_task_that_another_holds_waits(start, carry, do):
    run = start()
    do(claims.take, run.task)
    assert carry(run.id, dispatch.admit, run.id) is False
    assert "holds task" in do(dispatch.tell_obstacle, run.id)


def test_workspaces_users_and_limits_of_work_have_room_for_so_many(start, carry, do):
    first = start()
    do(policies.change, first.workspace, {"most_runs": 1})
    second = start()
    assert carry(first.id, dispatch.admit, first.id) is True
    assert "has 1 of at most 1 runs" in do(dispatch.tell_obstacle, second.id)
    do(policies.change, first.workspace, {"most_runs": 0})
    assert "You have 1 of at most 1 runs" in do(dispatch.tell_obstacle, second.id, user_most=1)
    do(claims.limit, LimitKind.WORKSPACE, str(first.workspace), 1)
    do(tasks.update, first.task, {"status": "in_progress"})
    assert "tasks in progress" in do(dispatch.tell_obstacle, second.id)


def test_a_run_whose_task_was_closed_is_not_begun(start, carry, do, app):
    run = start()
    do(tasks.complete, run.task)
    assert carry(run.id, dispatch.admit, run.id) is False
    ended = do(runs.get, run.task).run
    assert (ended.state, ended.error) == (State.CANCELLED, "Its task is closed.")
    assert not agenda(app)


def test_a_run_that_was_interrupted_and_stopped_lets_go_of_its_task(start, carry, take, do):
    run = start()
    hold = take(run.id).hold
    carry(run.id, dispatch.give_back, hold)
    assert do(run_orders.stop, run.id).run.state is State.CANCELLED
    assert do(claims.take, run.task).claim.id > hold.claim


def test_a_run_that_was_stopped_before_it_began_is_over(start, do, app, carry):
    run = start()
    assert do(run_orders.stop, run.id).run.state is State.CANCELLED
    assert carry(run.id, dispatch.take, run.id, "w1", lease=LEASE) is None
    assert not agenda(app)


def test_a_stop_leaves_the_end_to_the_worker(start, carry, take, do):
    run = start()
    hold = take(run.id).hold
    asked = do(run_orders.stop, run.id, ends_as=State.FAILED, result={"why": "enough"})
    assert (asked.run.state, asked.run.stop_asked_at is not None) == (State.IN_PROGRESS, True)
    ended = carry(run.id, dispatch.finish, hold, ok=True)
    assert (ended.run.state, ended.run.result) == (State.FAILED, {"why": "enough"})


def test_a_finished_run_goes_on_with_a_follow_up(start, carry, take, do):
    run = start()
    hold = take(run.id).hold
    carry(run.id, dispatch.next_instructions, hold)
    carry(run.id, dispatch.note, hold, [], session="s-1")
    carry(run.id, dispatch.finish, hold, ok=True)
    again = do(run_orders.follow_up, run.id, "And the tests").run
    assert (again.state, again.turn, again.agent_session) == (State.PENDING, 1, "s-1")
    assert carry(run.id, dispatch.next_instructions, take(run.id).hold) == "And the tests"


def test_a_task_has_one_run_at_a_time(start, add, tmp_path):
    task = add(workspace=str(tmp_path))
    start(task=task)
    with pytest.raises(Conflict, match="already"):
        start(task=task)


def test_another_agent_goes_on_where_one_left_off(start, carry, take, do):
    run = start(title="Build the wall", description="Of bricks")
    hold = take(run.id).hold
    carry(run.id, dispatch.note, hold, [Said(Kind.ERROR, "the mortar is dry")])
    carry(run.id, dispatch.keep, hold, Diff("abc", "diff --git a/wall b/wall\n" * 500, 3, 1), ["wall.py"])
    carry(run.id, dispatch.finish, hold, ok=False, error="gave up")
    other = do(run_orders.hand_over, run.id, Agent.CODEX, instructions="Use fresh mortar").run
    assert (other.agent, other.branch, other.state) == (Agent.CODEX, run.branch, State.PENDING)
    for part in ("Use fresh mortar", "Build the wall", "the mortar is dry", "wall.py", "gave up"):
        assert part in other.instructions
    assert len(other.instructions.encode()) <= 800 * 4 + len("Use fresh mortar\n\n")


def test_strangers_find_no_run(app, stranger, start):
    run = start()
    for op, args in ((run_orders.stop, ()), (run_orders.follow_up, ("x",)), (run_orders.hand_over, (Agent.CODEX,))):
        with pytest.raises(NotFound):
            app.run(stranger, op, run.id, *args)


def test_tasks_whose_files_a_live_run_has_changed_are_held_back(start, carry, take, do, add, tmp_path):
    run = start()
    carry(run.id, dispatch.note, take(run.id).hold, [Said(Kind.FILE_CHANGE, "wall.py", {"path": "wall.py"})])
    other = add("Paint the wall", workspace=str(tmp_path), connected_files=["wall.py"])
    found = do(queue.next_task)
    assert [(each.task, each.why) for each in found.held_back] == [
        (other.id, f"wall.py is in the hands of task {run.task}")
    ]


def test_a_run_that_brings_every_worker_down_ends(start, carry, take, do):
    run = start()
    for _ in range(dispatch.TRIES_MOST):
        carry(run.id, dispatch.give_back, take(run.id).hold)
    assert take(run.id) is None
    ended = do(runs.get, run.task).run
    assert (ended.state, ended.error) == (State.FAILED, "20 workers have tried it, and none came to its end.")


def test_undoing_a_run_takes_back_what_it_did_to_tasks_and_not_its_own_account(start, carry, take, do):
    run = start()
    hold = take(run.id).hold
    carry(run.id, dispatch.note, hold, [Said(Kind.MESSAGE, str(number)) for number in range(50)])
    carry(run.id, desk.add_subtasks, ["Dig", "Pour"])
    carry(run.id, dispatch.finish, hold, ok=True)
    undone = do(history.undo_changes, origin=f"run:{run.id}")
    assert {event.noun for event in undone.events} == {"task"}
    assert not undone.conflicts
    after = do(runs.get, run.task)
    assert (after.run.state, after.task.status) == (State.WAITING, Status.TODO)
    assert do(list_children, run.task) == []


@reads
def list_children(work, task_id):
    return work.tasks.children_of([task_id])


def test_history_tells_how_a_run_went_and_not_each_word(start, carry, take, do):
    run = start()
    hold = take(run.id).hold
    for number in range(20):
        carry(run.id, dispatch.note, hold, [Said(Kind.MESSAGE, str(number))])
    carry(run.id, dispatch.finish, hold, ok=True)
    told = [describe(event) for event in do(history.list_page).items if event.noun == "run"]
    assert told == [
        f"run {run.id} state: in_progress → waiting",
        f"run {run.id} state: pending → in_progress",
        f"run {run.id} created",
    ]


def test_a_run_that_a_worker_carried_out_is_not_taken_back(start, do):
    run = start()
    do(run_orders.stop, run.id)
    with pytest.raises((Conflict, NotFound)):
        do(history.undo)
