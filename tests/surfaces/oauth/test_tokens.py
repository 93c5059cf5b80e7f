"""Tokens: what they are good for, and what ends them."""

from __future__ import annotations

import time

import pytest

from taskpilot.access.tickets import Signer
from taskpilot.domain.caller import Caller
from taskpilot.domain.scopes import EVERY
from taskpilot.ops import logins
from tests.surfaces.oauth.flow import (
    BASE,
    CALLBACK,
    CHALLENGE,
    EMAIL,
    PASSWORD,
    VERIFIER,
    exchange,
    obtain_code,
    obtain_tokens,
    refresh,
    register,
)

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {}}
HEADERS = {"Accept": "application/json, text/event-stream"}


def reach(http, path, token):
    return http.post(path, json=PING, headers={**HEADERS, "Authorization": f"Bearer {token}"}).status_code


def revoke(http, client_id, token, **fields):
    return http.post("/oauth/revoke", data={"client_id": client_id, "token": token, **fields})


def test_a_code_brings_tokens_that_are_ours(app, http, client_id, ann):
    answer = exchange(http, client_id, obtain_code(http, client_id))
    tokens = answer.json()
    assert answer.headers["cache-control"] == "no-store"
    assert (tokens["token_type"], tokens["expires_in"]) == ("Bearer", 900)
    assert tokens["scope"] == "tasks:read tasks:write"
    ticket = Signer(app.vault).read(tokens["access_token"], app.now())
    assert ticket.audience == f"{BASE}/mcp"
    person = Caller(ann.id, "ann", "rest", scopes=EVERY)
    (login,), _ = app.run(person, logins.list_all)
    assert (login.client, login.client_id, login.kind) == ("Prog", client_id, "oauth")


@pytest.mark.parametrize("resource", [f"{BASE}/mcp", f"{BASE}/mcp/simple", f"{BASE}/mcp/native", BASE, f"{BASE}/"])
def test_a_token_is_good_at_its_own_resource_only(http, client_id, resource):
    token = obtain_tokens(http, client_id, resource=resource)["access_token"]
    for path in ("/mcp", "/mcp/simple", "/mcp/native"):
        admitted = reach(http, path, token) != 401
        assert admitted == (resource == f"{BASE}{path}"), path
    answer = http.get("/api/tasks", headers={"Authorization": f"Bearer {token}"})
    assert (answer.status_code == 200) == (resource.rstrip("/") == BASE)


def test_a_token_for_one_name_of_the_server_is_not_good_at_another(open_server, http, client_id):
    token = obtain_tokens(http, client_id)["access_token"]
    assert reach(http, "/mcp", token) != 401
    elsewhere = open_server("http://127.0.0.1:8000", auth="required")
    assert reach(elsewhere, "/mcp", token) == 401


def test_a_token_cannot_do_what_only_a_person_can(http, client_id):
    token = obtain_tokens(http, client_id, resource=BASE, scope="tasks:read tasks:write agents:run")["access_token"]
    assert http.get("/api/sessions", headers={"Authorization": f"Bearer {token}"}).status_code in (403, 404)


def test_a_code_used_twice_ends_all_that_came_of_it(http, client_id):
    code = obtain_code(http, client_id)
    tokens = exchange(http, client_id, code).json()
    assert reach(http, "/mcp", tokens["access_token"]) != 401
    again = exchange(http, client_id, code)
    assert (again.status_code, again.json()["error"]) == (400, "invalid_grant")
    await_refusal(http, tokens["access_token"])
    assert refresh(http, client_id, tokens["refresh_token"]).json()["error"] == "invalid_grant"


def await_refusal(http, token):
    """The doorkeeper hears of an ending from the log, a moment later."""
    deadline = time.monotonic() + 10
    while reach(http, "/mcp", token) != 401:
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"code_verifier": None}, "invalid_request"),
        ({"code_verifier": "short"}, "invalid_request"),
        ({"code_verifier": VERIFIER + "x"}, "invalid_grant"),
        ({"code_verifier": "é" * 50}, "invalid_request"),
        ({"redirect_uri": "http://localhost:9999/other"}, "invalid_grant"),
        ({"redirect_uri": None}, "invalid_grant"),
        ({"code": "wrong"}, "invalid_grant"),
        ({"code": None}, "invalid_request"),
        ({"resource": f"{BASE}/mcp/simple"}, "invalid_target"),
        ({"resource": "https://evil.example"}, "invalid_target"),
        ({"grant_type": "password"}, "unsupported_grant_type"),
        ({"grant_type": "client_credentials"}, "unsupported_grant_type"),
        ({"grant_type": None}, "unsupported_grant_type"),
        ({"client_id": "nobody"}, "invalid_client"),
        ({"client_id": None}, "invalid_client"),
        ({"code": ["a", "b"]}, "invalid_request"),
    ],
)
def test_a_code_is_good_for_nobody_and_nothing_else(http, client_id, changes, error):
    code = obtain_code(http, client_id)
    answer = exchange(http, client_id, code, **changes)
    assert answer.status_code == (401 if error == "invalid_client" else 400)
    assert answer.json()["error"] == error
    assert exchange(http, client_id, code, resource=f"{BASE}/mcp").status_code == 200


def test_the_challenge_itself_proves_nothing(http, client_id):
    """A downgrade to `plain` would let whoever saw the address bar in."""
    code = obtain_code(http, client_id)
    assert exchange(http, client_id, code, code_verifier=CHALLENGE).json()["error"] == "invalid_grant"


def test_a_code_holds_for_a_minute(http, client_id, clock):
    code = obtain_code(http, client_id)
    clock.forward(seconds=61)
    assert exchange(http, client_id, code).json()["error"] == "invalid_grant"


def test_another_programs_code_is_not_known(http, client_id):
    other = register(http).json()["client_id"]
    code = obtain_code(http, client_id)
    assert exchange(http, other, code).json()["error"] == "invalid_grant"
    assert exchange(http, client_id, code).status_code == 200


def test_refreshing_gives_new_tokens_and_keeps_the_terms(app, http, client_id, clock):
    first = obtain_tokens(http, client_id)
    clock.forward(minutes=16)
    assert reach(http, "/mcp", first["access_token"]) == 401
    second = refresh(http, client_id, first["refresh_token"], resource=f"{BASE}/mcp", scope=first["scope"]).json()
    assert second["scope"] == first["scope"]
    assert second["refresh_token"] != first["refresh_token"]
    assert reach(http, "/mcp", second["access_token"]) != 401
    assert reach(http, "/mcp/simple", second["access_token"]) == 401


def test_a_refresh_token_used_twice_ends_the_family(http, client_id):
    first = obtain_tokens(http, client_id)
    second = refresh(http, client_id, first["refresh_token"]).json()
    assert refresh(http, client_id, first["refresh_token"]).json()["error"] == "invalid_grant"
    await_refusal(http, second["access_token"])
    assert refresh(http, client_id, second["refresh_token"]).json()["error"] == "invalid_grant"


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"scope": "tasks:read tasks:write agents:run"}, "invalid_scope"),
        ({"scope": "tasks:read admin"}, "invalid_scope"),
        ({"scope": "nonsense"}, "invalid_scope"),
        ({"resource": f"{BASE}/mcp/simple"}, "invalid_target"),
        ({"resource": BASE}, "invalid_target"),
        ({"refresh_token": ""}, "invalid_request"),
        ({"refresh_token": "wrong"}, "invalid_grant"),
    ],
)
def test_a_refresh_token_gives_no_more_than_was_allowed(http, client_id, changes, error):
    tokens = obtain_tokens(http, client_id)
    assert refresh(http, client_id, tokens["refresh_token"], **changes).json()["error"] == error
    assert refresh(http, client_id, tokens["refresh_token"]).status_code == 200


def test_another_programs_refresh_token_is_not_known(http, client_id):
    tokens = obtain_tokens(http, client_id)
    other = register(http).json()["client_id"]
    assert refresh(http, other, tokens["refresh_token"]).json()["error"] == "invalid_grant"
    assert refresh(http, client_id, tokens["refresh_token"]).status_code == 200


def test_a_persons_own_session_is_nothing_to_a_program(http, client_id):
    """And the other way round: an OAuth refresh token does not open a session."""
    session = http.post("/api/auth/signin", json={"email": EMAIL, "password": PASSWORD}).json()
    assert refresh(http, client_id, session["refresh_token"]).json()["error"] == "invalid_grant"
    tokens = obtain_tokens(http, client_id)
    answer = http.post("/api/auth/refresh", json={"refresh_token": tokens["refresh_token"]})
    assert answer.status_code == 401
    assert refresh(http, client_id, tokens["refresh_token"]).status_code == 200


@pytest.mark.parametrize("which", ["access_token", "refresh_token"])
def test_giving_either_token_back_ends_both(http, client_id, which):
    tokens = obtain_tokens(http, client_id)
    assert reach(http, "/mcp", tokens["access_token"]) != 401
    for _ in range(2):
        assert revoke(http, client_id, tokens[which], token_type_hint=which).status_code == 200
    await_refusal(http, tokens["access_token"])
    assert refresh(http, client_id, tokens["refresh_token"]).json()["error"] == "invalid_grant"


def test_nobody_gives_back_what_is_not_theirs(http, client_id):
    tokens = obtain_tokens(http, client_id)
    other = register(http).json()["client_id"]
    session = http.post("/api/auth/signin", json={"email": EMAIL, "password": PASSWORD}).json()
    for token in (tokens["access_token"], tokens["refresh_token"], session["refresh_token"], "wrong"):
        assert revoke(http, other, token).status_code == 200
    assert refresh(http, client_id, tokens["refresh_token"]).status_code == 200
    again = http.post("/api/auth/refresh", json={"refresh_token": session["refresh_token"]})
    assert again.status_code == 200
    assert revoke(http, "nobody", "x").status_code == 401
    assert revoke(http, client_id, "").status_code == 400


def test_the_person_can_end_it_too(app, http, client_id, ann):
    tokens = obtain_tokens(http, client_id)
    assert reach(http, "/mcp", tokens["access_token"]) != 401
    person = Caller(ann.id, "ann", "rest", scopes=EVERY)
    (login,), _ = app.run(person, logins.list_all)
    app.run(person, logins.revoke, login.id)
    await_refusal(http, tokens["access_token"])


def test_a_request_in_another_shape_is_refused(http, client_id):
    form = {"grant_type": "authorization_code", "client_id": client_id, "code": "x", "redirect_uri": CALLBACK}
    assert http.post("/oauth/token", json=form).json()["error"] == "invalid_request"
    assert http.get("/oauth/token").status_code == 405
    assert http.post("/oauth/token", data=form, headers={"Authorization": "Bearer x"}).status_code == 401
    assert http.post("/oauth/token", data={"code": "x"}, auth=("%00", "x")).status_code == 401


def test_guessing_is_slow(open_server):
    http = open_server(auth="required", sign_in_limit=5)
    statuses = [refresh(http, "nobody", "x").status_code for _ in range(7)]
    assert statuses == [401] * 5 + [429] * 2
