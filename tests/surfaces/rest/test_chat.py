from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from typing import Any

import httpx2
import pytest

from taskpilot.domain.conversation import SAID_MOST
from taskpilot.domain.scopes import Scope
from taskpilot.ops import conversations, tasks
from taskpilot.server import build
from taskpilot.settings import Settings
from taskpilot.surfaces.rest import chat
from taskpilot.surfaces.web.process import Announcing, bind, configure, tell_address
from tests.surfaces.rest.bearers import STRANGER, give_token
from tests.surfaces.scripted_assistant import ScriptedAssistant

STREAM = {"Accept": "text/event-stream"}


@pytest.fixture
def assistant(app) -> ScriptedAssistant:
    return ScriptedAssistant(app)


@pytest.fixture
def client(open_client, assistant):
    return employ(open_client(), assistant)


def employ(client, assistant):
    client.app.inside.rest.state.assistant = assistant
    return client


def read_stream(body: str) -> list[tuple[str, Any]]:
    blocks = [block for block in body.split("\n\n") if block and not block.startswith(":")]
    return [
        (name.removeprefix("event: "), json.loads(data.removeprefix("data: ")))
        for name, data in (block.split("\n") for block in blocks)
    ]


def test_an_answer_comes_as_json(client, do):
    answer = client.post("/api/chat", json={"message": "add Milk"})
    assert answer.status_code == 200
    number = do(conversations.list_page).items[0].id
    assert answer.json() == {
        "conversation_id": number,
        "message": "I've added 'Milk' to your list. It's task #1.",
        "tool_calls": [{"tool": "create_task", "arguments": {"title": "Milk"}, "ok": True, "text": "Added Milk."}],
        "pending": None,
        "usage": {"requests": 2, "input_tokens": 1200, "output_tokens": 34, "cost": 0.0021},
    }
    assert do(tasks.get, 1).title == "Milk"


def test_a_conversation_goes_on_and_a_yes_is_needed_once(client, do, add):
    add("Milk")
    asked = client.post("/api/chat", json={"message": "delete 1"}).json()
    assert asked["pending"] == {
        "question": "Delete task 1? (yes/no)",
        "calls": [{"id": "c1", "tool": "delete_task", "arguments": {"task_id": 1}}],
    }
    assert do(tasks.get, 1)
    number = asked["conversation_id"]
    shown = client.get(f"/api/conversations/{number}").json()
    assert shown["conversation"]["pending"] == asked["pending"]
    assert "model_state" not in json.dumps(shown)
    said = {"message": "yes", "conversation_id": number}
    assert client.post("/api/chat", json=said).json()["message"] == "Done!"
    assert client.post("/api/chat", json=said).json()["message"] == "There is nothing to confirm."
    assert client.get("/api/tasks/1").status_code == 404
    assert client.get(f"/api/conversations/{number}").json()["conversation"]["messages"] == 6


def test_an_answer_comes_word_by_word(client):
    answer = client.post("/api/chat", json={"message": "add Milk"}, headers=STREAM)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/event-stream; charset=utf-8")
    assert answer.headers["cache-control"] == "no-store"
    told = read_stream(answer.text)
    assert [name for name, _ in told] == ["call", "result", "text", "text", "text", "done"]
    assert told[0][1] == {"tool": "create_task", "arguments": {"title": "Milk"}}
    assert told[1][1] == {"tool": "create_task", "ok": True, "text": "Added Milk."}
    whole = "".join(data["text"] for name, data in told if name == "text")
    assert whole == told[-1][1]["message"] == "I've added 'Milk' to your list. It's task #1."
    assert set(told[-1][1]) == {"conversation_id", "message", "tool_calls", "pending", "usage"}


def test_what_waits_is_told_in_the_stream(client, add):
    add("Milk")
    told = read_stream(client.post("/api/chat", json={"message": "delete 1"}, headers=STREAM).text)
    name, asked = told[-2]
    assert (name, asked["calls"]) == (
        "pending",
        [{"id": "c1", "tool": "delete_task", "arguments": {"task_id": 1}}],
    )
    assert told[-1][1]["pending"]["question"] == told[-2][1]["text"]


def test_a_model_that_fails_is_told_as_unavailable(client, do):
    answer = client.post("/api/chat", json={"message": "fail"})
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
    problem = answer.json()
    assert (problem["error"], problem["message"]) == ("unreachable", "I can't reach the model.")
    told = read_stream(client.post("/api/chat", json={"message": "fail"}, headers=STREAM).text)
    assert [name for name, _ in told] == ["text", "error", "done"]
    assert problem["details"]["reason"] == "unreachable"
    assert problem["details"]["conversation_id"] == do(conversations.list_page).items[1].id
    assert (told[1][1]["status"], told[1][1]["message"]) == (503, "I can't reach the model.")
    assert len(do(conversations.list_page).items) == 2


def test_what_goes_wrong_on_the_way_is_told_and_a_bug_tells_nothing(client, caplog):
    assert client.post("/api/chat", json={"message": "refuse"}).status_code == 409
    told = read_stream(client.post("/api/chat", json={"message": "refuse"}, headers=STREAM).text)
    assert (told[-1][0], told[-1][1]["status"], told[-1][1]["message"]) == ("error", 409, "Out of luck.")
    assert client.post("/api/chat", json={"message": "break"}).status_code == 500
    told = read_stream(client.post("/api/chat", json={"message": "break"}, headers=STREAM).text)
    assert (told[-1][0], told[-1][1]["status"]) == ("error", 500)
    assert "secret" not in str(told)
    assert "a secret of the server" in caplog.text


@pytest.mark.parametrize("headers", [{}, STREAM])
def test_a_conversation_that_is_not_there_or_not_ones_own_is_not_found(app, client, assistant, open_client, headers):
    mine = client.post("/api/chat", json={"message": "hello"}).json()["conversation_id"]
    theirs = employ(open_client(give_token(app), auth="required"), assistant)
    said = []
    for number in (mine, 999, 2**53 - 1):
        answer = theirs.post("/api/chat", json={"message": "hello", "conversation_id": number}, headers=headers)
        assert answer.status_code == 404
        assert answer.headers["content-type"] == "application/problem+json"
        said.append(answer.text.replace(str(number), "•"))
    assert len(set(said)) == 1
    assert theirs.get("/api/conversations").json() == {"conversations": [], "next_cursor": None}
    assert assistant.heard[-1][0].user == STRANGER


@pytest.mark.parametrize("headers", [{}, STREAM])
def test_who_may_only_read_and_who_is_not_known_says_nothing(app, assistant, open_client, headers, do):
    reader = employ(open_client(give_token(app, 77, Scope.READ), auth="required"), assistant)
    refused = reader.post("/api/chat", json={"message": "add Milk"}, headers=headers)
    assert (refused.status_code, refused.json()["error"]) == (403, "insufficient_scope")
    nobody = employ(open_client(auth="required"), assistant)
    assert nobody.post("/api/chat", json={"message": "add Milk"}, headers=headers).status_code == 401
    with app.database.reading() as db:
        assert db.all("SELECT * FROM conversation") == db.all("SELECT * FROM message") == []


def test_bad_requests_are_refused_and_reach_nobody(client, assistant):
    for body in (
        {},
        {"message": ""},
        {"message": " \x00\u200b\u202e\n"},
        {"message": 1},
        {"message": None},
        {"message": ["add Milk"]},
        {"message": "x" * (SAID_MOST + 1)},
        {"message": "hello", "conversation_id": 0},
        {"message": "hello", "conversation_id": -1},
        {"message": "hello", "conversation_id": "1"},
        {"message": "hello", "conversation_id": True},
        {"message": "hello", "conversation_id": 2**70},
        {"message": "hello", "user_id": 1},
        {"message": "hello", "role": "system"},
        [],
        "hello",
    ):
        assert client.post("/api/chat", json=body).status_code == 422, body
    assert client.post("/api/chat", content=b"{").status_code in (400, 422)
    assert client.post("/api/chat", json={"message": "x" * 5_000_000}).status_code == 413
    assert assistant.heard == []


def test_odd_texts_go_in_and_out(client):
    said = client.post("/api/chat", json={"message": "add Milk\x00\u202e 🥛 %s :x"}).json()
    (message, *_) = client.get(f"/api/conversations/{said['conversation_id']}").json()["messages"]
    assert message["text"] == "add Milk 🥛 %s :x"
    raw = client.post(
        "/api/chat", content=b'{"message": "half \\ud800 a"}', headers={"Content-Type": "application/json"}
    )
    assert raw.status_code in (200, 422)
    odd = client.post("/api/chat", json={"message": "odd"})
    assert odd.status_code == 200
    assert "half" in odd.json()["message"]
    told = read_stream(client.post("/api/chat", json={"message": "odd"}, headers=STREAM).text)
    assert told[-1][0] == "done"
    stored = client.get(f"/api/conversations/{odd.json()['conversation_id']}").json()["messages"][-1]["text"]
    assert stored == "[31mred  half\nline — 🥛"


def test_the_assistant_knows_who_asks_through_which_door(client, assistant, do, app):
    number = client.post("/api/chat", json={"message": "add Milk"}).json()["conversation_id"]
    caller, said, conversation = assistant.heard[0]
    assert (caller.user, caller.door, caller.tool, said, conversation) == (
        1,
        "rest",
        "POST /api/chat",
        "add Milk",
        None,
    )
    (event,) = client.get("/api/tasks/1/history").json()["events"]
    assert (event["door"], event["origin"]) == ("chat", f"chat:{number}")


def test_without_a_model_the_rules_answer(open_client, do):
    client = open_client()
    said = client.post("/api/chat", json={"message": "add buy milk"}).json()
    assert said["message"] == "I've added 'Buy milk' to your list. It's task #1."
    number = said["conversation_id"]
    asked = client.post("/api/chat", json={"message": "delete it", "conversation_id": number}).json()
    assert asked["message"] == asked["pending"]["question"]
    assert "delete task #1 ('Buy milk')" in asked["message"]
    again = open_client()  # as after a restart
    told = read_stream(again.post("/api/chat", json={"message": "yes", "conversation_id": number}, headers=STREAM).text)
    assert told[-1][1]["message"] == "Done! I've deleted task #1 ('Buy milk') from your list."
    assert told[-1][1]["tool_calls"][0]["tool"] == "delete_task"
    assert again.get("/api/tasks/1").status_code == 404


@pytest.mark.anyio
@pytest.mark.parametrize("place", ["sqlite"], indirect=True)
async def test_a_slow_answer_shows_signs_of_life_and_hanging_up_stops_it(app, assistant, tmp_path, monkeypatch):
    """Over a real connection: what a client cuts is cut on the other side."""
    monkeypatch.setattr(chat, "BEAT_SECONDS", 0.05)
    async with listen(app, assistant, tmp_path) as address, httpx2.AsyncClient(base_url=address) as http:
        async with http.stream("POST", "/api/chat", json={"message": "wait"}, headers=STREAM) as answer:
            lines = answer.aiter_lines()
            seen = []
            async for line in lines:
                seen.append(line)
                if seen.count(": still here") >= 2:
                    break
        for _ in range(100):
            if assistant.stopped:
                break
            await asyncio.sleep(0.05)
    assert seen[:2] == ["event: text", 'data: {"text":"Let me "}']
    assert assistant.stopped == 1


@asynccontextmanager
async def listen(app, assistant, tmp_path) -> AsyncIterator[str]:
    """The whole server on a port of its own; its address."""
    web = build(Settings(data_dir=tmp_path / "data"), app, [])
    web.inside.rest.state.assistant = assistant
    ready = asyncio.Event()
    with bind("127.0.0.1", 0) as bound:
        server = Quiet(configure(web), ready.set, lambda: None)
        serving = asyncio.create_task(server.serve([bound]))
        await ready.wait()
        yield tell_address(bound)
        server.should_exit = True
        await serving


class Quiet(Announcing):
    """Leaves the signals of the test's own process alone."""

    def capture_signals(self):
        return nullcontext()
