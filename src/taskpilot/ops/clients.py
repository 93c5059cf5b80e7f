"""Programs that somebody has let in by OAuth, as that somebody sees them."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlsplit

from taskpilot.domain.errors import NotFound
from taskpilot.domain.login import Login, LoginKind
from taskpilot.domain.oauth import is_document
from taskpilot.domain.operation import reads, writes
from taskpilot.domain.scopes import Scope
from taskpilot.ops import logins
from taskpilot.store.work import Work

KEY_LENGTH = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Connected:
    """One program, however many logins it holds."""

    key: str
    """What stands for its id in an address: an id may be a web address itself."""
    client_id: str
    name: str
    """As it called itself when it was last let in."""
    host: str
    """Where its description is published; empty for a program that only registered itself."""
    scopes: frozenset[Scope]
    resources: tuple[str, ...]
    logins: tuple[int, ...]
    connected_at: datetime
    last_used_at: datetime


@reads(scope=Scope.ACCOUNT)
def list_all(work: Work) -> list[Connected]:
    """Whoever may act for the caller now, the latest let in first."""
    held: defaultdict[str, list[Login]] = defaultdict(list)
    for login in work.logins.all(work.now):
        if login.kind is LoginKind.OAUTH:
            held[login.client_id].append(login)
    return [_describe(client_id, theirs) for client_id, theirs in held.items()]


@writes(scope=Scope.ACCOUNT)
def disconnect(work: Work, key: str) -> Connected:
    """End all that a program holds: none of its tokens works from now on. It may ask again."""
    found = next((each for each in list_all(work) if each.key == key), None)
    if found is None:
        raise NotFound(f"No connected program has the id {key}.", hint="List them to see who is connected.")
    for number in found.logins:
        logins.revoke(work, number, reason=f"{found.name or found.host or 'The program'} was disconnected.")
    return found


def _describe(client_id: str, held: list[Login]) -> Connected:
    """Of its logins, newest first."""
    return Connected(
        key=hashlib.sha256(client_id.encode()).hexdigest()[:KEY_LENGTH],
        client_id=client_id,
        name=held[0].client,
        host=urlsplit(client_id).netloc if is_document(client_id) else "",
        scopes=frozenset[Scope]().union(*(login.scopes for login in held)),
        resources=tuple(sorted({login.resource for login in held})),
        logins=tuple(login.id for login in held),
        connected_at=min(login.created_at for login in held),
        last_used_at=max(login.last_used_at or login.created_at for login in held),
    )
