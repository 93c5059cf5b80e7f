"""The todo chatbot's document, tool by tool, with each row of each error table; then bad input."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import validate
from starlette.testclient import TestClient

from taskpilot.contracts.todo import CONTRACT, FUNCTIONS
from taskpilot.domain.caller import Caller, local
from taskpilot.domain.errors import Conflict, DiskFull, TaskPilotError, Unavailable
from taskpilot.domain.operation import reads
from taskpilot.ops import history, tasks, users
from taskpilot.server import build
from taskpilot.settings import Settings

NOBODY = Caller(999, "nobody", "todo")
TOOLS = ["create_task", "list_tasks", "get_task", "update_task", "delete_task", "toggle_complete"]


@pytest.fixture
def call(app):
    """The whole reply of a tool, right or wrong; its data must fit its schema."""

    def call(name, /, caller=None, **arguments):
        tool = CONTRACT.by_name[name]
        try:
            reply = app.run(caller or local("todo", "chatbot"), tool, tool.parse(arguments))
        except TaskPilotError as error:
            reply = CONTRACT.refuse(name, error)
        validate(reply.data, tool.output_schema)
        json.dumps(reply.data)
        return reply

    return call


@pytest.fixture
def fail(call):
    """Sentence and error of a call that must fail."""

    def fail(name, /, **arguments):
        reply = call(name, **arguments)
        assert reply.is_error, reply.text
        assert list(reply.data) == ["tool_name", "success", "error"]
        assert (reply.data["tool_name"], reply.data["success"]) == (name, False)
        return reply.text, reply.data["error"]

    return fail


@pytest.fixture
def begin(add):
    """Forty-one earlier tasks, so that the document's next is 42."""
    for number in range(41):
        add(f"Earlier {number}", status="dropped")


def at(clock, hour, minute=0):
    clock.now = datetime(2025, 2, 15, hour, minute, tzinfo=UTC)


def test_the_document_is_walked_through(app, do, call, fail, clock, begin):
    uuid = do(users.me).uuid
    assert len(uuid) == 36

    at(clock, 10, 30)
    reply = call("create_task", title="Buy groceries", description="")
    groceries = {
        "id": 42,
        "user_id": uuid,
        "title": "Buy groceries",
        "description": "",
        "completed": False,
        "created_at": "2025-02-15T10:30:00Z",
        "updated_at": "2025-02-15T10:30:00Z",
    }
    assert (reply.text, reply.data) == ("I've added 'Buy groceries' to your list. It's task #42.", groceries)
    assert list(reply.data) == list(groceries)

    at(clock, 11)
    call("create_task", title="Finish project report", description="Due Friday")
    report = {
        **groceries,
        "id": 43,
        "title": "Finish project report",
        "description": "Due Friday",
        "created_at": "2025-02-15T11:00:00Z",
        "updated_at": "2025-02-15T11:00:00Z",
    }
    reply = call("list_tasks", completed=False, limit=100, offset=0)
    assert reply.data == {"tasks": [groceries, report], "total": 2, "limit": 100, "offset": 0}
    assert list(reply.data) == ["tasks", "total", "limit", "offset"]
    assert reply.text == (
        "You have 2 tasks:\n1. ○ Task #42: Buy groceries\n2. ○ Task #43: Finish project report\n   Due Friday"
    )

    at(clock, 10, 30)
    assert call("update_task", task_id=42, description="Milk, eggs, bread").text == (
        "I've updated task #42. The new description is 'Milk, eggs, bread'."
    )
    groceries["description"] = "Milk, eggs, bread"
    reply = call("get_task", task_id=42)
    assert reply.data == groceries
    assert reply.text == "Task #42 is 'Buy groceries'. Details: Milk, eggs, bread. Status: Not completed."

    at(clock, 12)
    reply = call("update_task", task_id=42, title="Buy organic groceries")
    assert reply.data == {**groceries, "title": "Buy organic groceries", "updated_at": "2025-02-15T12:00:00Z"}
    assert reply.text == "I've updated task #42. The new title is 'Buy organic groceries'."

    call("update_task", task_id=42, title="Buy groceries")
    delete = CONTRACT.by_name["delete_task"]
    assert app.run(local("todo"), reads(delete.confirm), delete.parse({"task_id": 42})) == (
        "Are you sure you want to delete task #42 ('Buy groceries')? This cannot be undone. (yes/no)"
    )
    reply = call("delete_task", task_id=42)
    assert reply.text == "Done! I've deleted task #42 ('Buy groceries') from your list."
    assert reply.data == {"tool_name": "delete_task", "success": True}
    assert fail("get_task", task_id=42)[0].startswith("I couldn't find task #42.")

    do(history.undo, task_id=42)
    at(clock, 13)
    reply = call("toggle_complete", task_id=42)
    assert reply.data == {**groceries, "completed": True, "updated_at": "2025-02-15T13:00:00Z"}
    assert reply.text == "Done! I've marked task #42 ('Buy groceries') as complete. Great job!"
    assert call("toggle_complete", task_id=42).text == "Done! I've marked task #42 ('Buy groceries') as incomplete."


SEE_LIST = "Would you like to see your task list?"
LONG = "That title is too long. Can you make it shorter (under 200 characters)?"


@pytest.mark.parametrize(
    ("name", "arguments", "sentence", "error"),
    [
        (
            "create_task",
            {"title": ""},
            "I need a task title. What would you like to add?",
            "Invalid input: Title cannot be empty",
        ),
        ("create_task", {"title": "x" * 201}, LONG, "Invalid input: Title too long (max 200 characters)"),
        ("get_task", {"task_id": 42}, f"I couldn't find task #42. {SEE_LIST}", "API error: Task 42 not found"),
        (
            "update_task",
            {"task_id": 42, "title": "x"},
            f"I couldn't find task #42. {SEE_LIST}",
            "API error: Task 42 not found",
        ),
        (
            "update_task",
            {"task_id": 1, "title": " "},
            "The task title can't be empty. What would you like to call it?",
            "Invalid input: Title cannot be empty",
        ),
        ("update_task", {"task_id": 1, "title": "x" * 201}, LONG, "Invalid input: Title too long (max 200 characters)"),
        (
            "delete_task",
            {"task_id": 42},
            "I couldn't find task #42. It may have already been deleted.",
            "API error: Task 42 not found",
        ),
        ("toggle_complete", {"task_id": 42}, f"I couldn't find task #42. {SEE_LIST}", "API error: Task 42 not found"),
    ],
)
def test_every_row_of_the_error_tables_is_a_sentence(add, fail, name, arguments, sentence, error):
    add("Walls")
    assert fail(name, **arguments) == (sentence, error)


ARGUMENTS = {
    "create_task": {"title": "x"},
    "list_tasks": {},
    "get_task": {"task_id": 1},
    "update_task": {"task_id": 1, "title": "x"},
    "delete_task": {"task_id": 1},
    "toggle_complete": {"task_id": 1},
}
TROUBLE = {
    "create_task": "I'm having trouble creating that task. Please try again.",
    "list_tasks": "I'm having trouble retrieving your tasks. Please try again.",
    "get_task": "I'm having trouble retrieving that task. Please try again.",
    "update_task": "I'm having trouble updating that task. Please try again.",
    "delete_task": "I'm having trouble deleting that task. Please try again.",
    "toggle_complete": "I'm having trouble updating that task. Please try again.",
}


@pytest.mark.parametrize("name", TOOLS)
def test_whoever_is_not_signed_in_is_asked_to_sign_in(add, fail, name):
    add("Walls")
    assert fail(name, caller=NOBODY, **ARGUMENTS[name]) == (
        "Your session has expired. Please sign in again.",
        "Authentication failed. Please sign in again.",
    )


@pytest.mark.parametrize("name", TOOLS)
@pytest.mark.parametrize(
    ("error", "told"),
    [
        (Unavailable("The database is busy.", hint="Wait."), "API error: The database is busy"),
        (DiskFull("The disk is full.", hint="Free some."), "API error: The disk is full"),
        (Conflict("It has changed.", hint="Look."), "API error: It has changed"),
    ],
)
def test_trouble_with_the_server_is_a_sentence_too(name, error, told):
    reply = CONTRACT.refuse(name, error)
    assert (reply.text, reply.data["error"], reply.is_error) == (TROUBLE[name], told, True)


@pytest.mark.parametrize("name", TOOLS)
def test_even_a_bug_is_a_sentence_and_keeps_nothing(app, do, add, fail, name, monkeypatch, caplog):
    task = add("Walls")

    def explode(*_):
        raise RuntimeError("secret")

    monkeypatch.setattr("taskpilot.contracts.todo.answers.show", explode)
    monkeypatch.setattr("taskpilot.contracts.todo.tools._name", explode)
    with caplog.at_level(logging.ERROR):
        told = fail(name, **ARGUMENTS[name])
    assert told == (TROUBLE[name], "An unexpected error occurred. Please try again.")
    assert "RuntimeError: secret" in caplog.text
    assert do(tasks.get, task.id) == task
    assert len(do(history.list_page).items) == 1


@pytest.mark.parametrize("name", ["get_task", "update_task", "delete_task", "toggle_complete"])
def test_a_strangers_task_is_as_missing(app, stranger, fail, name):
    task = app.run(stranger, tasks.create, [{"title": "Secret"}]).tasks[0]
    assert fail(name, **ARGUMENTS[name])[0].startswith("I couldn't find task #1.")
    assert app.run(stranger, tasks.get, task.id) == task


def test_the_question_before_deleting_fails_as_deleting_would(app, fail):
    delete = CONTRACT.by_name["delete_task"]
    assert delete.destructive
    validate(delete.declined.data, delete.output_schema)
    with pytest.raises(TaskPilotError, match="Task 7 not found"):
        app.run(local("todo"), reads(delete.confirm), delete.parse({"task_id": 7}))
    with pytest.raises(TaskPilotError, match="signed in"):
        app.run(NOBODY, reads(delete.confirm), delete.parse({"task_id": 7}))


def test_lists_are_oldest_first_filtered_and_paged(do, add, call, clock):
    for title in "abcd":
        add(title)
        clock.forward(minutes=1)
    do(tasks.complete, 2)
    do(tasks.update, 4, {"status": "dropped"})

    def titles(**arguments):
        data = call("list_tasks", **arguments).data
        return "".join(row["title"] for row in data["tasks"]), data["total"]

    assert titles() == titles(completed=None) == ("abc", 3)
    assert titles(completed=True) == ("b", 1)
    assert titles(completed=False) == ("ac", 2)
    assert titles(limit=1) == ("a", 3)
    assert titles(limit=2, offset=1) == ("bc", 3)
    assert titles(offset=9) == ("", 3)
    assert call("list_tasks", limit=1).text == "You have 1 task:\n1. ○ Task #1: a\nThere are 3 in all."
    assert call("list_tasks", completed=True).text == "You have 1 task:\n1. ✓ Task #2: b"
    assert call("list_tasks", offset=9).text == "There are no more tasks. You have 3 in all."


def test_an_empty_list_says_so(call):
    reply = call("list_tasks")
    assert (reply.text, reply.data) == ("You have no tasks.", {"tasks": [], "total": 0, "limit": 100, "offset": 0})


def test_title_description_and_completion_change_together(do, call):
    call("create_task", title="A")
    reply = call("update_task", task_id=1, title="B", description="d", completed=True)
    assert reply.text == "I've updated task #1. The new title is 'B'. The new description is 'd'. It is complete."
    assert call("get_task", task_id=1).text == "Task #1 is 'B'. Details: d. Status: Completed."
    reply = call("update_task", task_id=1, description="", completed=False)
    assert reply.text == "I've updated task #1. It has no description. It is not complete."
    assert call("get_task", task_id=1).text == "Task #1 is 'B'. Status: Not completed."
    assert len(do(history.list_page, task_id=1).items) == 3


def test_completing_and_reopening_brings_the_earlier_status_back(do, add, call):
    add("A", status="review")
    call("toggle_complete", task_id=1)
    call("update_task", task_id=1, completed=False)
    assert do(tasks.get, 1).status == "review"


@pytest.mark.parametrize(
    ("name", "arguments", "error"),
    [
        ("create_task", {}, "Title cannot be empty"),
        ("create_task", {"title": None}, "Title must be a string"),
        ("create_task", {"title": 5}, "Title must be a string"),
        ("create_task", {"title": "\u0000\u202e"}, "Title cannot be empty"),
        ("create_task", {"title": "x" * 10_000_000}, "Title too long (max 200 characters)"),
        ("create_task", {"title": "x", "description": "d" * 1001}, "Description too long (max 1000 characters)"),
        ("create_task", {"title": "x", "description": 5}, "Description must be a string"),
        ("create_task", {"title": "x", "priority": 5}, "Unknown argument: priority"),
        ("list_tasks", {"limit": 0}, "Limit must be between 1 and 1000"),
        ("list_tasks", {"limit": 1001}, "Limit must be between 1 and 1000"),
        ("list_tasks", {"limit": "5"}, "Limit must be an integer"),
        ("list_tasks", {"offset": -1}, "Offset must be 0 or more"),
        ("list_tasks", {"completed": "no"}, "Completed must be true or false"),
        ("get_task", {}, "Task ID is missing"),
        ("get_task", {"task_id": 0}, "Task ID must be positive"),
        ("get_task", {"task_id": -3}, "Task ID must be positive"),
        ("get_task", {"task_id": "1"}, "Task ID must be an integer"),
        ("get_task", {"task_id": True}, "Task ID must be an integer"),
        ("delete_task", {"task_id": 0}, "Task ID must be positive"),
        ("toggle_complete", {"task_id": 0}, "Task ID must be positive"),
        ("update_task", {"task_id": 1}, "Nothing to change was given"),
        ("update_task", {"task_id": 1, "title": None}, "Nothing to change was given"),
        ("update_task", {"task_id": 1, "completed": 1}, "Completed must be true or false"),
        ("update_task", {"task_id": 0, "title": ""}, "Task ID must be positive"),
    ],
)
def test_bad_arguments_are_told_and_change_nothing(do, add, fail, name, arguments, error):
    add("Walls")
    before = do(history.list_page).items
    sentence, told = fail(name, **arguments)
    assert told == f"Invalid input: {error}"
    assert sentence[-1] in ".?"
    assert do(history.list_page).items == before


def test_a_number_beyond_all_tasks_is_not_found(fail):
    assert fail("get_task", task_id=2**63)[0] == f"I couldn't find task #{2**63}. {SEE_LIST}"


def test_the_longest_texts_fit(call):
    data = call("create_task", title="ü" * 200, description="d" * 1000).data
    assert (len(data["title"]), len(data["description"])) == (200, 1000)


def test_the_function_definitions_are_the_documents():
    by_name = {each["function"]["name"]: each for each in FUNCTIONS}
    assert list(by_name) == TOOLS
    assert by_name["create_task"] == {
        "type": "function",
        "function": {
            "name": "create_task",
            "description": (
                "Create a new task with a title and optional description. "
                "Use this when the user wants to add a new item to their todo list."
            ),
            "parameters": {
                "type": "object",
                "properties": {
                    "title": {
                        "type": "string",
                        "description": "The task title (1-200 characters). This is what the user wants to do.",
                        "minLength": 1,
                        "maxLength": 200,
                    },
                    "description": {
                        "type": "string",
                        "description": (
                            "Optional additional details about the task (0-1000 characters). "
                            "Use this for extra context or notes."
                        ),
                        "maxLength": 1000,
                        "default": "",
                    },
                },
                "required": ["title"],
            },
        },
    }
    assert by_name["delete_task"]["function"] == {
        "name": "delete_task",
        "description": (
            "Permanently delete a task. Use this when the user wants to remove a task from their list. "
            "ALWAYS confirm with the user before calling this function."
        ),
        "parameters": {
            "type": "object",
            "properties": {"task_id": {"type": "integer", "description": "The ID of the task to delete"}},
            "required": ["task_id"],
        },
    }
    limits = by_name["list_tasks"]["function"]["parameters"]["properties"]
    assert limits["limit"] == {
        "type": "integer",
        "description": "Maximum number of tasks to return (1-1000)",
        "default": 100,
        "minimum": 1,
        "maximum": 1000,
    }
    assert by_name["list_tasks"]["function"]["parameters"]["required"] == []
    assert by_name["update_task"]["function"]["parameters"]["required"] == ["task_id"]


def test_the_function_definitions_are_served(app, tmp_path):
    client = TestClient(build(Settings(data_dir=tmp_path), app, [CONTRACT]), base_url="http://localhost:8000")
    assert client.get("/api/chat/tools").json() == FUNCTIONS


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | st.just("\ud800"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=5,
)


@pytest.mark.parametrize("tool", CONTRACT.tools, ids=lambda tool: tool.name)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_no_arguments_break_a_tool(call, tool, data):
    names = st.sampled_from([*tool.args.model_fields, "colour", "\ud800"])
    arguments = data.draw(st.dictionaries(names, JSON, max_size=4))
    call(tool.name, **arguments).text.encode()
