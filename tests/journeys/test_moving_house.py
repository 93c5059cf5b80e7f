"""Somebody leaves one server for another: everything comes along, and nothing stays behind."""

from __future__ import annotations

import json
import logging
from contextlib import ExitStack

import pytest
from starlette.testclient import TestClient

from taskpilot import contracts
from taskpilot.app import App
from taskpilot.server import build
from taskpilot.settings import Settings
from taskpilot.store import open_database
from taskpilot.store.check import inspect
from taskpilot.store.vault import Vault

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "mover", "version": "1"}},
}
PASSWORD = "correct horse battery"
SECRETS = ("sk-ant-0123456789abcdef0123456789", "ghp_0123456789012345678901234567890123456789", "hunter2-hunter2")


@pytest.fixture
def house(tmp_path, place):
    """Servers, each with a store of its own: the first on either database, the second on SQLite."""
    with ExitStack() as stack:

        def house(name):
            database = open_database(place if name == "old" else tmp_path / f"{name}.db")
            database.migrate()
            app = App(database, vault=Vault(tmp_path / f"{name}.key"))
            stack.callback(app.close)
            settings = Settings(data_dir=tmp_path / name, auth="required")
            web = build(settings, app, [contracts.load("native"), contracts.load("taskpilot")])
            client = stack.enter_context(TestClient(web, base_url="http://localhost:8000"))
            return app, client

        yield house


def join(client):
    answer = client.post("/api/auth/signup", json={"email": "ann@example.com", "password": PASSWORD, "name": "Ann"})
    assert answer.status_code == 201, answer.text
    return {"Authorization": f"Bearer {answer.json()['token']}"}


def dump(app):
    with app.database.reading() as db:
        if db.dialect == "sqlite":
            names = [row["name"] for row in db.all("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        else:
            rows = db.all("SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'")
            names = [row["name"] for row in rows]
        return json.dumps([db.all(f"SELECT * FROM {name}") for name in names], default=str)


def test_everything_comes_along_and_nothing_stays_behind(house):
    (old, there), (new, here) = house("old"), house("new")
    ann = join(there)
    project = there.post("/api/projects", json={"name": "House"}, headers=ann).json()
    walls = there.post("/api/tasks", json={"title": "Walls", "project_id": project["id"]}, headers=ann).json()
    there.post("/api/tasks", json={"title": "Roof", "blocked_by": [walls["id"]], "tags": ["high"]}, headers=ann)
    there.patch(f"/api/tasks/{walls['id']}/complete", json={"completed": True}, headers=ann)
    document = there.get("/api/export", headers=ann).content

    moved = join(here)
    made = here.post("/api/import", content=document, headers={**moved, "Content-Type": "application/json"})
    assert made.json() == {"projects": 1, "tags": 0, "workspaces": 0, "rules": 0, "sessions": 0, "tasks": 2}
    found = {task["title"]: task for task in here.get("/api/tasks", headers=moved).json()["tasks"]}
    assert found["Walls"]["completed"]
    assert found["Walls"]["project"] == "House"
    assert found["Roof"]["blocked_by"] == [found["Walls"]["id"]]

    assert there.request("DELETE", "/api/me", json={"password": PASSWORD}, headers=ann).status_code == 204
    assert there.get("/api/tasks", headers=ann).status_code == 401
    old.trail.flush()
    left = dump(old)
    for word in ("ann@example.com", "Walls", "Roof", "House"):
        assert word not in left
    assert inspect(old.database) == inspect(new.database) == []


def test_secrets_that_pass_through_tools_stay_out_of_the_audit_and_the_logs(house, caplog, tmp_path):
    caplog.set_level(logging.INFO)
    app, client = house("old")
    ann = join(client)
    folder = tmp_path / "work"
    folder.mkdir()

    headers = {**ann, "Accept": "application/json, text/event-stream"}
    sessions = {}
    for door in ("native", "taskpilot"):
        begun = client.post(f"/mcp/{door}", json=INITIALIZE, headers=headers)
        sessions[door] = {"Mcp-Session-Id": begun.headers["mcp-session-id"], "MCP-Protocol-Version": "2025-06-18"}

    def call(door, tool, **arguments):
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
        answer = client.post(f"/mcp/{door}", json=message, headers=headers | sessions[door])
        assert answer.status_code == 200, answer.text

    path = str(folder)
    call("native", "task_search", query=SECRETS[0])
    call("native", "task_get", task_id=SECRETS[1])
    call("native", SECRETS[1])
    call("taskpilot", "taskpilot_init", workspace_path=path)
    call(
        "taskpilot",
        "taskpilot_remote_interface",
        workspace_path=path,
        interface_type="custom",
        action="connect",
        base_url="https://127.0.0.1:1",
        api_token=SECRETS[2],
    )
    call("taskpilot", "taskpilot_github", workspace_path=path, action="connect", github_token=SECRETS[1])
    app.trail.flush()
    kept = dump(app)
    assert "task_search" in kept
    logged = "".join(record.getMessage() for record in caplog.records if not record.name.startswith("httpx"))
    for secret in SECRETS:
        assert secret not in kept
        assert secret not in logged
    told = client.get("/api/audit", params={"door": "native"}, headers=ann).json()["entries"]
    assert {"task_search", "task_get"} <= {entry["tool"] for entry in told}
    assert all(entry["door"] == "native" for entry in told)


def test_a_document_of_another_person_gives_nothing_of_theirs_away(house):
    """Ids in a document are its own: naming somebody else's gets nobody at their things."""
    _, client = house("old")
    ann = join(client)
    theirs = client.post("/api/tasks", json={"title": "Private"}, headers=ann).json()
    eve = client.post("/api/auth/signup", json={"email": "eve@example.com", "password": PASSWORD}).json()
    eve = {"Authorization": f"Bearer {eve['token']}"}
    now = "2026-01-01T12:00:00Z"
    task = {"id": theirs["id"], "title": "Mine now?", "created_at": now, "updated_at": now}
    document = {"format": "taskpilot", "version": 1, "tasks": [task]}
    assert client.post("/api/import", json=document, headers=eve).status_code == 201
    assert client.get(f"/api/tasks/{theirs['id']}", headers=eve).status_code == 404
    assert client.get(f"/api/tasks/{theirs['id']}", headers=ann).json()["title"] == "Private"
    linked = document | {"tasks": [replace_id(task, parent_id=theirs["id"])]}
    assert client.post("/api/import", json=linked, headers=eve).status_code == 409


def replace_id(task, **more):
    return {**task, "id": task["id"] + 1_000, **more}
