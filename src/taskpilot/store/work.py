"""One unit of work: one caller, one transaction, one clock, what happened."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

from taskpilot.domain.caller import Caller
from taskpilot.domain.events import Event, diff, snapshot
from taskpilot.domain.user import User
from taskpilot.store.bin import Bin
from taskpilot.store.board import Board
from taskpilot.store.candidates import Candidates
from taskpilot.store.claims import Claims
from taskpilot.store.conversations import Conversations
from taskpilot.store.creation_keys import CreationKeys
from taskpilot.store.database import Connection
from taskpilot.store.duplicates import Duplicates
from taskpilot.store.events import Events
from taskpilot.store.evidence import EvidenceRoom
from taskpilot.store.invitations import Invitations
from taskpilot.store.kept_answers import KeptAnswers
from taskpilot.store.logins import Logins
from taskpilot.store.oauth import OAuthClients, OAuthRequests
from taskpilot.store.policies import Policies
from taskpilot.store.projects import Projects
from taskpilot.store.questions import Questions
from taskpilot.store.remotes import Remotes
from taskpilot.store.rules import Rules
from taskpilot.store.run_queue import RunQueue
from taskpilot.store.runs import Runs
from taskpilot.store.search import Search
from taskpilot.store.sessions import Sessions
from taskpilot.store.stats import Stats
from taskpilot.store.tags import Tags
from taskpilot.store.tasks import Tasks
from taskpilot.store.tokens import Tokens
from taskpilot.store.users import Users
from taskpilot.store.wip_limits import WipLimits
from taskpilot.store.workspaces import Workspaces


class Work:
    __slots__ = ("caller", "changes", "db", "now")

    def __init__(self, db: Connection, caller: Caller, now: datetime, changes: list[int] | None = None) -> None:
        self.db = db
        self.caller = caller
        self.now = now
        self.changes: list[int] = [] if changes is None else changes
        """The event that names this change, once there is one: one operation is one change, for whomever it acts."""

    # Each repository is bound to the caller's user: there is no way to ask it for somebody else's rows.

    @property
    def tasks(self) -> Tasks:
        return Tasks(self.db, self.caller.user)

    @property
    def projects(self) -> Projects:
        return Projects(self.db, self.caller.user)

    @property
    def workspaces(self) -> Workspaces:
        return Workspaces(self.db, self.caller.user)

    @property
    def rules(self) -> Rules:
        return Rules(self.db, self.caller.user)

    @property
    def sessions(self) -> Sessions:
        return Sessions(self.db, self.caller.user)

    @property
    def runs(self) -> Runs:
        return Runs(self.db, self.caller.user)

    @property
    def run_queue(self) -> RunQueue:
        return RunQueue(self.db)

    @property
    def questions(self) -> Questions:
        return Questions(self.db, self.caller.user)

    @property
    def conversations(self) -> Conversations:
        return Conversations(self.db, self.caller.user)

    @property
    def policies(self) -> Policies:
        return Policies(self.db, self.caller.user)

    @property
    def evidence(self) -> EvidenceRoom:
        return EvidenceRoom(self.db, self.caller.user)

    @property
    def tags(self) -> Tags:
        return Tags(self.db, self.caller.user)

    @property
    def events(self) -> Events:
        return Events(self.db, self.caller.user)

    @property
    def search(self) -> Search:
        return Search(self.db, self.caller.user)

    @property
    def stats(self) -> Stats:
        return Stats(self.db, self.caller.user)

    @property
    def creation_keys(self) -> CreationKeys:
        return CreationKeys(self.db, self.caller.user)

    @property
    def remotes(self) -> Remotes:
        return Remotes(self.db, self.caller.user)

    @property
    def claims(self) -> Claims:
        return Claims(self.db, self.caller.user)

    @property
    def bin(self) -> Bin:
        return Bin(self.db, self.caller.user)

    @property
    def board(self) -> Board:
        return Board(self.db, self.caller.user)

    @property
    def duplicates(self) -> Duplicates:
        return Duplicates(self.db, self.caller.user)

    @property
    def candidates(self) -> Candidates:
        return Candidates(self.db, self.caller.user)

    @property
    def wip_limits(self) -> WipLimits:
        return WipLimits(self.db, self.caller.user)

    @property
    def kept_answers(self) -> KeptAnswers:
        return KeptAnswers(self.db, self.caller.user)

    @property
    def logins(self) -> Logins:
        return Logins(self.db, self.caller.user)

    @property
    def invitations(self) -> Invitations:
        return Invitations(self.db, self.caller.user)

    @property
    def tokens(self) -> Tokens:
        return Tokens(self.db, self.caller.user)

    @property
    def users(self) -> Users:
        return Users(self.db)

    @property
    def oauth_clients(self) -> OAuthClients:
        return OAuthClients(self.db)

    @property
    def oauth_requests(self) -> OAuthRequests:
        return OAuthRequests(self.db)

    def for_user(self, user: int | User) -> Work:
        """The same work in the name of another user: for contracts whose callers say whom they act for,

        and, given the user, for somebody who has just proved to be that one.
        """
        if isinstance(user, User):
            return Work(self.db, replace(self.caller, user=user.id, actor=user.handle), self.now, self.changes)
        return Work(self.db, replace(self.caller, user=user), self.now, self.changes)

    def record(self, kind: str, before: Any, after: Any, *, reason: str = "", undoes: int | None = None) -> Event:
        """Write one change into the log: `before` is None for something new."""
        was, now = (None, snapshot(after)) if before is None else diff(before, after)
        event = self.events.append(
            change=self.changes[0] if self.changes else None,
            at=self.now,
            actor=self.caller.actor,
            door=self.caller.door,
            kind=kind,
            subject=after.id,
            before=was,
            after=now,
            reason=reason,
            undoes=undoes,
            workspace=after.id if kind.startswith("workspace.") else getattr(after, "workspace", None),
            address=self.caller.address,
            tool=self.caller.tool,
            origin=self.caller.origin,
        )
        if not self.changes:
            self.changes.append(event.id)
        return event
