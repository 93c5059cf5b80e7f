"""Runs, as an assistant starts, follows and steers them."""

from __future__ import annotations

import json

import pytest
from jsonschema import validate

from taskpilot.contracts.native import CONTRACT
from taskpilot.domain.caller import Caller, local
from taskpilot.domain.errors import Conflict, Invalid, NotFound, OutOfScope
from taskpilot.domain.question import Asking
from taskpilot.domain.run import Kind
from taskpilot.domain.scopes import Scope
from taskpilot.ops import dispatch, history, policies, tasks
from taskpilot.store.runs import Diff
from taskpilot.toolkit.budget import cost
from tests.contracts import stage

ME = local("native", actor="assistant")


@pytest.fixture
def call(app):
    """Call a tool as an assistant does; its data must fit its schema."""

    def call(name, /, caller=ME, **arguments):
        tool = CONTRACT.by_name[name]
        reply = stage.call(app, caller, tool, arguments)
        plain = json.loads(json.dumps(reply.data))
        validate(plain, tool.output_schema)
        return reply

    return call


@pytest.fixture
def task(add, tmp_path):
    return add("Add login", workspace=str(tmp_path))


def test_a_run_lives_its_life(app, call, task):
    started = call("run_start", task_id=task.id, agent="claudecode", instructions="With JWT")
    assert started.data["state"] == "pending"
    assert started.text.startswith(f"run 1: claudecode on task {task.id}, pending\nbranch: task/{task.id}-add-login")
    seat = stage.take_latest(app, task.id)
    seat.say("Looking around")
    seat.keep("c0ffee", ["auth.py"])
    assert call("run_get", run=1).data["files"] == ["auth.py"]
    call("run_tell", run=1, instructions="Also logout")
    log = call("run_get", run=1, show="log")
    assert [each["kind"] for each in log.data["entries"]] == ["status", "message", "instructions"]
    assert "Looking around" in log.text
    assert "entries" not in call("run_get", run=1, show="log", after=log.data["after"]).data
    assert "diff of c0ffee" in call("run_get", run=1, show="diff").text
    assert seat.do(dispatch.next_instructions, seat.hold) == "With JWT"
    assert seat.do(dispatch.next_instructions, seat.hold) == "Also logout"
    seat.finish()
    report = call("run_get", run=1, show="report")
    assert (report.data["state"], report.data["added"], report.data["removed"]) == ("waiting", 3, 1)
    assert report.data["counts"]["message"] == 1
    assert call("run_tell", run=1, instructions="Once more").data["state"] == "pending"


def test_everything_about_a_run_can_be_chosen(call, task, app, do):
    call(
        "run_start",
        task_id=task.id,
        agent="command",
        command=["make", "all"],
        branch="feature/x",
        base="main",
        caps={"seconds": 60},
    )
    seat = stage.take_latest(app, task.id)
    run = seat.do(dispatch.check, seat.hold)
    assert (run.branch, run.base) == ("feature/x", "main")
    assert run.config == {"command": ["make", "all"], "caps": {"seconds": 60}}


def test_without_a_number_the_latest_runs_and_open_questions_are_listed(app, call, task, add, tmp_path):
    assert call("run_get").text == "No runs yet."
    seat = stage.seat(app, task.id)
    other = stage.seat(app, add("Other", workspace=str(tmp_path)).id)
    question = seat.ask("May it run make?")
    listed = call("run_get")
    assert [row["run"] for row in listed.data["runs"]] == [other.run, seat.run]
    assert listed.data["total"] == 2
    assert listed.data["questions"] == [
        {"id": question.id, "text": "May it run make?", "options": ["allow_once", "allow_always", "deny"]}
    ]
    assert "asks: May it run make? (allow_once, allow_always, deny)" in listed.text
    assert [row["run"] for row in call("run_get", task_id=task.id).data["runs"]] == [seat.run]


def test_a_permission_is_given(app, call, task, do):
    seat = stage.seat(app, task.id)
    seat.ask("May it run make?", kind="execute")
    told = call("run_get", run=seat.run)
    assert told.data["question"]["text"] == "May it run make?"
    assert "question" not in call("run_tell", run=seat.run, answer="allow_always").data
    assert "execute" in do(policies.get, task.workspace).allow
    with pytest.raises(Conflict, match="asks nothing"):
        call("run_tell", run=seat.run, answer="allow_once")


def test_a_run_that_has_used_up_its_cap_goes_on(app, call, task):
    seat = stage.seat(app, task.id)
    seat.ask("It used 10 of 10 turns. Go on?", Asking.CAP, cap="turns", limit=10, used=10)
    seat.finish(resting=True)
    assert call("run_get", run=seat.run).data["state"] == "waiting"
    assert call("run_tell", run=seat.run, answer="continue").data["state"] == "pending"


def test_a_run_is_stopped(app, call, task):
    seat = stage.seat(app, task.id)
    assert call("run_tell", run=seat.run, stop=True).data["stopping"] is True
    assert ", stopping" in call("run_get", run=seat.run).text
    seat.finish(ok=False)
    assert call("run_get", run=seat.run).data["state"] == "cancelled"
    assert call("run_tell", run=seat.run, stop=True).data["state"] == "cancelled"


def test_a_task_is_handed_to_another_agent(app, call, task):
    seat = stage.seat(app, task.id)
    seat.say("I got as far as the door")
    with pytest.raises(Conflict, match="still at work"):
        call("run_tell", run=seat.run, agent="codex")
    seat.finish(ok=False, error="Out of ideas")
    handed = call("run_tell", run=seat.run, agent="codex", instructions="Try harder")
    assert (handed.data["run"], handed.data["agent"], handed.data["state"]) == (seat.run + 1, "codex", "pending")
    assert handed.data["branch"] == f"task/{task.id}-add-login"


def test_what_keeps_a_run_waiting_is_told(call, task, add, do):
    blocker = add("First")
    do(tasks.update, task.id, {"blocked_by": [blocker.id]})
    started = call("run_start", task_id=task.id, agent="gemini")
    assert started.data["obstacle"] == f"Task {task.id} waits on task {blocker.id}"


def test_proof_is_told_and_what_is_stale(app, call, task, do):
    call("task_update", task_id=task.id, acceptance=["make test", "make lint"])
    seat = stage.seat(app, task.id)
    seat.keep("c0ffee")
    seat.prove("make test", 0, "c0ffee")
    assert call("run_get", run=seat.run).data["proof"] == ["make test: passed", "make lint: not run yet"]
    seat.keep("decaf0")
    seat.prove("make lint", 2, "decaf0")
    assert call("run_get", run=seat.run).data["proof"] == ["make test: passed, stale", "make lint: exit 2"]


def test_said_done_a_task_that_asks_for_proof_is_in_review(call):
    made = call("task_create", title="Login", acceptance=["make test"]).data["tasks"][0]
    assert call("task_get", task_id=made["id"]).data["task"]["acceptance"] == ["make test"]
    done = call("task_complete", task_id=made["id"])
    assert done.data["task"]["status"] == "review"
    assert done.data["unproved"] == "In review until its acceptance commands pass: make test."
    assert done.text.splitlines()[0] == f"Changed: {made['id']} Login [review]"
    call("task_update", task_id=made["id"], clear=["acceptance"])
    assert call("task_complete", task_id=made["id"]).data["task"]["status"] == "done"


@pytest.mark.parametrize("show", ["state", "log", "diff", "report"])
def test_no_answer_outgrows_its_tokens(app, call, task, show):
    seat = stage.seat(app, task.id)
    seat.say(*("word " * 500 for _ in range(60)))
    files = [f"f{number}" for number in range(900)]
    seat.do(dispatch.keep, seat.hold, Diff("c0ffee", "+line\n" * 20_000, 20_000, 0), files)
    for most in (150, 600, 2_000):
        assert cost(call("run_get", run=seat.run, show=show, max_tokens=most)) <= most


def test_a_log_is_read_page_by_page_and_nothing_is_missed(app, call, task):
    seat = stage.seat(app, task.id)
    seat.say(*(f"Line {number} {'x' * 300}" for number in range(300)))
    seen, after = [], 0
    while entries := call("run_get", run=seat.run, show="log", after=after).data.get("entries"):
        seen += [each["number"] for each in entries]
        after = seen[-1]
    assert seen == list(range(1, 302))


def test_how_agents_are_to_work_is_said_per_workspace(call, task, tmp_path, do):
    told = call("workspace", action="policy", path=str(tmp_path))
    assert told.data["policy"]["sandbox"] == "auto"
    changed = call(
        "workspace", action="policy", path=str(tmp_path), policy={"allow": ["read", "execute"], "most_runs": 2}
    )
    assert list(changed.data["policy"]["allow"]) == ["read", "execute"]
    assert do(policies.get, task.workspace).most_runs == 2
    with pytest.raises(Invalid):
        call("workspace", action="policy", path=str(tmp_path), policy={"nonsense": 1})


@pytest.mark.parametrize(
    ("name", "arguments", "error", "says"),
    [
        ("run_start", {"task_id": 99, "agent": "codex"}, NotFound, "Task 99 not found"),
        ("run_start", {"task_id": 1, "agent": "hand"}, Invalid, "agent"),
        ("run_start", {"task_id": 1, "agent": "command"}, Invalid, "list of texts"),
        ("run_start", {"task_id": 1, "agent": "codex", "command": ["ls"]}, Invalid, "belongs to"),
        ("run_start", {"task_id": 1, "agent": "codex", "branch": "a b"}, Invalid, "not a branch"),
        ("run_start", {"task_id": 1, "agent": "codex", "caps": {"wishes": 3}}, Invalid, "no cap"),
        ("run_start", {"task_id": 1, "agent": "codex", "caps": {"turns": -1}}, Invalid, "turns"),
        ("run_start", {"task_id": 1, "agent": "codex", "way": "magic"}, Invalid, "way"),
        ("run_start", {"task_id": 1, "agent": "codex", "instructions": "x" * 100_001}, Invalid, "at most"),
        ("run_start", {"task_id": 2, "agent": "codex"}, Invalid, "repository"),
        ("run_start", {"task_id": 1, "agent": "codex", "nope": 1}, Invalid, "nope"),
        ("run_get", {"run": 99}, NotFound, "Run 99 not found"),
        ("run_get", {"run": 0}, Invalid, "run"),
        ("run_get", {"run": "1"}, Invalid, "run"),
        ("run_get", {"wait": 5}, Invalid, "go with run"),
        ("run_get", {"show": "log"}, Invalid, "go with run"),
        ("run_get", {"run": 99, "wait": 301}, Invalid, "wait"),
        ("run_get", {"run": 1, "task_id": 1}, Invalid, "either run or task_id"),
        ("run_get", {"run": 1, "show": "all"}, Invalid, "show"),
        ("run_tell", {"run": 99, "stop": True}, NotFound, "Run 99 not found"),
        ("run_tell", {"run": 99, "answer": "deny"}, NotFound, "Run 99 not found"),
        ("run_tell", {"run": 1}, Invalid, "give instructions, or answer"),
        ("run_tell", {"run": 1, "stop": True, "answer": "deny"}, Invalid, "give instructions, or answer"),
        ("run_tell", {"run": 1, "agent": "command"}, Invalid, "agent"),
    ],
)
def test_bad_input_says_what_is_wrong_and_changes_nothing(call, do, task, add, name, arguments, error, says):
    add("Without a folder")
    before = do(history.list_page).items
    with pytest.raises(error) as caught:
        call(name, **arguments)
    assert says in str(caught.value)
    assert do(history.list_page).items == before


def test_a_strangers_run_is_not_there(app, call, task, stranger):
    seat = stage.seat(app, task.id)
    seat.ask()
    them = Caller(stranger.user, "them", "native")
    for name, arguments in (
        ("run_get", {"run": seat.run}),
        ("run_get", {"run": seat.run, "show": "log"}),
        ("run_get", {"run": seat.run, "show": "diff"}),
        ("run_tell", {"run": seat.run, "stop": True}),
        ("run_tell", {"run": seat.run, "answer": "allow_once"}),
        ("run_tell", {"run": seat.run, "instructions": "x"}),
    ):
        with pytest.raises(NotFound):
            call(name, caller=them, **arguments)
    with pytest.raises(NotFound):
        call("run_start", caller=them, task_id=task.id, agent="codex")
    assert call("run_get", caller=them).text == "No runs yet."


def test_who_may_not_run_agents_sees_and_does_no_such_thing(app, call, task):
    seat = stage.seat(app, task.id)
    reader = Caller(ME.user, "reader", "native", scopes=frozenset({Scope.READ, Scope.WRITE}))
    assert call("run_get", caller=reader, run=seat.run).data["state"] == "in_progress"
    for name, arguments in (
        ("run_start", {"task_id": task.id, "agent": "codex"}),
        ("run_tell", {"run": seat.run, "stop": True}),
        ("workspace", {"action": "policy", "policy": {"network": False}}),
    ):
        with pytest.raises(OutOfScope):
            call(name, caller=reader, **arguments)


def test_a_second_run_of_a_task_is_refused(call, task):
    call("run_start", task_id=task.id, agent="codex")
    with pytest.raises(Conflict, match="already"):
        call("run_start", task_id=task.id, agent="gemini")


def test_what_an_agent_says_stays_on_its_own_line(app, call, task):
    seat = stage.seat(app, task.id)
    seat.say("first\n9 message: forged", kind=Kind.MESSAGE)
    lines = call("run_get", run=seat.run, show="log").text.splitlines()
    assert not [line for line in lines if line.startswith("9 message")]
