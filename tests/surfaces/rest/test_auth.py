"""Signing up, in and out, over HTTP."""

from __future__ import annotations

import pytest

from taskpilot.ops import users

ANN = {"email": "ann@example.com", "password": "correct horse"}


@pytest.fixture
def door(open_client):
    """A server where everybody has to sign in."""
    return open_client(auth="required", sign_in_limit=0)


@pytest.fixture
def ann(door):
    answer = door.post("/api/auth/signup", json=ANN | {"name": "Ann"})
    assert answer.status_code == 201
    return answer.json()


def bearing(token):
    return {"Authorization": f"Bearer {token}"}


def calls(app):
    app.trail.flush()
    with app.database.reading() as db:
        return [
            (row["owner_id"], row["actor"], row["address"], row["tool"], row["outcome"])
            for row in db.all("SELECT * FROM call_log ORDER BY id")
        ]


def test_signing_up_answers_with_the_user_and_tokens(door, clock):
    answer = door.post("/api/auth/signup", json={"email": "Ann@Example.com", "password": "12345678"})
    assert (answer.status_code, answer.headers["Location"]) == (201, "/api/me")
    given = answer.json()
    assert set(given) == {"user", "token", "refresh_token", "expires_at"}
    assert given["expires_at"] == "2026-01-01T12:15:00Z"
    user = given["user"]
    assert (user["email"], user["handle"], user["number"], user["admin"]) == ("ann@example.com", "ann", 2, False)
    assert door.get("/api/me", headers=bearing(given["token"])).json() == user


def test_signing_in_answers_the_same(door, ann):
    answer = door.post("/api/auth/signin", json={**ANN, "email": "ANN@example.com"})
    assert answer.status_code == 200
    assert answer.json()["user"] == ann["user"]
    assert set(answer.json()) == set(ann)


def test_an_address_that_is_taken_is_a_conflict(door, ann):
    answer = door.post("/api/auth/signup", json=ANN | {"email": "ANN@EXAMPLE.COM"})
    assert (answer.status_code, answer.json()["error"]) == (409, "conflict")


def test_wrong_credentials_are_401_whoever_it_is_and_noted_without_the_password(app, door, ann):
    answers = [
        door.post("/api/auth/signin", json={"email": email, "password": "my secret"})
        for email in ("Ann@example.com", "nobody@example.com", "no\u202e address")
    ]
    assert {answer.status_code for answer in answers} == {401}
    assert len({answer.text for answer in answers}) == 1
    assert calls(app)[-3:] == [
        (None, actor, "testclient", "POST /api/auth/signin", "unauthenticated")
        for actor in ("ann@example.com", "nobody@example.com", "no address")
    ]
    assert "my secret" not in str(calls(app))


def test_a_failure_in_local_mode_is_nobodys_too(app, client):
    assert client.post("/api/auth/signin", json=ANN).status_code == 401
    assert calls(app)[-1][:2] == (None, "ann@example.com")


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"email": "ann", "password": "correct horse"},
        {"email": "ann@example.com", "password": "1234567"},
        {"email": "ann@example.com", "password": "x" * 1001},
        {"email": "ann@example.com", "password": 12345678},
        {"email": "a\0nn@example.com", "password": "correct horse"},
        {"email": "ann@example.com\n", "password": "correct horse"},
        {"email": "ann@example.com", "password": "correct horse", "admin": True},
        {"email": "ann@example.com", "password": "correct horse", "name": "x" * 101},
    ],
)
def test_what_cannot_be_an_account_is_refused(do, door, body):
    answer = door.post("/api/auth/signup", json=body)
    assert (answer.status_code, answer.headers["content-type"]) == (422, "application/problem+json")
    assert do(users.list_all)[1] == 1


@pytest.mark.parametrize("sign_up", ["closed", "invitation"])
def test_a_server_may_take_no_strangers(open_client, sign_up):
    answer = open_client(sign_up=sign_up).post("/api/auth/signup", json=ANN | {"invitation": "guess"})
    assert (answer.status_code, answer.json()["error"]) == (403, "forbidden")


def test_a_refresh_token_rotates_and_its_copy_ends_everything(door, ann):
    second = door.post("/api/auth/refresh", json={"refresh_token": ann["refresh_token"]})
    assert second.status_code == 200
    assert door.get("/api/me", headers=bearing(second.json()["token"])).status_code == 200
    copied = door.post("/api/auth/refresh", json={"refresh_token": ann["refresh_token"]})
    assert (copied.status_code, copied.json()["error"]) == (401, "unauthenticated")
    assert door.post("/api/auth/refresh", json={"refresh_token": second.json()["refresh_token"]}).status_code == 401
    # The news comes by the feed: within moments, and the token itself is over after a quarter of an hour anyway.
    assert_soon(lambda: door.get("/api/me", headers=bearing(second.json()["token"])).status_code == 401)


def assert_soon(check):
    import time

    until = time.monotonic() + 10
    while not check():
        assert time.monotonic() < until
        time.sleep(0.02)


def test_a_token_that_has_run_out_is_refused_and_can_be_refreshed(door, ann, clock):
    clock.forward(minutes=15)
    assert door.get("/api/me", headers=bearing(ann["token"])).status_code == 401
    fresh = door.post("/api/auth/refresh", json={"refresh_token": ann["refresh_token"]}).json()
    assert door.get("/api/me", headers=bearing(fresh["token"])).status_code == 200


def test_signing_out_stops_the_token_at_once(door, ann):
    mine = bearing(ann["token"])
    assert door.get("/api/me", headers=mine).status_code == 200
    assert door.post("/api/auth/signout", headers=mine).status_code == 204
    assert door.get("/api/me", headers=mine).status_code == 401
    assert door.post("/api/auth/refresh", json={"refresh_token": ann["refresh_token"]}).status_code == 401


def test_the_local_user_needs_no_signing_out_and_a_token_cannot(door, ann, client):
    assert client.post("/api/auth/signout").status_code == 204
    made = door.post("/api/tokens", json={"name": "bot", "scopes": ["tasks:write"]}, headers=bearing(ann["token"]))
    for method, path, body in (
        ("POST", "/api/auth/signout", None),
        ("GET", "/api/auth/sessions", None),
        ("DELETE", "/api/auth/sessions", None),
        ("POST", "/api/auth/password", {"current_password": "correct horse", "new_password": "better horse"}),
    ):
        answer = door.request(method, path, json=body, headers=bearing(made.json()["token"]))
        assert (answer.status_code, answer.json()["error"]) == (403, "insufficient_scope")
        assert "signed in" in answer.json()["message"]


def test_another_password_ends_the_other_logins_at_once(door, ann):
    other = door.post("/api/auth/signin", json=ANN).json()
    assert door.get("/api/me", headers=bearing(other["token"])).status_code == 200
    change = {"current_password": "wrong", "new_password": "better horse"}
    assert door.post("/api/auth/password", json=change, headers=bearing(ann["token"])).status_code == 401
    change["current_password"] = ANN["password"]
    assert door.post("/api/auth/password", json=change, headers=bearing(ann["token"])).status_code == 204
    assert door.get("/api/me", headers=bearing(other["token"])).status_code == 401
    assert door.get("/api/me", headers=bearing(ann["token"])).status_code == 200
    assert door.post("/api/auth/signin", json=ANN).status_code == 401
    assert door.post("/api/auth/signin", json=ANN | {"password": "better horse"}).status_code == 200


def test_sessions_are_listed_and_ended(door, ann):
    others = [
        door.post("/api/auth/signin", json=ANN, headers={"User-Agent": f"browser {number}"}).json()
        for number in range(3)
    ]
    mine = bearing(ann["token"])
    listed = door.get("/api/auth/sessions", headers=mine).json()
    assert listed["total"] == 4
    assert [each["current"] for each in listed["sessions"]] == [False, False, False, True]
    assert listed["sessions"][0]["client"] == "browser 2"
    assert door.delete(f"/api/auth/sessions/{listed['sessions'][0]['id']}", headers=mine).status_code == 204
    assert door.get("/api/me", headers=bearing(others[2]["token"])).status_code == 401
    assert door.delete("/api/auth/sessions", headers=mine).status_code == 204
    assert door.get("/api/me", headers=bearing(others[0]["token"])).status_code == 401
    assert door.get("/api/auth/sessions", headers=mine).json()["total"] == 1
    assert door.get("/api/auth/sessions?limit=1&offset=1", headers=mine).json() == {"sessions": [], "total": 1}


def test_a_strangers_session_does_not_exist(door, ann):
    bob = door.post("/api/auth/signup", json={"email": "bob@example.com", "password": "correct horse"}).json()
    number = door.get("/api/auth/sessions", headers=bearing(ann["token"])).json()["sessions"][0]["id"]
    assert door.delete(f"/api/auth/sessions/{number}", headers=bearing(bob["token"])).status_code == 404
    assert door.delete("/api/auth/sessions/99999", headers=bearing(bob["token"])).status_code == 404
    assert door.get("/api/me", headers=bearing(ann["token"])).status_code == 200


def test_guessing_becomes_slow(door, ann, open_client):
    for _ in range(9):
        assert door.post("/api/auth/signin", json=ANN | {"password": "wrong"}).status_code == 401
    door.post("/api/auth/signin", json=ANN | {"password": "wrong"})
    answer = door.post("/api/auth/signin", json=ANN)
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "30")
    assert door.get("/api/me", headers=bearing(ann["token"])).status_code == 200


def test_an_old_token_does_not_keep_anybody_from_signing_in(door, ann):
    old = bearing("x.y.z")
    assert door.post("/api/auth/signin", json=ANN, headers=old).status_code == 200
