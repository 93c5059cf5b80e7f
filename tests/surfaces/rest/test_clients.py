"""Programs that act for somebody: seen, and sent away."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

from taskpilot import contracts
from taskpilot.access.passwords import hash_password
from taskpilot.ops import users
from taskpilot.server import build
from taskpilot.settings import Settings
from tests.surfaces.oauth.flow import EMAIL, PASSWORD, obtain_tokens, register
from tests.surfaces.oauth.flow import refresh as renew
from tests.surfaces.rest.bearers import give_token
from tests.surfaces.rest.conftest import BASE

PING = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}


@pytest.fixture
def http(app, do, tmp_path):
    """A server that requires signing in, where Ann is known."""
    do(users.add, EMAIL, hash_password(PASSWORD))
    settings = Settings(data_dir=tmp_path / "data", auth="required", sign_in_limit=0)
    with TestClient(build(settings, app, [contracts.load("native")]), base_url=BASE) as http:
        yield http


@pytest.fixture
def ann(http):
    """The headers of somebody who signed in."""
    entered = http.post("/api/auth/signin", json={"email": EMAIL, "password": PASSWORD}).json()
    return {"Authorization": f"Bearer {entered['token']}"}


def ask(http, token):
    """The status of a call at the address the token is for."""
    headers = {"Authorization": f"Bearer {token}", "Accept": "application/json, text/event-stream"}
    return http.post("/mcp", json=PING, headers=headers).status_code


def test_a_connected_program_is_shown(http, ann):
    client_id = register(http).json()["client_id"]
    obtain_tokens(http, client_id)
    (shown,) = http.get("/api/oauth-clients", headers=ann).json()["clients"]
    assert len(shown.pop("id")) == 16
    assert shown == {
        "client_id": client_id,
        "name": "Prog",
        "host": "",
        "scopes": ["tasks:read", "tasks:write"],
        "resources": [f"{BASE}/mcp"],
        "logins": 1,
        "connected_at": "2026-01-01T12:00:00Z",
        "last_used_at": "2026-01-01T12:00:00Z",
    }


def test_the_tokens_of_a_program_that_is_sent_away_stop_working(http, ann):
    client_id = register(http).json()["client_id"]
    given = obtain_tokens(http, client_id)
    assert ask(http, given["access_token"]) != 401
    (shown,) = http.get("/api/oauth-clients", headers=ann).json()["clients"]
    assert http.delete(f"/api/oauth-clients/{shown['id']}", headers=ann).status_code == 204
    assert ask(http, given["access_token"]) == 401
    assert renew(http, client_id, given["refresh_token"]).status_code == 400
    assert http.get("/api/oauth-clients", headers=ann).json() == {"clients": []}
    assert http.delete(f"/api/oauth-clients/{shown['id']}", headers=ann).status_code == 404


def test_a_stranger_gets_nowhere(http, ann):
    given = obtain_tokens(http, register(http).json()["client_id"])
    (shown,) = http.get("/api/oauth-clients", headers=ann).json()["clients"]
    body = {"email": "bob@example.com", "password": "another good password"}
    bob = {"Authorization": f"Bearer {http.post('/api/auth/signup', json=body).json()['token']}"}
    assert http.get("/api/oauth-clients", headers=bob).json() == {"clients": []}
    assert http.delete(f"/api/oauth-clients/{shown['id']}", headers=bob).status_code == 404
    assert ask(http, given["access_token"]) != 401


def test_a_token_of_a_program_is_not_enough(app, http):
    headers = {"Authorization": f"Bearer {give_token(app)}"}
    assert http.get("/api/oauth-clients", headers=headers).status_code == 403
    assert http.delete(f"/api/oauth-clients/{'0' * 16}", headers=headers).status_code == 403


@pytest.mark.parametrize("key", ["x", "0" * 15, "0" * 17, "G" * 16])
def test_what_cannot_be_an_id_is_refused(client, key):
    assert client.delete(f"/api/oauth-clients/{key}").status_code in (400, 422)
    assert client.delete(f"/api/oauth-clients/{'0' * 16}").status_code == 404
