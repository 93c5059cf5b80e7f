"""Tokens for users of the store, without going through the accounts."""

from __future__ import annotations

from taskpilot.access.secrets import hash_secret, make_secret
from taskpilot.app import App
from taskpilot.domain.caller import Caller, local
from taskpilot.domain.scopes import EVERY, Scope
from taskpilot.domain.token import write_token
from taskpilot.ops import tokens, users

STRANGER = 77


def give_token(app: App, number: int = STRANGER, *scopes: Scope) -> str:
    """A token of the user of that number, who is made on first use."""
    user = app.run(local("cli"), users.ensure, number)
    secret = make_secret()
    caller = Caller(user.id, user.handle, "cli", scopes=EVERY)
    granted = frozenset(scopes or (Scope.READ, Scope.WRITE))
    return write_token(app.run(caller, tokens.create, "Test", hash_secret(secret), granted).id, secret)
