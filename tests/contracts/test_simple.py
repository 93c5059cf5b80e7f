"""The simplified tools' document, tool by tool; then its errors and its table of what may be repeated."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import validate

from taskpilot.contracts.simple import CONTRACT
from taskpilot.domain.caller import Caller, local
from taskpilot.domain.errors import Conflict, DiskFull, Forbidden, NotFound, TaskPilotError, Unavailable
from taskpilot.ops import history, tasks, users

INVALID = "VALIDATION_ERROR"
MISSING = "NOT_FOUND_OR_FORBIDDEN"


@pytest.fixture
def call(app):
    """The whole reply of a tool, right or wrong; its data must fit its schema and its text say the same."""

    def call(name, /, caller=None, **arguments):
        tool = CONTRACT.by_name[name]
        try:
            reply = app.run(caller or local("simple", "backend"), tool, tool.parse(arguments))
        except TaskPilotError as error:
            reply = CONTRACT.refuse(name, error)
        validate(reply.data, tool.output_schema)
        assert json.loads(reply.text) == reply.data.get("result", reply.data)
        return reply

    return call


@pytest.fixture
def get(call):
    """The data of a call that must succeed."""

    def get(name, /, **arguments):
        reply = call(name, **arguments)
        assert not reply.is_error, reply.text
        return reply.data

    return get


@pytest.fixture
def fail(call):
    """Error and code of a call that must fail."""

    def fail(name, /, **arguments):
        reply = call(name, **arguments)
        assert reply.is_error
        assert list(reply.data) == ["error", "error_code"]
        return tuple(reply.data.values())

    return fail


def at(clock, hour, minute):
    clock.now = datetime(2026, 1, 22, hour, minute, tzinfo=UTC)


def test_the_document_is_walked_through(app, get, fail, clock):
    at(clock, 9, 15)
    for number in range(122):
        app.run(local("cli"), tasks.create, [{"title": f"Earlier {number}"}])

    at(clock, 10, 30)
    added = get("add_task", user_id="456", title=" Buy groceries ", description=" Milk, eggs, bread ")
    assert added == {
        "task_id": 123,
        "user_id": "456",
        "title": "Buy groceries",
        "description": "Milk, eggs, bread",
        "completed": False,
        "created_at": "2026-01-22T10:30:00Z",
        "updated_at": "2026-01-22T10:30:00Z",
    }
    assert list(added)[:2] == ["task_id", "user_id"]
    task = app.run(Caller(456, "x", "cli"), tasks.get, 123)
    assert (task.status, task.priority.word, task.due_date, task.project_id) == ("todo", "medium", None, None)

    at(clock, 9, 15)
    get("add_task", user_id="456", title="Call dentist")
    get("complete_task", user_id="456", task_id=124)
    assert get("list_tasks", user_id="456") == {
        "result": [
            {
                "task_id": 123,
                "title": "Buy groceries",
                "description": "Milk, eggs, bread",
                "completed": False,
                "created_at": "2026-01-22T10:30:00Z",
            },
            {
                "task_id": 124,
                "title": "Call dentist",
                "description": "",
                "completed": True,
                "created_at": "2026-01-22T09:15:00Z",
            },
        ]
    }
    assert get("list_tasks", user_id="457") == {"result": []}

    at(clock, 14, 20)
    assert get("complete_task", user_id="456", task_id=123) == {
        **added,
        "completed": True,
        "updated_at": "2026-01-22T14:20:00Z",
    }
    assert fail("complete_task", user_id="457", task_id=123) == ("Task not found", MISSING)

    app.run(Caller(456, "x", "cli"), tasks.reopen, 123)
    at(clock, 15, 10)
    assert get(
        "update_task",
        user_id="456",
        task_id=123,
        title="Buy groceries and cook dinner",
        description="Milk, eggs, bread, chicken",
    ) == {
        "task_id": 123,
        "user_id": "456",
        "title": "Buy groceries and cook dinner",
        "description": "Milk, eggs, bread, chicken",
        "completed": False,
        "created_at": "2026-01-22T10:30:00Z",
        "updated_at": "2026-01-22T15:10:00Z",
    }
    assert fail("update_task", user_id="457", task_id=123, title="Mine") == ("Task not found", MISSING)

    assert get("delete_task", user_id="456", task_id=123) == {
        "task_id": 123,
        "deleted": True,
        "message": "Task successfully deleted",
    }
    assert fail("delete_task", user_id="456", task_id=123) == ("Task not found", MISSING)


def test_the_tools_and_their_parameters_are_those_of_the_table():
    table = {
        tool.name: (tool.input_schema["required"], list(tool.input_schema["properties"])) for tool in CONTRACT.tools
    }
    assert table == {
        "add_task": (["user_id", "title"], ["user_id", "title", "description"]),
        "list_tasks": (["user_id"], ["user_id"]),
        "complete_task": (["user_id", "task_id"], ["user_id", "task_id"]),
        "update_task": (["user_id", "task_id"], ["user_id", "task_id", "title", "description"]),
        "delete_task": (["user_id", "task_id"], ["user_id", "task_id"]),
    }


def test_what_may_be_repeated_is_said_in_the_tools():
    idempotent = [tool.name for tool in CONTRACT.tools if tool.idempotent or tool.access.read_only]
    assert idempotent == ["list_tasks", "complete_task"]


def test_adding_twice_makes_two_tasks(get):
    assert get("add_task", user_id="5", title="A")["task_id"] != get("add_task", user_id="5", title="A")["task_id"]


def test_listing_twice_says_the_same_newest_first(get, clock):
    for title in "abc":
        get("add_task", user_id="5", title=title)
        clock.forward(minutes=1)
    get("add_task", user_id="5", title="d")
    get("add_task", user_id="5", title="e")
    listed = get("list_tasks", user_id="5")
    assert [row["title"] for row in listed["result"]] == list("edcba")
    assert get("list_tasks", user_id="5") == listed


def test_completing_twice_succeeds_and_refreshes_the_time_each_time(app, get, clock):
    get("add_task", user_id="5", title="A")
    first = get("complete_task", user_id="5", task_id=1)
    completed_at = app.run(Caller(5, "x", "cli"), tasks.get, 1).completed_at
    clock.forward(hours=1)
    second = get("complete_task", user_id="5", task_id=1)
    assert second == {**first, "updated_at": "2026-01-01T13:00:00Z"}
    assert app.run(Caller(5, "x", "cli"), tasks.get, 1).completed_at == completed_at


def test_updating_with_the_same_values_refreshes_the_time(get, clock):
    get("add_task", user_id="5", title="A", description="d")
    clock.forward(hours=1)
    assert get("update_task", user_id="5", task_id=1, title="A")["updated_at"] == "2026-01-01T13:00:00Z"


def test_an_update_touches_only_what_it_names(get):
    get("add_task", user_id="5", title="A", description="d")
    get("complete_task", user_id="5", task_id=1)
    row = get("update_task", user_id="5", task_id=1, title="B", description=None)
    assert (row["title"], row["description"], row["completed"]) == ("B", "d", True)
    assert get("update_task", user_id="5", task_id=1, description="")["description"] == ""


def test_the_local_user_is_user_one(do, add, get):
    add("Mine")
    assert [row["title"] for row in get("list_tasks", user_id="1")["result"]] == ["Mine"]
    get("add_task", user_id="1", title="Theirs")
    assert do(tasks.get, 2).title == "Theirs"


def test_looking_makes_no_user_and_adding_does(app, get, fail):
    get("list_tasks", user_id="9")
    fail("complete_task", user_id="9", task_id=1)
    fail("add_task", user_id="9", title="")
    with pytest.raises(NotFound, match="no user 9"):
        app.run(Caller(9, "x", "cli"), users.me)
    get("add_task", user_id="9", title="A")
    assert app.run(Caller(9, "x", "cli"), users.me).handle == "user-9"


def test_dropped_tasks_are_not_listed(do, add, get):
    do(tasks.update, add("Dropped").id, {"status": "dropped"})
    assert get("list_tasks", user_id="1") == {"result": []}


def test_the_log_says_who_did_it_for_whom(app, get):
    get("add_task", user_id="5", title="A")
    event = app.run(Caller(5, "x", "cli"), history.list_page).items[0]
    assert (event.owner, event.actor, event.door) == (5, "backend", "simple")


@pytest.mark.parametrize("name", [tool.name for tool in CONTRACT.tools])
def test_a_caller_who_is_somebody_may_act_only_for_themselves(app, stranger, fail, call, name):
    app.run(stranger, tasks.create, [{"title": "Mine"}])
    more = {"add_task": {"title": "x"}, "list_tasks": {}, "update_task": {"task_id": 1, "title": "x"}}
    arguments = more.get(name, {"task_id": 1})
    assert fail(name, caller=stranger, user_id="1", **arguments) == ("Task not found", MISSING)
    assert fail(name, caller=stranger, user_id="78", **arguments) == ("Task not found", MISSING)
    assert not call(name, caller=stranger, user_id="77", **arguments).is_error


EMPTY = "Task title cannot be empty"
LONG = "Task title must be 200 characters or less"
LONG_DESCRIPTION = "Task description must be 2000 characters or less"
POSITIVE = "task_id must be a positive integer"


@pytest.mark.parametrize(
    ("name", "arguments", "says"),
    [
        ("add_task", {"user_id": "1", "title": ""}, EMPTY),
        ("add_task", {"user_id": "1", "title": "  \u200b\u0000\n"}, EMPTY),
        ("add_task", {"user_id": "1"}, EMPTY),
        ("add_task", {"user_id": "1", "title": "x" * 201}, LONG),
        ("add_task", {"user_id": "1", "title": "x" * 10_000_000}, LONG),
        ("add_task", {"user_id": "1", "title": None}, "Task title must be a string"),
        ("add_task", {"user_id": "1", "title": "x", "description": "d" * 2001}, LONG_DESCRIPTION),
        ("add_task", {"user_id": "1", "title": "x", "description": None}, "Task description must be a string"),
        ("add_task", {"user_id": "1", "title": "x", "priority": 5}, "Unknown argument: priority"),
        ("add_task", {"user_id": "abc", "title": "x"}, "Invalid user_id format: abc"),
        ("add_task", {"user_id": "abc", "title": ""}, "Invalid user_id format: abc"),
        ("add_task", {"user_id": "", "title": "x"}, "Invalid user_id format: "),
        ("add_task", {"user_id": "1.5", "title": "x"}, "Invalid user_id format: 1.5"),
        ("add_task", {"user_id": "-1", "title": "x"}, "Invalid user_id format: -1"),
        ("add_task", {"user_id": "0", "title": "x"}, "Invalid user_id format: 0"),
        ("add_task", {"user_id": "٤", "title": "x"}, "Invalid user_id format: ٤"),
        ("add_task", {"user_id": "9" * 30, "title": "x"}, f"Invalid user_id format: {'9' * 30}"),
        ("add_task", {"user_id": "2147483648", "title": "x"}, "Invalid user_id format: 2147483648"),
        ("add_task", {"user_id": 1, "title": "x"}, "Invalid user_id format: 1"),
        ("add_task", {"user_id": None, "title": "x"}, "Invalid user_id format: None"),
        ("add_task", {"title": "x"}, "Invalid user_id format: it is missing"),
        ("list_tasks", {"user_id": "x; DROP TABLE task"}, "Invalid user_id format: x; DROP TABLE task"),
        ("list_tasks", {"user_id": "1", "limit": 5}, "Unknown argument: limit"),
        ("complete_task", {"user_id": "1", "task_id": 0}, POSITIVE),
        ("complete_task", {"user_id": "1", "task_id": -5}, POSITIVE),
        ("complete_task", {"user_id": "1", "task_id": "1"}, POSITIVE),
        ("complete_task", {"user_id": "1", "task_id": True}, POSITIVE),
        ("complete_task", {"user_id": "1"}, POSITIVE),
        ("delete_task", {"user_id": "1", "task_id": 0}, POSITIVE),
        ("delete_task", {"user_id": "z", "task_id": 1}, "Invalid user_id format: z"),
        ("update_task", {"user_id": "1", "task_id": 0, "title": "x"}, POSITIVE),
        ("update_task", {"user_id": "1", "task_id": 1, "title": " "}, EMPTY),
        ("update_task", {"user_id": "1", "task_id": 1, "title": "x" * 201}, LONG),
        ("update_task", {"user_id": "1", "task_id": 1, "description": "d" * 2001}, LONG_DESCRIPTION),
        (
            "update_task",
            {"user_id": "1", "task_id": 1},
            "At least one of title or description must be provided",
        ),
        (
            "update_task",
            {"user_id": "1", "task_id": 1, "title": None, "description": None},
            "At least one of title or description must be provided",
        ),
        ("update_task", {"user_id": "1", "task_id": 1, "completed": True}, "Unknown argument: completed"),
    ],
)
def test_bad_arguments_are_told_with_their_code_and_change_nothing(do, add, fail, name, arguments, says):
    add("Walls")
    before = do(history.list_page).items
    assert fail(name, **arguments) == (says, INVALID)
    assert do(history.list_page).items == before


@pytest.mark.parametrize("task_id", [99, 2**63, 10**30])
@pytest.mark.parametrize("name", ["complete_task", "delete_task", "update_task"])
def test_a_missing_task_is_not_found(fail, name, task_id):
    more = {"title": "x"} if name == "update_task" else {}
    assert fail(name, user_id="1", task_id=task_id, **more) == ("Task not found", MISSING)


def test_the_longest_texts_fit(get):
    row = get("add_task", user_id=" 2147483647 ", title="ü" * 200, description="d" * 2000)
    assert (row["user_id"], len(row["title"]), len(row["description"])) == ("2147483647", 200, 2000)


@pytest.mark.parametrize(
    ("error", "says", "code"),
    [
        (Unavailable("The database is busy.", hint="Wait."), "The database is busy", "DATABASE_ERROR"),
        (DiskFull("The disk is full.", hint="Free some."), "The disk is full", "DATABASE_ERROR"),
        (Forbidden("No."), "Task not found", MISSING),
        (Conflict("It has changed.", hint="Look."), "It has changed", INVALID),
    ],
)
def test_every_other_failure_has_its_code(error, says, code):
    reply = CONTRACT.refuse("add_task", error)
    assert (reply.data, reply.is_error) == ({"error": says, "error_code": code}, True)


def test_a_user_with_many_tasks_sees_all_of_them(app, get):
    app.run(local("cli"), users.ensure, 5)
    for _ in range(3):
        app.run(Caller(5, "x", "cli"), tasks.create, [{"title": "x"}] * 400)
    assert len(get("list_tasks", user_id="5")["result"]) == 1200


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
    arguments = {"user_id": "1"} | data.draw(st.dictionaries(names, JSON, max_size=4))
    call(tool.name, **arguments).text.encode()
