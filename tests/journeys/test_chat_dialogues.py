"""The todo chatbot's dialogues, in the order of its document, as they are held through every door, without a model."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from taskpilot.app import App
from taskpilot.domain.caller import local
from taskpilot.ops import tasks
from taskpilot.server import build
from taskpilot.settings import Settings
from taskpilot.store import open_database
from tests.agents.chat.room import Room

SURE = "Are you sure you want to delete task #42 ('Buy organic groceries')? This cannot be undone. (yes/no)"
MISSING = "I couldn't find task #99. Would you like to see your task list?"
BOTH = """\
You have 2 tasks:
1. ✓ Task #42: Buy organic groceries
   Milk, eggs, bread
2. ○ Task #43: Finish project report
   Due Friday"""
DIALOGUE = [
    ("Add a task to buy groceries", "I've added 'Buy groceries' to your list. It's task #42."),
    ("Add a task to finish project report", "I've added 'Finish project report' to your list. It's task #43."),
    (
        "Change the description of task 43 to 'Due Friday'",
        "I've updated task #43. The new description is 'Due Friday'.",
    ),
    (
        "Show me my incomplete tasks",
        "You have 2 tasks:\n1. ○ Task #42: Buy groceries\n2. ○ Task #43: Finish project report\n   Due Friday",
    ),
    (
        "Change the description of task 42 to 'Milk, eggs, bread'",
        "I've updated task #42. The new description is 'Milk, eggs, bread'.",
    ),
    ("Tell me about task 42", "Task #42 is 'Buy groceries'. Details: Milk, eggs, bread. Status: Not completed."),
    (
        "Change task 42 title to 'Buy organic groceries'",
        "I've updated task #42. The new title is 'Buy organic groceries'.",
    ),
    ("Delete task 42", SURE),
    ("no", "Okay, I haven't deleted anything."),
    ("Delete task 42", SURE),
    ("yes", "Done! I've deleted task #42 ('Buy organic groceries') from your list."),
    ("Delete task 42", "I couldn't find task #42. It may have already been deleted."),
    ("undo", "Done! I've undone the last change."),
    ("Mark task 42 as complete", "Done! I've marked task #42 ('Buy organic groceries') as complete. Great job!"),
    ("Add a task", "I need a task title. What would you like to add?"),
    ("Add " + "x" * 201, "That title is too long. Can you make it shorter (under 200 characters)?"),
    ("Tell me about task 99", MISSING),
    ("Change task 99 title to 'Other'", MISSING),
    ("Rename task 42 to " + "x" * 201, "That title is too long. Can you make it shorter (under 200 characters)?"),
    ("Delete task 99", "I couldn't find task #99. It may have already been deleted."),
    ("Mark task 99 as complete", MISSING),
    ("Toggle task 99", MISSING),
    ("Show all my tasks", BOTH),
]
SAID, ANSWERED = [said for said, _ in DIALOGUE], [answer for _, answer in DIALOGUE]


def use_numbers(app: App) -> None:
    """So that the next task is 42, as in the document."""
    me = local("cli")
    made = app.run(me, tasks.create, [{"title": f"Old {number}"} for number in range(1, 42)]).tasks
    for task in made:
        app.run(me, tasks.delete, task.id)


def test_with_the_assistant(app):
    use_numbers(app)
    room = Room(app)
    assert [room.say(said).text for said in SAID] == ANSWERED


@pytest.fixture
def shop(tmp_path: Path) -> App:
    database = open_database(str(tmp_path / "taskpilot.db"))
    database.migrate()
    app = App(database)
    use_numbers(app)
    yield app
    app.close()


def test_over_http(shop, tmp_path):
    with TestClient(build(Settings(data_dir=tmp_path), shop, []), base_url="http://localhost:8000") as client:
        number, heard = None, []
        for said in SAID:
            body = {"message": said} | ({"conversation_id": number} if number else {})
            answer = client.post("/api/chat", json=body)
            assert answer.status_code == 200, answer.text
            number = answer.json()["conversation_id"]
            heard.append(answer.json()["message"])
    assert heard == ANSWERED


def test_over_http_as_a_stream(shop, tmp_path):
    with TestClient(build(Settings(data_dir=tmp_path), shop, []), base_url="http://localhost:8000") as client:
        number, heard = None, []
        for said in SAID:
            body = {"message": said} | ({"conversation_id": number} if number else {})
            answer = client.post("/api/chat", json=body, headers={"Accept": "text/event-stream"})
            events = [block.split("\n") for block in answer.text.strip().split("\n\n") if block.startswith("event:")]
            assert events[-1][0] == "event: done"
            done = json.loads(events[-1][1].removeprefix("data: "))
            number = done["conversation_id"]
            heard.append(done["message"])
    assert heard == ANSWERED


def test_on_the_command_line(shop, tmp_path):
    shop.close()
    environment = {**os.environ, "TASKPILOT_DATA_DIR": str(tmp_path), "TASKPILOT_CONFIG": str(tmp_path / "none.toml")}
    told = subprocess.run(
        [sys.executable, "-m", "taskpilot", "--json", "chat"],
        input="\n".join(SAID),
        capture_output=True,
        text=True,
        env=environment,
        timeout=120,
    )
    assert told.returncode == 0, told.stderr
    assert [json.loads(line)["message"] for line in told.stdout.splitlines()] == ANSWERED
