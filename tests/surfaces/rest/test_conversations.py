from __future__ import annotations

import pytest

from taskpilot.domain.conversation import Call
from taskpilot.domain.scopes import Scope
from taskpilot.ops import conversations
from tests.surfaces.rest.bearers import give_token


@pytest.fixture
def talk(do):
    made = do(conversations.start).id
    do(conversations.add_message, made, "user", "add milk")
    calls = [Call("create_task", {"title": "Milk"}, True, "Added.")]
    do(conversations.add_message, made, "assistant", "Done.", calls=calls, usage={"input_tokens": 7})
    return made


def test_a_conversation_is_shown_with_its_messages(client, talk):
    assert client.get(f"/api/conversations/{talk}").json() == {
        "conversation": {
            "id": talk,
            "title": "add milk",
            "created_at": "2026-01-01T12:00:00Z",
            "updated_at": "2026-01-01T12:00:00Z",
            "messages": 2,
            "pending": None,
        },
        "messages": [
            {
                "number": 1,
                "role": "user",
                "text": "add milk",
                "tool_calls": [],
                "usage": {},
                "at": "2026-01-01T12:00:00Z",
            },
            {
                "number": 2,
                "role": "assistant",
                "text": "Done.",
                "tool_calls": [{"tool": "create_task", "arguments": {"title": "Milk"}, "ok": True, "text": "Added."}],
                "usage": {"input_tokens": 7},
                "at": "2026-01-01T12:00:00Z",
            },
        ],
        "next_cursor": None,
    }


def test_long_conversations_are_read_from_the_end(client, do, talk):
    for number in range(3, 8):
        do(conversations.add_message, talk, "user", f"Message {number}")
    last = client.get(f"/api/conversations/{talk}", params={"limit": 3}).json()
    assert [each["number"] for each in last["messages"]] == [5, 6, 7]
    before = client.get(f"/api/conversations/{talk}", params={"limit": 9, "cursor": last["next_cursor"]}).json()
    assert ([each["number"] for each in before["messages"]], before["next_cursor"]) == ([1, 2, 3, 4], None)


def test_the_list_goes_on_with_its_cursor(client, do, clock):
    made = []
    for _ in range(5):
        clock.forward(minutes=1)
        made.append(do(conversations.start, title="Some").id)
    found, cursor = [], None
    while True:
        page = client.get("/api/conversations", params={"limit": 2} | ({"cursor": cursor} if cursor else {})).json()
        found += [each["id"] for each in page["conversations"]]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert found == made[::-1]
    assert client.get("/api/conversations", params={"cursor": "WyJiaW4iLDEsMl0"}).status_code == 409


def test_a_conversation_is_renamed_and_deleted(client, talk):
    renamed = client.patch(f"/api/conversations/{talk}", json={"title": " Food\u202e\nand drink "})
    assert (renamed.status_code, renamed.json()["title"]) == (200, "Food and drink")
    assert client.delete(f"/api/conversations/{talk}").status_code == 204
    assert client.delete(f"/api/conversations/{talk}").status_code == 404
    assert client.get(f"/api/conversations/{talk}").status_code == 404
    assert client.get("/api/conversations").json() == {"conversations": [], "next_cursor": None}


def test_bad_requests_are_refused(client, talk):
    path = f"/api/conversations/{talk}"
    for body in ({}, {"title": ""}, {"title": " \u200b"}, {"title": "x" * 201}, {"title": 1}, {"title": None}):
        assert client.patch(path, json=body).status_code in (400, 422), body
    assert client.patch(path, json={"title": "Food", "owner": 2}).status_code == 422
    for params in ({"limit": 0}, {"limit": 1001}, {"cursor": "-1"}, {"cursor": "x"}, {"offset": 1}):
        assert client.get(path, params=params).status_code == 422, params
    for params in ({"limit": 0}, {"limit": "x"}, {"cursor": "é"}, {"owner": 2}):
        assert client.get("/api/conversations", params=params).status_code == 422, params
    for number in ("0", "-1", "x", str(2**63)):
        assert client.get(f"/api/conversations/{number}").status_code == 422
    assert client.get(f"/api/conversations/{2**63 - 1}").status_code == 404
    assert client.get(path).json()["conversation"]["title"] == "add milk"


def test_strangers_get_what_they_would_get_for_nothing(app, open_client, talk, do):
    theirs = open_client(give_token(app), auth="required")
    for method, body in (("GET", None), ("PATCH", {"title": "Mine"}), ("DELETE", None)):
        said = []
        for number in (talk, 999):
            answer = theirs.request(method, f"/api/conversations/{number}", json=body)
            assert answer.status_code == 404
            said.append(answer.text.replace(str(number), "•"))
        assert said[0] == said[1]
    assert do(conversations.get, talk).title == "add milk"


def test_who_may_only_read_changes_nothing(app, open_client, do):
    token = give_token(app, 77, Scope.READ)
    reader = open_client(token, auth="required")
    assert reader.get("/api/conversations").status_code == 200
    assert reader.patch("/api/conversations/1", json={"title": "Mine"}).status_code == 403
    assert reader.delete("/api/conversations/1").status_code == 403
