"""The audit over HTTP, and that no secret is in it."""

from __future__ import annotations

import logging

import pytest

from taskpilot.domain.caller import local
from taskpilot.ops import users

from .test_data import PASSWORD, dump


@pytest.fixture
def web(open_client):
    return open_client(auth="required")


@pytest.fixture
def ann(web):
    answer = web.post("/api/auth/signup", json={"email": "ann@example.com", "password": PASSWORD})
    return {"Authorization": f"Bearer {answer.json()['token']}"}


@pytest.fixture
def read(app, web):
    def read(headers, path="/api/audit", **query):
        app.trail.flush()
        answer = web.get(path, params=query, headers=headers)
        assert answer.status_code == 200, answer.text
        return [(each["kind"] or each["tool"], each["outcome"]) for each in answer.json()["entries"]]

    return read


def test_a_person_reads_what_was_done_in_their_name(web, ann, read):
    made = web.post("/api/tasks", json={"title": "Walls"}, headers=ann).json()
    web.get("/api/tasks/999999", headers=ann)
    told = read(ann)
    assert ("task.created", "ok") in told
    assert ("GET /api/tasks/{task_id}", "not_found") in told
    assert ("login.created", "ok") in told
    (entry,) = web.get("/api/audit", params={"tool": "POST /api/tasks"}, headers=ann).json()["entries"]
    assert (entry["subject"], entry["door"], entry["address"], entry["user"]) == (
        made["id"],
        "rest",
        "testclient",
        "ann",
    )
    assert read(ann, outcome="failed") == [("GET /api/tasks/{task_id}", "not_found")]
    assert read(ann, since="2026-01-02T00:00:00Z") == []


def test_failures_to_sign_in_are_told_to_an_administrator_only(app, web, ann, read):
    web.post("/api/auth/signin", json={"email": "ann@example.com", "password": "wrong horse battery"})
    web.get("/api/tasks", headers={"Authorization": "Bearer nonsense"})
    web.get("/api/tasks")
    refused = web.get("/api/admin/audit", headers=ann)
    assert (refused.status_code, refused.json()["error"]) == (403, "insufficient_scope")
    assert ("GET /api/admin/audit", "forbidden") in read(ann)
    app.run(local("cli"), users.set_admin, "ann@example.com", True)
    again = web.post("/api/auth/signin", json={"email": "ann@example.com", "password": PASSWORD}).json()
    admin = {"Authorization": f"Bearer {again['token']}"}
    told = read(admin, "/api/admin/audit", outcome="unauthenticated")
    assert told == [
        ("GET /api/tasks", "unauthenticated"),
        ("GET /api/tasks", "unauthenticated"),
        ("POST /api/auth/signin", "unauthenticated"),
    ]


def test_pages_go_on_where_the_last_ended(app, web, ann):
    for number in range(5):
        web.post("/api/tasks", json={"title": f"Task {number}"}, headers=ann)
    found, query = [], {"limit": "2", "door": "rest"}
    while True:
        answer = web.get("/api/audit", params=query, headers=ann).json()
        found += [(each["source"], each["id"]) for each in answer["entries"]]
        if answer["cursor"] is None:
            break
        query["cursor"] = answer["cursor"]
    assert len(found) == len(set(found)) >= 7


@pytest.mark.parametrize(
    "query", ["limit=0", "limit=1001", "cursor=x", "cursor=1.", "outcome=great", "since=soon", "who=me", "actor=%00"]
)
def test_nonsense_is_refused(client, query):
    assert client.get(f"/api/audit?{query}").status_code == 422


def test_no_secret_is_in_any_table_or_log(app, web, caplog):
    caplog.set_level(logging.DEBUG)
    secrets = {PASSWORD, "another good password"}
    joined = web.post("/api/auth/signup", json={"email": "eve@example.com", "password": PASSWORD}).json()
    secrets |= {joined["token"], joined["refresh_token"]}
    eve = {"Authorization": f"Bearer {joined['token']}"}
    fresh = web.post("/api/auth/refresh", json={"refresh_token": joined["refresh_token"]}).json()
    secrets |= {fresh["token"], fresh["refresh_token"]}
    made = web.post("/api/tokens", json={"name": "t", "scopes": ["tasks:read"]}, headers=eve).json()
    token = made["token"]
    secrets |= {token, token.split("_", 2)[2]}
    web.get("/api/tasks", headers={"Authorization": f"Bearer {token}"})
    web.get(f"/api/tasks/{token}", headers={"Authorization": f"Bearer {token}"})
    web.get(f"/api/{token}")
    web.get(f"/mcp/{token}")
    web.get("/api/tasks", headers={"Authorization": f"Bearer {token}x"})
    web.post("/api/auth/signin", json={"email": "eve@example.com", "password": "a wrong but secret one"})
    web.post("/api/auth/signin", json={"email": "eve@example.com", "password": PASSWORD})
    web.post(
        "/api/auth/password", json={"current_password": PASSWORD, "new_password": "another good password"}, headers=eve
    )
    secrets.add("a wrong but secret one")
    web.get("/api/tasks", params={"token": token}, headers=eve)
    web.request("DELETE", "/api/me", json={"password": "a wrong but secret one"}, headers=eve)
    app.trail.flush()
    kept = dump(app)
    assert "eve@example.com" in kept
    logged = "".join(record.getMessage() for record in caplog.records if not record.name.startswith("httpx"))
    for secret in secrets:
        assert secret not in kept
        assert secret not in logged
