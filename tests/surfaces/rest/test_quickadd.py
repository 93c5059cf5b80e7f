"""`/api/quick-add`: a task in one line."""

from __future__ import annotations

import pytest

LINE = "Pay rent tomorrow 9am #home !high every month ~30min"


def test_a_text_is_shown_as_it_is_understood(client):
    shown = client.get("/api/quick-add", params={"text": LINE, "tz": "Europe/Berlin"}).json()
    assert shown["fields"] == {
        "title": "Pay rent",
        "due_date": "2026-01-02T08:00:00Z",
        "tags": ["home"],
        "priority": "high",
        "recurrence": "FREQ=MONTHLY",
        "time_estimate": "30min",
    }
    assert shown["parts"][1] == {
        "text": "tomorrow 9am",
        "start": 9,
        "end": 21,
        "kind": "due",
        "label": "Fri 2 Jan, 09:00",
    }
    assert client.get("/api/tasks").json()["total"] == 0


def test_half_a_text_is_no_mistake(client):
    assert client.get("/api/quick-add?text=").json() == {"fields": {}, "parts": []}
    assert client.get("/api/quick-add?text=%23home").json()["fields"] == {"tags": ["home"]}


def test_a_text_makes_a_task(client):
    made = client.post("/api/quick-add", json={"text": LINE, "tz": "Europe/Berlin", "state": "backlog", "rank": 0.5})
    task = made.json()
    assert (made.status_code, made.headers["location"], made.headers["etag"]) == (201, "/api/tasks/1", '"1"')
    assert task == client.get("/api/tasks/1").json()
    assert (task["title"], task["state"], task["rank"]) == ("Pay rent", "backlog", 0.5)


def test_it_is_made_where_it_belongs(client):
    project = client.post("/api/projects", json={"name": "House"}).json()["id"]
    parent = client.post("/api/tasks", json={"title": "Move"}).json()["id"]
    task = client.post("/api/quick-add", json={"text": "Pack", "project_id": project, "parent_id": parent}).json()
    assert (task["project"], task["parent_id"], task["state"]) == ("House", parent, "todo")
    assert client.post("/api/quick-add", json={"text": "Pack", "project_id": 99}).status_code == 404
    assert client.post("/api/quick-add", json={"text": "Pack", "parent_id": 99}).status_code == 404


def test_with_a_key_it_is_made_once(client):
    asked = {"json": {"text": LINE}, "headers": {"Idempotency-Key": "k"}}
    first, again = client.post("/api/quick-add", **asked), client.post("/api/quick-add", **asked)
    assert (first.json(), again.headers["idempotency-replayed"]) == (again.json(), "true")
    assert client.get("/api/tasks").json()["total"] == 1


def test_without_a_title_nothing_is_made(client):
    refused = client.post("/api/quick-add", json={"text": "#home !high @flat"})
    assert (refused.status_code, refused.json()["detail"].startswith("There is no title in this.")) == (422, True)
    assert client.get("/api/projects").json()["total"] == 0


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"text": ""},
        {"text": " \u200b "},
        {"text": "x" * 501},
        {"text": 5},
        {"text": "x", "tz": "no zone!"},
        {"text": "x", "state": "soon"},
        {"text": "x", "rank": "first"},
        {"text": "x", "title": "y"},
    ],
)
def test_what_means_nothing_is_refused(client, body):
    assert client.post("/api/quick-add", json=body).status_code in (400, 422)


def test_a_zone_that_is_not_there_is_not_found(client):
    assert client.post("/api/quick-add", json={"text": "x", "tz": "Mars/Base"}).status_code == 404
    assert client.get("/api/quick-add?text=x&tz=Mars/Base").status_code == 404
