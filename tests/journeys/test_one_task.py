"""One task, seen and changed through all six contracts and the command line: one truth."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from taskpilot import contracts
from taskpilot.app import Errand
from taskpilot.domain.caller import local
from taskpilot.domain.errors import TaskPilotError
from taskpilot.domain.operation import Access
from taskpilot.ops import tasks

TASKPILOT = str(Path(sys.executable).with_name("taskpilot"))


@pytest.fixture
def say(app):
    """Call a tool of any contract as its client does; a refusal is an answer too."""

    def say(contract_name: str, tool_name: str, /, **arguments):
        contract = contracts.load(contract_name)
        tool, caller = contract.by_name[tool_name], local(contract_name)
        try:
            given = tool.parse(arguments)
            if tool.access is Access.ERRAND:
                return tool(Errand(app, caller), given)
            return app.run(caller, tool, given)
        except TaskPilotError as error:
            return contract.refuse(tool_name, error) if contract.refuse else error

    return say


@pytest.fixture
def workspace(tmp_path: Path) -> str:
    folder = tmp_path / "project"
    folder.mkdir()
    return str(folder)


def as_json(reply):
    return json.loads(reply.text)


def test_one_task_is_the_same_in_every_contract(say, do, workspace):
    say("taskpilot", "taskpilot_init", workspace_path=workspace)
    made = say("native", "task_create", title="Write the report", priority="critical", workspace=workspace)
    number = made.data["tasks"][0]["id"]

    assert as_json(say("manager", "task_get", task_id=number))["priority"] == 5
    assert say("todo", "get_task", task_id=number).data["title"] == "Write the report"
    listed = as_json(say("simple", "list_tasks", user_id="1"))
    assert listed[0]["task_id"] == number
    focused = say("taskpilot", "taskpilot_focus", workspace_path=workspace, task_id=f"TP-{number:06}")
    assert f"TP-{number:06}" in json.dumps(focused.data)
    reported = say("coder", "report_task", taskId=str(number))
    assert reported.data["status"] == "success"

    # "High" is how this contract reads 4 and 5: writing it back changes nothing.
    say(
        "taskpilot",
        "taskpilot_update",
        workspace_path=workspace,
        task_id=f"TP-{number:06}",
        field="priority",
        value="High",
    )
    assert do(tasks.get, number).priority == 5

    say("manager", "task_update", task_id=number, notes="From the manager")
    assert do(tasks.get, number).notes == "From the manager"
    say("todo", "toggle_complete", task_id=number)
    assert do(tasks.get, number).completed
    assert as_json(say("manager", "task_get", task_id=number))["completed"] is True
    assert as_json(say("simple", "list_tasks", user_id="1"))[0]["completed"] is True
    say("native", "task_complete", task_id=number, reopen=True)
    assert say("todo", "get_task", task_id=number).data["completed"] is False
    say("coder", "update_task", taskId=str(number), status="completed")
    assert do(tasks.get, number).completed
    say("simple", "delete_task", user_id="1", task_id=number)

    for contract, tool, arguments in (
        ("native", "task_get", {"task_id": number}),
        ("manager", "task_get", {"task_id": number}),
        ("todo", "get_task", {"task_id": number}),
        ("simple", "complete_task", {"user_id": "1", "task_id": number}),
        ("coder", "report_task", {"taskId": str(number)}),
        ("taskpilot", "taskpilot_focus", {"workspace_path": workspace, "task_id": f"TP-{number:06}"}),
    ):
        answer = say(contract, tool, **arguments)
        assert getattr(answer, "is_error", True), (contract, answer)

    say("native", "undo", task_id=number)
    assert say("todo", "get_task", task_id=number).data["id"] == number


def test_a_strangers_task_is_missing_in_every_contract(app, say, stranger, workspace):
    say("taskpilot", "taskpilot_init", workspace_path=workspace)
    theirs = app.run(stranger, tasks.create, [{"title": "Secret plan"}]).tasks[0]
    for contract, tool, arguments in (
        ("native", "task_get", {"task_id": theirs.id}),
        ("native", "task_update", {"task_id": theirs.id, "title": "mine now"}),
        ("manager", "task_complete", {"task_id": theirs.id}),
        ("todo", "delete_task", {"task_id": theirs.id}),
        ("simple", "delete_task", {"user_id": "1", "task_id": theirs.id}),
        ("coder", "end_task", {"taskId": str(theirs.id), "status": "completed"}),
        ("taskpilot", "taskpilot_focus", {"workspace_path": workspace, "task_id": f"TP-{theirs.id:06}"}),
    ):
        answer = say(contract, tool, **arguments)
        assert getattr(answer, "is_error", True), (contract, answer)
        assert "Secret" not in str(answer)
    assert app.run(stranger, tasks.get, theirs.id) == theirs


def test_the_command_line_sees_the_same_task(tmp_path):
    def run(*words: str) -> str:
        return subprocess.run(
            [TASKPILOT, *words, "--data-dir", str(tmp_path)], capture_output=True, text=True, check=True
        ).stdout

    made = json.loads(run("add", "Write", "the", "report", "!high", "--json"))
    assert json.loads(run("show", f"TP-{made['id']}", "--json"))["priority"] == "high"
