"""Our tools in a model's hands: which ones, as what, and the lock on those that need a person's yes."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from pydantic_ai.exceptions import ApprovalRequired

from taskpilot.agents.chat import approval, sentences
from taskpilot.agents.chat.approval import Matter
from taskpilot.agents.chat.toolset import NOT_NEEDED, choose_tools, perform
from taskpilot.contracts.native import CONTRACT as NATIVE
from taskpilot.contracts.todo import CONTRACT as TODO
from taskpilot.domain.caller import Caller
from taskpilot.domain.scopes import Scope
from taskpilot.ops import tasks, trail

EVERY = (*TODO.tools, *NATIVE.tools)
READING = frozenset({Scope.READ})


@pytest.fixture
def run(app, me):
    """Perform a call as the assistant does."""

    def run(name, /, approved=False, caller=me, **arguments):
        tool = {**NATIVE.by_name, **TODO.by_name}[name]
        return asyncio.run(perform(app, caller, tool, arguments, approved=approved))

    return run


@pytest.fixture
def say(run):
    """What is said of a call, where no model says it."""

    def say(name, /, **arguments):
        reply = run(name, **arguments)
        return sentences.tell(name, arguments, reply.text, reply.data)

    return say


def test_the_todo_tools_come_first_and_can_be_all(me):
    names = list(choose_tools("native", me))
    assert names[:6] == list(TODO.by_name) == list(choose_tools("todo", me))
    assert set(names[6:]) == set(NATIVE.by_name) - set(NOT_NEEDED)


def test_tools_that_the_caller_may_not_use_are_not_there():
    reader = Caller(1, "reader", "rest", scopes=READING)
    names = set(choose_tools("native", reader))
    assert {"list_tasks", "get_task", "task_search"} <= names
    assert not {"create_task", "delete_task", "task_update", "run_start"} & names


def test_no_tool_of_one_name_hides_another():
    assert not set(TODO.by_name) & set(NATIVE.by_name)


@pytest.mark.parametrize("tool", [tool for tool in EVERY if tool.destructive], ids=lambda tool: tool.name)
def test_every_destructive_tool_is_locked(tool, run, add, do):
    add()
    with pytest.raises(ApprovalRequired) as caught:
        run(tool.name, task_id=1)
    assert caught.value.metadata["what"] == "delete task #1 ('Walls')"
    assert do(tasks.get, 1).title == "Walls"
    assert not run(tool.name, approved=True, task_id=1).is_error


def test_there_are_destructive_tools():
    assert {tool.name for tool in EVERY if tool.destructive} == {"delete_task", "task_delete"}


@pytest.mark.parametrize(
    ("name", "arguments", "locked"),
    [
        ("workspace", {"action": "save", "kind": "project", "name": "Home", "delete": True}, True),
        ("workspace", {"action": "save", "kind": "project", "name": "Home"}, False),
        ("undo", {}, False),
        ("undo", {"task_id": 1}, False),
        ("undo", {"actor": "x", "since": "today"}, True),
        ("undo", {"origin": "mcp:1"}, True),
        ("undo", {"origin": "mcp:1", "preview": True}, False),
        ("task_update", {"task_id": 1, "title": "delete"}, False),
        ("task_update", {"task_id": 1, "acceptance": ["make test"]}, True),
        ("task_create", {"title": "acceptance"}, False),
        ("task_create", {"tasks": [{"title": "x", "subtasks": [{"title": "y", "acceptance": ["sh"]}]}]}, True),
        ("run_start", {"task_id": 1, "agent": "command", "command": ["sh"]}, True),
        ("run_tell", {"run": 1, "answer": "allow"}, True),
        ("run_tell", {"run": 1, "stop": True}, False),
        ("run_get", {"run": 1}, False),
        ("workspace", {"action": "policy", "policy": {"network": True}}, True),
        ("workspace", {"action": "policy"}, False),
    ],
)
def test_what_takes_much_away_or_makes_programs_run_is_locked_too(name, arguments, locked):
    assert approval.needs_yes(NATIVE.by_name[name], arguments) is locked


@pytest.mark.parametrize(
    ("name", "arguments", "question"),
    [
        (
            "run_start",
            {"task_id": 1, "agent": "command", "command": ["rm", "-r", "x"], "instructions": "now\nor never"},
            "start command on task #1 ('Walls'), as the command 'rm -r x', with the instructions 'now or never'",
        ),
        ("run_tell", {"run": 5, "answer": "allow"}, "tell run 5 the answer 'allow'"),
        ("run_tell", {"run": 5, "instructions": "go on"}, "tell run 5 'go on'"),
        ("run_tell", {"run": 5, "agent": "codex"}, "hand run 5 over to codex"),
        ("workspace", {"action": "policy", "policy": {"a": 1}}, 'change how agents work in a folder: {"a": 1}'),
        ("workspace", {"action": "save", "kind": "tag", "name": "x", "delete": True}, "delete the tag 'x'"),
        ("undo", {"actor": "me", "since": "today"}, "undo all that me did since today"),
        ("undo", {"origin": "mcp:1"}, "undo all that came from mcp:1"),
        (
            "task_update",
            {"task_id": 1, "acceptance": ["x"]},
            'use \'Change a task\' with {"task_id": 1, "acceptance": ["x"]}',
        ),
    ],
)
def test_the_question_says_what_would_happen(run, add, name, arguments, question):
    add()
    with pytest.raises(ApprovalRequired) as caught:
        run(name, **arguments)
    assert caught.value.metadata["question"] == f"Are you sure you want me to {question}? (yes/no)"


def test_nobody_is_asked_to_agree_to_what_they_cannot_see(run, add):
    add()
    reply = run("run_start", task_id=1, agent="command", command=["echo", "x" * 4_000, "; rm -r /"])
    assert reply.is_error
    assert reply.text == "This is too long to be agreed to. Say it in fewer words."


def test_nothing_is_asked_about_a_task_that_is_not_there(run):
    reply = run("delete_task", task_id=42)
    assert reply.is_error
    assert reply.text == "I couldn't find task #42. It may have already been deleted."


def test_a_strangers_task_is_not_there(run, add, stranger):
    add()
    assert run("delete_task", caller=stranger, task_id=1).text.startswith("I couldn't find task #1.")


def test_a_question_about_many_names_them_and_counts_the_rest():
    matters = [Matter(f"delete task #{number} ('T')", "?") for number in range(1, 61)]
    lines = approval.ask(matters).splitlines()
    assert lines[0] == "Are you sure you want to delete these 60 tasks?"
    assert lines[1] == "- task #1 ('T')"
    assert lines[-2:] == ["… and 10 more", "This cannot be undone. (yes/no)"]
    assert approval.ask([*matters[:1], *matters[:1]]) == "?"


def test_calls_are_in_the_audit_with_their_tool(app, me, run, add):
    caller = replace(me, door="chat", tool="get_task")
    run("get_task", caller=caller, task_id=1)
    add()
    run("get_task", caller=caller, task_id=1)
    app.trail.flush()
    found = app.run(me, trail.list_page).items
    assert [(step.tool, step.outcome) for step in found if step.door == "chat"] == [
        ("get_task", "ok"),
        ("get_task", "not_found"),
    ]


def test_the_native_tools_answers_are_told_in_plain_words(say, add):
    add(due_date="2026-01-02")
    assert say("task_create", title="Milk", due_date="2026-01-02T17:00:00Z", remind_at="2026-01-02T16:00:00Z") == (
        "I've added 'Milk' to your list. It's task #2. Due 2026-01-02 17:00 UTC. "
        "I'll remind you at 2026-01-02 16:00 UTC."
    )
    assert say("task_list") == (
        "You have 2 tasks:\n1. ○ Task #1: Walls (due 2026-01-02)\n2. ○ Task #2: Milk (due 2026-01-02 17:00 UTC)"
    )
    assert say("task_update", task_id=1, priority="high") == "I've updated task #1 ('Walls'). Due 2026-01-02."
    assert say("task_next").startswith("Next is task #1: Walls.")
    assert say("task_complete", task_id=1) == "Done! I've marked task #1 ('Walls') as complete. Great job!"
    assert say("task_stats") == "You have 2 tasks: 1 open, 1 done."
    assert say("task_search", query="walls") == "I found 1 task:\n1. ✓ Task #1: Walls (due 2026-01-02)"
    assert say("undo") == "Done! I've undone the last change."
    assert say("task_search", query="nowhere") == "I found no such tasks."
    assert "- high: 1" in say("task_stats", group_by="priority").splitlines()


def test_a_repeating_task_tells_when_it_comes_again(say):
    say("task_create", title="Rent", due_date="2026-01-01", recurrence="FREQ=MONTHLY;BYMONTHDAY=1")
    assert say("task_complete", task_id=1) == (
        "Done! I've marked task #1 ('Rent') as complete. Great job! The next one is task #2, due 2026-02-01."
    )
