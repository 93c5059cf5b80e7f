"""Between the question and the tokens: on both databases, and when several come at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta

import pytest

from taskpilot.domain.caller import Caller, unknown
from taskpilot.domain.errors import Forbidden, NotFound, Unauthenticated, Unavailable
from taskpilot.domain.oauth import Refused, Request, challenge_of, check_scopes, send_back
from taskpilot.domain.scopes import Scope
from taskpilot.ops import logins, oauth, users
from taskpilot.ops.oauth import Claim
from tests.conftest import NOON

CALLBACK = "http://localhost:9999/cb"
RESOURCE = "http://localhost:8000/mcp"
REQUEST = Request(
    id="asked",
    client_id="program",
    client="Program",
    redirect_uri=CALLBACK,
    redirect_named=True,
    challenge="proof",
    state="\x00 \ud83d odd",
    scopes=frozenset({Scope.READ, Scope.WRITE}),
    resource=RESOURCE,
    issuer="http://localhost:8000",
    expires_at=NOON + timedelta(minutes=10),
)
CLAIM = Claim(client_id="program", code_hash="code", challenge="proof", redirect_uri=CALLBACK, resource=RESOURCE)


@pytest.fixture
def knock(app):
    """Run an operation as somebody nobody knows yet."""
    return lambda op, *args, **kwargs: app.run(unknown("oauth", "10.0.0.7"), op, *args, **kwargs)


@pytest.fixture
def ann(do):
    return do(users.add, "ann@example.com", "hash")


@pytest.fixture
def allowed(knock, ann):
    knock(oauth.keep_client, "program", "Program", [CALLBACK])
    knock(oauth.begin, REQUEST)
    return knock(oauth.allow, "asked", ann.id, "code")


def test_a_question_is_kept_as_it_was_asked(knock):
    knock(oauth.begin, REQUEST)
    assert knock(oauth.find_pending, "asked") == REQUEST


def test_a_client_is_kept_as_it_described_itself(knock, clock):
    kept = knock(
        oauth.keep_client, "program", " P\u202er ", [CALLBACK, CALLBACK, "https://a.example/"], secret_hash="h"
    )
    assert knock(oauth.find_client, "program") == kept
    assert (kept.name, kept.redirect_uris) == ("Pr", (CALLBACK, "https://a.example/"))
    clock.forward(minutes=1)
    again = knock(oauth.keep_client, "program", "Newer", [CALLBACK])
    assert knock(oauth.find_client, "program") == again


def test_a_yes_and_its_code_open_one_login(app, knock, ann, allowed):
    entry = knock(oauth.redeem, CLAIM, "refresh")
    assert (entry.user.id, entry.login.resource, entry.login.scopes) == (ann.id, RESOURCE, REQUEST.scopes)
    assert (entry.login.client, entry.login.client_id, entry.login.address) == ("Program", "program", "10.0.0.7")
    assert knock(oauth.find_client, "program").used_at == NOON


def test_only_those_who_can_give_may_give(do, knock, ann):
    knock(oauth.begin, replace(REQUEST, scopes=frozenset({Scope.ADMIN})))
    with pytest.raises(Refused, match="administrator"):
        knock(oauth.allow, "asked", ann.id, "code")
    with pytest.raises(Unauthenticated):
        knock(oauth.allow, "asked", 999, "code")
    do(users.disable, ann.id)
    with pytest.raises(Unauthenticated):
        knock(oauth.allow, "asked", ann.id, "code")
    knock(oauth.deny, "asked")
    with pytest.raises(NotFound):
        knock(oauth.find_pending, "asked")


def test_a_token_cannot_answer_for_its_owner(app, ann, allowed):
    token = Caller(ann.id, "ann", "rest")
    for op, args in ((oauth.allow, ("asked", ann.id, "code")), (oauth.redeem, (CLAIM, "r")), (oauth.begin, (REQUEST,))):
        with pytest.raises(Forbidden):
            app.run(token, op, *args)


def test_of_many_who_bring_one_code_at_once_none_keeps_a_login(app, knock, ann, allowed):
    """One gets in; the next ends it. Never do two stay."""
    with ThreadPoolExecutor(8) as pool:
        entries = list(pool.map(lambda number: knock(oauth.redeem, CLAIM, f"refresh-{number}"), range(8)))
    assert len([entry for entry in entries if entry]) == 1
    held, total = app.run(Caller(ann.id, "ann", "rest", scopes=frozenset(Scope)), logins.list_all)
    assert (held, total) == ([], 0)


def test_of_many_who_bring_one_refresh_token_at_once_none_stays(app, knock, ann, allowed):
    knock(oauth.redeem, CLAIM, "refresh")

    def renew(number):
        try:
            return knock(oauth.refresh, "program", "refresh", f"next-{number}")
        except Unauthenticated:
            return None

    with ThreadPoolExecutor(8) as pool:
        entries = list(pool.map(renew, range(8)))
    assert len([entry for entry in entries if entry]) == 1
    with pytest.raises(Unauthenticated):
        knock(oauth.refresh, "program", f"next-{[bool(entry) for entry in entries].index(True)}", "more")


def test_a_closed_account_gets_no_tokens_for_its_code(do, knock, ann, allowed):
    do(users.disable, ann.id)
    with pytest.raises(Unauthenticated):
        knock(oauth.redeem, CLAIM, "refresh")


def test_an_administrator_may_give_it(do, knock):
    root = do(users.add, "root@example.com", "hash", admin=True)
    knock(oauth.begin, replace(REQUEST, scopes=frozenset({Scope.READ, Scope.ADMIN})))
    knock(oauth.allow, "asked", root.id, "code")
    assert knock(oauth.redeem, CLAIM, "refresh").login.scopes == {Scope.READ, Scope.ADMIN}


def test_revoking_is_for_the_program_it_was_given_to(knock, allowed):
    login = knock(oauth.redeem, CLAIM, "refresh").login
    assert knock(oauth.revoke, "other", login_id=login.id) is None
    assert knock(oauth.revoke, "other", refresh_hash="refresh") is None
    assert knock(logins.verify, login.id).login.revoked_at is None
    for _ in range(2):
        assert knock(oauth.revoke, "program", refresh_hash="refresh").id == login.id
    with pytest.raises(Unauthenticated):
        knock(logins.verify, login.id)
    assert knock(oauth.revoke, "program", refresh_hash="nonsense") is None


def test_too_many_questions_at_once_are_refused_and_old_ones_forgotten(app, knock, clock, monkeypatch):
    monkeypatch.setattr(oauth, "REQUESTS_MOST", 3)
    for number in range(3):
        knock(oauth.begin, replace(REQUEST, id=f"asked-{number}"))
    with pytest.raises(Unavailable, match="Too many"):
        knock(oauth.begin, REQUEST)
    clock.forward(hours=2)
    knock(oauth.begin, replace(REQUEST, expires_at=clock.now + timedelta(minutes=10)))
    with app.database.reading() as db:
        assert [row["id"] for row in db.all("SELECT id FROM oauth_request")] == ["asked"]


def test_an_answer_keeps_the_query_of_its_address():
    assert send_back("https://a.example/cb?x=1", "s t", "https://b", code="c&d") == (
        "https://a.example/cb?x=1&code=c%26d&state=s+t&iss=https%3A%2F%2Fb"
    )


def test_the_proof_is_the_one_of_the_standard():
    """The example of RFC 7636, appendix B."""
    verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    assert challenge_of(verifier) == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"


@pytest.mark.parametrize("given", ["admin2", "account", "tasks:read nonsense"])
def test_only_known_scopes_can_be_asked_for(given):
    with pytest.raises(Refused):
        check_scopes(given)
