"""Search, what to do next, and all that belongs to a task."""

from __future__ import annotations

import pytest

from taskpilot.access.secrets import hash_secret
from taskpilot.domain.caller import Caller
from taskpilot.domain.scopes import Scope
from taskpilot.domain.token import write_token
from taskpilot.ops import tokens


@pytest.fixture
def make(client):
    return lambda title="Walls", **fields: client.post("/api/tasks", json={"title": title, **fields}).json()


def titles(answer):
    return [task["title"] for task in answer.json()["tasks"]]


def test_from_a_word_to_the_work(client, make):
    make("Build the house", description="concrete")
    make("Walls", parent_id=1, priority="high")
    make("Roof", blocked_by=[2])
    found = client.get("/api/search?q=concr")
    assert (titles(found), found.json()["ranked"]) == (["Build the house"], True)
    best = client.get("/api/next").json()
    assert (best["task"]["title"], best["reason"]) == ("Walls", "high priority, unblocks 1")
    focus = client.get("/api/tasks/TP-2/focus").json()
    assert (focus["task"]["id"], focus["ready"], focus["parent"]["id"]) == (2, True, 1)
    assert [task["title"] for task in focus["waiting"]] == ["Roof"]
    assert [event["what"] for event in focus["events"]] == ["#2 created: Walls"]
    assert client.get("/api/tasks/3/focus").json()["ready"] is False


def test_parts_of_words_are_found_on_request(client, make):
    make("Foundations"), make("Groundwork")
    assert titles(client.get("/api/search?q=ndation")) == []
    assert titles(client.get("/api/search?q=ndation&match=parts")) == ["Foundations"]
    assert titles(client.get("/api/search?q=ound&match=parts&limit=1")) == ["Foundations"]


def test_next_heeds_its_filters(client, make):
    make("Walls", project="House", priority="critical")
    make("Seeds", project="Garden", tags=["spring"])
    assert client.get("/api/next?project=Garden").json()["task"]["title"] == "Seeds"
    assert client.get("/api/next?tag=spring").json()["task"]["title"] == "Seeds"
    nothing = client.get("/api/next?workspace_id=9").json()
    assert (nothing["task"], nothing["reason"][:16]) == (None, "Nothing is ready")


@pytest.mark.parametrize(
    "path",
    ["/api/search", "/api/search?q=", "/api/search?q=x&limit=101", "/api/search?q=x&match=y", "/api/next?x=1"],
)
def test_a_question_that_cannot_be_read_is_refused(client, path):
    assert client.get(path).status_code == 422


@pytest.mark.parametrize("match", ["words", "parts"])
@pytest.mark.parametrize("nasty", ["%00a", "'%20OR%201=1", "%22*%22", "a%5C", "%25", "%5B%5D%5E"])
def test_odd_questions_break_nothing(client, make, nasty, match):
    make("Walls")
    assert client.get(f"/api/search?q=zz{nasty}&match={match}").json()["tasks"] == []


def test_strangers_find_nothing_of_mine(client, app, stranger, open_client, make):
    make("Walls")
    caller = Caller(stranger.user, stranger.actor, "cli", scopes=frozenset(Scope))
    token = app.run(caller, tokens.create, "laptop", hash_secret("s" * 43), frozenset({Scope.READ}))
    theirs = open_client(write_token(token.id, "s" * 43))
    assert titles(theirs.get("/api/search?q=walls")) == []
    assert titles(theirs.get("/api/search?q=wall&match=parts")) == []
    assert theirs.get("/api/next").json()["task"] is None
    assert theirs.get("/api/tasks/1/focus").status_code == 404
