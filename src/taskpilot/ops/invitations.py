"""What one can do with invitations. Codes come here as hashes."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from taskpilot.domain.errors import Conflict, Forbidden, Invalid, NotFound
from taskpilot.domain.invitation import DAYS_MOST, DAYS_USUAL, Invitation
from taskpilot.domain.operation import reads, writes
from taskpilot.domain.scopes import Scope
from taskpilot.domain.user import parse_email
from taskpilot.store.work import Work


@writes(scope=Scope.ADMIN)
def create(work: Work, hashed: str, *, email: str = "", days: int = DAYS_USUAL) -> Invitation:
    """Invite one person: whoever has the code, or only the one with this address."""
    if not 1 <= days <= DAYS_MOST:
        raise Invalid(f"An invitation cannot hold for {days} days.", hint=f"Choose 1 to {DAYS_MOST}.")
    invited = parse_email(email) if email else ""
    if invited and work.users.find_email(invited) is not None:
        raise Conflict(f"{invited} has an account already.", hint="They can sign in.")
    until = work.now + timedelta(days=days)
    invitation = work.invitations.add(
        Invitation(id=0, owner=work.caller.user, email=invited, created_at=work.now, expires_at=until), hashed
    )
    work.record("invitation.created", None, invitation)
    return invitation


@reads(scope=Scope.ADMIN)
def list_all(work: Work, *, limit: int = 50, offset: int = 0) -> tuple[list[Invitation], int]:
    """The caller's invitations that nobody has used yet, newest first, and how many there are."""
    return work.invitations.page(work.now, limit, offset)


@reads(quick=True, scope=Scope.ADMIN)
def get(work: Work, invitation_id: int) -> Invitation:
    """One of the caller's invitations, without its code."""
    found = work.invitations.find(invitation_id)
    if found is None:
        raise NotFound(f"Invitation {invitation_id} not found.", hint="List your invitations to see their numbers.")
    return found


@writes(scope=Scope.ADMIN)
def revoke(work: Work, invitation_id: int) -> Invitation:
    """Take an invitation back. Safe to repeat; one that was used stays used."""
    before = get(work, invitation_id)
    if before.used_at is not None or before.expires_at <= work.now:
        return before
    after = work.invitations.save(replace(before, expires_at=work.now))
    work.record("invitation.revoked", before, after)
    return after


@reads(scope=Scope.ACCOUNT)
def verify(work: Work, hashed: str, email: str) -> Invitation:
    """The invitation behind a code, if it admits this person and whoever gave it still may."""
    found = work.invitations.find_hash(hashed)
    if found is None or not found.admits(email, work.now):
        raise Forbidden("This invitation is not valid, or not any more.", hint="Ask for a new one.")
    host = work.users.find(found.owner)
    if host is None or not host.active:
        raise Forbidden("This invitation is not valid, or not any more.", hint="Ask for a new one.")
    return found


@writes(scope=Scope.ACCOUNT)
def redeem(work: Work, hashed: str, email: str) -> Invitation:
    """Use an invitation up."""
    before = verify(work, hashed, email)
    theirs = work.for_user(before.owner)
    after = theirs.invitations.save(replace(before, used_at=work.now))
    theirs.record("invitation.used", before, after)
    return after
