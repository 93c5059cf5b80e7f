from __future__ import annotations

import logging

import pytest

from taskpilot.surfaces.web.gate import SAFE, network_of
from tests.surfaces.web.conftest import ask_gate

CHUNKED = [("transfer-encoding", "chunked")]
WITH_WORDS = {"websocket.http.response": {}}
TRICKS = [
    "//api/tasks",
    "/api//tasks",
    "/api/../livez",
    "/livez/../api/tasks",
    "/livez/",
    "/livez/x",
    "/livez\0",
    "/livez;x",
    "/LIVEZ",
    "/api",
    "/api/",
    "/API/tasks",
    "/api/auth/signin/",
    "/api/auth/signin/../../tasks",
    "/api/openapi.json/",
    "/.well-known/../api/tasks",
    "/.well-known/x/../../api/tasks",
    "/.well-known/./x",
    "/.well-known//x",
    "/.well-known/",
    "/.well-known",
    "/oauth/..\\api\\tasks",
    "/oauth/\r\nx",
    "/oauth/../mcp",
    "/assets/..",
    "/assets/a/b",
    "/assets/",
    "/mcp",
    "/mcp/",
    "/mcp/native/",
    "/mcp/../livez",
    "/nothing/here",
    "",
    "*",
    "http://localhost:8000/livez",
]


@pytest.mark.parametrize("path", TRICKS)
def test_however_a_path_is_written_nobody_unknown_comes_past(gate, inside, path):
    answered = ask_gate(gate, path)
    assert answered.status == 401
    assert inside.callers == []


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "get", "BREW"])
def test_a_public_page_is_public_for_reading_only(gate, inside, method):
    assert ask_gate(gate, "/", method).status == 401
    assert ask_gate(gate, "/livez", method).status == 401
    assert inside.callers == []


def test_public_paths_are_open_and_their_callers_own_nothing(gate, inside):
    for path in ("/", "/livez", "/.well-known/oauth-protected-resource/mcp", "/oauth/authorize", "/assets/a.js"):
        assert ask_gate(gate, path).status == 200
        assert ask_gate(gate, path, "HEAD").status == 200
    assert {(caller.user, caller.trusted, caller.credential) for caller in inside.callers} == {(0, False, "")}


@pytest.mark.parametrize("shown", ["nonsense", "", "a" * 100_000, "tp_1_" + "x" * 43, "é"])
def test_a_bad_token_does_not_shut_the_public_pages(gate, inside, shown):
    assert ask_gate(gate, "/api/auth/signin", "POST", token=shown).status == 200
    assert inside.callers[0].user == 0
    assert ask_gate(gate, "/api/tasks", token=shown).status == 401


def test_a_token_opens_the_door(gate, inside, token):
    assert ask_gate(gate, token=token).status == 200
    caller = inside.callers[0]
    assert (caller.user, caller.actor, caller.door, caller.address) == (1, "dev-user", "rest", "203.0.113.9")
    assert (caller.trusted, caller.credential) == (False, "token:1")


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER"])
def test_the_scheme_is_written_as_one_likes(gate, token, scheme):
    assert ask_gate(gate, headers=[("authorization", f"{scheme}  {token} ")]).status == 200


@pytest.mark.parametrize("mode", ["local", "required"])
def test_credentials_of_another_kind_or_two_at_once_are_refused(open_gate, inside, token, mode):
    gate = open_gate(auth=mode)
    for written in ("", "Basic ZGV2OnNlY3JldA==", "Bearer", "Bearer ", token, f"Token {token}", "Bearer\t" + token):
        answered = ask_gate(gate, headers=[("authorization", written)])
        assert (answered.status, "invalid_token" in answered.headers["www-authenticate"]) == (401, True)
    assert ask_gate(gate, headers=[("authorization", f"Bearer {token}")] * 2).status == 401
    assert ask_gate(gate, token=f"{token}, {token}").status == 401
    assert inside.callers == []


def test_without_sign_in_everybody_is_the_local_user_but_for_old_tokens(open_gate, inside):
    gate = open_gate()
    assert ask_gate(gate).status == 200
    assert (inside.callers[0].user, inside.callers[0].trusted) == (1, True)
    assert ask_gate(gate, token="tp_9_" + "x" * 43).status == 401


def test_the_challenge_says_where_to_ask_and_repeats_nothing_strange(gate):
    answered = ask_gate(gate, "/mcp/native")
    metadata = 'resource_metadata="http://localhost:8000/.well-known/oauth-protected-resource/mcp/native"'
    assert answered.headers["www-authenticate"] == f'Bearer realm="taskpilot", {metadata}'
    assert answered.headers["content-type"] == "application/problem+json"
    assert set(answered.json()) == {"type", "title", "status", "detail", "error", "message", "details"}
    for path in ("/mcp\r\nSet-Cookie: a=b", '/mcp/"x', "/mcp/é€", "/api/tasks"):
        told = ask_gate(gate, path).headers["www-authenticate"]
        assert told.endswith('/.well-known/oauth-protected-resource"')
        assert "\n" not in told


def test_what_nobody_was_let_in_for_is_in_the_audit_cleaned_and_cut(app, gate, inside):
    noted = []
    app.note = lambda caller, outcome: noted.append((caller, outcome))
    ask_gate(gate, "/mcp/\0\u202e" + "x" * 9_999)
    caller, outcome = noted[0]
    assert (caller.user, caller.door, caller.address, outcome) == (0, "web", "203.0.113.9", "unauthenticated")
    assert caller.tool.startswith("GET /mcp/xxx")
    assert len(caller.tool) == 200


HOSTS = [
    None,
    "",
    "evil.example",
    "localhost.evil.example",
    "127.0.0.1.nip.io",
    "evil.example@localhost",
    "localhost/evil",
    "localhost:x",
    "localhost:999999",
    "localhost:8000:8000",
    "localhost:8000 evil",
    "localhost\0",
    "[::1",
    "::1",
]


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_a_request_for_another_host_is_misdirected(open_gate, inside, host, kind):
    for mode in ("local", "required"):
        for path in ("/", "/livez", "/mcp", "/api/tasks"):
            answered = ask_gate(open_gate(auth=mode), path, host=host, kind=kind, extensions=WITH_WORDS)
            assert answered.status == 421
    assert inside.callers == []


def test_two_host_headers_are_none(open_gate, inside):
    assert ask_gate(open_gate(), headers=[("host", "localhost:8000")]).status == 421
    assert ask_gate(open_gate(), host="evil.example", headers=[("host", "localhost:8000")]).status == 421
    assert inside.callers == []


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "", "https://localhost.evil.example", "file://", "x"]
)
@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_a_page_elsewhere_may_not_call_whatever_the_path(open_gate, inside, token, origin, kind):
    for mode in ("local", "required"):
        for path in ("/", "/livez", "/mcp", "/api/tasks", "/oauth/authorize"):
            gate = open_gate(auth=mode)
            assert ask_gate(gate, path, origin=origin, token=token, kind=kind, extensions=WITH_WORDS).status == 403
    assert inside.callers == []


def test_two_origins_are_one_too_many(open_gate):
    twice = [("origin", "http://localhost:8000"), ("origin", "http://localhost:8000")]
    assert ask_gate(open_gate(), headers=twice).status == 403


def test_every_answer_is_safe_for_browsers(open_gate, inside, token):
    gate = open_gate(auth="required", address_rate_limit=6)
    answers = [
        ask_gate(gate, token=token),
        ask_gate(gate, "/"),
        ask_gate(gate),
        ask_gate(gate, host="evil.example"),
        ask_gate(gate, origin="null"),
        ask_gate(gate, method="POST", headers=[("content-length", "99999999999")]),
    ]
    inside.fails = True
    answers += [ask_gate(gate, token=token) for _ in range(3)]
    assert [each.status for each in answers] == [200, 200, 401, 421, 403, 413, 500, 500, 429]
    for each in answers:
        assert {name.decode(): value.decode() for name, value in SAFE}.items() <= each.headers.items()
        assert "strict-transport-security" not in each.headers
    secure = open_gate(auth="required", public_url="https://tasks.example.com")
    assert "max-age" in ask_gate(secure, host="tasks.example.com").headers["strict-transport-security"]


def test_an_answer_keeps_the_headers_it_set_itself(open_gate, app, keeper):
    async def page(scope, receive, send):
        headers = [(b"cache-control", b"public"), (b"content-security-policy", b"default-src 'self'")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body"})

    gate = open_gate()
    gate.inside = page
    headers = ask_gate(gate).headers
    assert (headers["cache-control"], headers["content-security-policy"]) == ("public", "default-src 'self'")
    assert headers["x-frame-options"] == "DENY"


def test_a_bug_inside_is_told_by_its_number_and_nothing_else(open_gate, inside, caplog):
    inside.fails = True
    with caplog.at_level(logging.ERROR):
        answered = ask_gate(open_gate())
    assert (answered.status, b"secret" in answered.body) == (500, False)
    assert answered.json()["message"].split()[2].rstrip(".") in caplog.text
    assert "RuntimeError: secret" in caplog.text


def test_a_body_that_says_it_is_too_long_is_not_even_read(open_gate, inside):
    gate = open_gate(body_limit=1024)
    for path in ("/mcp", "/api/tasks", "/"):
        assert ask_gate(gate, path, "POST", headers=[("content-length", "1025")]).status == 413
    assert inside.callers == []
    answered = ask_gate(gate, "/mcp", "POST", headers=[("content-length", "1024")], chunks=[b"x" * 1024])
    assert (answered.status, inside.bodies) == (200, [b"x" * 1024])


@pytest.mark.parametrize("said", ["²", "9" * 5_000, "-1", "x", "0x10"])
@pytest.mark.parametrize("path", ["/mcp", "/api/tasks"])
def test_a_body_that_does_not_say_how_long_it_is_is_measured(open_gate, inside, said, path):
    gate = open_gate(body_limit=1024)
    for headers in (CHUNKED, [], [("content-length", said)], [("content-length", "5"), *CHUNKED]):
        answered = ask_gate(gate, path, "POST", headers=headers, chunks=[b"x" * 600] * 3)
        assert (answered.status, answered.json()["status"]) == (413, 413)
        assert len([each for each in answered.messages if each["type"] == "http.response.start"]) == 1
    assert inside.bodies == []
    assert ask_gate(gate, path, "POST", headers=CHUNKED, chunks=[b"x" * 512] * 2).status == 200
    assert inside.bodies == [b"x" * 1024]


def test_too_often_from_one_address_is_told_and_others_are_not_kept_waiting(open_gate, inside):
    gate = open_gate(auth="required", address_rate_limit=3)
    assert [ask_gate(gate, "/").status for _ in range(4)] == [200, 200, 200, 429]
    answered = ask_gate(gate, "/")
    assert (answered.headers["retry-after"], answered.json()["error"]) == ("20", "too_many_requests")
    assert (answered.headers["ratelimit-limit"], answered.headers["ratelimit-remaining"]) == ("3", "0")
    assert ask_gate(gate, "/", address="203.0.113.10").status == 200
    assert [ask_gate(gate, "/livez").status for _ in range(9)] == [200] * 9
    refused = ask_gate(gate, "/api/events/ws", kind="websocket", extensions=WITH_WORDS)
    assert (refused.status, refused.headers["retry-after"]) == (429, "20")


def test_too_often_by_one_user_is_told_from_whatever_address(open_gate, token):
    gate = open_gate(auth="required", rate_limit=2)
    answers = [ask_gate(gate, token=token, address=f"203.0.113.{number}") for number in range(3)]
    assert [each.status for each in answers] == [200, 200, 429]
    assert [each.headers["ratelimit-remaining"] for each in answers] == ["1", "0", "0"]
    assert ask_gate(gate, "/").status == 200


def test_guessing_secrets_is_slower_still(open_gate):
    gate = open_gate(auth="required", sign_in_limit=2)
    tried = ["/api/auth/signin", "/api/auth/refresh", "/oauth/token"]
    assert [ask_gate(gate, path, "POST").status for path in tried] == [200, 200, 429]
    assert ask_gate(gate, "/oauth/authorize").status == 200


def test_there_are_no_limits_without_sign_in(open_gate):
    gate = open_gate(rate_limit=1, address_rate_limit=1, sign_in_limit=1)
    answers = [ask_gate(gate, "/api/auth/signin", "POST") for _ in range(9)]
    assert {each.status for each in answers} == {200}
    assert not [name for name in answers[0].headers if name.startswith("ratelimit")]


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("203.0.113.9", "203.0.113.9"),
        ("::ffff:203.0.113.9", "203.0.113.9"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("2001:db8:1:2::9", "2001:db8:1:2::"),
        ("", ""),
        ("testclient", "testclient"),
    ],
)
def test_of_ipv6_a_whole_network_is_one_address(address, network):
    assert network_of(address) == network


def test_a_browsers_websocket_shows_its_token_as_a_subprotocol(gate, inside, token):
    offered = [("sec-websocket-protocol", f"taskpilot.events, bearer.{token}")]
    answered = ask_gate(gate, "/api/events/ws", kind="websocket", headers=offered)
    assert answered.messages == [{"type": "websocket.accept"}]
    assert inside.callers[0].user == 1
    assert ask_gate(gate, "/api/tasks", headers=offered).status == 401


def test_a_websocket_without_a_token_is_refused_before_it_is_one(gate, inside):
    answered = ask_gate(gate, "/api/events/ws", kind="websocket", extensions=WITH_WORDS)
    assert (answered.messages[0]["type"], answered.status) == ("websocket.http.response.start", 401)
    closed = ask_gate(gate, "/api/events/ws", kind="websocket").messages
    assert closed == [{"type": "websocket.close", "code": 1008, "reason": "Unauthorized"}]
    assert inside.callers == []


def test_the_address_of_this_server_is_the_public_one_or_the_one_that_was_asked(open_gate, inside):
    ask_gate(open_gate(), host="LOCALHOST:8000")
    ask_gate(open_gate(), host="localhost:8000", scheme="https")
    ask_gate(open_gate(), host="localhost:8000", scheme="wss", kind="websocket")
    ask_gate(open_gate(public_url="https://tasks.example.com"), host="localhost:8000")
    bases = ["http://localhost:8000", "https://localhost:8000", "https://localhost:8000", "https://tasks.example.com"]
    assert inside.bases == bases
