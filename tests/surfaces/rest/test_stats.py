from __future__ import annotations

import pytest

from taskpilot.ops import tasks
from tests.surfaces.rest.bearers import give_token


def test_how_it_goes(client, add, do, clock):
    add("A", project="Home", priority="high")
    add("B", due_date="2025-12-31")
    do(tasks.update, add("C").id, {"status": "dropped"})
    done = add("D", project="Home")
    clock.forward(days=1)
    do(tasks.complete, done.id)
    shown = client.get("/api/stats", params={"days": 3}).json()
    assert shown == {
        "total": 4,
        "open": 2,
        "completed": 1,
        "completion_rate": 25.0,
        "overdue": 1,
        "streak": 1,
        "by_status": {"backlog": 0, "todo": 2, "in_progress": 0, "blocked": 0, "review": 0, "done": 1, "dropped": 1},
        "by_priority": {"someday": 0, "low": 0, "medium": 3, "high": 1, "critical": 0},
        "by_project": {"Home": 2},
        "by_day": [
            {"date": "2025-12-31", "completed": 0, "created": 0},
            {"date": "2026-01-01", "completed": 0, "created": 4},
            {"date": "2026-01-02", "completed": 1, "created": 0},
        ],
    }


def test_a_day_is_a_day_where_the_user_is(client, add, do):
    do(tasks.complete, add().id)  # at noon in UTC
    days = {
        zone: [
            day["date"] for day in client.get("/api/stats", params={"tz": zone}).json()["by_day"] if day["completed"]
        ]
        for zone in ("UTC", "Pacific/Auckland", "America/New_York", "Asia/Kathmandu")
    }
    assert days == {
        "UTC": ["2026-01-01"],
        "Pacific/Auckland": ["2026-01-02"],
        "America/New_York": ["2026-01-01"],
        "Asia/Kathmandu": ["2026-01-01"],
    }


def test_nobody_has_nothing_and_a_month_is_shown(client):
    shown = client.get("/api/stats").json()
    assert (shown["total"], shown["completion_rate"], shown["streak"]) == (0, 0.0, 0)
    assert len(shown["by_day"]) == 30
    assert shown["by_day"][-1] == {"date": "2026-01-01", "completed": 0, "created": 0}


@pytest.mark.parametrize("query", ["days=0", "days=367", "days=x", "tz=", "tz=../../etc/passwd", "tz=/etc", "zone=UTC"])
def test_what_cannot_be_asked_is_refused(client, query):
    assert client.get(f"/api/stats?{query}").status_code == 422


@pytest.mark.parametrize("zone", ["Nowhere/Town", "America", "zone"])
def test_a_zone_that_is_none_is_not_found(client, zone):
    answer = client.get("/api/stats", params={"tz": zone})
    assert (answer.status_code, "Europe/Berlin" in answer.json()["detail"]) == (404, True)


def test_a_strangers_tasks_are_not_counted(app, open_client, add):
    add("Mine", project="Secret")
    shown = open_client(give_token(app)).get("/api/stats").json()
    assert (shown["total"], shown["by_project"]) == (0, {})
