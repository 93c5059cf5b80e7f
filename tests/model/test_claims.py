"""Claims against a simple model of them: whatever agents, people, undo and the clock do, in whatever order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import count
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from taskpilot.app import App
from taskpilot.domain.caller import Caller
from taskpilot.domain.errors import Conflict, NotFound
from taskpilot.ops import claims, history, tasks, users
from taskpilot.ops.queue import Wish
from tests.conftest import SOAK, Clock

EXAMPLES, STEPS = (1_000, 80) if SOAK else (30, 30)
TASKS = 3
AGENTS = st.sampled_from(["ann", "bob", "cat"])
LEASES = st.integers(5, 120)
PLACES = st.integers(0, TASKS - 1)
TOKENS = st.integers(0, 5)
"""How many claims ago."""
NUMBERS = count(1_000)


@dataclass
class Held:
    task: int
    agent: str
    lease: int
    until: datetime
    ended: bool = False
    finished: bool = False
    """It ended with its task."""


@dataclass
class Known:
    title: str
    status: str = "todo"
    deleted: bool = False
    closed_from: tuple[str, int | None] = ("todo", None)
    """The status it had when it was closed or deleted, and the token that ended with it."""

    @property
    def open(self) -> bool:
        return self.status != "done" and not self.deleted


class Claiming(RuleBasedStateMachine):
    app: App
    clock: Clock

    def __init__(self) -> None:
        super().__init__()
        user = self.app.run(Caller(1, "tests", "cli"), users.ensure, next(NUMBERS))
        self.person = Caller(user.id, "person", "cli")
        self.tasks: dict[int, Known] = {}
        self.held: dict[int, Held] = {}

    def run(self, op: Callable[..., Any], *args: Any, agent: str = "person", **kwargs: Any) -> Any:
        return self.app.run(replace(self.person, actor=agent), op, *args, **kwargs)

    @initialize()
    def make(self) -> None:
        for made in self.run(tasks.create, [{"title": f"Task {n}"} for n in range(TASKS)]).tasks:
            self.tasks[made.id] = Known(made.title)

    # What agents do.

    @rule(agent=AGENTS, lease=LEASES)
    def take_next(self, agent: str, lease: int) -> None:
        taken = self.run(claims.take_next, Wish(), lease=lease, agent=agent)
        self.return_expired()
        free = {task for task, known in self.tasks.items() if known.status == "todo" and self.can_take(task)}
        assert (taken.task.id in free) if free else (taken.task is None)
        if taken.claim is not None:
            self.note(taken.claim, agent, lease)

    @rule(agent=AGENTS, lease=LEASES, place=PLACES)
    def take(self, agent: str, lease: int, place: int) -> None:
        task = self.pick(place)
        try:
            taken = self.run(claims.take, task, lease=lease, agent=agent)
        except (Conflict, NotFound):
            assert not self.tasks[task].open or self.live(task) is not None
            return
        self.return_expired()
        assert self.can_take(task)
        self.note(taken.claim, agent, lease)

    @rule(back=TOKENS, number=st.integers(0, 9))
    def write(self, back: int, number: int) -> None:
        token, held = self.recall(back)
        change = {"title": f"Title {number}"}
        if held and self.fenced(
            token, lambda: self.run(tasks.update, held.task, change, claim=token, agent=held.agent)
        ):
            held.until = self.clock.now + timedelta(seconds=held.lease)
            self.tasks[held.task].title = change["title"]

    @rule(back=TOKENS, lease=LEASES)
    def renew(self, back: int, lease: int) -> None:
        token, held = self.recall(back)
        if held and self.fenced(token, lambda: self.run(claims.renew, held.task, token, lease=lease)):
            held.lease, held.until = lease, self.clock.now + timedelta(seconds=lease)

    @rule(back=TOKENS)
    def complete(self, back: int) -> None:
        token, held = self.recall(back)
        if held is None:
            return
        known = self.tasks[held.task]
        if known.status == "done" and not known.deleted and held.finished:  # safe to repeat
            assert self.run(tasks.complete, held.task, claim=token, agent=held.agent).task.completed
        elif self.fenced(token, lambda: self.run(tasks.complete, held.task, claim=token, agent=held.agent)):
            held.until = self.clock.now + timedelta(seconds=held.lease)
            self.close(held.task, done=True)

    @rule(back=TOKENS)
    def release(self, back: int) -> None:
        token, held = self.recall(back)
        if held and self.fenced(token, lambda: self.run(claims.release, held.task, token, handoff={"next": "roof"})):
            self.put_back(token)

    @rule(back=TOKENS)
    def check(self, back: int) -> None:
        token, held = self.recall(back)
        if held:
            self.fenced(token, lambda: self.run(claims.check, held.task, token))

    # What people do, who need no token.

    @rule(place=PLACES)
    def complete_by_hand(self, place: int) -> None:
        task = self.pick(place)
        if self.tasks[task].open:
            self.run(tasks.complete, task)
            self.close(task, done=True)

    @rule(place=PLACES)
    def delete(self, place: int) -> None:
        task = self.pick(place)
        if not self.tasks[task].deleted:
            self.run(tasks.delete, task)
            self.close(task, done=False)

    @rule(place=PLACES)
    def put_down(self, place: int) -> None:
        """The claim goes on: whoever holds it finds the task where a person put it."""
        task = self.pick(place)
        if self.tasks[task].open:
            self.run(tasks.update, task, {"status": "todo"})
            self.tasks[task].status = "todo"

    @rule(place=PLACES)
    def take_away(self, place: int) -> None:
        task = self.pick(place)
        token = self.current(task)
        try:
            self.run(claims.release, task)
        except (Conflict, NotFound):
            assert token is None or self.tasks[task].deleted
        else:
            assert token is not None
            self.put_back(token)

    @rule(place=PLACES)
    def undo_closing(self, place: int) -> None:
        """The claim that ended with it goes on, for as long as its lease lasts."""
        task = self.pick(place)
        known = self.tasks[task]
        if known.open:
            return
        undone = self.run(history.undo, task_id=task)
        assert [event.kind for event in undone.events] == ["task.deleted" if known.deleted else "task.completed"]
        if known.deleted and known.status == "done":
            known.deleted = False
            return
        known.deleted, (known.status, token) = False, known.closed_from
        if token is not None and known.status == "in_progress":
            self.held[token].ended = self.held[token].finished = False

    @rule(agent=AGENTS, lease=LEASES, place=PLACES)
    def undo_taking(self, agent: str, lease: int, place: int) -> None:
        task = self.pick(place)
        was = len(self.held)
        self.take(agent, lease, place)
        if len(self.held) > was:
            status = "todo" if self.was_begun is False else "in_progress"
            self.run(history.undo, task_id=task)
            self.held[max(self.held)].ended = True
            self.tasks[task].status = status

    @rule(agent=AGENTS)
    def preview(self, agent: str) -> None:
        try:
            assert self.run(history.undo_changes, actor=agent, preview=True).preview
        except NotFound:
            assert not any(held.agent == agent for held in self.held.values())

    # What happens by itself.

    @rule(seconds=st.integers(1, 100))
    def wait(self, seconds: int) -> None:
        self.clock.forward(seconds=seconds)

    @rule()
    def sweep(self) -> None:
        self.run(claims.sweep)
        self.return_expired()

    @invariant()
    def the_store_says_what_the_model_says(self) -> None:
        with self.app.database.reading() as db:
            rows = db.all("SELECT * FROM task WHERE owner_id = :owner", owner=self.person.user)
            kept = db.all("SELECT * FROM claim WHERE owner_id = :owner", owner=self.person.user)
        assert {row["id"]: (row["title"], row["status"], row["deleted_at"] is not None) for row in rows} == {
            task: (known.title, known.status, known.deleted) for task, known in self.tasks.items()
        }
        assert {
            row["id"]: (row["task_id"], row["actor"], row["ended_at"] is not None, row["lease"]) for row in kept
        } == {token: (held.task, held.agent, held.ended, held.lease) for token, held in self.held.items()}
        open_claims = [row["task_id"] for row in kept if row["ended_at"] is None]
        assert len(open_claims) == len(set(open_claims))
        assert {claim.id for claim in self.run(claims.list_live)} == {t for t in self.held if self.holds(t)}

    # The model.

    def pick(self, place: int) -> int:
        return list(self.tasks)[place]

    def recall(self, back: int) -> tuple[int, Held | None]:
        known = sorted(self.held, reverse=True)
        token = known[back] if back < len(known) else 0
        return token, self.held.get(token)

    def holds(self, token: int) -> bool:
        return not self.held[token].ended and self.clock.now < self.held[token].until

    def current(self, task: int) -> int | None:
        return next((token for token, held in self.held.items() if held.task == task and not held.ended), None)

    def live(self, task: int) -> int | None:
        token = self.current(task)
        return token if token is not None and self.holds(token) else None

    def can_take(self, task: int) -> bool:
        return self.tasks[task].open and self.current(task) is None

    def fenced(self, token: int, write: Callable[[], Any]) -> bool:
        """Try it: it must go through if the token holds, and only then."""
        try:
            write()
        except (Conflict, NotFound):
            assert not self.holds(token)
            return False
        assert self.holds(token)
        return True

    def note(self, claim: Any, agent: str, lease: int) -> None:
        assert claim.id > max(self.held, default=0), "a token is never lower than one before it"
        self.held[claim.id] = Held(claim.task, agent, lease, self.clock.now + timedelta(seconds=lease))
        self.was_begun = self.tasks[claim.task].status == "in_progress"
        self.tasks[claim.task].status = "in_progress"

    def close(self, task: int, *, done: bool) -> None:
        known, token = self.tasks[task], self.current(task)
        if known.open:
            known.closed_from = (known.status, token)
        if token is not None:
            self.held[token].ended = self.held[token].finished = True
        if done:
            known.status = "done"
        else:
            known.deleted = True

    def put_back(self, token: int) -> None:
        held = self.held[token]
        held.ended = True
        if self.tasks[held.task].open and self.tasks[held.task].status == "in_progress":
            self.tasks[held.task].status = "todo"

    def return_expired(self) -> None:
        for token, held in self.held.items():
            if not held.ended and not self.holds(token):
                self.put_back(token)


def test_claims_keep_their_promises_whatever_happens(app: App, clock: Clock) -> None:
    machine = type("Machine", (Claiming,), {"app": app, "clock": clock})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=EXAMPLES,
            stateful_step_count=STEPS,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
