"""What the agent of a run gets, over HTTP with the token made for it; and what it does not."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from jsonschema import validate
from starlette.testclient import TestClient

from taskpilot import contracts
from taskpilot.contracts.desk import CONTRACT
from taskpilot.domain.caller import Caller
from taskpilot.domain.scopes import EVERY
from taskpilot.ops import claims, history, rules, run_log, run_orders, tasks, users
from taskpilot.server import build
from taskpilot.settings import Settings
from taskpilot.store.vault import Vault
from tests.contracts import stage

BASE = "http://localhost:8000"
REVISION = "2026-07-28"
PATIENCE = 10.0
BUDGET = 1_800
"""Bytes of names, descriptions and input schemas: every turn of every run pays for them."""
CALLS = {
    "task_get": {},
    "log": {"text": "Begun"},
    "subtask_add": {"titles": ["One"]},
    "subtask_done": {"id": 2},
    "report": {"done": "all"},
}


@pytest.fixture
def seat(app, add, tmp_path):
    """An agent at work on a new task."""

    def seat(title="Add login", **fields) -> stage.Seat:
        return stage.seat(app, add(title, workspace=str(tmp_path), **fields).id)

    return seat


@pytest.fixture
def client(app, tmp_path):
    app.vault = Vault(tmp_path / "secret.key")
    settings = Settings(data_dir=tmp_path / "data", auth="required", rate_limit=0, address_rate_limit=0)
    web = build(settings, app, map(contracts.load, contracts.names()))
    with TestClient(web, base_url=BASE, raise_server_exceptions=False) as client:
        yield client


@pytest.fixture
def speak(client):
    """One request of MCP."""

    def speak(token: str, method: str, subject: str = "", /, *, contract: str = "desk", **params: Any) -> Any:
        meta = {
            "io.modelcontextprotocol/protocolVersion": REVISION,
            "io.modelcontextprotocol/clientInfo": {"name": "some-agent", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {},
        }
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": meta}}
        headers = {
            "Authorization": f"Bearer {token}",
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": REVISION,
            "Mcp-Method": method,
            **({"Mcp-Name": subject} if subject else {}),
        }
        return client.post(f"/mcp/{contract}", json=message, headers=headers)

    return speak


@pytest.fixture
def call(speak):
    """Call a tool of the desk; its data must fit its schema."""

    def call(token: str, name: str, /, **arguments: Any) -> Any:
        result = speak(token, "tools/call", name, name=name, arguments=arguments).json()["result"]
        if not result["isError"]:
            validate(result["structuredContent"], CONTRACT.by_name[name].output_schema)
        return result

    return call


def wait_until(holds) -> None:
    """The door hears of a revocation a moment after it is committed."""
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def said(result) -> str:
    return result["content"][0]["text"]


def test_the_schemas_are_tiny():
    told = [
        {"name": tool.name, "description": tool.description, "inputSchema": tool.input_schema}
        for tool in CONTRACT.tools
    ]
    assert len(json.dumps(told, separators=(",", ":")).encode()) <= BUDGET
    assert {tool["name"] for tool in told} == set(CALLS)


def test_an_agent_reads_its_task_with_all_that_is_needed(seat, call, do, add):
    blocker = add("Choose a library")
    do(tasks.complete, blocker.id)
    mine = seat(
        description="With JWT.",
        connected_files=["src/auth.py"],
        blocked_by=[blocker.id],
        acceptance=["make test", "make lint"],
    )
    do(rules.add, do(tasks.get, mine.task).workspace, "testing", "Write tests first")
    mine.keep("c0ffee")
    mine.prove("make test", 2, "c0ffee", "1 failed")
    sheet = call(mine.issue(), "task_get")
    data = sheet["structuredContent"]
    assert (data["id"], data["title"], data["status"]) == (mine.task, "Add login", "in_progress")
    assert data["description"] == "With JWT."
    assert data["acceptance"] == [
        {"command": "make test", "passed": False, "stale": False, "output": "1 failed"},
        {"command": "make lint"},
    ]
    assert data["rules"] == ["testing: Write tests first"]
    assert data["files"] == ["src/auth.py"]
    assert data["blockers"] == [{"id": blocker.id, "title": "Choose a library", "status": "done"}]
    assert data["branch"] == f"task/{mine.task}-add-login"
    assert "make test (failed)\n1 failed" in said(sheet)
    assert "make lint (not run yet)" in said(sheet)


def test_proof_of_an_earlier_commit_says_so(seat, call):
    mine = seat(acceptance=["make test"])
    mine.keep("c0ffee")
    mine.prove("make test", 0, "c0ffee")
    mine.keep("decaf0")
    (check,) = call(mine.issue(), "task_get")["structuredContent"]["acceptance"]
    assert check == {"command": "make test", "passed": True, "stale": True}


def test_what_was_handed_over_is_there(app, add, call, do, tmp_path):
    task = add("Walls", workspace=str(tmp_path))
    held = do(claims.take, task.id)
    do(claims.release, task.id, held.claim.id, handoff={"done": "primer", "next": "paint"})
    mine = stage.seat(app, task.id)
    assert call(mine.issue(), "task_get")["structuredContent"]["handed_over"] == ["done: primer", "next: paint"]


def test_a_long_task_fits_what_the_agent_wants_to_spend(seat, call):
    mine = seat(description="word " * 15_000, notes="more " * 1_000)
    for most in (150, 1_000, None):
        result = call(mine.issue(), "task_get", **({"max_tokens": most} if most else {}))
        data = json.dumps(result["structuredContent"], separators=(",", ":"), ensure_ascii=False)
        assert (len(data.encode()) + len(said(result).encode())) / 4 <= (most or 4_000)
        assert result["structuredContent"]["title"] == "Add login"
        assert "Left out" in result["structuredContent"]["note"]


def test_an_agent_says_how_it_goes_splits_its_task_and_reports(seat, call, do):
    mine = seat()
    token = mine.issue()
    assert call(token, "log", text="Half way", progress=50)["structuredContent"] == {"progress": 50}
    made = call(token, "subtask_add", titles=["Routes", "Tests"])["structuredContent"]["subtasks"]
    assert [each["title"] for each in made] == ["Routes", "Tests"]
    done = call(token, "subtask_done", id=made[0]["id"])
    assert done["structuredContent"]["subtasks"][0]["status"] == "done"
    assert call(token, "report", done="routes", next="tests")["structuredContent"] == {"run": mine.run}
    sheet = call(token, "task_get")["structuredContent"]
    assert [each["status"] for each in sheet["subtasks"]] == ["done", "todo"]
    assert sheet["progress"] == 50
    assert "Half way" in [entry.text for entry in do(run_log.read_run, mine.run)]


def test_history_says_which_run_it_was_whatever_the_client_calls_itself(seat, call, do):
    mine = seat()
    call(mine.issue(), "subtask_add", titles=["Routes"])
    made = next(event for event in do(history.list_page).items if event.kind == "task.created")
    assert (made.actor, made.door, made.origin) == (f"claudecode in run {mine.run}", "desk", f"run:{mine.run}")


def test_other_tasks_are_not_there(seat, call, do, add):
    other, token = add("Mine alone"), seat().issue()
    theirs = seat("Another run")
    (below,) = do(tasks.create, [{"title": "Below", "parent": theirs.task}]).tasks
    for number in (other.id, theirs.task, below.id, 999_999):
        refused = call(token, "subtask_done", id=number)
        assert refused["isError"]
        assert f"Task {number} not found" in said(refused)
        assert "Another" not in said(refused)
    assert not do(tasks.get, below.id).completed


def test_two_runs_do_not_see_each_other(seat, call):
    one, two = seat("One"), seat("Two")
    first, second = one.issue(), two.issue()
    call(second, "subtask_add", titles=["Of two"])
    assert call(first, "task_get")["structuredContent"]["title"] == "One"
    assert "subtasks" not in call(first, "task_get")["structuredContent"]
    assert call(second, "task_get")["structuredContent"]["title"] == "Two"


def test_a_run_of_somebody_else_is_theirs(app, call, do, tmp_path, seat):
    user = do(users.ensure, 77)
    bob = Caller(user.id, user.handle, "cli", scopes=EVERY)
    (task,) = app.run(bob, tasks.create, [{"title": "Bob's", "workspace": str(tmp_path)}]).tasks
    theirs = stage.seat(app, task.id, caller=bob)
    token, mine = theirs.issue(), seat()
    assert call(token, "task_get")["structuredContent"]["title"] == "Bob's"
    assert call(token, "subtask_done", id=mine.task)["isError"]


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("log", {"text": ""}),
        ("log", {"text": "x", "progress": 100}),
        ("log", {"text": "x", "progress": -1}),
        ("log", {"text": "x", "progress": "5"}),
        ("log", {"text": "x" * 10_001}),
        ("log", {"text": "x", "task_id": 1}),
        ("subtask_add", {"titles": []}),
        ("subtask_add", {"titles": ["fine", ""]}),
        ("subtask_add", {"titles": ["x"] * 101}),
        ("subtask_add", {"titles": "x"}),
        ("subtask_done", {"id": 0}),
        ("subtask_done", {"id": True}),
        ("subtask_done", {}),
        ("report", {}),
        ("report", {"done": "x" * 4_001}),
        ("report", {"status": "done"}),
        ("task_get", {"max_tokens": 1}),
        ("task_get", {"task_id": 1}),
    ],
)
def test_bad_input_is_refused_and_changes_nothing(seat, call, do, tool, arguments):
    token = seat().issue()
    before = do(history.list_page).items
    assert call(token, tool, **arguments)["isError"]
    assert do(history.list_page).items == before


def test_no_other_contract_shows_it_a_tool_or_takes_a_call(seat, speak, do):
    token = seat().issue()
    before = do(history.list_page).items
    for name in contracts.names():
        listed = speak(token, "tools/list", contract=name).json()["result"]["tools"]
        assert {tool["name"] for tool in listed} == (set(CALLS) if name == "desk" else set())
        if name == "desk":
            continue
        for tool in contracts.load(name).tools:
            answer = speak(token, "tools/call", tool.name, contract=name, name=tool.name, arguments={})
            result = answer.json()["result"]
            assert result["isError"], (name, tool.name)
            assert "insufficient_scope" in answer.text, (name, tool.name)
        if contracts.load(name).library is not None:
            assert "error" in speak(token, "resources/list", contract=name).json()
    assert do(history.list_page).items == before


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "/api/tasks", None),
        ("GET", "/api/tasks/1", None),
        ("POST", "/api/tasks", {"title": "Mine"}),
        ("DELETE", "/api/tasks/1", None),
        ("GET", "/api/projects", None),
        ("GET", "/api/tokens", None),
        ("GET", "/api/events", None),
    ],
)
def test_rest_refuses_it(seat, client, do, method, path, body):
    headers = {"Authorization": f"Bearer {seat().issue()}"}
    answer = client.request(method, path, json=body, headers=headers)
    assert answer.status_code == 403, answer.text
    assert answer.json()["error"] == "insufficient_scope"
    assert do(tasks.get, 1).deleted_at is None


def test_nobody_else_has_a_desk(seat, speak, client):
    seat()
    assert speak("", "tools/list").status_code == 401
    assert speak("tp_1_" + "x" * 43, "tools/list").status_code == 401


def test_the_token_of_a_run_that_is_over_opens_no_door(seat, speak, do):
    mine = seat()
    token = mine.issue()
    assert speak(token, "tools/list").status_code == 200
    mine.finish()
    before = do(history.list_page).items
    wait_until(lambda: speak(token, "tools/list").status_code == 401)
    assert speak(token, "tools/list", contract="native").status_code == 401
    for name, arguments in CALLS.items():
        assert speak(token, "tools/call", name, name=name, arguments=arguments).status_code == 401
    assert do(history.list_page).items == before


def test_the_token_of_an_earlier_attempt_opens_no_door(seat, call, speak):
    mine = seat()
    old, new = mine.issue(), mine.issue()
    assert speak(old, "tools/list").status_code == 401
    assert call(new, "task_get")["structuredContent"]["title"] == "Add login"


def test_a_token_ends_with_its_day(seat, speak, clock):
    token = seat().issue()
    clock.forward(days=1, seconds=1)
    assert speak(token, "tools/list").status_code == 401


def test_a_stopped_run_has_no_desk(seat, speak, do):
    mine = seat()
    token = mine.issue()
    do(run_orders.stop, mine.run)
    mine.finish(ok=False)
    wait_until(lambda: speak(token, "tools/list").status_code == 401)
