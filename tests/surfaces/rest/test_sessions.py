from __future__ import annotations

import pytest

from taskpilot.domain.scopes import Scope
from taskpilot.ops import history
from tests.surfaces.rest.bearers import give_token


@pytest.fixture
def here(client):
    return client.post("/api/workspaces", json={"path": "/srv/shop"}).json()["id"]


@pytest.fixture
def path(here):
    return f"/api/workspaces/{here}/sessions"


def test_a_day_of_work(client, here, path, clock):
    started = client.post(path)
    assert started.status_code == 201
    first = started.json()
    assert first == {
        "id": first["id"],
        "workspace_id": here,
        "started_at": "2026-01-01T12:00:00Z",
        "ended_at": None,
    }
    assert started.headers["location"] == f"{path}/{first['id']}"
    clock.forward(hours=2)
    second = client.post(path).json()
    assert client.get(f"{path}/{first['id']}").json() == first | {"ended_at": "2026-01-01T14:00:00Z"}
    clock.forward(hours=1)
    ended = client.patch(f"{path}/{second['id']}/end").json()
    assert ended == second | {"ended_at": "2026-01-01T15:00:00Z"}
    clock.forward(hours=1)
    assert client.patch(f"{path}/{second['id']}/end").json() == ended
    assert client.get(f"/api/workspaces/{here}").json()["session"] is None
    listed = client.get(path, params={"limit": 1}).json()
    assert listed == {"sessions": [ended], "total": 2}
    assert client.get(path, params={"offset": 1}).json()["sessions"][0]["id"] == first["id"]


def test_ending_is_told_once(client, path, do):
    one = client.post(path).json()
    for _ in range(3):
        client.patch(f"{path}/{one['id']}/end")
    kinds = [event.kind for event in do(history.list_page).items]
    assert kinds == ["session.ended", "session.started", "workspace.created"]


def test_a_repeated_start_starts_one(client, path):
    key = {"Idempotency-Key": "one"}
    first = client.post(path, headers=key).json()
    assert client.post(path, headers=key).json() == first
    assert client.get(path).json()["total"] == 1


def test_a_session_of_another_workspace_or_of_a_stranger_is_as_missing(app, open_client, client, path):
    one = client.post(path).json()
    other = client.post("/api/workspaces", json={"path": "/srv/other"}).json()["id"]
    theirs = open_client(give_token(app))
    mine = theirs.post("/api/workspaces", json={"path": "/srv/mine"}).json()["id"]
    for who, where in ((client, other), (theirs, mine), (theirs, one["workspace_id"])):
        wrong = f"/api/workspaces/{where}/sessions/{one['id']}"
        assert {who.get(wrong).status_code, who.patch(f"{wrong}/end").status_code} == {404}
    assert client.get(path).json()["sessions"] == [one]


@pytest.mark.parametrize("number", ["0", "x", "9223372036854775808"])
def test_what_is_no_number_is_refused(client, path, number):
    assert client.get(f"{path}/{number}").status_code == 422
    assert client.patch(f"{path}/{number}/end").status_code == 422


def test_who_may_only_read_changes_nothing(app, open_client, client, path):
    one = client.post(path).json()
    reader = open_client(give_token(app, 1, Scope.READ))
    assert reader.get(f"{path}/{one['id']}").json() == one
    assert reader.patch(f"{path}/{one['id']}/end").status_code == 403
    assert client.get(path).json()["sessions"] == [one]
