"""A day with a model: over HTTP, as a stream and on the command line, with servers that speak as the makers' do."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from starlette.testclient import TestClient

from taskpilot.app import App
from taskpilot.server import build
from taskpilot.settings import Secret, Settings
from taskpilot.store import open_database
from tests.agents.chat.room import KEY, NAMES
from tests.agents.chat.servers.anthropic import AnthropicModel
from tests.agents.chat.servers.openai import OpenAIModel
from tests.agents.chat.servers.script import Refuse, Say, Use

QUESTION = "Are you sure you want to delete task #1 ('Milk')? This cannot be undone. (yes/no)"
SCRIPT = (
    Use([("create_task", {"title": "Milk"})]),
    Say(["I added ", "milk."]),
    Use([("delete_task", {"task_id": 1})], before="The user said yes already. "),
    Say(["It is gone."]),
    Refuse(401, {"error": {"message": "no"}}),
)


@pytest.fixture(params=[OpenAIModel, AnthropicModel], ids=["openai", "anthropic"])
def model(request):
    with request.param(*SCRIPT) as model:
        yield model


@pytest.fixture
def client(model, tmp_path):
    database = open_database(str(tmp_path / "taskpilot.db"))
    database.migrate()
    app = App(database)
    settings = Settings(data_dir=tmp_path, chat_model=NAMES[type(model)], chat_url=model.url, chat_api_key=Secret(KEY))
    with TestClient(build(settings, app, []), base_url="http://localhost:8000") as client:
        yield client
    app.close()


def test_over_http(client, model):
    first = client.post("/api/chat", json={"message": "add milk"}).json()
    assert first["message"] == "I added milk."
    assert [call["tool"] for call in first["tool_calls"]] == ["create_task"]
    assert (first["usage"]["input_tokens"], first["usage"]["output_tokens"]) == (200, 40)

    def say(message):
        return client.post("/api/chat", json={"message": message, "conversation_id": first["conversation_id"]})

    asked = say("delete milk").json()
    assert asked["pending"]["question"] == QUESTION
    assert client.get("/api/tasks/1").status_code == 200
    assert say("yes").json()["message"] == "It is gone."
    assert client.get("/api/tasks/1").status_code == 404
    failed = say("hello")
    assert failed.status_code == 503
    assert failed.json()["message"] == "The language model does not accept our key. Please check chat_api_key."
    assert KEY not in failed.text


def test_over_http_as_a_stream(client):
    number, heard = None, []
    for message in ("add milk", "delete milk", "yes", "hello"):
        body = {"message": message} | ({"conversation_id": number} if number else {})
        answer = client.post("/api/chat", json=body, headers={"Accept": "text/event-stream"})
        events = [block.split("\n") for block in answer.text.strip().split("\n\n") if block.startswith("event:")]
        heard.append([line[0].removeprefix("event: ") for line in events])
        number = json.loads(events[-1][1].removeprefix("data: "))["conversation_id"]
    assert heard == [
        ["call", "result", "text", "text", "done"],
        ["text", "pending", "done"],
        ["call", "result", "text", "done"],
        ["error", "done"],
    ]


def test_on_the_command_line(model, tmp_path):
    environment = {
        **os.environ,
        "TASKPILOT_DATA_DIR": str(tmp_path),
        "TASKPILOT_CONFIG": str(tmp_path / "none.toml"),
        "TASKPILOT_CHAT_MODEL": NAMES[type(model)],
        "TASKPILOT_CHAT_URL": model.url,
        "TASKPILOT_CHAT_API_KEY": KEY,
    }
    told = subprocess.run(
        [sys.executable, "-m", "taskpilot", "chat"],
        input="add milk\ndelete milk\nyes\nhello\n",
        capture_output=True,
        text=True,
        env=environment,
        timeout=120,
    )
    assert "I added milk." in told.stdout
    assert QUESTION in told.stdout
    assert "It is gone." in told.stdout
    assert "The language model does not accept our key." in told.stderr
    assert KEY not in told.stdout + told.stderr
