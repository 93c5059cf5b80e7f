"""Creates that are safe to repeat: the same key gets the same answer."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from taskpilot.domain import text
from taskpilot.domain.errors import Conflict, OutOfScope
from taskpilot.domain.operation import scope_of, writes
from taskpilot.store.work import Work

KEY_MOST = 200


@writes
def keep(work: Work, key: str, fingerprint: str, make: Callable[[Work], Any]) -> tuple[Any, bool]:
    """What `make` answers, and whether it was kept from an earlier call with the same key.

    `make` runs operations in this very transaction, and gives what JSON can carry. `fingerprint` stands for
    what was asked: the same key with another one is a mistake. A key opens no door that is closed without one.
    """
    if scope_of(make) not in work.caller.scopes:
        raise OutOfScope(scope_of(make))
    key = text.line(key, "An idempotency key", KEY_MOST)
    earlier = work.kept_answers.find(key)
    if earlier is not None:
        if earlier[0] != fingerprint:
            raise Conflict(f"The key {key!r} was used for another request.", hint="Use a new key for a new request.")
        return json.loads(earlier[1]), True
    answer = make(work)
    work.kept_answers.add(key, fingerprint, json.dumps(answer, ensure_ascii=False), work.now)
    return answer, False
