from __future__ import annotations

import pytest

from taskpilot.domain.scopes import Scope
from taskpilot.ops import projects, tasks
from tests.surfaces.rest.bearers import give_token


@pytest.fixture
def home(client):
    return client.post("/api/projects", json={"name": "Home"}).json()


@pytest.fixture
def theirs(app, open_client):
    """Somebody else's client."""
    return open_client(give_token(app))


def test_the_life_of_a_project(client, add, do):
    made = client.post("/api/projects", json={"name": " Home ", "colour": "#FF0000", "description": "All\r\nat home "})
    assert made.status_code == 201
    shown = made.json()
    assert (made.headers["location"], made.headers["etag"]) == (f"/api/projects/{shown['id']}", '"1"')
    assert shown == {
        "id": shown["id"],
        "name": "Home",
        "colour": "#ff0000",
        "description": "All\nat home",
        "open_tasks": 0,
        "created_at": "2026-01-01T12:00:00Z",
        "updated_at": "2026-01-01T12:00:00Z",
        "version": 1,
    }
    task = add("Paint", project="Home")
    do(tasks.complete, add("Sand", project="Home").id)
    path = made.headers["location"]
    assert client.get(path).json() == shown | {"open_tasks": 1}
    changed = client.patch(path, json={"name": "House"}, headers={"If-Match": '"1"'})
    assert (changed.status_code, changed.headers["etag"]) == (200, '"2"')
    assert changed.json() == shown | {"name": "House", "open_tasks": 1, "version": 2}
    assert client.put(path, json={"description": ""}).json()["description"] == ""
    assert client.get("/api/projects").json() == {"projects": [client.get(path).json()], "total": 1}
    gone = client.delete(path)
    assert (gone.status_code, gone.content) == (204, b"")
    assert client.get(path).status_code == 404
    kept = do(tasks.get, task.id)
    assert (kept.project, kept.project_id) == (None, None)


def test_a_list_is_by_name_and_comes_in_parts(client):
    for name in ("c", "a", "b"):
        client.post("/api/projects", json={"name": name})
    part = client.get("/api/projects", params={"limit": 1, "offset": 1}).json()
    assert ([each["name"] for each in part["projects"]], part["total"]) == (["b"], 3)
    assert client.get("/api/projects", params={"offset": 9}).json() == {"projects": [], "total": 3}


@pytest.mark.usefixtures("home")
def test_a_name_that_is_taken_is_a_conflict(client):
    assert client.post("/api/projects", json={"name": "Home"}).status_code == 409
    other = client.post("/api/projects", json={"name": "Work"}).json()
    answer = client.patch(f"/api/projects/{other['id']}", json={"name": " Home"})
    assert (answer.status_code, answer.json()["error"]) == (409, "conflict")
    assert "already" in answer.json()["message"]
    assert client.get(f"/api/projects/{other['id']}").json() == other


def test_changing_nothing_is_no_change(client, home):
    for body in ({}, {"name": "Home"}, {"name": None, "colour": None, "description": None}):
        answer = client.patch(f"/api/projects/{home['id']}", json=body)
        assert (answer.status_code, answer.json()) == (200, home)


def test_an_old_view_changes_nothing(client, home):
    path = f"/api/projects/{home['id']}"
    client.patch(path, json={"colour": "#000000"})
    old = {"If-Match": '"1"'}
    assert client.patch(path, json={"name": "Other"}, headers=old).status_code == 409
    assert client.put(path, json={"name": "Other"}, headers=old).status_code == 409
    assert client.delete(path, headers=old).status_code == 409
    assert client.get(path).json()["name"] == "Home"
    assert client.delete(path, headers={"If-Match": "*"}).status_code == 204


def test_a_repeated_create_makes_nothing_twice(client):
    key = {"Idempotency-Key": "one"}
    first = client.post("/api/projects", json={"name": "Home"}, headers=key)
    again = client.post("/api/projects", json={"name": "Home"}, headers=key)
    assert (again.status_code, again.json()) == (201, first.json())
    assert (again.headers["idempotency-replayed"], again.headers["etag"]) == ("true", '"1"')
    assert client.post("/api/projects", json={"name": "Else"}, headers=key).status_code == 409
    assert client.get("/api/projects").json()["total"] == 1


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"name": ""},
        {"name": " \u200b\u202e"},
        {"name": "x" * 101},
        {"name": 5},
        {"name": None},
        {"name": "x", "colour": "red"},
        {"name": "x", "description": "d" * 10_001},
        {"name": "x", "owner": 2},
        {"name": "x", "id": 1},
        [],
        "x",
    ],
)
def test_what_is_no_project_is_refused(client, home, body):
    assert client.post("/api/projects", json=body).status_code == 422
    if body not in ({}, {"name": None}):  # which leave everything as it is
        assert client.patch(f"/api/projects/{home['id']}", json=body).status_code == 422
    assert client.get("/api/projects").json() == {"projects": [home], "total": 1}


def test_half_characters_and_hidden_ones_do_no_harm(client):
    assert client.post("/api/projects", content=b'{"name": "\\ud800x"}').status_code in (400, 422)
    made = client.post("/api/projects", json={"name": "a\u202eb\u0000c", "description": "x\u0000y"})
    assert (made.json()["name"], made.json()["description"]) == ("abc", "xy")


@pytest.mark.parametrize(
    "query", ["limit=0", "limit=1001", "offset=-1", "sort=x", "limit=x", "offset=99999999999999999999"]
)
def test_a_list_is_asked_for_in_known_words(client, query):
    assert client.get(f"/api/projects?{query}").status_code == 422


@pytest.mark.parametrize("number", ["0", "-1", "x", "9223372036854775808"])
def test_what_is_no_number_is_refused(client, number):
    for method in ("GET", "PATCH", "PUT", "DELETE"):
        body = {"json": {}} if method in ("PATCH", "PUT") else {}
        assert client.request(method, f"/api/projects/{number}", **body).status_code == 422


def test_a_strangers_project_is_as_missing(client, theirs, home, do):
    for number in (home["id"], 9223372036854775807):
        path = f"/api/projects/{number}"
        answers = [
            theirs.get(path),
            theirs.patch(path, json={"name": "Mine"}),
            theirs.put(path, json={}),
            theirs.delete(path),
        ]
        assert {answer.status_code for answer in answers} == {404}
    assert theirs.get("/api/projects").json() == {"projects": [], "total": 0}
    assert theirs.post("/api/projects", json={"name": "Home"}).status_code == 201
    assert [each.name for each, _ in do(projects.list_all)] == ["Home"]
    assert client.get(f"/api/projects/{home['id']}").json() == home


def test_who_may_only_read_changes_nothing(app, open_client, client, home):
    reader = open_client(give_token(app, 1, Scope.READ))
    path = f"/api/projects/{home['id']}"
    assert reader.get(path).json() == home
    refused = [
        reader.post("/api/projects", json={"name": "x"}),
        reader.patch(path, json={"name": "x"}),
        reader.put(path, json={"name": "x"}),
        reader.delete(path),
    ]
    assert {(answer.status_code, answer.json()["error"]) for answer in refused} == {(403, "insufficient_scope")}
    assert client.get("/api/projects").json() == {"projects": [home], "total": 1}
