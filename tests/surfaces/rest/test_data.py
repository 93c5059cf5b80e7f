"""Moving a user's data out and in, and the end of an account, over HTTP."""

from __future__ import annotations

import json

import pytest

from taskpilot.domain.caller import local
from taskpilot.ops import closing, tasks, users

PASSWORD = "correct horse battery"
NOW = "2026-01-01T12:00:00Z"
EMPTY = {"format": "taskpilot", "version": 1}


def a_task(number=1, **more):
    return {"id": number, "title": f"Task {number}", "created_at": NOW, "updated_at": NOW, **more}


@pytest.fixture
def web(open_client):
    return open_client(auth="required")


@pytest.fixture
def join(web):
    """A person with an account, who is signed in: their headers."""

    def join(name):
        answer = web.post("/api/auth/signup", json={"email": f"{name}@example.com", "password": PASSWORD, "name": name})
        assert answer.status_code == 201, answer.text
        return {"Authorization": f"Bearer {answer.json()['token']}"}

    return join


def test_a_document_goes_out_of_one_account_and_into_another(web, join):
    ann, bob = join("ann"), join("bob")
    for title in ("Walls", "Roof"):
        assert web.post("/api/tasks", json={"title": title, "tags": ["home"]}, headers=ann).status_code == 201
    out = web.get("/api/export", headers=ann)
    assert out.status_code == 200
    assert out.headers["content-disposition"] == 'attachment; filename="taskpilot-20260101.json"'
    document = out.json()
    assert [task["title"] for task in document["tasks"]] == ["Walls", "Roof"]
    assert PASSWORD not in out.text
    made = web.post("/api/import", content=out.content, headers={**bob, "Content-Type": "application/json"})
    assert (made.status_code, made.json()["tasks"]) == (201, 2)
    theirs = web.get("/api/tasks", headers=bob).json()
    assert [task["title"] for task in theirs["tasks"]] == ["Walls", "Roof"]
    assert not {task["id"] for task in theirs["tasks"]} & {task["id"] for task in document["tasks"]}
    assert len(web.get("/api/tasks", headers=ann).json()["tasks"]) == 2


def test_an_import_with_a_key_happens_once(client):
    document = EMPTY | {"tasks": [a_task()]}
    first = client.post("/api/import", json=document, headers={"Idempotency-Key": "k1"})
    again = client.post("/api/import", json=document, headers={"Idempotency-Key": "k1"})
    other = client.post("/api/import", json=EMPTY, headers={"Idempotency-Key": "k1"})
    assert (first.status_code, again.status_code, other.status_code) == (201, 201, 409)
    assert again.headers["Idempotency-Replayed"] == "true"
    assert first.json() == again.json()
    assert len(client.get("/api/export").json()["tasks"]) == 1


@pytest.mark.parametrize(
    ("document", "status", "words"),
    [
        ([], 422, ""),
        ({}, 422, "format"),
        (EMPTY | {"tasks": [{"id": 1}]}, 400, "tasks.0.title"),
        (EMPTY | {"tasks": [a_task(owner=2)]}, 422, "tasks.0.owner"),
        (EMPTY | {"tasks": [a_task("1")]}, 422, "tasks.0.id"),
        (EMPTY | {"surprise": []}, 422, "surprise"),
        (EMPTY | {"version": 2}, 422, "version"),
        (EMPTY | {"tasks": [a_task(), a_task()]}, 409, "tasks[1].id: 1 is there twice"),
        (EMPTY | {"tasks": [a_task(1, parent_id=2), a_task(2, parent_id=1)]}, 409, "in a circle"),
        (EMPTY | {"tasks": [a_task(1, project_id=7)]}, 409, "tasks[0].project_id: 7 is not among the projects"),
        (EMPTY | {"tasks": [a_task(connected_files=["/etc/passwd"])]}, 409, "leaves the workspace"),
    ],
)
def test_a_document_that_makes_no_sense_changes_nothing(client, document, status, words):
    answer = client.post("/api/import", json=document)
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")
    assert words in answer.json()["message"]
    assert client.get("/api/export").json()["record"]["events"] == []


def test_a_body_that_is_no_json_or_too_deep_or_too_long_is_refused(open_client):
    client = open_client(body_limit=100_000)
    send = {"headers": {"Content-Type": "application/json"}}
    assert client.post("/api/import", content=b"{", **send).status_code == 400
    assert client.post("/api/import", content=b"[" * 50_000, **send).status_code == 400
    deep = b'{"format":"taskpilot","version":1,"record":' + b'{"a":' * 10_000 + b"1" + b"}" * 10_001
    assert client.post("/api/import", content=deep, **send).status_code in (400, 422)
    long = json.dumps(EMPTY | {"tasks": [a_task(number) for number in range(1, 2_000)]})
    assert client.post("/api/import", content=long, **send).status_code == 413
    assert client.get("/api/export").json()["tasks"] == []


def test_an_account_ends_with_everything_in_it(app, web, join):
    ann, bob = join("ann"), join("bob")
    web.post("/api/tasks", json={"title": "Secret plan"}, headers=ann)
    theirs = web.post("/api/tasks", json={"title": "Bobs"}, headers=bob).json()
    web.post("/api/auth/signin", json={"email": "ann@example.com", "password": "not hers at all"})
    app.trail.flush()
    wrong = web.request("DELETE", "/api/me", json={"password": "wrong horse"}, headers=ann)
    assert (wrong.status_code, wrong.json()["message"]) == (401, "The password is not right.")
    assert web.get("/api/me", headers=ann).status_code == 200
    gone = web.request("DELETE", "/api/me", json={"password": PASSWORD}, headers=ann)
    assert (gone.status_code, gone.content) == (204, b"")
    assert web.get("/api/me", headers=ann).status_code == 401
    assert web.get(f"/api/tasks/{theirs['id']}", headers=bob).status_code == 200
    app.trail.flush()
    assert "ann@" not in dump(app)
    assert "Secret plan" not in dump(app)
    signin = web.post("/api/auth/signin", json={"email": "ann@example.com", "password": PASSWORD})
    assert signin.status_code == 401
    assert join("ann")


def dump(app):
    with app.database.reading() as db:
        if db.dialect == "sqlite":
            names = [row["name"] for row in db.all("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        else:
            rows = db.all("SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'")
            names = [row["table_name"] for row in rows]
        return str([db.all(f"SELECT * FROM {name}") for name in names])


def test_a_token_is_not_enough_to_end_an_account(web, join):
    ann = join("ann")
    made = web.post("/api/tokens", json={"name": "t", "scopes": ["tasks:read", "tasks:write"]}, headers=ann)
    assert made.status_code == 201, made.text
    token = {"Authorization": f"Bearer {made.json()['token']}"}
    refused = web.request("DELETE", "/api/me", json={"password": PASSWORD}, headers=token)
    assert (refused.status_code, refused.json()["error"]) == (403, "insufficient_scope")
    assert web.get("/api/me", headers=ann).status_code == 200


def test_a_token_that_only_reads_exports_and_does_not_import(web, join):
    ann = join("ann")
    made = web.post("/api/tokens", json={"name": "t", "scopes": ["tasks:read"]}, headers=ann)
    token = {"Authorization": f"Bearer {made.json()['token']}"}
    assert web.get("/api/export", headers=token).status_code == 200
    assert web.post("/api/import", json=EMPTY, headers=token).status_code == 403


def test_the_local_user_stays(client):
    answer = client.request("DELETE", "/api/me", json={"password": PASSWORD})
    assert answer.status_code == 409
    assert "data folder" in answer.json()["detail"]


def test_an_administrator_can_delete_somebody(app, web, join):
    join("ann")
    admin = local("cli")
    app.run(admin, closing.remove, "ann@example.com", reason="Asked for it")
    assert [user.email for user in app.run(admin, users.list_all)[0] if user.id != 1] == []
    assert app.run(admin, tasks.create, [{"title": "Still here"}]).tasks
