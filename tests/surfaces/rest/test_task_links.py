"""Subtasks, and what waits on what."""

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


def test_a_house_is_built_part_by_part(client, make):
    make("House")
    wall = client.post("/api/tasks/TP-1/subtasks", json={"title": "Walls"})
    assert (wall.status_code, wall.headers["location"], wall.json()["parent_id"]) == (201, "/api/tasks/2", 1)
    client.post("/api/tasks/1/subtasks", json={"title": "Roof", "completed": True})
    client.post("/api/tasks/1/subtasks", json={"title": "Tower", "state": "dropped"})
    listed = client.get("/api/tasks/1/subtasks")
    assert (titles(listed), listed.json()["total"]) == (["Walls", "Roof"], 2)
    page = client.get("/api/tasks/1/subtasks?limit=1").json()
    assert titles(client.get(f"/api/tasks/1/subtasks?limit=1&cursor={page['next_cursor']}")) == ["Roof"]
    assert titles(client.get("/api/tasks/2/subtasks")) == []

    linked = client.put("/api/tasks/3/dependencies/TP-2")
    assert (linked.status_code, linked.json()["blocked_by"], linked.headers["etag"]) == (200, [2], '"2"')
    assert client.put("/api/tasks/3/dependencies/2").json() == linked.json()
    found = client.get("/api/tasks/3/dependencies").json()
    assert ([task["id"] for task in found["blocked_by"]], found["blocks"]) == ([2], [])
    assert client.delete("/api/tasks/3/dependencies/2").status_code == 204
    assert client.delete("/api/tasks/3/dependencies/2").status_code == 404


def test_what_waits_on_a_task_is_told(client, make):
    make("Walls")
    make("Roof", blocked_by=[1])
    found = client.get("/api/tasks/1/dependencies").json()
    assert (found["blocked_by"], [task["title"] for task in found["blocks"]]) == ([], ["Roof"])


def test_a_circle_is_refused(client, make):
    make("Walls"), make("Roof", blocked_by=[1], parent_id=1)
    assert client.put("/api/tasks/1/dependencies/2").status_code == 409
    assert client.put("/api/tasks/1/dependencies/1").status_code == 409
    assert client.patch("/api/tasks/1", json={"parent_id": 2}).status_code == 409


def test_an_old_view_links_nothing(client, make):
    make("Walls"), make("Roof")
    assert client.put("/api/tasks/2/dependencies/1", headers={"If-Match": '"7"'}).status_code == 409
    assert client.get("/api/tasks/2").json()["blocked_by"] == []


def test_a_subtask_with_a_key_is_made_once(client, make):
    make("House")
    for _ in range(2):
        assert client.post(
            "/api/tasks/1/subtasks", json={"title": "Walls"}, headers={"Idempotency-Key": "k"}
        ).is_success
    assert client.get("/api/tasks/1/subtasks").json()["total"] == 1


@pytest.mark.parametrize("body", [{"title": ""}, {}, {"title": "x", "parent_id": 2}])
def test_a_subtask_that_cannot_be_is_refused(client, make, body):
    make("House")
    assert client.post("/api/tasks/1/subtasks", json=body).status_code in (400, 422)
    assert client.get("/api/tasks").json()["total"] == 1


def test_strangers_and_missing_tasks_have_neither_parts_nor_links(client, app, stranger, open_client, make):
    caller = Caller(stranger.user, stranger.actor, "cli", scopes=frozenset(Scope))
    token = app.run(caller, tokens.create, "laptop", hash_secret("s" * 43), frozenset({Scope.READ, Scope.WRITE}))
    theirs = open_client(write_token(token.id, "s" * 43))
    make("Walls"), make("Roof", blocked_by=[1])
    own = theirs.post("/api/tasks", json={"title": "Theirs"}).json()["id"]
    for method, path, body in [
        ("GET", "/api/tasks/1/subtasks", None),
        ("POST", "/api/tasks/1/subtasks", {"title": "x"}),
        ("GET", "/api/tasks/1/dependencies", None),
        ("PUT", "/api/tasks/2/dependencies/1", None),
        ("PUT", f"/api/tasks/{own}/dependencies/1", None),
        ("PUT", f"/api/tasks/1/dependencies/{own}", None),
        ("DELETE", "/api/tasks/2/dependencies/1", None),
        ("GET", "/api/tasks/999/subtasks", None),
        ("PUT", f"/api/tasks/{own}/dependencies/999", None),
    ]:
        assert theirs.request(method, path, json=body).status_code == 404, (method, path)
    assert client.get("/api/tasks/2").json()["version"] == 1
