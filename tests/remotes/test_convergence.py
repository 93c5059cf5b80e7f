"""Whatever happened on both sides, however often a sync broke off: two syncs later they agree. Nothing is twice."""

from __future__ import annotations

from contextlib import suppress
from itertools import count
from pathlib import Path

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from taskpilot.domain.errors import TaskPilotError
from taskpilot.domain.remote import State, add_marker, face_of, split_marker
from taskpilot.domain.selection import Selection
from taskpilot.ops import remotes, tasks, workspaces
from taskpilot.remotes import sync
from taskpilot.remotes.connection import prepare, reached, store
from tests.conftest import SOAK
from tests.remotes.conftest import CONFIGS
from tests.remotes.services import GitHub, Service

WORDS = st.text(st.sampled_from("abü \n<-[]"), max_size=8)
WHICH = st.integers(0, 5)
STEPS = st.one_of(
    st.tuples(st.just("add"), WORDS),
    st.tuples(st.just("retitle"), WHICH, WORDS),
    st.tuples(st.just("describe"), WHICH, WORDS),
    st.tuples(st.sampled_from(["complete", "reopen", "drop", "delete"]), WHICH),
    st.tuples(st.just("their_add"), WORDS, WORDS),
    st.tuples(st.just("their_retitle"), WHICH, WORDS),
    st.tuples(st.just("their_describe"), WHICH, WORDS),
    st.tuples(st.sampled_from(["their_close", "their_drop", "their_reopen"]), WHICH),
    st.tuples(st.just("wait"), st.integers(1, 20)),
    st.tuples(st.just("sync")),
    st.tuples(st.just("broken_sync"), st.sampled_from(["POST", "PATCH", "GET", ""]), st.booleans(), st.integers(0, 2)),
)
numbers = count()


class World:
    """One workspace, one repository, and what people do in them."""

    def __init__(self, errand, clock, service: Service, folder: Path) -> None:
        self.errand, self.clock, self.service = errand, clock, service
        self.added = self.opened = 0
        folder.mkdir()
        self.workspace = errand.run(workspaces.open_folder, str(folder)).id
        self.setup = prepare(errand, str(folder), "github", CONFIGS["github"](service.url))
        self.remote = store(errand, self.setup)

    def ours(self):
        return self.errand.run(tasks.list_page, Selection(closed=True, workspace=self.workspace), limit=500).items

    def pick(self, items, which):
        return items[which % len(items)] if items else None

    def sync(self) -> sync.Outcome:
        with reached(self.errand, self.setup) as adapter:
            return sync.run(self.errand, adapter, self.remote)

    def take(self, step: str, *values) -> None:
        if step in ("add", "wait", "sync", "broken_sync") or step.startswith("their_"):
            getattr(self, step)(*values)
        elif task := self.pick(self.ours(), values[0]):
            with suppress(TaskPilotError):
                self.change(task, step, *values[1:])

    def change(self, task, step: str, *values) -> None:
        match step:
            case "retitle":
                self.errand.run(tasks.update, task.id, {"title": values[0]})
            case "describe":
                self.errand.run(tasks.update, task.id, {"description": values[0]})
            case "drop":
                self.errand.run(tasks.update, task.id, {"status": "dropped"})
            case _:
                self.errand.run(getattr(tasks, step), task.id)

    def add(self, words: str) -> None:
        draft = {"title": f"{words} {next(numbers)}", "workspace": self.workspace}
        self.errand.run(tasks.create, [draft])
        self.added += 1

    def wait(self, minutes: int) -> None:
        self.clock.forward(minutes=minutes)

    def broken_sync(self, only: str, late: bool, after: int) -> None:
        self.service.fail(0 if late else 500, only=only, late=late, after=after)
        with suppress(TaskPilotError):
            self.sync()
        self.service.faults.clear()

    def their_add(self, title: str, body: str) -> None:
        self.service.open_issue(f"{title} {next(numbers)}", body)
        self.opened += 1

    def edit(self, which: int, **changes) -> None:
        if key := self.pick(list(self.service.items), which):
            self.service.edit(key, **changes)

    def their_retitle(self, which: int, title: str) -> None:
        self.edit(which, title=title or "?")

    def their_describe(self, which: int, body: str) -> None:
        if key := self.pick(list(self.service.items), which):
            # Who edits the text does not see the marker below it, and leaves it there.
            self.service.edit(key, body=add_marker(body, split_marker(self.service.items[key]["body"] or "")[1]))

    def their_close(self, which: int) -> None:
        self.edit(which, state="closed", state_reason="completed")

    def their_drop(self, which: int) -> None:
        self.edit(which, state="closed", state_reason="not_planned")

    def their_reopen(self, which: int) -> None:
        self.edit(which, state="open", state_reason="reopened")

    def check(self) -> None:
        with reached(self.errand, self.setup) as adapter:
            there = {item.key: item.face for page in adapter.list_changed("") for item in page}
        links = self.errand.run(_links, self.remote.id)
        assert len({link.task_id for link in links}) == len({link.key for link in links}) == len(links)
        linked = {link.task_id: link.key for link in links}
        for task in self.ours():
            if task.id in linked:
                assert face_of(task) == there[linked[task.id]]
            else:
                assert not task.status.open
        # Deleted ones count: each side got at most one of each that people made on the other.
        assert self.errand.run(_count, self.workspace) - self.added <= self.opened
        assert len(there) - self.opened <= self.added
        known = {link.key for link in links}
        assert all(face.state is not State.OPEN for key, face in there.items() if key not in known)


def _links(work, remote_id):
    return work.remotes.links(remote_id)


def _count(work, workspace_id):
    return work.db.one("SELECT count(*) AS n FROM task WHERE workspace_id = :id", id=workspace_id)["n"]


for op in (_links, _count):
    op.access, op.scope = remotes.find.access, remotes.find.scope


def test_two_syncs_after_anything_both_sides_agree_and_nothing_is_twice(errand, clock, tmp_path):
    @settings(
        max_examples=300 if SOAK else 30,
        deadline=None,
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    )
    @given(st.lists(STEPS, max_size=15))
    @example([("add", "Walls"), ("broken_sync", "POST", True, 0)])
    @example([("add", "Walls"), ("broken_sync", "POST", True, 0), ("complete", 0)])
    @example([("add", "Walls"), ("broken_sync", "POST", True, 0), ("delete", 0)])
    @example([("their_add", "Roof", ""), ("sync",), ("retitle", 0, "a"), ("their_retitle", 0, "b")])
    def prove(steps) -> None:
        with GitHub(clock).running() as service:
            world = World(errand, clock, service, tmp_path / f"site-{next(numbers)}")
            for step in steps:
                world.take(*(step if isinstance(step, tuple) else (step,)))
            world.sync()
            world.sync()
            assert world.sync().changes == 0
            world.check()

    prove()
