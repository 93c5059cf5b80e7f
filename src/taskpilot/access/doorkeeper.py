"""Who stands at the door: from what somebody shows to the caller they are."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from taskpilot.access.secrets import hash_secret
from taskpilot.access.tickets import ANYWHERE, Signer, refuse
from taskpilot.app import App
from taskpilot.domain.caller import Caller, unknown
from taskpilot.domain.errors import Unauthenticated
from taskpilot.domain.events import ACCOUNT_NOUNS, Event
from taskpilot.domain.task import ID_MOST
from taskpilot.domain.token import read_token
from taskpilot.ops import logins, tokens

REMEMBERED = 10_000
TRUSTED_FOR = timedelta(seconds=30)
"""How long a look-up holds, should the news of a revocation ever fail to come."""
TOUCH_EVERY = timedelta(minutes=1)
LONGEST = 4_096


@dataclass(slots=True)
class Pass:
    """Somebody who was recognised, and until when without looking again."""

    caller: Caller
    """As they came the last time: most come through the same door all day."""
    audience: str
    until: datetime

    def caller_at(self, door: str, address: str) -> Caller:
        caller = self.caller
        if caller.door != door or caller.address != address:
            self.caller = caller = replace(caller, door=door, address=address)
        return caller


class Doorkeeper:
    """Remembers whom it has seen, and forgets them the moment their account, login or token changes."""

    def __init__(self, app: App, signer: Signer | None = None) -> None:
        self._app = app
        self.signer = signer or Signer(app.vault)
        self._passes: OrderedDict[str, Pass] = OrderedDict()
        self._lock = threading.Lock()
        self._news = 0
        self._stop = app.subscribe(self._hear)

    def close(self) -> None:
        self._stop()

    async def admit(self, shown: str, door: str, *, address: str = "", resource: str = "") -> Caller:
        """The caller behind a bearer token, asking for `resource`; Unauthenticated for everybody else."""
        if len(shown) > LONGEST or not shown.isascii():
            raise refuse()
        mark, now = hash_secret(shown), self._app.now()
        known = self._passes.get(mark)
        if known is None or now >= known.until:
            known = await self._recognise(shown, mark, now)
        if known.audience != ANYWHERE and known.audience != resource:
            raise Unauthenticated("This access token is for another address.", hint="Ask for one for this address.")
        return known.caller_at(door, address)

    def forget(self, user: int) -> None:
        """Look again the next time this user comes."""
        with self._lock:
            self._news += 1
            for mark in [mark for mark, each in self._passes.items() if each.caller.user == user]:
                del self._passes[mark]

    async def _recognise(self, shown: str, mark: str, now: datetime) -> Pass:
        news = self._news
        number = read_token(shown)
        found = await (self._read_token(*number, now) if number else self._read_ticket(shown, now))
        with self._lock:
            if news == self._news:  # else it may have been revoked while we looked
                self._passes[mark] = found
                while len(self._passes) > REMEMBERED:
                    self._passes.popitem(last=False)
        return found

    async def _read_token(self, number: int, secret: str, now: datetime) -> Pass:
        bearer = await self._app.call(unknown("door"), tokens.verify, number, hash_secret(secret))
        token, user = bearer.token, bearer.user
        scopes = token.scopes if user.admin else token.scopes - {"admin"}
        if token.last_used_at is None or now - token.last_used_at > TOUCH_EVERY:
            self._app.trail.touch("token", token.id, now)
        caller = Caller(user.id, user.handle, "", scopes=scopes, credential=f"token:{token.id}")
        if token.run is not None:
            caller = replace(caller, actor=token.name, run=token.run, origin=f"run:{token.run}")
        return Pass(caller, ANYWHERE, min(now + TRUSTED_FOR, token.expires_at or now + TRUSTED_FOR))

    async def _read_ticket(self, shown: str, now: datetime) -> Pass:
        ticket = self.signer.read(shown, now)
        if not 0 < ticket.login <= ID_MOST:
            raise refuse()
        entry = await self._app.call(unknown("door"), logins.verify, ticket.login)
        user, login = entry.user, entry.login
        if ticket.audience != (login.resource or ANYWHERE):
            raise refuse()
        scopes = login.scopes if user.admin else login.scopes - {"admin"}
        caller = Caller(user.id, user.handle, "", scopes=scopes, credential=f"login:{login.id}")
        return Pass(caller, ticket.audience, min(now + TRUSTED_FOR, ticket.expires_at))

    def _hear(self, events: Sequence[Event]) -> None:
        for event in events:
            if event.for_everyone:
                with self._lock:
                    self._news += 1
                    self._passes.clear()
            elif event.noun in ACCOUNT_NOUNS:
                self.forget(event.owner)
                if event.noun == "user":  # perhaps somebody else's doing, an administrator's
                    self.forget(event.subject)
