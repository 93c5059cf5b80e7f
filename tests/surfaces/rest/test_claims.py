"""Claims, limits and the fence around a task, over HTTP."""

from __future__ import annotations

import pytest


@pytest.fixture
def make(client):
    return lambda title="Walls", **fields: client.post("/api/tasks", json={"title": title, **fields}).json()


def test_the_best_task_is_taken_by_one_and_given_back_with_a_handoff(client, make):
    make("Walls", priority="high")
    taken = client.post("/api/next/claim", json={"lease": 60, "energy": "medium", "time": "2h"}).json()
    token = taken["claim"]["token"]
    assert (taken["task"]["title"], taken["task"]["state"], taken["handoff"]) == ("Walls", "in_progress", None)
    assert taken["reason"] == "high priority, fits medium energy, fits in 120 min"
    assert client.post("/api/next/claim", json={}).json()["task"] is None
    assert client.get("/api/claims").json()["claims"] == [taken["claim"]]
    assert client.get("/api/tasks/1/claim").json() == {"claim": taken["claim"], "handoff": None}
    released = client.post("/api/tasks/1/release", json={"token": token, "done": "stones", "next": "mortar"}).json()
    assert (released["task"]["state"], released["handoff"]["ending"]) == ("todo", "released")
    again = client.post("/api/tasks/TP-1/claim", json={})
    assert (again.status_code, again.json()["handoff"]["next"]) == (201, "mortar")
    assert client.post("/api/tasks/1/claim", json={}).status_code == 409


def test_a_claim_is_renewed_until_it_runs_out(client, make, clock):
    make()
    token = client.post("/api/tasks/1/claim", json={"lease": 60}).json()["claim"]["token"]
    clock.forward(seconds=50)
    renewed = client.patch("/api/tasks/1/claim", json={"token": token, "lease": 120}).json()
    assert (renewed["lease"], renewed["lease_until"]) == (120, "2026-01-01T12:02:50Z")
    clock.forward(seconds=121)
    late = client.patch("/api/tasks/1/claim", json={"token": token})
    assert (late.status_code, "ran out at" in late.json()["message"]) == (409, True)
    assert client.get("/api/claims").json() == {"claims": [], "total": 0}


def test_changes_carry_the_token_and_a_stale_one_is_refused(client, make):
    make()
    old = str(client.post("/api/tasks/1/claim", json={}).json()["claim"]["token"])
    assert client.patch("/api/tasks/1", json={"progress": 5}, headers={"Claim-Token": old}).status_code == 200
    client.post("/api/tasks/1/release", json={})
    new = str(client.post("/api/tasks/1/claim", json={}).json()["claim"]["token"])
    stale = {"Claim-Token": old}
    for answer in (
        client.patch("/api/tasks/1", json={"progress": 9}, headers=stale),
        client.put("/api/tasks/1", json={"progress": 9}, headers=stale),
        client.patch("/api/tasks/1/complete", headers=stale),
        client.delete("/api/tasks/1", headers=stale),
    ):
        assert (answer.status_code, "holds it now" in answer.json()["message"]) == (409, True)
    assert client.get("/api/tasks/1").json()["progress"] == 5
    assert client.patch("/api/tasks/1/complete", headers={"Claim-Token": new}).json()["completed"] is True
    assert client.patch("/api/tasks/1", json={"progress": 9}, headers={"Claim-Token": "x"}).status_code == 422
    assert client.patch("/api/tasks/9/complete", headers=stale).status_code == 404


def test_taking_with_a_key_is_safe_to_repeat(client, make):
    make("One"), make("Two")
    first, again = (client.post("/api/next/claim", json={}, headers={"Idempotency-Key": "k"}) for _ in range(2))
    assert first.json() == again.json()
    assert client.get("/api/claims").json()["total"] == 1


def test_limits_are_set_and_kept(client, make):
    make("One", project="Home"), make("Two", project="Home")
    assert client.put("/api/limits", json={"kind": "project", "name": " Home ", "most": 1}).json()["name"] == "Home"
    client.put("/api/limits", json={"kind": "agent", "most": 5})
    assert client.get("/api/limits").json()["total"] == 2
    client.post("/api/next/claim", json={})
    nothing = client.post("/api/next/claim", json={}).json()
    assert nothing["held_back"][0]["why"] == "Project 'Home' has 1 of at most 1 tasks in progress"
    assert client.get("/api/next").json()["held_back"] == nothing["held_back"]
    assert client.post("/api/tasks/2/claim", json={}).status_code == 409
    client.put("/api/limits", json={"kind": "project", "name": "Home", "most": 0})
    assert client.post("/api/tasks/2/claim", json={}).status_code == 201


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"kind": "project", "name": "Nowhere", "most": 1}, 404),
        ({"kind": "workspace", "workspace_id": 9, "most": 1}, 404),
        ({"kind": "workspace", "name": "x", "most": 1}, 422),
        ({"kind": "agent", "name": "\u200b", "most": 1}, 422),
        ({"kind": "agent", "most": -1}, 422),
        ({"kind": "agent", "most": 10_001}, 422),
        ({"kind": "agent", "most": "3"}, 422),
        ({"kind": "planet", "most": 1}, 422),
    ],
)
def test_a_limit_that_makes_no_sense_is_refused(client, body, status):
    assert client.put("/api/limits", json=body).status_code == status
    assert client.get("/api/limits").json()["total"] == 0


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/api/next/claim", {"lease": 4}, 422),
        ("/api/next/claim", {"lease": 86_401}, 422),
        ("/api/next/claim", {"time": "soon"}, 422),
        ("/api/next/claim", {"x": 1}, 422),
        ("/api/tasks/9/claim", {}, 404),
        ("/api/tasks/9/release", {}, 404),
        ("/api/tasks/1/release", {}, 409),
        ("/api/tasks/1/release", {"token": 99}, 409),
        ("/api/tasks/1/release", {"done": "x" * 4_001}, 422),
    ],
)
def test_what_cannot_be_taken_or_released_is_refused(client, make, path, body, status):
    make()
    assert client.post(path, json=body).status_code == status
    assert client.get("/api/claims").json()["total"] == 0
