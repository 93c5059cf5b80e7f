from __future__ import annotations

import pytest

from taskpilot.ops import tasks
from tests.surfaces.rest.bearers import give_token


def test_how_it_went(client, add, do, clock):
    add("A", project="Home", priority="high")
    done = add("B", project="Home")
    do(tasks.update, done.id, {"status": "in_progress"})
    clock.forward(days=1)
    do(tasks.complete, done.id)
    shown = client.get("/api/insights", params={"days": 2, "tz": "Europe/Berlin"}).json()
    nothing = {"backlog": 0, "todo": 0, "in_progress": 0, "blocked": 0, "review": 0}
    buckets = shown["cycle"].pop("buckets")
    assert shown == {
        "tz": "Europe/Berlin",
        "from": "2026-01-01",
        "to": "2026-01-02",
        "days": [
            {
                "date": "2026-01-01",
                "created": 2,
                "completed": 0,
                "created_total": 2,
                "completed_total": 0,
                "open": {**nothing, "todo": 1, "in_progress": 1},
            },
            {
                "date": "2026-01-02",
                "created": 0,
                "completed": 1,
                "created_total": 2,
                "completed_total": 1,
                "open": {**nothing, "todo": 1},
            },
        ],
        "by_status": {**nothing, "todo": 1, "done": 1, "dropped": 0},
        "by_project": [{"project_id": done.project_id, "name": "Home", "open": 1, "completed": 1}],
        "by_priority": [
            {"priority": "critical", "open": 0, "completed": 0},
            {"priority": "high", "open": 1, "completed": 0},
            {"priority": "medium", "open": 0, "completed": 1},
            {"priority": "low", "open": 0, "completed": 0},
            {"priority": "someday", "open": 0, "completed": 0},
        ],
        "cycle": {"number": 1, "median_seconds": 86400},
        "streak": 1,
        "actors": [
            {
                "kind": "person",
                "name": "dev-user",
                "completed": 1,
                "runs": 0,
                "succeeded": 0,
                "failed": 0,
                "verified": 0,
                "cost_micros": 0,
            }
        ],
    }
    assert buckets[0] == {"label": "under an hour", "below_seconds": 3600, "number": 0}
    assert [(each["label"], each["number"]) for each in buckets if each["number"]] == [("1–3 days", 1)]
    assert buckets[-1]["below_seconds"] is None


def test_a_month_is_shown(client):
    assert len(client.get("/api/insights").json()["days"]) == 30


@pytest.mark.parametrize(
    "query",
    ["days=0", "days=367", "days=x", "tz=", "tz=../etc", "project_id=0", "workspace_id=x", "zone=UTC"],
)
def test_what_cannot_be_asked_is_refused(client, query):
    assert client.get(f"/api/insights?{query}").status_code == 422


@pytest.mark.parametrize("query", ["tz=Nowhere/Town", "project_id=99", f"workspace_id={2**63 - 1}"])
def test_what_is_not_there_is_not_found(client, query):
    assert client.get(f"/api/insights?{query}").status_code == 404


def test_a_strangers_project_is_not_there_and_not_counted(app, open_client, add):
    task = add("Mine", project="Secret")
    theirs = open_client(give_token(app))
    assert theirs.get("/api/insights", params={"project_id": task.project_id}).status_code == 404
    shown = theirs.get("/api/insights").json()
    assert (shown["days"][-1]["created_total"], shown["by_project"], shown["actors"]) == (0, [], [])
