"""Invitations and accounts, for administrators, over HTTP."""

from __future__ import annotations

import pytest

from taskpilot.ops import users

ANN = {"email": "ann@example.com", "password": "correct horse"}
BOB = {"email": "bob@example.com", "password": "correct horse"}


@pytest.fixture
def door(open_client):
    return open_client(auth="required", sign_up="invitation", sign_in_limit=0)


@pytest.fixture
def admin(do, door):
    """Somebody the command line made an administrator."""
    from taskpilot.access.passwords import hash_password

    do(users.add, ANN["email"], hash_password(ANN["password"]), admin=True)
    return bearing(door.post("/api/auth/signin", json=ANN))


def bearing(answer):
    return {"Authorization": f"Bearer {answer.json()['token']}"}


def test_whoever_is_invited_can_sign_up_once(door, admin):
    made = door.post("/api/admin/invitations", json={"email": "Bob@example.com"}, headers=admin)
    assert (made.status_code, made.headers["Location"]) == (201, "/api/admin/invitations/1")
    code = made.json()["code"]
    shown = door.get(made.headers["Location"], headers=admin).json()
    assert shown | {"code": code} == made.json()
    assert door.post("/api/auth/signup", json=BOB).status_code == 403
    assert door.post("/api/auth/signup", json=BOB | {"email": "eve@x.y", "invitation": code}).status_code == 403
    assert door.post("/api/auth/signup", json=BOB | {"invitation": code}).status_code == 201
    assert door.post("/api/auth/signup", json=BOB | {"email": "bob@x.y", "invitation": code}).status_code == 403
    assert door.get("/api/admin/invitations", headers=admin).json() == {"invitations": [], "total": 0}


def test_an_invitation_is_taken_back(door, admin):
    code = door.post("/api/admin/invitations", json={}, headers=admin).json()["code"]
    assert door.get("/api/admin/invitations", headers=admin).json()["total"] == 1
    assert door.delete("/api/admin/invitations/1", headers=admin).status_code == 204
    assert door.post("/api/auth/signup", json=BOB | {"invitation": code}).status_code == 403
    assert door.delete("/api/admin/invitations/9", headers=admin).status_code == 404


def test_a_repeated_create_never_keeps_the_code(app, door, admin):
    key = {"Idempotency-Key": "once"}
    code = door.post("/api/admin/invitations", json={}, headers=admin | key).json()["code"]
    assert door.post("/api/admin/invitations", json={}, headers=admin | key).json()["code"] is None
    with app.database.reading() as db:
        assert code not in str([dict(row) for row in db.all("SELECT * FROM kept_answer")])


@pytest.mark.parametrize("body", [{"expires_in_days": 0}, {"expires_in_days": 366}, {"email": "x"}, {"code": "mine"}])
def test_what_cannot_be_an_invitation_is_refused(client, body):
    assert client.post("/api/admin/invitations", json=body).status_code == 422


def test_only_administrators_come_here(door, admin):
    code = door.post("/api/admin/invitations", json={}, headers=admin).json()["code"]
    bob = door.post("/api/auth/signup", json=BOB | {"invitation": code})
    for method, path, body in (
        ("GET", "/api/admin/invitations", None),
        ("POST", "/api/admin/invitations", {}),
        ("GET", "/api/admin/users", None),
        ("PATCH", f"/api/admin/users/{bob.json()['user']['id']}", {"disabled": False}),
    ):
        refused = door.request(method, path, json=body, headers=bearing(bob))
        assert (refused.status_code, refused.json()["error"]) == (403, "insufficient_scope")


def test_a_disabled_user_is_out_at_once_with_login_and_tokens(door, admin):
    code = door.post("/api/admin/invitations", json={}, headers=admin).json()["code"]
    signed_up = door.post("/api/auth/signup", json=BOB | {"invitation": code})
    bob, number = bearing(signed_up), signed_up.json()["user"]["id"]
    token = bearing(door.post("/api/tokens", json={"name": "bot", "scopes": ["tasks:read"]}, headers=bob))
    assert {door.get("/api/me", headers=each).status_code for each in (bob, token)} == {200}
    disabled = door.patch(f"/api/admin/users/{number}", json={"disabled": True}, headers=admin)
    assert (disabled.status_code, disabled.json()["disabled_at"]) == (200, "2026-01-01T12:00:00Z")
    assert {door.get("/api/me", headers=each).status_code for each in (bob, token)} == {401}
    assert door.post("/api/auth/signin", json=BOB).status_code == 401
    listed = door.get("/api/admin/users", headers=admin).json()
    assert [user["disabled_at"] is None for user in listed["users"]] == [True, True, False]
    door.patch(f"/api/admin/users/{number}", json={"disabled": False}, headers=admin)
    assert door.get("/api/me", headers=token).status_code == 200
    assert door.get("/api/me", headers=bob).status_code == 401
    assert door.post("/api/auth/signin", json=BOB).status_code == 200


def test_an_account_that_is_not_there_or_ones_own_is_not_disabled(door, admin):
    mine = door.get("/api/me", headers=admin).json()["id"]
    assert door.patch(f"/api/admin/users/{mine}", json={"disabled": True}, headers=admin).status_code == 409
    missing = "00000000-0000-0000-0000-000000000000"
    assert door.patch(f"/api/admin/users/{missing}", json={"disabled": True}, headers=admin).status_code == 404
    assert door.get("/api/admin/users/1", headers=admin).status_code == 422


def test_an_administrator_deletes_an_account_for_good(door, admin):
    code = door.post("/api/admin/invitations", json={}, headers=admin).json()["code"]
    bob = bearing(door.post("/api/auth/signup", json=BOB | {"invitation": code}))
    number = door.get("/api/me", headers=bob).json()["number"]
    users_known = door.get("/api/admin/users", headers=admin).json()["users"]
    who = next(each["id"] for each in users_known if each["number"] == number)
    assert door.delete(f"/api/admin/users/{who}", headers=bob).status_code == 403
    assert door.delete(f"/api/admin/users/{who}", headers=admin).status_code == 204
    assert door.get("/api/me", headers=bob).status_code == 401
    assert door.post("/api/auth/signin", json=BOB).status_code == 401
    assert door.delete(f"/api/admin/users/{who}", headers=admin).status_code == 404
