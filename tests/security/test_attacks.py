"""Forged tokens, foreign pages, stolen sessions."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from typing import Any

import jwt
import pytest

from tests.security.calls import fill_path, list_doors
from tests.surfaces.mcp.conftest import INITIALIZE

OLD = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-06-18"}
EVIL = "https://evil.example"


def encode(part: Any) -> str:
    raw = part if isinstance(part, bytes) else json.dumps(part).encode()
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def forge(header: dict[str, Any], claims: Any, key: bytes = b"", digest: str = "sha256") -> str:
    """Any header over any claims: what a library would refuse to write."""
    body = f"{encode(header)}.{encode(claims)}"
    return f"{body}.{encode(hmac.new(key, body.encode(), digest).digest()) if key else ''}"


@pytest.fixture
def claims(world) -> dict[str, Any]:
    """What a good token of Ann's says."""
    return jwt.decode(world.ann.session, options={"verify_signature": False})


@pytest.fixture
def key(world) -> bytes:
    """The server's own: even with it, a wrong token is wrong."""
    return world.gate.keeper.signer._key


@pytest.fixture
def refused(world):
    """Nobody lets this in, at no door."""

    def refused(token: str) -> bool:
        doors = [world.ask(token, "GET", "/api/tasks"), world.speak(token, "native", "tools/list")]
        doors += [world.ask(token, "GET", "/api/me"), world.ask(token, "POST", "/", json={"method": "ping"})]
        return {said.status for said in doors} == {401}

    return refused


HEADER = {"alg": "HS256", "typ": "at+jwt"}


def test_the_forger_can_write_good_tokens_too(world, claims, key):
    """Else all that is refused below would prove nothing."""
    assert world.ask(forge(HEADER, claims, key), "GET", "/api/me").status == 200


@pytest.mark.parametrize("name", ["none", "None", "NONE", "nOnE", "", None, "HS256"])
def test_a_token_without_a_signature_is_worth_nothing(refused, claims, name):
    assert refused(forge({"alg": name, "typ": "at+jwt"}, claims))
    assert refused(forge({"typ": "at+jwt"}, claims))


@pytest.mark.parametrize("name", ["RS256", "ES256", "PS256", "EdDSA", "HS384", "HS512", "hs256", "none"])
def test_no_other_algorithm_is_taken_even_with_our_own_key(refused, claims, key, name):
    digest = {"HS384": "sha384", "HS512": "sha512"}.get(name, "sha256")
    assert refused(forge({"alg": name, "typ": "at+jwt"}, claims, key, digest))


def test_a_public_key_is_no_secret(refused, claims, world):
    """What anybody can read off the server does not sign anything."""
    shown = [b"taskpilot", b"secret", b"\0", world.ann.texts["uuid"].encode()]
    shown += [world.client.get("/.well-known/oauth-authorization-server").content, hashlib.sha256(b"").digest()]
    assert all(refused(forge(HEADER, claims, guess)) for guess in shown)


def test_a_key_that_comes_with_the_token_is_not_used(refused, claims):
    own = b"x" * 32
    tricks = [{"jwk": {"kty": "oct", "k": encode(own)}}, {"jku": f"{EVIL}/keys"}, {"x5u": f"{EVIL}/cert"}]
    tricks += [{"kid": "../../dev/null"}, {"kid": "' UNION SELECT 'x'; --"}, {"crit": ["exp"]}]
    assert all(refused(forge({**HEADER, **trick}, claims, own)) for trick in tricks)


@pytest.mark.parametrize(
    "wrong",
    [
        {"exp": 1},
        {"exp": "9999999999"},
        {"exp": 9999999999.5},
        {"exp": True},
        {"exp": None},
        {"exp": [9999999999]},
        {"iss": "evil"},
        {"iss": ["taskpilot"]},
        {"aud": "evil"},
        {"aud": ["taskpilot"]},
        {"aud": "http://localhost:8000/mcp"},
        {"aud": ""},
        {"sid": "1"},
        {"sid": 0},
        {"sid": -1},
        {"sid": 2**63},
        {"sid": 10**30},
        {"sid": True},
        {"sid": 987_654_321},
        {"nbf": 9999999999},
    ],
)
def test_signed_but_wrong_is_wrong(refused, claims, key, wrong):
    assert refused(forge(HEADER, {**claims, **wrong}, key))


@pytest.mark.parametrize("name", ["iss", "aud", "sub", "sid", "iat", "exp"])
def test_nothing_may_be_left_out(refused, claims, key, name):
    assert refused(forge(HEADER, {each: value for each, value in claims.items() if each != name}, key))


@pytest.mark.parametrize("kind", ["JWT", None, "at+JWT", "refresh"])
def test_another_kind_of_token_with_our_signature_is_not_an_access_token(refused, claims, key, kind):
    assert refused(forge({"alg": "HS256", "typ": kind}, claims, key))


def test_a_changed_token_is_not_ours(refused, claims, world):
    head, body, signature = world.ann.session.split(".")
    richer = encode({**claims, "scope": "admin"})
    changed = [f"{head}.{richer}.{signature}", f"{head}.{body}.", f"{head}.{body}", f"{head}.{body}.{signature}x"]
    changed += [f"{head}.{body}.{signature}.{signature}", f".{body}.{signature}", "..", "a.b.c", f"{head}..{signature}"]
    assert all(refused(token) for token in changed)


def test_nonsense_however_large_is_refused(refused, claims, key):
    assert refused(forge(HEADER, {**claims, "x": "x" * 100_000}, key))
    assert refused(forge(HEADER, b"[" * 3_000, key))
    assert refused(forge(HEADER, [1, 2], key))
    assert refused(forge(HEADER, b"\xff", key))
    assert refused("." * 4_000)


def test_a_number_of_a_token_without_its_secret_opens_nothing(refused, world):
    number, good = world.ann.numbers["token"], world.ann.reader
    secret = good.rpartition(f"{number}_")[2]
    wrong = [
        f"tp_{number}_{'x' * 43}",
        f"tp_{world.bob.numbers['token']}_{secret}",
        good[:-1],
        good + "x",
        good.upper(),
    ]
    wrong += [f"tp_0{number}_{secret}", f"tp_-{number}_{secret}", f"tp_{number}_{secret}=", f"TP_{number}_{secret}"]
    assert all(refused(token) for token in wrong)
    assert world.ask(good, "GET", "/api/tasks").status == 200


def test_a_name_that_was_pointed_here_reaches_nothing(world):
    """DNS rebinding: the browser takes evil.example for this server, and sends what it has."""
    for method, path in list_doors(world):
        if method == "WS":
            continue
        headers = {"Host": "evil.example", "Authorization": f"Bearer {world.ann.session}"}
        response = world.client.request(method, fill_path(path), headers=headers)
        assert response.status_code == 421, (method, path)
    assert world.dump() == world.before


@pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded", "text/plain", "multipart/form-data; boundary=x"])
@pytest.mark.parametrize("origin", [EVIL, "null"])
def test_a_form_on_another_page_reaches_nothing(world, kind, origin):
    """CSRF: whatever a browser adds by itself, it adds the origin too."""
    for method, path in list_doors(world):
        if method in ("WS", "GET", "HEAD"):
            continue
        headers = {"Origin": origin, "Content-Type": kind, "Authorization": f"Bearer {world.ann.session}"}
        response = world.client.request(method, fill_path(path), headers=headers, content=b'{"title": "x"}')
        assert response.status_code == 403, (method, path)
    assert world.dump() == world.before


def test_a_form_is_no_request_even_without_an_origin(world):
    for kind in ("application/x-www-form-urlencoded", "text/plain"):
        headers = {"Content-Type": kind, "Authorization": f"Bearer {world.ann.session}"}
        response = world.client.post("/api/tasks", content=b'{"title": "x"}', headers=headers)
        assert response.status_code in (400, 415, 422)
    assert world.dump() == world.before


def test_a_token_in_the_address_is_not_looked_at(world):
    for name in ("access_token", "token", "authorization", "bearer"):
        assert world.client.get("/api/tasks", params={name: world.ann.session}).status_code == 401


def test_another_persons_mcp_session_is_not_there(world):
    def ask(token, verb="POST", session="", message=None):
        headers = {**OLD, "Authorization": f"Bearer {token}", **({"Mcp-Session-Id": session} if session else {})}
        return world.client.request(verb, "/mcp/native", headers=headers, **({"json": message} if message else {}))

    opened = ask(world.ann.session, message=INITIALIZE)
    session = opened.headers["mcp-session-id"]
    listing = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
    for token in (world.bob.session, world.ann.reader):
        for known in (session, "f" * 32):
            assert ask(token, "POST", known, listing).status_code == 404
            assert ask(token, "GET", known).status_code == 404
            assert ask(token, "DELETE", known).status_code == 404
    assert ask("nonsense", "POST", session, listing).status_code == 401
    assert ask(world.ann.session, "POST", session, listing).status_code == 200
    assert ask(world.ann.session, "DELETE", session).status_code == 200
