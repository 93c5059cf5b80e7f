"""What one can do with users. Accounts and passwords come with the REST API."""

from __future__ import annotations

from taskpilot.domain.errors import Invalid, NotFound
from taskpilot.domain.operation import reads, writes
from taskpilot.domain.user import NAMED_ID_MOST, User
from taskpilot.store.work import Work


@reads(quick=True)
def me(work: Work) -> User:
    """The caller."""
    user = work.users.find(work.caller.user)
    if user is None:
        raise NotFound(f"There is no user {work.caller.user}.")
    return user


@writes
def ensure(work: Work, user_id: int) -> User:
    """The user of that number, made on first use. Safe to repeat."""
    found = work.users.find(user_id)
    if found is not None:
        return found
    if not 1 <= user_id <= NAMED_ID_MOST:
        raise Invalid(f"A user's number cannot be {user_id}.", hint=f"Choose 1 to {NAMED_ID_MOST}.")
    return work.users.add(f"user-{user_id}", work.now, user_id)
