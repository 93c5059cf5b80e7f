"""The token an agent gets for one run: it opens the run's desk, and ends with it."""

from __future__ import annotations

from datetime import timedelta

from taskpilot.domain.operation import writes
from taskpilot.domain.run import Hold
from taskpilot.domain.scopes import Scope
from taskpilot.domain.token import Token
from taskpilot.ops import dispatch, tokens
from taskpilot.store.work import Work

LASTS = timedelta(days=1)


@writes(scope=Scope.RUN)
def issue(work: Work, hold: Hold, hashed: str) -> Token:
    """A new one; those of earlier attempts end now."""
    run = dispatch.check(work, hold)
    tokens.close_desk(work, hold.run)
    token = work.tokens.add(
        Token(
            id=0,
            owner=work.caller.user,
            name=f"{run.agent} in run {run.id}",
            created_at=work.now,
            expires_at=work.now + LASTS,
            scopes=frozenset({Scope.DESK}),
            run=run.id,
        ),
        hashed,
    )
    work.record("token.created", None, token)
    return token
