"""Programs that act for somebody by OAuth: what they say of themselves, and what they ask for."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal
from urllib.parse import SplitResult, urlencode, urlsplit

from taskpilot.domain.errors import Invalid
from taskpilot.domain.scopes import GRANTABLE, Scope, parse_scopes

REQUEST_LIFETIME = timedelta(minutes=10)
"""How long somebody may look at the question before answering it."""
CODE_LIFETIME = timedelta(seconds=60)
UNUSED_LIFETIME = timedelta(days=1)
"""How long a registration is kept that nobody lets in."""
DOCUMENT_LIFETIME = timedelta(hours=1)
"""How long a metadata document is believed before it is fetched again."""
IDLE_LIFETIME = timedelta(days=90)
UNUSED_MOST = 1_000
REQUESTS_MOST = 10_000
REDIRECTS_MOST = 10
ADDRESS_MOST = 2_000
STATE_MOST = 2_000
NAME_MOST = 100

LOOPBACK = ("localhost", "127.0.0.1", "::1")
DEFAULT_SCOPES = frozenset({Scope.READ, Scope.WRITE})

_CHALLENGE = re.compile(r"[A-Za-z0-9_-]{43}")
_NETLOC = re.compile(r"([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]+)?")
"""No user, no password, and nothing that a header would take for more than a host."""
_VERIFIER = re.compile(r"[A-Za-z0-9._~-]{43,128}")

Code = Literal[
    "invalid_request",
    "invalid_client",
    "invalid_grant",
    "invalid_scope",
    "invalid_target",
    "invalid_redirect_uri",
    "invalid_client_metadata",
    "unsupported_response_type",
    "unsupported_grant_type",
    "access_denied",
]


class Refused(Invalid):
    """A refusal with the name that the standard has for it."""

    def __init__(self, code: Code, message: str, *, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.code: Code = code


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """A program. Its id is ours if it registered here, and the address of its metadata document if it did not."""

    id: str
    name: str
    redirect_uris: tuple[str, ...]
    created_at: datetime
    expires_at: datetime
    secret_hash: str = ""
    """Empty for a program that cannot keep a secret."""
    used_at: datetime | None = None

    def choose_redirect(self, given: str | None) -> str:
        """Where to send the answer. Only to what was registered, to the letter; on loopback the port is free."""
        if given is None and len(self.redirect_uris) == 1:
            return self.redirect_uris[0]
        if given is None or not any(_is_same(given, known) for known in self.redirect_uris):
            raise Refused(
                "invalid_request",
                "The program asks for the answer to be sent to an address it did not register.",
                hint="Nothing was sent there.",
            )
        return given


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What a program asks somebody for, from the question to the exchange of its code."""

    id: str
    client_id: str
    client: str
    """Its name, as it was shown."""
    redirect_uri: str
    redirect_named: bool
    """Whether the program named it, and so must again."""
    challenge: str
    state: str | None
    scopes: frozenset[Scope]
    resource: str
    issuer: str
    expires_at: datetime
    owner: int | None = None
    """Who said yes."""
    used_at: datetime | None = None
    login: int | None = None

    @property
    def publisher(self) -> str:
        """The host that vouches for the program by having its document; empty for one that only registered."""
        return urlsplit(self.client_id).netloc if is_document(self.client_id) else ""

    def answer(self, **given: str) -> str:
        """Where to send the browser with these parameters."""
        return send_back(self.redirect_uri, self.state, self.issuer, **given)


@dataclass(frozen=True, slots=True, kw_only=True)
class Consent:
    """As the log tells it."""

    id: int
    client: str
    client_id: str
    scopes: frozenset[Scope]
    resource: str


def send_back(redirect_uri: str, state: str | None, issuer: str, **given: str) -> str:
    told = {**given, **({} if state is None else {"state": state}), "iss": issuer}
    return f"{redirect_uri}{'&' if urlsplit(redirect_uri).query else '?'}{urlencode(told)}"


def check_redirect(given: str) -> str:
    """An address that answers may be sent to: https, or a program on the user's own machine."""
    parts = _split(given)
    if parts is None or "#" in given:
        raise Refused("invalid_redirect_uri", "A redirect URI is a plain web address, without a fragment.")
    if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in LOOPBACK):
        raise Refused("invalid_redirect_uri", "A redirect URI starts with https, or with http on loopback.")
    return given


def check_redirects(given: Sequence[str]) -> tuple[str, ...]:
    if not 1 <= len(given) <= REDIRECTS_MOST:
        raise Refused("invalid_redirect_uri", f"A program has 1 to {REDIRECTS_MOST} redirect URIs.")
    return tuple(dict.fromkeys(check_redirect(each) for each in given))


def is_loopback(redirect_uri: str) -> bool:
    return urlsplit(redirect_uri).hostname in LOOPBACK


def is_document(client_id: str) -> bool:
    """Whether a client's id is the address of its metadata document."""
    return client_id.startswith("https://")


def check_document(client_id: str) -> str:
    parts = _split(client_id)
    odd = parts is None or "#" in client_id or parts.path in ("", "/") or {".", ".."} & set(parts.path.split("/"))
    if odd or not is_document(client_id):
        raise Refused("invalid_client", "This client id is not the address of a document.")
    return client_id


def check_challenge(challenge: str | None, method: str | None) -> str:
    """PKCE by S256: the only proof there is for a public client that the code reached the one who asked."""
    if method != "S256" or not _CHALLENGE.fullmatch(challenge or ""):
        raise Refused("invalid_request", "PKCE is required: send code_challenge and code_challenge_method=S256.")
    return challenge or ""


def challenge_of(verifier: str | None) -> str:
    if not _VERIFIER.fullmatch(verifier or ""):
        raise Refused("invalid_request", "code_verifier is missing or malformed.")
    digest = hashlib.sha256((verifier or "").encode()).digest()
    return base64.urlsafe_b64encode(digest).decode().rstrip("=")


def check_scopes(given: str | None) -> frozenset[Scope]:
    names = (given or "").split()
    if not names:
        return DEFAULT_SCOPES
    try:
        return parse_scopes(names)
    except Invalid:
        raise Refused("invalid_scope", f"Scopes are: {', '.join(GRANTABLE)}.") from None


def _split(given: str) -> SplitResult | None:
    if len(given) > ADDRESS_MOST or not given.isascii() or not given.isprintable() or set(given) & set(' \\"<>'):
        return None
    try:
        parts = urlsplit(given)
        _ = parts.port
    except ValueError:
        return None
    return parts if _NETLOC.fullmatch(parts.netloc) else None


def _is_same(given: str, known: str) -> bool:
    if given == known:
        return True
    ours, theirs = _split(known), _split(given)
    if ours is None or theirs is None or ours.scheme != "http" or ours.hostname not in LOOPBACK:
        return False
    # Programs take whichever port is free (RFC 8252); nothing else of the address may differ.
    host = f"[{ours.hostname}]" if ":" in ours.hostname else ours.hostname
    bare = host if theirs.port is None else f"{host}:{theirs.port}"
    return given == ours._replace(netloc=bare).geturl()
