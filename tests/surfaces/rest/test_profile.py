"""`/api/me` over HTTP."""

from __future__ import annotations

import pytest

ANN = {"email": "ann@example.com", "password": "correct horse", "name": "Ann"}


@pytest.fixture
def ann(open_client):
    """A client that is signed in."""
    client = open_client(auth="required", sign_in_limit=0)
    client.headers["Authorization"] = f"Bearer {client.post('/api/auth/signup', json=ANN).json()['token']}"
    return client


def test_in_local_mode_one_is_the_local_user(client):
    answer = client.get("/api/me")
    assert answer.headers["ETag"] == '"1"'
    assert (answer.json()["handle"], answer.json()["number"], answer.json()["email"]) == ("dev-user", 1, None)
    assert client.patch("/api/me", json={"name": "Me"}).json()["name"] == "Me"
    assert client.patch("/api/me", json={"handle": "other"}).status_code == 409
    refused = client.patch("/api/me", json={"email": "me@example.com", "current_password": ""})
    assert (refused.status_code, "--local" in refused.json()["detail"]) == (409, True)


def test_a_profile_is_changed_on_the_version_one_has_seen(ann):
    seen = ann.get("/api/me").headers["ETag"]
    changed = ann.patch("/api/me", json={"name": "Anna", "handle": "anna"}, headers={"If-Match": seen})
    assert (changed.status_code, changed.headers["ETag"]) == (200, '"2"')
    assert (changed.json()["name"], changed.json()["handle"]) == ("Anna", "anna")
    stale = ann.patch("/api/me", json={"name": "Other"}, headers={"If-Match": seen})
    assert (stale.status_code, ann.get("/api/me").json()["name"]) == (409, "Anna")
    assert ann.patch("/api/me", json={}).headers["ETag"] == '"2"'


def test_another_email_takes_the_current_password(ann):
    new = {"email": "Anna@example.com"}
    assert ann.patch("/api/me", json=new).status_code == 403
    assert ann.patch("/api/me", json=new | {"current_password": "wrong"}).status_code == 401
    assert ann.get("/api/me").json()["email"] == "ann@example.com"
    changed = ann.patch("/api/me", json=new | {"current_password": ANN["password"]})
    assert changed.json()["email"] == "anna@example.com"
    assert ann.post("/api/auth/signin", json=ANN | {"email": "anna@example.com"}).status_code == 422  # a stray name
    assert ann.post("/api/auth/signin", json=new | {"password": ANN["password"]}).status_code == 200


@pytest.mark.parametrize(
    "body", [{"name": 5}, {"name": "x" * 101}, {"handle": "A B"}, {"email": "x"}, {"admin": True}, {"version": 1}, []]
)
def test_what_cannot_be_a_profile_is_refused(ann, body):
    assert ann.patch("/api/me", json=body).status_code == 422
    assert ann.get("/api/me").headers["ETag"] == '"1"'


def test_settings_are_shown_changed_and_set_whole(ann):
    shown = ann.get("/api/me/settings")
    assert shown.json() == {"time_zone": "UTC", "theme": "system", "week_start": "monday", "version": 1}
    changed = ann.patch("/api/me/settings", json={"time_zone": "America/New_York"}, headers={"If-Match": '"1"'})
    assert (changed.json()["time_zone"], changed.headers["ETag"]) == ("America/New_York", '"2"')
    whole = ann.put("/api/me/settings", json={"theme": "dark"})
    assert whole.json() == {"time_zone": "UTC", "theme": "dark", "week_start": "monday", "version": 3}
    assert ann.put("/api/me/settings", json={}, headers={"If-Match": '"1"'}).status_code == 409


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"time_zone": "Mars/Base"}, 404),
        ({"time_zone": "../../etc/passwd"}, 422),
        ({"theme": "pink"}, 422),
        ({"week_start": 1}, 422),
        ({"colour": "red"}, 422),
    ],
)
def test_settings_that_mean_nothing_are_refused(ann, body, status):
    assert ann.patch("/api/me/settings", json=body).status_code == status
    assert ann.get("/api/me/settings").headers["ETag"] == '"1"'
