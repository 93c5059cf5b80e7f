"""The sentences of the todo contract's tables, word for word, whichever tool failed; and ours about the model."""

from __future__ import annotations

import pytest

from taskpilot.agents.chat import errors
from taskpilot.contracts.native import CONTRACT as NATIVE
from taskpilot.contracts.todo import CONTRACT as TODO
from taskpilot.domain.errors import DiskFull, Invalid, NotFound, Unauthenticated, Unavailable
from taskpilot.ops import tasks

SEE_LIST = "I couldn't find task #42. Would you like to see your task list?"
GONE = "I couldn't find task #42. It may have already been deleted."
TOOLS = {**NATIVE.by_name, **TODO.by_name}


def refuse(name, error):
    reply = errors.refuse(TOOLS[name], error)
    assert reply.is_error
    return reply.text


@pytest.fixture
def missing(app, me):
    with pytest.raises(NotFound) as caught:
        app.run(me, tasks.get, 42)
    return caught.value


@pytest.mark.parametrize(
    "name", ["get_task", "update_task", "toggle_complete", "task_get", "task_update", "task_complete"]
)
def test_a_task_that_is_not_there(name, missing):
    assert refuse(name, missing) == SEE_LIST


def test_a_task_that_is_not_there_to_delete(missing):
    assert refuse("delete_task", missing) == GONE


@pytest.mark.parametrize("name", [*TODO.by_name, "task_create", "task_list", "task_update", "task_search", "undo"])
def test_signed_out(name):
    assert refuse(name, Unauthenticated("x")) == "Your session has expired. Please sign in again."


@pytest.mark.parametrize(
    ("names", "doing"),
    [
        (("create_task", "task_create"), "creating that task"),
        (("list_tasks", "task_list", "task_search", "task_stats", "task_next"), "retrieving your tasks"),
        (("get_task", "task_get"), "retrieving that task"),
        (("update_task", "toggle_complete", "task_update", "task_complete"), "updating that task"),
        (("delete_task", "task_delete"), "deleting that task"),
    ],
)
@pytest.mark.parametrize("error", [Unavailable("The database is away."), DiskFull("The disk is full.")])
def test_server_trouble(names, doing, error):
    for name in names:
        assert refuse(name, error) == f"I'm having trouble {doing}. Please try again."


def parse(name, arguments):
    with pytest.raises(Invalid) as caught:
        errors.check_title(TOOLS[name], arguments)
        TOOLS[name].parse(arguments)
    return refuse(name, caught.value)


@pytest.mark.parametrize("name", ["create_task", "update_task", "task_create", "task_update"])
def test_a_title_that_is_too_long(name):
    told = parse(name, {"task_id": 1, "title": "x" * 201})
    assert told == "That title is too long. Can you make it shorter (under 200 characters)?"


def test_a_title_that_is_empty():
    assert parse("create_task", {"title": " "}) == "I need a task title. What would you like to add?"
    told = parse("update_task", {"task_id": 1, "title": ""})
    assert told == "The task title can't be empty. What would you like to call it?"


def test_a_title_that_is_empty_for_a_native_tool(app, me, add):
    add()
    for name, arguments, text in (
        ("task_create", {"title": " ", "priority": "high"}, "I need a task title. What would you like to add?"),
        ("task_update", {"task_id": 1, "title": ""}, "The task title can't be empty. What would you like to call it?"),
    ):
        with pytest.raises(Invalid) as caught:
            app.run(me, TOOLS[name], TOOLS[name].parse(arguments))
        assert refuse(name, caught.value) == text


def test_other_failures_are_told_as_they_are():
    assert (
        refuse("undo", NotFound("Nothing to undo.", hint="Do something first."))
        == "Nothing to undo. Do something first."
    )


def test_a_bug_is_no_failure_of_a_model():
    assert errors.explain(RuntimeError("x")) is None
    found = errors.explain(Unavailable("The database is away."))
    assert found is not None
    assert found.text == "I'm having trouble retrieving your tasks. Please try again."
