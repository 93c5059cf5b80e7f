"""Personal access tokens over HTTP."""

from __future__ import annotations

import pytest

NEW = {"name": "bot", "scopes": ["tasks:read"]}
ANN = {"email": "ann@example.com", "password": "correct horse"}


@pytest.fixture
def door(open_client):
    return open_client(auth="required", sign_in_limit=0)


@pytest.fixture
def ann(door):
    return {"Authorization": f"Bearer {door.post('/api/auth/signup', json=ANN).json()['token']}"}


def bearing(answer):
    return {"Authorization": f"Bearer {answer.json()['token']}"}


def test_a_token_is_shown_once(app, door, ann):
    made = door.post("/api/tokens", json=NEW | {"expires_in_days": 30}, headers=ann)
    assert (made.status_code, made.headers["Location"]) == (201, "/api/tokens/1")
    shown = made.json()
    assert shown["token"].startswith("tp_1_")
    assert (shown["scopes"], shown["expires_at"], shown["expired"]) == (["tasks:read"], "2026-01-31T12:00:00Z", False)
    secret = shown.pop("token")
    assert door.get("/api/tokens", headers=ann).json() == {"tokens": [shown], "total": 1}
    assert door.get(made.headers["Location"], headers=ann).json() == shown
    with app.database.reading() as db:
        kept = str([dict(row) for table in ("access_token", "event") for row in db.all(f"SELECT * FROM {table}")])
    assert secret.rpartition("_")[2] not in kept


def test_a_repeated_create_makes_one_token_and_never_keeps_its_secret(app, door, ann):
    key = {"Idempotency-Key": "once"}
    made = door.post("/api/tokens", json=NEW, headers=ann | key)
    again = door.post("/api/tokens", json=NEW, headers=ann | key)
    assert (again.status_code, again.headers["Idempotency-Replayed"]) == (201, "true")
    assert again.json() == made.json() | {"token": None}
    assert again.headers["Location"] == made.headers["Location"]
    assert door.get("/api/tokens", headers=ann).json()["total"] == 1
    assert door.post("/api/tokens", json=NEW | {"name": "other"}, headers=ann | key).status_code == 409
    with app.database.reading() as db:
        (row,) = db.all("SELECT * FROM kept_answer")
    assert made.json()["token"][5:] not in row["body"]


def test_a_token_reaches_as_far_as_its_scopes(door, ann):
    reader = bearing(door.post("/api/tokens", json=NEW, headers=ann))
    assert door.get("/api/me", headers=reader).status_code == 200
    for method, path, body in (
        ("POST", "/api/tokens", NEW),
        ("GET", "/api/tokens", None),
        ("PATCH", "/api/me", {"name": "x"}),
        ("GET", "/api/admin/users", None),
    ):
        refused = door.request(method, path, json=body, headers=reader)
        assert (refused.status_code, refused.json()["error"]) == (403, "insufficient_scope")
        assert "insufficient_scope" in refused.headers["WWW-Authenticate"]


def test_an_idempotency_key_does_not_let_a_token_make_tokens(door, ann):
    writer = bearing(door.post("/api/tokens", json=NEW | {"scopes": ["tasks:write"]}, headers=ann))
    refused = door.post("/api/tokens", json=NEW, headers=writer | {"Idempotency-Key": "k"})
    assert (refused.status_code, refused.json()["error"]) == (403, "insufficient_scope")
    assert door.get("/api/tokens", headers=ann).json()["total"] == 1


def test_nobody_gives_what_they_do_not_have(door, ann, client):
    refused = door.post("/api/tokens", json=NEW | {"scopes": ["admin"]}, headers=ann)
    assert refused.status_code == 403
    assert client.post("/api/tokens", json=NEW | {"scopes": ["admin"]}).status_code == 403


def test_a_revoked_token_stops_at_once(door, ann):
    token = bearing(door.post("/api/tokens", json=NEW, headers=ann))
    assert door.get("/api/me", headers=token).status_code == 200
    assert door.delete("/api/tokens/1", headers=ann).status_code == 204
    assert door.get("/api/me", headers=token).status_code == 401
    assert door.get("/api/tokens/1", headers=ann).status_code == 404
    assert door.get("/api/tokens", headers=ann).json() == {"tokens": [], "total": 0}


def test_a_token_runs_out(door, ann, clock):
    token = bearing(door.post("/api/tokens", json=NEW | {"expires_in_days": 1}, headers=ann))
    assert door.get("/api/me", headers=token).status_code == 200
    clock.forward(days=1)
    assert door.get("/api/me", headers=token).status_code == 401


def test_using_a_token_is_noted(app, door, ann):
    token = bearing(door.post("/api/tokens", json=NEW, headers=ann))
    door.get("/api/me", headers=token)
    app.trail.flush()
    assert door.get("/api/tokens/1", headers=ann).json()["last_used_at"] == "2026-01-01T12:00:00Z"


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"name": "bot", "scopes": []},
        {"name": "bot", "scopes": ["root"]},
        {"name": "bot", "scopes": ["account"]},
        {"name": " \u200b", "scopes": ["tasks:read"]},
        {"name": "x" * 101, "scopes": ["tasks:read"]},
        {"name": "bot", "scopes": ["tasks:read"], "expires_in_days": 0},
        {"name": "bot", "scopes": ["tasks:read"], "expires_in_days": "5"},
        {"name": "bot", "scopes": ["tasks:read"], "expires_in_days": 2.5},
        {"name": "bot", "scopes": ["tasks:read"], "hash": "x"},
    ],
)
def test_what_cannot_be_a_token_is_refused(client, body):
    assert client.post("/api/tokens", json=body).status_code == 422
    assert client.get("/api/tokens").json()["total"] == 0


def test_a_strangers_token_does_not_exist(door, ann, client):
    client.post("/api/tokens", json=NEW)
    assert door.get("/api/tokens/1", headers=ann).status_code == 404
    assert door.delete("/api/tokens/1", headers=ann).status_code == 404
    assert client.get("/api/tokens").json()["total"] == 1
