"""What happened, and taking it back."""

from __future__ import annotations

import pytest

from taskpilot.access.secrets import hash_secret
from taskpilot.domain.caller import Caller, local
from taskpilot.domain.scopes import Scope
from taskpilot.domain.token import write_token
from taskpilot.ops import tasks, tokens


@pytest.fixture
def task(client):
    return client.post("/api/tasks", json={"title": "Walls"}).json()


def whats(answer):
    return [event["what"] for event in answer.json()["events"]]


def test_a_mistake_is_found_and_taken_back(client, task):
    client.patch("/api/tasks/1", json={"title": "Wrong"})
    told = client.get("/api/tasks/1/history")
    assert whats(told) == ["#1 title: Walls → Wrong", "#1 created: Walls"]
    event = told.json()["events"][0]
    assert (event["kind"], event["actor"], event["door"]) == ("task.updated", "dev-user", "rest")
    assert (event["before"], event["after"]) == ({"title": "Walls"}, {"title": "Wrong"})

    undone = client.post("/api/tasks/1/undo")
    assert [each["id"] for each in undone.json()["undone"]] == [event["id"]]
    assert client.get("/api/tasks/1").json()["title"] == task["title"]
    assert client.post("/api/undo", json={"event_id": event["id"]}).status_code == 409


@pytest.mark.usefixtures("task")
def test_a_deleted_task_comes_back(client):
    client.delete("/api/tasks/1")
    assert whats(client.get("/api/tasks/1/history"))[0] == "#1 deleted"
    assert client.post("/api/tasks/1/undo").status_code == 200
    assert client.get("/api/tasks/1").status_code == 200


@pytest.mark.usefixtures("task")
def test_history_is_told_page_by_page(client):
    for number in range(4):
        client.patch("/api/tasks/1", json={"notes": str(number)})
    whole = whats(client.get("/api/history"))
    assert len(whole) == 5
    page = client.get("/api/history?limit=3")
    rest = client.get(f"/api/history?limit=3&cursor={page.json()['next_cursor']}")
    assert (whats(page) + whats(rest), rest.json()["next_cursor"]) == (whole, None)


@pytest.mark.usefixtures("task")
def test_all_that_somebody_did_is_taken_back(client):
    client.patch("/api/tasks/1", json={"notes": "n"})
    undone = client.post("/api/undo", json={"actor": "dev-user", "since": "2026-01-01T12:00:00Z"})
    assert (len(undone.json()["undone"]), undone.json()["conflicts"]) == (2, [])
    assert client.get("/api/tasks").json()["total"] == 0
    assert client.post("/api/undo", json={"actor": "nobody", "since": "2026-01-01T12:00:00"}).status_code == 404


@pytest.mark.usefixtures("task")
@pytest.mark.parametrize(
    "body",
    [
        {"event_id": 0},
        {"event_id": "1"},
        {"actor": "dev-user"},
        {"since": "2026-01-01T12:00:00Z"},
        {"actor": "dev-user", "since": "yesterday"},
        {"actor": "", "since": "2026-01-01T12:00:00Z"},
        {"event_id": 1, "actor": "dev-user", "since": "2026-01-01T12:00:00Z"},
        [],
    ],
)
def test_an_undo_that_cannot_be_read_is_refused(client, body):
    assert client.post("/api/undo", json=body).status_code == 422
    assert client.get("/api/tasks/1").status_code == 200


def test_there_may_be_nothing_to_undo(client):
    assert client.post("/api/undo", json={}).status_code == 404
    assert client.post("/api/undo", json={"event_id": 999}).status_code == 404
    assert client.post("/api/tasks/9/undo").status_code == 404


@pytest.mark.usefixtures("task")
def test_a_strangers_history_is_nobody_elses(client, app, stranger, open_client):
    caller = Caller(stranger.user, stranger.actor, "cli", scopes=frozenset(Scope))
    token = app.run(caller, tokens.create, "laptop", hash_secret("s" * 43), frozenset({Scope.READ, Scope.WRITE}))
    theirs = open_client(write_token(token.id, "s" * 43))
    assert theirs.get("/api/history").json()["events"] == []
    assert theirs.get("/api/tasks/1/history").status_code == 404
    assert theirs.post("/api/tasks/1/undo").status_code == 404
    assert theirs.post("/api/undo", json={"event_id": 1}).status_code == 404
    undo = {"actor": "dev-user", "since": "2026-01-01T12:00:00Z"}
    assert theirs.post("/api/undo", json=undo).status_code == 404
    assert client.get("/api/tasks/1").status_code == 200


@pytest.mark.parametrize("query", ["limit=0", "limit=201", "cursor=x", "unknown=1"])
def test_a_page_that_cannot_be_is_refused(client, query):
    assert client.get(f"/api/history?{query}").status_code == 422


@pytest.mark.usefixtures("task")
def test_a_changeset_can_be_looked_at_first_and_named_by_its_origin(client):
    wish = {"actor": "dev-user", "since": "2026-01-01T12:00:00Z", "preview": True}
    seen = client.post("/api/undo", json=wish).json()
    assert (len(seen["undone"]), seen["conflicts"], seen["preview"]) == (1, [], True)
    assert seen["undone"][0]["origin"] == ""
    assert client.get("/api/tasks/1").status_code == 200
    assert client.post("/api/undo", json={"origin": "mcp:1"}).status_code == 404
    assert client.post("/api/undo", json={"origin": "", "preview": True}).status_code == 422
    assert client.post("/api/undo", json={"preview": True}).status_code == 422


@pytest.mark.usefixtures("task")
def test_undo_on_an_old_view_is_refused_and_says_who_came_between(app, client):
    mine = client.patch("/api/tasks/1", json={"title": "Mine"}).json()["version"]
    app.run(local("native", actor="claude-code"), tasks.update, 1, {"title": "Theirs"})
    refused = client.post("/api/tasks/1/undo", headers={"If-Match": f'"{mine}"'})
    assert (refused.status_code, "changed since by claude-code" in refused.json()["detail"]) == (409, True)
    assert client.get("/api/tasks/1").json()["title"] == "Theirs"
    assert client.post("/api/tasks/1/undo", headers={"If-Match": f'"{mine + 1}"'}).status_code == 200
    assert client.get("/api/tasks/1").json()["title"] == "Mine"


@pytest.mark.usefixtures("task")
def test_a_deleted_task_comes_back_at_the_version_that_was_seen_last(client):
    seen = client.patch("/api/tasks/1", json={"title": "Roof"}).json()["version"]
    client.delete("/api/tasks/1")
    assert client.post("/api/tasks/1/undo", headers={"If-Match": f'"{seen - 1}"'}).status_code == 409
    assert client.post("/api/tasks/1/undo", headers={"If-Match": f'"{seen}"'}).status_code == 200
    assert client.get("/api/tasks/1").json()["title"] == "Roof"


def test_undoing_a_completion_takes_the_next_occurrence_along(client):
    client.post("/api/tasks", json={"title": "Water", "due_date": "2026-01-05", "recurrence": "FREQ=DAILY"})
    version = client.patch("/api/tasks/1/complete").json()["version"]
    assert client.get("/api/tasks/2").status_code == 200
    assert client.post("/api/tasks/1/undo", headers={"If-Match": str(version)}).status_code == 200
    assert (client.get("/api/tasks/1").json()["completed"], client.get("/api/tasks/2").status_code) == (False, 404)
