"""Going for good: an errand, since it takes the password."""

from __future__ import annotations

from taskpilot.access.entry import Claim, recognise
from taskpilot.app import Errand
from taskpilot.domain.errors import Conflict, Unauthenticated
from taskpilot.domain.operation import sends
from taskpilot.domain.scopes import Scope
from taskpilot.domain.user import User
from taskpilot.ops import closing


@sends(scope=Scope.ACCOUNT)
def close_account(errand: Errand, password: str) -> User:
    """Delete the caller's account and everything in it, if the password is theirs."""
    user = errand.run(closing.expect)
    if user.email is None:
        raise Conflict("This account has no password.", hint="Ask whoever runs this server to delete it.")
    try:
        proof = recognise(errand, Claim(user.email, password))
    except Unauthenticated:
        raise Unauthenticated("The password is not right.", hint="Check it and try again.") from None
    return errand.run(closing.leave, proof.hashed)
