"""Programs introduce themselves, within bounds."""

from __future__ import annotations

import pytest

from taskpilot.access.secrets import hash_secret
from taskpilot.domain import oauth as domain
from taskpilot.domain.caller import unknown
from taskpilot.ops import oauth
from tests.surfaces.oauth.flow import CALLBACK, ask, exchange, obtain_code, refresh, register


def known(app, client_id):
    return app.run(unknown("oauth"), oauth.find_client, client_id)


def test_a_public_client_gets_an_id_and_no_secret(app, http):
    answer = register(http, client_name="  My\u202e  program ")
    assert answer.status_code == 201
    assert "client_secret" not in answer.json()
    client = known(app, answer.json()["client_id"])
    assert (client.name, client.redirect_uris, client.secret_hash) == ("My program", (CALLBACK,), "")


@pytest.mark.parametrize("method", ["client_secret_post", "client_secret_basic"])
def test_a_secret_is_shown_once_and_kept_as_a_hash(app, http, ann, method):
    told = register(http, token_endpoint_auth_method=method).json()
    name, secret = told["client_id"], told["client_secret"]
    assert known(app, name).secret_hash == hash_secret(secret)
    proof = {"auth": (name, secret)} if method == "client_secret_basic" else {}
    code = obtain_code(http, name)
    for wrong in ({}, {"client_secret": "wrong"}, {"client_secret": ""}):
        answer = exchange(http, name, code, **wrong)
        assert (answer.status_code, answer.json()["error"]) == (401, "invalid_client")
    if not proof:
        assert exchange(http, name, code, client_secret=secret).status_code == 200
        return
    form = {"grant_type": "authorization_code", "code": code, "redirect_uri": CALLBACK}
    form["code_verifier"] = "a-verifier-that-is-long-enough-to-be-one-000"
    wrong = http.post("/oauth/token", data=form, auth=(name, "wrong"))
    assert (wrong.status_code, wrong.headers["www-authenticate"]) == (401, 'Basic realm="taskpilot"')
    twice = http.post("/oauth/token", data={**form, "client_secret": secret}, **proof)
    assert twice.json()["error"] == "invalid_request"
    other = http.post("/oauth/token", data={**form, "client_id": "other"}, **proof)
    assert other.json()["error"] == "invalid_request"
    assert http.post("/oauth/token", data=form, headers={"Authorization": "Basic ?"}).status_code == 401
    tokens = http.post("/oauth/token", data=form, **proof)
    assert tokens.status_code == 200
    assert refresh(http, name, tokens.json()["refresh_token"]).json()["error"] == "invalid_client"


@pytest.mark.parametrize(
    "uri",
    [
        "http://evil.example/cb",
        "http://localhost.evil.example/cb",
        "http://127.0.0.1.evil.example/cb",
        "http://localhost@evil.example/cb",
        "https://user:secret@good.example/cb",
        "https://good.example/cb#fragment",
        "https://good.example/cb#",
        "https://good.example\\@evil.example/cb",
        "https://good.example;script-src/cb",
        "javascript:alert(1)",
        "data:text/html,x",
        "file:///etc/passwd",
        "myapp://callback",
        "https:///nowhere",
        "https://good.example/a b",
        "https://good.example/" + "x" * 2_000,
    ],
)
def test_answers_are_sent_to_https_or_loopback_only(http, uri):
    answer = register(http, redirect_uris=[CALLBACK, uri])
    assert answer.status_code == 400
    assert answer.json()["error"] in ("invalid_redirect_uri", "invalid_client_metadata")


@pytest.mark.parametrize(
    "fields",
    [
        {"redirect_uris": []},
        {"redirect_uris": None},
        {"redirect_uris": [f"https://good.example/{number}" for number in range(11)]},
        {"redirect_uris": "https://good.example/cb"},
        {"redirect_uris": [7]},
        {"scope": "tasks:read account"},
        {"scope": "everything"},
        {"grant_types": ["client_credentials"]},
        {"response_types": ["token"]},
        {"token_endpoint_auth_method": "private_key_jwt"},
        {"client_name": 7},
        {"client_name": "x" * 20_000},
    ],
)
def test_what_makes_no_client_is_refused(http, fields):
    answer = register(http, **fields)
    assert answer.status_code == 400, answer.text
    assert answer.json()["error"] in ("invalid_redirect_uri", "invalid_client_metadata")


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"\xff", b'{"redirect_uris": ["\\ud800"]}', b"[" * 10_000])
def test_what_is_no_registration_is_refused(http, body):
    assert http.post("/oauth/register", content=body).status_code == 400


def test_a_flood_of_registrations_pushes_out_only_what_nobody_uses(app, http, clock, ann, monkeypatch):
    monkeypatch.setattr(oauth, "UNUSED_MOST", 3)
    used = register(http).json()["client_id"]
    obtain_code(http, used)
    names = []
    for _ in range(6):
        clock.forward(seconds=1)
        names.append(register(http).json()["client_id"])
    assert [known(app, name) is not None for name in names] == [False] * 3 + [True] * 3
    assert known(app, used) is not None


def test_a_client_nobody_lets_in_is_forgotten(app, http, clock):
    name = register(http).json()["client_id"]
    clock.forward(days=2)
    register(http)
    assert known(app, name) is None
    assert ask(http, name).status_code == 400


def test_redirect_uris_are_kept_to_the_letter(http):
    odd = "https://Good.Example:443/Cb?x=%7e"
    name = register(http, redirect_uris=[odd]).json()["client_id"]
    assert ask(http, name, redirect_uri=odd).status_code == 302
    assert ask(http, name, redirect_uri=odd.lower()).status_code == 400


def test_a_loopback_port_is_free_and_nothing_else_is():
    from tests.conftest import NOON

    client = domain.Client(id="x", name="x", redirect_uris=("http://127.0.0.1/cb",), created_at=NOON, expires_at=NOON)
    for good in ("http://127.0.0.1/cb", "http://127.0.0.1:5/cb", "http://127.0.0.1:65535/cb"):
        assert client.choose_redirect(good) == good
    assert client.choose_redirect(None) == "http://127.0.0.1/cb"
    for bad in (
        "http://localhost:5/cb",
        "https://127.0.0.1:5/cb",
        "http://127.0.0.1:5/cb/",
        "http://127.0.0.1:5/cb?x=1",
        "http://127.0.0.1:5/cb#x",
        "http://127.0.0.1:5@evil.example/cb",
        "http://127.0.0.1:99999/cb",
        "http://127.0.0.1.evil.example:5/cb",
    ):
        with pytest.raises(domain.Refused):
            client.choose_redirect(bad)
