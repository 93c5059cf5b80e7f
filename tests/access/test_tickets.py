from __future__ import annotations

import json
from base64 import urlsafe_b64encode
from datetime import timedelta

import jwt
import pytest

from taskpilot.access.secrets import hash_secret, make_secret
from taskpilot.access.tickets import ANYWHERE, ISSUER, TYPE, Signer
from taskpilot.domain.caller import unknown
from taskpilot.domain.errors import Unauthenticated
from taskpilot.ops import logins, users
from taskpilot.store.vault import Vault


@pytest.fixture
def signer(app):
    return Signer(app.vault)


@pytest.fixture
def ann(app, do):
    user = do(users.add, "ann@example.com", "hash")
    return app.run(unknown("rest"), logins.open_login, user.id, "refresh")


@pytest.fixture
def claims(ann, clock):
    now = int(clock.now.timestamp())
    return {"iss": ISSUER, "aud": ANYWHERE, "sub": ann.user.uuid, "sid": ann.login.id, "iat": now, "exp": now + 900}


def test_a_ticket_says_which_login_and_until_when(signer, ann, clock):
    token, until = signer.sign(ann.user, ann.login, clock.now)
    ticket = signer.read(token, clock.now)
    assert (ticket.login, ticket.audience, ticket.expires_at) == (ann.login.id, ANYWHERE, until)
    assert until == clock.now + timedelta(minutes=15)
    assert "hash" not in token
    with pytest.raises(Unauthenticated, match="run out"):
        signer.read(token, until)


def test_a_ticket_never_outlives_its_login(signer, ann, clock):
    _, until = signer.sign(ann.user, ann.login, ann.login.expires_at - timedelta(minutes=1))
    assert until == ann.login.expires_at


def test_processes_with_the_same_key_read_each_others_tickets_and_others_do_not(app, signer, ann, clock, tmp_path):
    token, _ = signer.sign(ann.user, ann.login, clock.now)
    assert Signer(Vault(tmp_path / "secret.key")).read(token, clock.now)
    with pytest.raises(Unauthenticated):
        Signer(Vault(tmp_path / "other.key")).read(token, clock.now)


@pytest.mark.parametrize(
    "change",
    [
        {"iss": "somebody"},
        {"aud": ["taskpilot"]},
        {"aud": None},
        {"sid": "1"},
        {"sid": True},
        {"sid": None},
        {"exp": "never"},
        {"exp": 1e300},
        {"exp": None},
        {"iat": None},
    ],
)
def test_a_ticket_that_says_something_else_is_refused(signer, claims, clock, change):
    claims = {name: value for name, value in (claims | change).items() if value is not None}
    with pytest.raises(Unauthenticated):
        signer.read(jwt.encode(claims, signer._key, "HS256", {"typ": TYPE}), clock.now)


def test_only_one_algorithm_and_one_type_are_accepted(signer, claims, clock):
    def unsigned(header):
        parts = [urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode() for part in (header, claims)]
        return ".".join([*parts, ""])

    assert signer.read(jwt.encode(claims, signer._key, "HS256", {"typ": TYPE}), clock.now)
    forged = [
        unsigned({"alg": "none", "typ": TYPE}),
        unsigned({"alg": "None", "typ": TYPE}),
        unsigned({"typ": TYPE}),
        jwt.encode(claims, signer._key, "HS256"),
        jwt.encode(claims, signer._key + b"x" * 32, "HS512", {"typ": TYPE}),
        jwt.encode(claims, b"x" * 32, "HS256", {"typ": TYPE}),
        "",
        "a.b.c",
        "." * 5000,
    ]
    for token in forged:
        with pytest.raises(Unauthenticated):
            signer.read(token, clock.now)


def test_a_secret_is_long_and_only_its_hash_is_kept():
    assert len(make_secret()) == 43
    assert len({make_secret() for _ in range(100)}) == 100
    assert hash_secret("\ud800") != hash_secret("x")
    assert len(hash_secret("x")) == 64
