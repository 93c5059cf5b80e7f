"""A worker's part, played by the operations themselves: runs that are at work, ask, and end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from taskpilot.access.secrets import hash_secret, make_secret
from taskpilot.app import App, Errand, Tell
from taskpilot.domain.caller import LOCAL_USER, Caller, local, worker
from taskpilot.domain.evidence import Evidence
from taskpilot.domain.operation import Access
from taskpilot.domain.question import CAP, PERMISSION, Asking, Question
from taskpilot.domain.run import Agent, Hold, Kind, Said
from taskpilot.domain.token import write_token
from taskpilot.ops import dispatch, evidence, questions, run_orders, run_tokens, runs
from taskpilot.store.runs import Diff
from taskpilot.toolkit import Reply, Tool

LEASE = 60
WORKER = "w1"


@dataclass(frozen=True)
class Seat:
    """A run at work, as its worker holds it."""

    app: App
    task: int
    hold: Hold

    @property
    def run(self) -> int:
        return self.hold.run

    @property
    def carrier(self) -> Caller:
        return worker(self.hold.owner, "claudecode", self.hold.run)

    def do(self, op: Any, *args: Any, **kwargs: Any) -> Any:
        return self.app.run(self.carrier, op, *args, **kwargs)

    def issue(self) -> str:
        """The token of its agent."""
        secret = make_secret()
        return write_token(self.do(run_tokens.issue, self.hold, hash_secret(secret)).id, secret)

    def say(self, *lines: str, kind: Kind = Kind.MESSAGE) -> None:
        self.do(dispatch.note, self.hold, [Said(kind, line) for line in lines])

    def keep(self, head: str = "c0ffee", files: Sequence[str] = ("a.py",)) -> None:
        self.do(dispatch.keep, self.hold, Diff(head, f"diff of {head}", 3, 1), files)

    def prove(self, command: str, code: int = 0, head: str = "c0ffee", tail: str = "") -> Any:
        seen = Evidence(
            id=0,
            owner=self.hold.owner,
            task=0,
            run=0,
            command=command,
            exit_code=code,
            head=head,
            digest="0" * 64,
            tail=tail,
            seconds=1.0,
            at=self.app.now(),
        )
        return self.do(evidence.record, self.hold, [seen])

    def ask(self, words: str = "May it run make?", asking: Asking = Asking.PERMISSION, **data: Any) -> Question:
        run = self.do(dispatch.check, self.hold)
        options = PERMISSION if asking is Asking.PERMISSION else CAP
        return self.do(questions.ask, run, asking, words, options, data)

    def finish(self, **how: Any) -> Any:
        return self.do(dispatch.finish, self.hold, **{"ok": True, **how})


def take(app: App, run_id: int, task_id: int, owner: int = LOCAL_USER) -> Seat:
    """A worker takes a run that waits."""
    carrier = worker(owner, "claudecode", run_id)
    assert app.run(carrier, dispatch.admit, run_id)
    return Seat(app, task_id, app.run(carrier, dispatch.take, run_id, WORKER, lease=LEASE).hold)


def take_latest(app: App, task_id: int) -> Seat:
    """A worker takes the latest run of a task of the local user."""
    run = app.run(local("cli"), runs.get, task_id).run
    assert run is not None
    return take(app, run.id, task_id)


def call(app: App, caller: Caller, tool: Tool, arguments: Mapping[str, Any], tell: Tell | None = None) -> Reply:
    """Call a tool as a client does; an errand, too."""
    given = tool.parse(arguments)
    return tool(Errand(app, caller, tell), given) if tool.access is Access.ERRAND else app.run(caller, tool, given)


def seat(app: App, task_id: int, *, agent: Agent = Agent.CLAUDECODE, caller: Caller | None = None, **how: Any) -> Seat:
    """An agent is sent off to do a task, and a worker takes that up."""
    asks = caller or local("cli")
    run = app.run(asks, run_orders.start, task_id, agent=agent, **how).run
    assert run is not None
    return take(app, run.id, task_id, asks.user)
