"""What happens between a program that asks and somebody who says yes. Secrets come here as hashes."""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from taskpilot.domain import text
from taskpilot.domain.errors import NotFound, Unauthenticated, Unavailable
from taskpilot.domain.login import Login, LoginKind
from taskpilot.domain.oauth import (
    CODE_LIFETIME,
    IDLE_LIFETIME,
    NAME_MOST,
    REQUESTS_MOST,
    UNUSED_LIFETIME,
    UNUSED_MOST,
    Client,
    Consent,
    Refused,
    Request,
    check_redirects,
)
from taskpilot.domain.operation import reads, writes
from taskpilot.domain.scopes import USUAL, Scope
from taskpilot.ops import logins
from taskpilot.ops.logins import Entry
from taskpilot.store.work import Work

REPLAY_KEPT = timedelta(hours=1)
"""How long a used code is remembered, to know it again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """What a program shows for its code."""

    client_id: str
    code_hash: str
    challenge: str
    redirect_uri: str | None
    resource: str | None


@reads(quick=True, scope=Scope.ACCOUNT)
def find_client(work: Work, client_id: str) -> Client | None:
    return work.oauth_clients.find(client_id)


@writes(scope=Scope.ACCOUNT)
def keep_client(
    work: Work,
    client_id: str,
    name: str,
    redirect_uris: Sequence[str],
    *,
    secret_hash: str = "",
    lifetime: timedelta = UNUSED_LIFETIME,
) -> Client:
    """Remember a program that described itself, for a while. Until somebody lets one in, few of them are kept."""
    client = Client(
        id=client_id,
        name=text.shorten(text.clean_line(name), NAME_MOST),
        redirect_uris=check_redirects(redirect_uris),
        secret_hash=secret_hash,
        created_at=work.now,
        expires_at=work.now + lifetime,
    )
    work.oauth_clients.prune(work.now, IDLE_LIFETIME, UNUSED_MOST - 1)
    return work.oauth_clients.save(client)


@writes(scope=Scope.ACCOUNT)
def begin(work: Work, request: Request) -> Request:
    """Put a program's question down until somebody answers it."""
    work.oauth_requests.prune(work.now - REPLAY_KEPT)
    if work.oauth_requests.count() >= REQUESTS_MOST:
        raise Unavailable("Too many programs are asking at once.", hint="Try again in a few minutes.")
    return work.oauth_requests.add(request)


@reads(quick=True, scope=Scope.ACCOUNT)
def find_pending(work: Work, request_id: str) -> Request:
    """A question that is still open."""
    return _pending(work, request_id)


@writes(scope=Scope.ACCOUNT)
def allow(work: Work, request_id: str, user_id: int, code_hash: str) -> Request:
    """Yes, from somebody who has proved who they are. Nobody gives away more than they have."""
    request = _pending(work, request_id)
    user = work.users.find(user_id)
    if user is None or not user.active:
        raise Unauthenticated("This account is closed.", hint="Ask whoever runs this server.")
    given = request.scopes if user.admin else request.scopes & USUAL
    if not given:
        raise Refused("invalid_scope", "Only an administrator can allow this.")
    work.oauth_clients.touch(request.client_id, work.now)
    consent = Consent(
        id=user.id, client=request.client, client_id=request.client_id, scopes=given, resource=request.resource
    )
    work.for_user(user).record("client.allowed", None, consent)
    return work.oauth_requests.save(replace(request, owner=user.id, expires_at=work.now + CODE_LIFETIME), code_hash)


@writes(scope=Scope.ACCOUNT)
def deny(work: Work, request_id: str) -> Request:
    """No. The program is told so, and the question is gone."""
    request = _pending(work, request_id)
    work.oauth_requests.remove(request.id)
    return request


@writes(scope=Scope.ACCOUNT)
def redeem(work: Work, claim: Claim, refresh_hash: str) -> Entry | None:
    """Change a code for a login. Used twice, it has been stolen: None, and the login it gave has ended.

    The ending must be kept although the call fails, which is why this answers None instead of raising.
    """
    request = work.oauth_requests.find_code(claim.code_hash)
    if request is None or request.client_id != claim.client_id or request.owner is None:
        raise Refused("invalid_grant", "This code is not known.")
    if request.used_at is not None:
        _end(work, request.login, "An authorization code was used twice.")
        return None
    if work.now >= request.expires_at:
        raise Refused("invalid_grant", "This code has run out.")
    if claim.redirect_uri != request.redirect_uri and (claim.redirect_uri is not None or request.redirect_named):
        raise Refused("invalid_grant", "redirect_uri is not the one the code was sent to.")
    if not hmac.compare_digest(claim.challenge, request.challenge):
        raise Refused("invalid_grant", "code_verifier does not match.")
    if claim.resource is not None and claim.resource != request.resource:
        raise Refused("invalid_target", "This code is for another resource.")
    entry = logins.open_login(
        work,
        request.owner,
        refresh_hash,
        kind=LoginKind.OAUTH,
        client=request.client,
        client_id=request.client_id,
        scopes=request.scopes,
        resource=request.resource,
    )
    work.oauth_requests.save(replace(request, used_at=work.now, login=entry.login.id), claim.code_hash)
    return entry


@writes(scope=Scope.ACCOUNT)
def refresh(
    work: Work,
    client_id: str,
    refresh_hash: str,
    new_hash: str,
    *,
    resource: str | None = None,
    scopes: frozenset[Scope] | None = None,
) -> Entry | None:
    """Change a refresh token for a new one; None as in `redeem`."""
    found = work.logins.find_refresh(refresh_hash)
    if found is None or not _is_theirs(found[0], client_id):
        raise Refused("invalid_grant", "This refresh token is not known.")
    login, used_at = found
    if used_at is None and resource is not None and resource != login.resource:
        raise Refused("invalid_target", "This refresh token is for another resource.")
    if used_at is None and scopes is not None and scopes != login.scopes:
        raise Refused("invalid_scope", "A refresh token keeps its scopes; ask again to change them.")
    work.oauth_clients.touch(client_id, work.now)
    return logins.renew(work, refresh_hash, new_hash, client_id=client_id)


@writes(scope=Scope.ACCOUNT)
def revoke(work: Work, client_id: str, *, refresh_hash: str = "", login_id: int = 0) -> Login | None:
    """End the login that a token belongs to, if it is this program's. Safe to repeat."""
    found = work.logins.find_refresh(refresh_hash) if refresh_hash else None
    login = found[0] if found else work.logins.find(login_id)
    if login is None or not _is_theirs(login, client_id):
        return None
    _end(work, login.id, "The program gave it back.")
    return login


def _pending(work: Work, request_id: str) -> Request:
    request = work.oauth_requests.find(request_id)
    if request is None or request.owner is not None or work.now >= request.expires_at:
        raise NotFound("This question was answered already, or waited too long.", hint="Start again in the program.")
    return request


def _is_theirs(login: Login, client_id: str) -> bool:
    return login.kind is LoginKind.OAUTH and login.client_id == client_id


def _end(work: Work, login_id: int | None, reason: str) -> None:
    login = work.logins.find(login_id) if login_id is not None else None
    if login is not None:
        owner = work.users.find(login.owner)
        logins.revoke(work.for_user(owner or login.owner), login.id, reason=reason)
