"""The question and its answer: who may ask, who may answer, and what nobody can make a browser do."""

from __future__ import annotations

import re

import pytest

from taskpilot.access.passwords import hash_password
from taskpilot.domain.caller import unknown
from taskpilot.ops import oauth, users
from tests.surfaces.oauth.flow import (
    BASE,
    CALLBACK,
    EMAIL,
    PASSWORD,
    ask,
    decide,
    exchange,
    obtain_tokens,
    open_page,
    read_answer,
    read_form,
    register,
)

WEB = "https://good.example/cb?keep=1"


def test_a_person_sees_who_asks_for_what_and_allows_it(http, client_id):
    page = open_page(http, ask(http, client_id))
    assert page.status_code == 200
    for words in ("Prog asks to use your TaskPilot", "See your tasks", "Add, change and delete", "localhost:9999"):
        assert words in page.text
    assert "agents" not in page.text
    answer = decide(http, page)
    assert answer.headers["location"].startswith(f"{CALLBACK}?")
    told = read_answer(answer)
    assert (told.keys(), told["state"], told["iss"]) == ({"code", "state", "iss"}, "st&te", BASE)
    assert exchange(http, client_id, told["code"]).status_code == 200


def test_no_is_told_to_the_program_and_needs_no_password(http, client_id):
    page = open_page(http, ask(http, client_id))
    told = read_answer(decide(http, page, "deny", email="", password=""))
    assert (told["error"], told["state"], told["iss"]) == ("access_denied", "st&te", BASE)
    assert decide(http, page).status_code == 404


def test_a_question_can_be_answered_once(http, client_id):
    page = open_page(http, ask(http, client_id))
    assert decide(http, page).status_code == 303
    assert decide(http, page).status_code == 404


def test_a_question_waits_ten_minutes(http, client_id, clock):
    asked = ask(http, client_id)
    page = open_page(http, asked)
    clock.forward(minutes=11)
    assert decide(http, page).status_code == 404
    assert http.get(asked.headers["location"]).status_code == 404


@pytest.mark.parametrize(
    "claim", [{"password": "wrong"}, {"email": "bob@example.com"}, {"email": ""}, {"password": ""}, {"email": "\0"}]
)
def test_a_wrong_password_asks_again_and_gives_nothing(app, do, http, client_id, claim):
    page = open_page(http, ask(http, client_id))
    again = decide(http, page, **claim)
    assert again.status_code == 403
    assert "The email or the password is not right." in again.text
    assert PASSWORD not in again.text
    assert decide(http, again).status_code == 303


def test_a_closed_account_cannot_allow_anything(http, client_id, do, ann):
    page = open_page(http, ask(http, client_id))
    do(users.disable, ann.id)
    assert decide(http, page).status_code == 403


def test_without_sign_in_the_yes_is_enough(open_server):
    http = open_server()
    name = register(http).json()["client_id"]
    page = open_page(http, ask(http, name))
    assert "assword" not in page.text
    told = read_answer(decide(http, page))
    token = exchange(http, name, told["code"]).json()["access_token"]
    assert token.count(".") == 2


def test_a_bearer_token_cannot_stand_in_for_the_person(open_server, client_id, http):
    """Else whatever was given a little could give itself more."""
    token = obtain_tokens(http, client_id)["access_token"]
    local = open_server()
    page = open_page(local, ask(local, client_id))
    local.headers["Authorization"] = f"Bearer {token}"
    assert decide(local, page, email="", password="").status_code == 403


def test_the_yes_is_in_the_log_and_no_secret_is(app, do, http, client_id, ann):
    tokens = obtain_tokens(http, client_id)
    with app.database.reading() as db:
        rows = db.all("SELECT kind, owner_id, after_fields FROM event ORDER BY id")
        everything = str([db.all(f"SELECT * FROM {table}") for table in ("event", "oauth_request", "refresh_token")])
    kinds = [row["kind"] for row in rows if row["owner_id"] == ann.id]
    assert kinds[-2:] == ["client.allowed", "login.created"]
    for secret in (tokens["refresh_token"], tokens["access_token"], PASSWORD):
        assert secret not in everything


# What a page elsewhere might try


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://localhost:5173", "http://127.0.0.1:8000", ""]
)
def test_a_form_from_elsewhere_is_refused(http, client_id, origin):
    page = open_page(http, ask(http, client_id))
    assert decide(http, page, origin=origin).status_code == 403
    assert decide(http, page).status_code == 303


@pytest.mark.parametrize("token", ["", "x", "0" * 64, "é"])
def test_a_form_without_its_seal_is_refused(http, client_id, token):
    page = open_page(http, ask(http, client_id))
    assert decide(http, page, token=token).status_code == 403


def test_a_seal_counts_for_its_browser_and_its_question_only(http, client_id):
    mine = open_page(http, ask(http, client_id))
    seal = read_form(mine.text)["token"]
    other = open_page(http, ask(http, client_id))
    assert decide(http, other, token=seal).status_code == 403
    http.cookies.clear()
    assert decide(http, mine).status_code == 403
    theirs = open_page(http, ask(http, client_id))
    assert decide(http, mine).status_code == 403
    assert decide(http, theirs).status_code == 303


def test_two_questions_can_be_open_in_one_browser(http, client_id):
    first, second = (open_page(http, ask(http, client_id)) for _ in range(2))
    assert decide(http, first).status_code == 303
    assert decide(http, second).status_code == 303


def test_the_page_cannot_be_framed_or_scripted(http, client_id):
    page = open_page(http, ask(http, client_id))
    policy = page.headers["content-security-policy"]
    assert "frame-ancestors 'none'" in policy
    assert "default-src 'none'" in policy
    assert "form-action 'self' http://localhost:9999;" in policy
    assert "script" not in policy
    assert page.headers["x-frame-options"] == "DENY"
    assert page.headers["cache-control"] == "no-store"
    assert page.headers["referrer-policy"] == "same-origin"
    assert "<script" not in page.text
    cookie = page.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie


def test_over_https_the_cookie_is_bound_to_the_host(open_server, ann):
    base = "https://tasks.example.com"
    http = open_server(base, auth="required", sign_in_limit=0, public_url=base)
    name = register(http).json()["client_id"]
    page = open_page(http, ask(http, name, resource=f"{base}/mcp"))
    assert re.match(r"__Host-[^;]*; HttpOnly; .*Path=/; .*Secure", page.headers["set-cookie"])
    assert decide(http, page, origin="http://tasks.example.com").status_code == 403
    assert read_answer(decide(http, page, origin=base))["iss"] == base


def test_a_program_cannot_write_on_the_page(http, ann):
    name = register(http, client_name='<script>alert(1)</script>"><b>').json()["client_id"]
    page = open_page(http, ask(http, name))
    assert "<script" not in page.text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page.text
    assert '"><b>' not in decide(http, page, password="wrong", email='"><b>').text


# What a program might try


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"code_challenge": None}, "invalid_request"),
        ({"code_challenge": "short"}, "invalid_request"),
        ({"code_challenge_method": "plain"}, "invalid_request"),
        ({"code_challenge_method": None}, "invalid_request"),
        ({"code_challenge_method": "s256"}, "invalid_request"),
        ({"response_type": "token"}, "unsupported_response_type"),
        ({"response_type": None}, "unsupported_response_type"),
        ({"scope": "everything"}, "invalid_scope"),
        ({"scope": "tasks:read account"}, "invalid_scope"),
        ({"resource": "https://evil.example/mcp"}, "invalid_target"),
        ({"resource": f"{BASE}/mcp/nobody"}, "invalid_target"),
        ({"resource": f"{BASE}.evil.example/mcp"}, "invalid_target"),
        ({"resource": f"{BASE}/api"}, "invalid_target"),
        ({"resource": [f"{BASE}/mcp", f"{BASE}/mcp/simple"]}, "invalid_request"),
        ({"scope": ["tasks:read", "admin"]}, "invalid_request"),
        ({"state": "x" * 2_001}, "invalid_request"),
    ],
)
def test_a_question_that_is_not_sound_is_not_put(app, http, client_id, changes, error):
    answer = ask(http, client_id, **changes)
    assert answer.headers["location"].startswith(f"{CALLBACK}?")
    told = read_answer(answer)
    assert (told["error"], told["iss"]) == (error, BASE)
    with app.database.reading() as db:
        assert db.all("SELECT id FROM oauth_request") == []


@pytest.mark.parametrize(
    "uri",
    [
        "http://localhost:9999/callback/",
        "http://localhost:9999/callback?x=1",
        "http://localhost:9999/other",
        "http://127.0.0.1:9999/callback",
        "https://localhost:9999/callback",
        "http://evil.example/callback",
        "http://localhost:9999@evil.example/callback",
        "//evil.example",
        "javascript:alert(1)",
        [CALLBACK, "http://evil.example"],
        "http://localhost:99999/callback",
        "http://LOCALHOST:9999/callback",
        "http://localhost:9999/callback#",
    ],
)
def test_nobody_is_sent_where_the_program_did_not_register(http, client_id, uri):
    answer = ask(http, client_id, redirect_uri=uri)
    assert answer.status_code == 400
    assert "location" not in answer.headers
    assert "did not register" in answer.text or "two addresses" in answer.text


def test_a_free_port_on_loopback_is_good(http, client_id):
    uri = CALLBACK.replace("9999", "51234")
    page = open_page(http, ask(http, client_id, redirect_uri=uri))
    answer = decide(http, page)
    assert answer.headers["location"].startswith(f"{uri}?code=")
    code = read_answer(answer)["code"]
    assert exchange(http, client_id, code).json()["error"] == "invalid_grant"
    assert exchange(http, client_id, code, redirect_uri=uri).status_code == 200


def test_a_stranger_cannot_use_us_to_send_people_elsewhere(http, ann):
    """Errors go to a web address by themselves only once somebody has let the program in."""
    name = register(http, redirect_uris=[WEB]).json()["client_id"]
    bad = {"redirect_uri": WEB, "scope": "everything"}
    answer = ask(http, name, **bad)
    assert (answer.status_code, "location" in answer.headers) == (400, False)
    page = open_page(http, ask(http, name, redirect_uri=WEB))
    assert "form-action 'self' https://good.example;" in page.headers["content-security-policy"]
    assert decide(http, page).headers["location"].startswith(f"{WEB}&code=")
    assert read_answer(ask(http, name, **bad))["error"] == "invalid_scope"


@pytest.mark.parametrize("name", ["", "nobody", None, "\0", "x" * 5_000, ["a", "b"]])
def test_an_unknown_program_gets_nowhere(http, name):
    answer = ask(http, name)
    assert (answer.status_code, "location" in answer.headers) == (400, False)
    assert "not known here" in answer.text


@pytest.mark.parametrize("query", ["", "request=", "request=x", "request=x&request=y", "request=%00", "&" * 100])
def test_a_page_without_a_question_says_so(http, query):
    assert http.get(f"/oauth/consent?{query}").status_code in (400, 404)


def test_a_form_must_be_one(http, client_id):
    page = open_page(http, ask(http, client_id))
    form = read_form(page.text) | {"decision": "allow"}
    assert http.post("/oauth/consent", json=form, headers={"Origin": BASE}).status_code == 400
    assert http.post("/oauth/consent", data=form | {"x": "y" * 40_000}, headers={"Origin": BASE}).status_code == 400
    doubled = {**form, "email": [EMAIL, EMAIL]}
    assert http.post("/oauth/consent", data=doubled, headers={"Origin": BASE}).status_code == 400


def test_a_non_administrator_cannot_give_what_they_do_not_have(http, client_id):
    tokens = obtain_tokens(http, client_id, scope="tasks:read admin")
    assert tokens["scope"] == "tasks:read"
    only = open_page(http, ask(http, client_id, scope="admin"))
    refused = decide(http, only)
    assert refused.status_code == 403
    assert "Only an administrator" in refused.text


def test_an_administrator_can(http, client_id, do):
    do(users.add, "root@example.com", hash_password(PASSWORD), admin=True)
    page = open_page(http, ask(http, client_id, scope="tasks:read admin"))
    assert "Manage this server" in page.text
    code = read_answer(decide(http, page, email="root@example.com"))["code"]
    assert exchange(http, client_id, code).json()["scope"] == "tasks:read admin"


def test_a_question_without_scope_or_resource_gets_the_usual(app, http, client_id):
    asked = ask(http, client_id, scope=None, resource=None, state=None)
    number = asked.headers["location"].partition("request=")[2]
    request = app.run(unknown("oauth"), oauth.find_pending, number)
    assert (request.resource, request.scopes) == (f"{BASE}/mcp", {"tasks:read", "tasks:write"})
    told = read_answer(decide(http, open_page(http, asked)))
    assert told.keys() == {"code", "iss"}


def test_failures_to_sign_in_are_written_down(app, do, http, client_id):
    decide(http, open_page(http, ask(http, client_id)), password="wrong")
    app.trail.flush()
    with app.database.reading() as db:
        rows = db.all("SELECT tool, outcome FROM call_log")
    assert {"tool": "POST /oauth/consent", "outcome": "unauthenticated"} in rows
