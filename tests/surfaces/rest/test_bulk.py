"""`/api/tasks/bulk`: all of it, or nothing."""

from __future__ import annotations

import pytest

from taskpilot.access.secrets import hash_secret
from taskpilot.domain.caller import Caller
from taskpilot.domain.scopes import Scope
from taskpilot.domain.token import write_token
from taskpilot.ops import tokens

URL = "/api/tasks/bulk"


@pytest.fixture
def house(client):
    return client.post(URL, json={"create": [{"title": title} for title in ("Walls", "Roof", "Cellar")]}).json()


def titles(client):
    return [task["title"] for task in client.get("/api/tasks").json()["tasks"]]


def test_many_changes_in_one_go_and_one_undo_for_all(client, house):
    assert [task["id"] for task in house["created"]] == [1, 2, 3]
    answer = client.post(
        URL,
        json={
            "create": [{"title": "Door", "tags": ["wood"]}],
            "update": [{"id": "TP-1", "title": "Thick walls", "status": "in_progress", "version": 1}],
            "complete": [2],
            "delete": ["3"],
        },
    )
    done = answer.json()
    assert answer.status_code == 200
    assert [task["tags"] for task in done["created"]] == [["wood"]]
    assert [(task["title"], task["state"]) for task in done["updated"]] == [("Thick walls", "in_progress")]
    assert [task["completed"] for task in done["completed"]] == [True]
    assert done["deleted"] == [3]
    assert titles(client) == ["Thick walls", "Roof", "Door"]
    client.post("/api/undo", json={})
    assert titles(client) == ["Walls", "Roof", "Cellar"]


@pytest.mark.usefixtures("house")
@pytest.mark.parametrize(
    ("wrong", "status"),
    [
        ({"delete": [404]}, 404),
        ({"complete": [404]}, 404),
        ({"update": [{"id": 404, "title": "x"}]}, 404),
        ({"update": [{"id": 1, "title": ""}]}, 400),
        ({"update": [{"title": "x"}]}, 422),
        ({"update": [{"id": 1, "version": 7, "title": "x"}]}, 409),
        ({"update": [{"id": 1, "blocked_by": [1]}]}, 409),
        ({"complete": ["x"]}, 422),
        ({"complete": list(range(1, 502))}, 422),
        ({"remove": [1]}, 422),
    ],
)
def test_one_mistake_and_nothing_happens(client, wrong, status):
    before = client.get("/api/tasks").json()
    refused = client.post(URL, json={"create": [{"title": "Door"}], **wrong})
    assert refused.status_code == status, refused.text
    assert client.get("/api/tasks").json() == before


def test_nothing_asked_for_is_nothing_done(client):
    answer = client.post(URL, json={})
    assert (answer.status_code, answer.json()) == (200, {"created": [], "updated": [], "completed": [], "deleted": []})


def test_with_a_key_it_is_safe_to_repeat(client):
    key = {"Idempotency-Key": "k"}
    first = client.post(URL, json={"create": [{"title": "a"}]}, headers=key)
    again = client.post(URL, json={"create": [{"title": "a"}]}, headers=key)
    assert (again.json(), again.headers["idempotency-replayed"]) == (first.json(), "true")
    assert client.post(URL, json={"create": [{"title": "b"}]}, headers=key).status_code == 409
    assert titles(client) == ["a"]


@pytest.mark.usefixtures("house")
def test_strangers_tasks_stay_as_they_are(client, app, stranger, open_client):
    caller = Caller(stranger.user, stranger.actor, "cli", scopes=frozenset(Scope))
    token = app.run(caller, tokens.create, "laptop", hash_secret("s" * 43), frozenset({Scope.READ, Scope.WRITE}))
    theirs = open_client(write_token(token.id, "s" * 43))
    before = client.get("/api/tasks").json()
    for said in ({"update": [{"id": 1, "title": "x"}]}, {"update": [{"id": 1}]}, {"complete": [1]}, {"delete": [1]}):
        assert theirs.post(URL, json={"create": [{"title": "Door"}], **said}).status_code == 404
    assert client.get("/api/tasks").json() == before
    assert titles(theirs) == []


def test_the_path_has_no_other_methods(client):
    for method in ("GET", "PUT", "PATCH", "DELETE"):
        refused = client.request(method, URL)
        assert (refused.status_code, refused.headers["allow"]) == (405, "POST")
