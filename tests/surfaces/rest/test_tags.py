from __future__ import annotations

import pytest

from taskpilot.domain.scopes import Scope
from taskpilot.ops import history, tags, tasks
from tests.surfaces.rest.bearers import give_token


@pytest.fixture
def theirs(app, open_client):
    return open_client(give_token(app))


def listed(client):
    return {each["name"]: each["open_tasks"] for each in client.get("/api/tags").json()["tags"]}


def test_the_life_of_a_tag(client, add, do):
    made = client.post("/api/tags", json={"name": "#home "})
    assert made.status_code == 201
    path = made.headers["location"]
    shown = {"id": made.json()["id"], "name": "home", "open_tasks": 0}
    assert made.json() == shown
    assert path == f"/api/tags/{shown['id']}"
    task = add("Paint", tags=["home", "wall"])
    do(tasks.complete, add("Sand", tags=["home"]).id)
    assert client.get(path).json() == shown | {"open_tasks": 1}
    renamed = client.patch(path, json={"name": "house"})
    assert (renamed.status_code, renamed.json()) == (200, shown | {"name": "house", "open_tasks": 1})
    assert do(tasks.get, task.id).tags == ("house", "wall")
    assert client.get("/api/tags").json()["total"] == 2
    assert listed(client) == {"house": 1, "wall": 1}
    assert client.delete(path).status_code == 204
    assert client.get(path).status_code == 404
    assert do(tasks.get, task.id).tags == ("wall",)
    assert listed(client) == {"wall": 1}


def test_an_empty_tag_stays_until_it_is_deleted(client, add, do):
    made = client.post("/api/tags", json={"name": "later"}).json()
    task = add(tags=["later", "now"])
    do(tasks.update, task.id, {"tags": []})
    assert listed(client) == {"later": 0}
    assert do(tags.list_all) == []
    do(tags.delete, "later")
    assert client.get(f"/api/tags/{made['id']}").status_code == 404
    assert client.post("/api/tags", json={"name": "later"}).status_code == 201


def test_a_tag_of_a_done_task_shows_and_one_of_a_binned_task_does_not(client, add, do):
    do(tasks.complete, add(tags=["done"]).id)
    do(tasks.delete, add(tags=["binned"]).id)
    assert listed(client) == {"done": 0}


def test_a_name_that_is_taken_is_a_conflict_unless_the_two_are_to_be_one(client, add, do):
    one, two = add("A", tags=["x"]), add("B", tags=["x", "y"])
    ids = {each["name"]: each["id"] for each in client.get("/api/tags").json()["tags"]}
    assert client.post("/api/tags", json={"name": "x"}).status_code == 409
    refused = client.patch(f"/api/tags/{ids['x']}", json={"name": "y"})
    assert (refused.status_code, refused.json()["error"]) == (409, "conflict")
    assert do(tasks.get, one.id).tags == ("x",)
    merged = client.patch(f"/api/tags/{ids['x']}", json={"name": "y", "merge": True})
    assert merged.json() == {"id": ids["y"], "name": "y", "open_tasks": 2}
    assert (do(tasks.get, one.id).tags, do(tasks.get, two.id).tags) == (("y",), ("y",))
    assert client.get(f"/api/tags/{ids['x']}").status_code == 404
    assert listed(client) == {"y": 2}


def test_renaming_is_one_change_that_undo_takes_back_on_the_tasks(client, add, do):
    task = add(tags=["x"])
    number = client.get("/api/tags").json()["tags"][0]["id"]
    client.patch(f"/api/tags/{number}", json={"name": "y"})
    do(history.undo)
    assert do(tasks.get, task.id).tags == ("x",)
    assert listed(client) == {"x": 1}


def test_a_tag_of_its_own_is_in_the_log_and_undo_passes_over_it(client, add, do):
    task = add("Walls")
    made = client.post("/api/tags", json={"name": "home"}).json()
    client.patch(f"/api/tags/{made['id']}", json={"name": "house"})
    client.delete(f"/api/tags/{made['id']}")
    told = [(event.kind, event.subject, event.tool) for event in do(history.list_page, limit=3).items]
    assert told == [
        ("tag.deleted", made["id"], "DELETE /api/tags/{tag_id}"),
        ("tag.updated", made["id"], "PATCH /api/tags/{tag_id}"),
        ("tag.created", made["id"], "POST /api/tags"),
    ]
    assert do(history.undo).events[0].subject == task.id


def test_a_repeated_create_makes_nothing_twice(client):
    key = {"Idempotency-Key": "one"}
    first = client.post("/api/tags", json={"name": "home"}, headers=key).json()
    assert client.post("/api/tags", json={"name": "home"}, headers=key).json() == first
    assert client.post("/api/tags", json={"name": "else"}, headers=key).status_code == 409
    assert listed(client) == {"home": 0}


@pytest.mark.parametrize(
    "body",
    [{}, {"name": ""}, {"name": "#"}, {"name": "+#"}, {"name": "x" * 51}, {"name": 5}, {"name": "x", "id": 1}, []],
)
def test_what_is_no_tag_is_refused(client, body):
    made = client.post("/api/tags", json={"name": "home"}).json()
    assert client.post("/api/tags", json=body).status_code == 422
    assert client.patch(f"/api/tags/{made['id']}", json=body).status_code == 422
    assert listed(client) == {"home": 0}


def test_a_strangers_tag_is_as_missing(client, theirs, add):
    add(tags=["x"])
    made = client.post("/api/tags", json={"name": "home"}).json()
    for number in (made["id"], 9223372036854775807):
        path = f"/api/tags/{number}"
        answers = [theirs.get(path), theirs.patch(path, json={"name": "mine"}), theirs.delete(path)]
        assert {answer.status_code for answer in answers} == {404}
    assert listed(theirs) == {}
    assert theirs.post("/api/tags", json={"name": "home"}).status_code == 201
    assert theirs.patch(f"/api/tags/{made['id']}", json={"name": "x", "merge": True}).status_code == 404
    assert listed(client) == {"home": 0, "x": 1}


def test_who_may_only_read_changes_nothing(app, open_client, client):
    made = client.post("/api/tags", json={"name": "home"}).json()
    reader, path = open_client(give_token(app, 1, Scope.READ)), f"/api/tags/{made['id']}"
    assert reader.get(path).json() == made
    refused = [
        reader.post("/api/tags", json={"name": "x"}),
        reader.patch(path, json={"name": "x"}),
        reader.delete(path),
    ]
    assert {answer.status_code for answer in refused} == {403}
    assert listed(client) == {"home": 0}
