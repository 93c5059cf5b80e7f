"""The task manager's document, example by example, over the bare endpoint; then what it says of errors."""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from taskpilot.contracts.manager import CONTRACT
from taskpilot.domain.caller import local
from taskpilot.domain.errors import Conflict, DiskFull, Invalid, TaskPilotError, Unavailable
from taskpilot.ops import history, stats, tasks
from taskpilot.server import build
from taskpilot.settings import Settings
from tests.surfaces.mcp.conftest import Process

NAMES = [
    "task_create",
    "task_list",
    "task_get",
    "task_update",
    "task_complete",
    "task_delete",
    "task_search",
    "task_stats",
]
MEMBERS = [
    "id",
    "user_id",
    "title",
    "project",
    "priority",
    "energy",
    "time_estimate",
    "notes",
    "due_date",
    "completed",
    "completed_at",
    "created_at",
    "updated_at",
]


@pytest.fixture
def client(app, tmp_path):
    return TestClient(build(Settings(data_dir=tmp_path), app, [CONTRACT]), base_url="http://localhost:8000")


@pytest.fixture
def post(client):
    def post(method, **params):
        response = client.post("/", json={"method": method, "params": params})
        assert response.status_code == 200
        assert response.headers["content-type"] == "application/json"
        return response.json()

    return post


@pytest.fixture
def call(post):
    """The text of a call that must succeed, and carry nothing else."""

    def call(name, /, **arguments):
        result = post("tools/call", name=name, arguments=arguments)
        assert list(result) == ["content"], result
        (block,) = result["content"]
        assert list(block) == ["type", "text"]
        assert block["type"] == "text"
        return block["text"]

    return call


@pytest.fixture
def fail(post):
    """The text of a call that must fail."""

    def fail(name, /, **arguments):
        result = post("tools/call", name=name, arguments=arguments)
        assert list(result) == ["isError", "content"], result
        assert result["isError"] is True
        assert [block["type"] for block in result["content"]] == ["text"]
        return result["content"][0]["text"]

    return fail


def test_the_document_is_walked_through(client, post, call, fail, clock):
    clock.now = datetime(2025, 12, 25, 12, tzinfo=UTC)

    head = client.head("/")
    assert (head.status_code, head.headers["MCP-Protocol-Version"], head.content) == (200, "2025-06-18", b"")

    assert post("initialize") == {
        "protocolVersion": "2025-06-18",
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "Task Manager MCP", "version": "0.1.0"},
    }

    listed = post("tools/list")
    assert list(listed) == ["tools"]
    assert [tool["name"] for tool in listed["tools"]] == NAMES
    assert all(list(tool) == ["name", "description", "inputSchema"] for tool in listed["tools"])
    assert listed["tools"][0] == {
        "name": "task_create",
        "description": "Create a new task",
        "inputSchema": {
            "type": "object",
            "properties": {
                "title": {"type": "string", "description": "Task title (1-500 characters)"},
                "project": {"type": "string", "description": "Project category (optional)"},
                "priority": {
                    "type": "integer",
                    "minimum": 1,
                    "maximum": 5,
                    "description": "Priority (1=Someday, 5=Critical, default=3)",
                },
                "energy": {
                    "type": "string",
                    "enum": ["light", "medium", "deep"],
                    "description": "Energy level required (default=medium)",
                },
                "time_estimate": {"type": "string", "description": "Time estimate (e.g., '1hr', default='1hr')"},
                "notes": {"type": "string", "description": "Additional notes (optional)"},
            },
            "required": ["title"],
        },
    }
    assert listed["tools"][1]["description"] == "List tasks with optional filters"

    assert call(
        "task_create",
        title="Research MCP specification",
        project="Deep Dive Coding",
        priority=4,
        energy="deep",
        time_estimate="2hr",
    ) == (
        '{"id": 1, "user_id": "dev-user", "title": "Research MCP specification", "project": "Deep Dive Coding", '
        '"priority": 4, "energy": "deep", "time_estimate": "2hr", "notes": null, "due_date": null, '
        '"completed": false, "completed_at": null, "created_at": "2025-12-25T12:00:00Z", '
        '"updated_at": "2025-12-25T12:00:00Z"}'
    )
    assert fail("task_create", title="", priority=6) == (
        "Validation error: Title must be between 1 and 500 characters; Priority must be between 1 and 5"
    )

    call("task_create", title="Write tests", project="Deep Dive Coding")
    call("task_create", title="Paint", project="Custom Cult")
    found = json.loads(call("task_list", project="Deep Dive Coding", show_completed=False))
    assert [(row["id"], row["title"]) for row in found] == [(1, "Research MCP specification"), (2, "Write tests")]
    assert [list(row) for row in found] == [MEMBERS, MEMBERS]

    assert json.loads(call("task_get", task_id=1)) == found[0]
    assert fail("task_get", task_id=7) == "Task 7 not found"

    clock.now = datetime(2025, 12, 25, 13, tzinfo=UTC)
    assert json.loads(call("task_update", task_id=1, priority=5, notes="Updated: now critical priority")) == {
        **found[0],
        "priority": 5,
        "notes": "Updated: now critical priority",
        "updated_at": "2025-12-25T13:00:00Z",
    }

    clock.now = datetime(2025, 12, 25, 13, 30, tzinfo=UTC)
    done = json.loads(call("task_complete", task_id=1))
    assert (done["id"], done["completed"], done["completed_at"]) == (1, True, "2025-12-25T13:30:00Z")
    assert json.loads(call("task_complete", task_id=1)) == done

    call("task_create", title="Sell")
    call("task_create", title="Test MCP integration", project="Deep Dive Coding")
    call("task_create", title="Sing", project="Custom Cult")
    call("task_create", title="Dance", project="Personal")
    assert call("task_delete", task_id=4) == '{"success": true, "task_id": 4}'
    assert fail("task_delete", task_id=4) == "Task 4 not found"

    found = json.loads(call("task_search", query="MCP"))
    assert [(row["id"], row["title"]) for row in found] == [
        (1, "Research MCP specification"),
        (5, "Test MCP integration"),
    ]

    call("task_complete", task_id=2)
    assert call("task_stats", group_by="project") == (
        '{"by_project": {"Deep Dive Coding": 3, "Custom Cult": 2, "Personal": 1}, '
        '"total": 6, "completed": 2, "completion_rate": 33.33}'
    )


def test_the_documents_own_tests_pass(client):
    assert client.head("/").headers["MCP-Protocol-Version"] == "2025-06-18"
    data = client.post("/", json={"method": "tools/list", "params": {}}).json()
    assert len(data["tools"]) == 8
    made = {"name": "task_create", "arguments": {"title": "Test task"}}
    data = client.post("/", json={"method": "tools/call", "params": made}).json()
    assert json.loads(data["content"][0]["text"])["title"] == "Test task"
    broken = {"name": "task_create", "arguments": {"title": ""}}
    assert client.post("/", json={"method": "tools/call", "params": broken}).json()["isError"] is True


def test_what_is_not_given_has_the_promised_defaults(call):
    row = json.loads(call("task_create", title="Plain"))
    assert (row["priority"], row["energy"], row["time_estimate"], row["project"]) == (3, "medium", "1hr", None)


def test_the_list_goes_from_high_to_low_then_from_old_to_new_and_in_pages(call, clock):
    for title, priority in (("a", 3), ("b", 5), ("c", 3), ("d", 1), ("e", 5)):
        call("task_create", title=title, priority=priority)
        clock.forward(minutes=1)
    call("task_complete", task_id=1)

    def titles(**arguments):
        return "".join(row["title"] for row in json.loads(call("task_list", **arguments)))

    assert titles() == "becd"
    assert titles(show_completed=True) == "beacd"
    assert titles(priority=5) == "be"
    assert titles(limit=2, offset=1) == "ec"
    assert titles(offset=99) == ""
    assert titles(project="nowhere") == ""


def test_a_dropped_task_is_not_completed_and_not_listed(do, add, call):
    do(tasks.update, add("Dropped").id, {"status": "dropped"})
    assert call("task_list") == call("task_list", show_completed=True) == "[]"
    assert json.loads(call("task_get", task_id=1))["completed"] is False
    assert json.loads(call("task_stats"))["by_status"] == {"completed": 0, "incomplete": 1}


def test_search_wants_every_keyword_in_the_fields_named(call):
    call("task_create", title="Fix Login", notes="the Ünicode page")
    call("task_create", title="100% sure", notes="log_in")
    call("task_complete", task_id=1)

    def ids(query, **more):
        return [row["id"] for row in json.loads(call("task_search", query=query, **more))]

    assert ids("ogin üni") == [1]
    assert ids("login page", fields="title") == []
    assert ids("page", fields="notes") == [1]
    assert ids("fix", fields="notes") == []
    assert ids("fix page", fields="both") == [1]
    assert ids("%") == [2]
    assert ids("g_i") == [2]


def test_stats_have_three_groups_unless_one_is_named(call):
    empty = json.loads(call("task_stats"))
    assert empty["completion_rate"] == 0.0
    call("task_create", title="a", priority=5, project="Home")
    call("task_create", title="b")
    call("task_complete", task_id=2)
    everything = (
        '{"by_project": {"Home": 1}, "by_priority": {"1": 0, "2": 0, "3": 1, "4": 0, "5": 1}, '
        '"by_status": {"completed": 1, "incomplete": 1}, "total": 2, "completed": 1, "completion_rate": 50.0}'
    )
    assert call("task_stats") == call("task_stats", group_by="all") == everything
    assert list(json.loads(call("task_stats", group_by="priority"))) == [
        "by_priority",
        "total",
        "completed",
        "completion_rate",
    ]
    assert next(iter(json.loads(call("task_stats", group_by="status")))) == "by_status"


def test_text_is_kept_as_it_was_written_and_an_empty_one_clears(call):
    row = json.loads(call("task_create", title="Ünïcode 漢字 🎉", notes="a\nb", project="Home"))
    assert (row["title"], row["notes"]) == ("Ünïcode 漢字 🎉", "a\nb")
    row = json.loads(call("task_update", task_id=1, notes="", project=""))
    assert (row["notes"], row["project"]) == (None, None)


@pytest.mark.parametrize(
    ("name", "arguments", "says"),
    [
        ("task_create", {}, "Title is required"),
        ("task_create", {"title": 5}, "Title must be a string"),
        ("task_create", {"title": None}, "Title must be a string"),
        ("task_create", {"title": " \u202e\u0000 "}, "Title must be between 1 and 500 characters"),
        ("task_create", {"title": "x" * 501}, "Title must be between 1 and 500 characters"),
        ("task_create", {"title": "x" * 3_000_000}, "Title must be between 1 and 500 characters"),
        ("task_create", {"title": "x", "priority": "3"}, "Priority must be an integer"),
        ("task_create", {"title": "x", "priority": True}, "Priority must be an integer"),
        ("task_create", {"title": "x", "priority": 3.5}, "Priority must be an integer"),
        ("task_create", {"title": "x", "priority": 0}, "Priority must be between 1 and 5"),
        ("task_create", {"title": "x", "energy": "high"}, "Energy must be one of: light, medium, deep"),
        ("task_create", {"title": "x", "energy": ["deep"]}, "Energy must be a string"),
        ("task_create", {"title": "x", "project": "p" * 101}, "Project must be at most 100 characters"),
        ("task_create", {"title": "x", "time_estimate": "t" * 51}, "Time estimate must be at most 50 characters"),
        ("task_create", {"title": "x", "notes": "n" * 100_001}, "Notes must be at most 100000 characters"),
        ("task_create", {"title": "x", "due_date": "2026-01-01"}, "Unknown argument: due_date"),
        (
            "task_create",
            {"colour": 1, "notes": 2, "time_estimate": 3, "energy": 4, "priority": 9, "project": 6},
            (
                "Title is required; Project must be a string; Priority must be between 1 and 5; "
                "Energy must be a string; Time estimate must be a string; Notes must be a string; "
                "Unknown argument: colour"
            ),
        ),
        ("task_list", {"limit": 0}, "Limit must be between 1 and 1000"),
        ("task_list", {"limit": 1001}, "Limit must be between 1 and 1000"),
        ("task_list", {"limit": "10"}, "Limit must be an integer"),
        ("task_list", {"offset": -1}, "Offset must be 0 or more"),
        ("task_list", {"show_completed": "yes"}, "Show completed must be true or false"),
        ("task_list", {"status": "todo"}, "Unknown argument: status"),
        ("task_get", {}, "Task ID is required"),
        ("task_get", {"task_id": "1"}, "Task ID must be an integer"),
        ("task_update", {"task_id": 1}, "Nothing to change was given"),
        (
            "task_update",
            {"task_id": "x", "title": "", "priority": 7},
            "Task ID must be an integer; Title must be between 1 and 500 characters; Priority must be between 1 and 5",
        ),
        ("task_search", {}, "Query is required"),
        ("task_search", {"query": "  "}, "Query must be between 1 and 500 characters"),
        ("task_search", {"query": "x", "fields": "tags"}, "Fields must be one of: title, notes, both"),
        ("task_stats", {"group_by": "tag"}, "Group by must be one of: project, priority, status, all"),
    ],
)
def test_bad_arguments_are_all_named_and_change_nothing(do, add, fail, name, arguments, says):
    add("Walls")
    before = do(history.list_page).items
    assert fail(name, **arguments) == f"Validation error: {says}"
    assert do(history.list_page).items == before


@pytest.mark.parametrize("task_id", [7, 0, -1, 2**63, 10**30])
@pytest.mark.parametrize("name", ["task_get", "task_complete", "task_delete", "task_update"])
def test_a_missing_task_is_not_found(fail, name, task_id):
    more = {"title": "x"} if name == "task_update" else {}
    assert fail(name, task_id=task_id, **more) == f"Task {task_id} not found"


@pytest.mark.parametrize("name", ["task_get", "task_complete", "task_delete", "task_update"])
def test_a_strangers_task_is_as_missing(app, stranger, fail, name):
    task = app.run(stranger, tasks.create, [{"title": "Secret"}]).tasks[0]
    more = {"title": "x"} if name == "task_update" else {}
    assert fail(name, task_id=task.id, **more) == f"Task {task.id} not found"
    assert app.run(stranger, tasks.get, task.id) == task
    assert app.run(stranger, stats.summarize).total == 1


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (Invalid("It is wrong.", hint="Correct it."), "Validation error: It is wrong"),
        (Conflict("It has changed.", hint="Look again."), "It has changed"),
        (Unavailable("The database is busy.", hint="Wait."), "The database is busy"),
        (DiskFull("The disk is full.", hint="Free some."), "The disk is full"),
    ],
)
def test_every_other_failure_is_one_plain_sentence(error, says):
    reply = CONTRACT.refuse("task_get", error)
    assert (reply.text, reply.data, reply.is_error) == (says, None, True)


def test_standard_streams_carry_the_same_answers(tmp_path):
    process = Process(sys.executable, "-m", "taskpilot", "mcp", "--contract", "manager", "--data-dir", str(tmp_path))
    try:
        info = process.greet()["result"]["serverInfo"]
        assert (info["name"], info["version"]) == ("Task Manager MCP", "0.1.0")
        assert [tool["name"] for tool in process.ask(1, "tools/list")["result"]["tools"]] == NAMES
        result = process.ask(2, "tools/call", name="task_create", arguments={"title": "Milk"})["result"]
        assert json.loads(result["content"][0]["text"])["title"] == "Milk"
        assert "structuredContent" not in result
        result = process.ask(3, "tools/call", name="task_get", arguments={"task_id": 7})["result"]
        assert (result["isError"], result["content"]) == (True, [{"type": "text", "text": "Task 7 not found"}])
    finally:
        process.close()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | st.just("\ud800"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=5,
)


@pytest.mark.parametrize("tool", CONTRACT.tools, ids=lambda tool: tool.name)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_no_arguments_break_a_tool(app, tool, data):
    names = st.sampled_from([*tool.args.model_fields, "colour", "\ud800"])
    arguments = data.draw(st.dictionaries(names, JSON, max_size=4))
    try:
        json.loads(app.run(local("manager"), tool, tool.parse(arguments)).text)
    except TaskPilotError as error:
        CONTRACT.refuse(tool.name, error).text.encode()
