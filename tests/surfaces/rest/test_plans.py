"""Whole plans, the bin, and tasks that are there already, over HTTP."""

from __future__ import annotations

import pytest

TREE = {
    "project": "House",
    "tasks": [
        {"title": "Base", "name": "base", "priority": "high", "subtasks": [{"title": "Dig", "completed": True}]},
        {"title": "Walls", "after": ["base"], "tags": ["stone"]},
    ],
}
WRITTEN = "# House\n\n- [ ] Base !high ^t1\n  - [x] Dig\n- [ ] Walls +stone @after(t1)\n"


def test_a_tree_is_made_at_once_and_written_as_markdown(client):
    made = client.post("/api/plans", json=TREE)
    assert made.status_code == 201
    assert [(task["title"], task["parent_id"], task["blocked_by"]) for task in made.json()["tasks"]] == [
        ("Base", None, []),
        ("Dig", 1, []),
        ("Walls", None, [1]),
    ]
    plan = client.get("/api/plans?project=House")
    assert (plan.text, plan.headers["content-type"]) == (WRITTEN, "text/markdown; charset=utf-8")
    again = client.post("/api/plans", json={"markdown": plan.text, "parent_id": "TP-3"}).json()["tasks"]
    assert [task["parent_id"] for task in again] == [3, 4, 3]
    client.post("/api/undo", json={})
    assert client.get("/api/tasks").json()["total"] == 3


def test_what_a_plan_repeats_is_pointed_out(client):
    assert client.post("/api/plans", json=TREE).json()["alike"] == []
    assert client.post("/api/plans", json=TREE).json()["alike"] == [
        {"id": 1, "title": "Base", "new": 4},
        {"id": 3, "title": "Walls", "new": 6},
    ]


def test_a_plan_with_a_key_is_made_once(client):
    first, again = (client.post("/api/plans", json=TREE, headers={"Idempotency-Key": "k"}) for _ in range(2))
    assert first.json() == again.json()
    assert client.get("/api/tasks").json()["total"] == 3


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 422),
        ({"tasks": []}, 422),
        ({"tasks": [{"title": ""}]}, 400),
        ({"tasks": [{"title": "x", "unknown": 1}]}, 422),
        ({"tasks": [{"title": "x", "after": ["nobody"]}]}, 409),
        ({"tasks": [{"title": "x", "after": ["77"]}]}, 404),
        ({"tasks": [{"title": "a", "name": "a", "after": ["b"]}, {"title": "b", "name": "b", "after": ["a"]}]}, 409),
        ({"tasks": [{"title": "x"}], "parent_id": 77}, 404),
        ({"markdown": "no list"}, 422),
        ({"markdown": "- [ ] " + "x" * 501}, 409),
        ({"markdown": "- [ ] x", "tasks": [{"title": "x"}]}, 422),
    ],
)
def test_a_plan_that_makes_no_sense_makes_nothing(client, body, status):
    assert client.post("/api/plans", json=body).status_code == status
    assert client.get("/api/tasks").json()["total"] == 0


def test_what_was_deleted_is_in_the_bin_and_comes_back(client):
    client.post("/api/plans", json=TREE)
    client.delete("/api/tasks/1")
    binned = client.get("/api/bin?limit=1").json()
    assert (len(binned["tasks"]), binned["tasks"][0]["deleted_at"]) == (1, "2026-01-01T12:00:00Z")
    rest = client.get(f"/api/bin?cursor={binned['next_cursor']}").json()
    assert {task["id"] for task in binned["tasks"] + rest["tasks"]} == {1, 2}
    assert [task["id"] for task in client.post("/api/bin/TP-1/restore").json()["tasks"]] == [1, 2]
    assert client.post("/api/bin/1/restore").status_code == 409
    assert client.post("/api/bin/77/restore").status_code == 404
    assert client.get("/api/bin?cursor=x").status_code == 409
    assert client.get("/api/bin?limit=201").status_code == 422


def test_a_task_that_is_there_already_is_pointed_out(client):
    first = client.post("/api/tasks", json={"title": "Fix the login bug", "project": "Shop"})
    assert "Alike" not in first.headers
    second = client.post("/api/tasks", json={"title": "Fix login bug", "project_id": 1})
    assert (second.status_code, second.headers["Alike"], second.json()["id"]) == (201, "1", 2)
    third, again = (
        client.post("/api/tasks?if_new=true", json={"title": "FIX the login bug"}, headers={"Idempotency-Key": "k"})
        for _ in range(2)
    )
    assert (third.status_code, third.headers["Alike"], third.json()["id"]) == (200, "1", 1)
    assert (again.status_code, again.json(), again.headers["Idempotency-Replayed"]) == (200, third.json(), "true")
    assert client.post("/api/tasks?if_new=true", json={"title": "Paint"}).status_code == 201
    assert client.post("/api/tasks?if_new=maybe", json={"title": "Paint"}).status_code == 422
    assert client.get("/api/tasks").json()["total"] == 3
