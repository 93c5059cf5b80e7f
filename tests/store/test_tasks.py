from __future__ import annotations

import base64
import json
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from taskpilot.app import App
from taskpilot.domain.caller import local
from taskpilot.domain.errors import Invalid
from taskpilot.domain.selection import Selection, Sort
from taskpilot.domain.task import Energy, Priority, Reference, Status, Task
from taskpilot.ops import tasks
from taskpilot.store import open_database
from taskpilot.store.work import Work

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)
ME = local("cli")
DAY = date(2026, 1, 5)


@pytest.fixture
def write(app, me, clock):
    def write(change):
        with app.database.writing() as db:
            return change(Work(db, me, clock()))

    return write


def test_every_field_comes_back_as_it_went_in(do, add, write):
    other = add("Other")
    task = Task(
        id=0,
        owner=1,
        title='Ünïcode "quotes" 🎉 %s :name',
        description="line\nline",
        notes="- [ ] x",
        created_at=NOW,
        updated_at=NOW + timedelta(microseconds=1),
        status=Status.DONE,
        reopens_as=Status.REVIEW,
        priority=Priority.CRITICAL,
        progress=100,
        energy=Energy.DEEP,
        time_estimate="2hr",
        parent=other.id,
        follows=other.id,
        tags=("a", "b"),
        blocked_by=(other.id,),
        connected_files=("src/a.py", "ü.txt"),
        external_refs=(Reference("github", "1", "https://example.org/1"),),
        due_date=DAY,
        scheduled_start=NOW,
        remind_at=NOW + timedelta(days=1),
        recurrence="FREQ=DAILY",
        recurs_from=DAY,
        started_at=NOW,
        completed_at=NOW,
        version=7,
    )
    made = write(lambda work: work.tasks.add(task))
    assert made == replace(task, id=made.id)
    assert do(tasks.get, made.id) == made
    bare = replace(
        task, description="", notes="", tags=(), blocked_by=(), connected_files=(), external_refs=(), due_date=None
    )
    saved = replace(bare, id=made.id, version=8)
    write(lambda work: work.tasks.save(made, saved))
    assert do(tasks.get, made.id) == saved


def test_an_id_is_never_given_twice(add, app):
    first = add("First").id
    with app.database.writing() as db:
        db.run("DELETE FROM task WHERE id = :id", id=first)
    assert add("Second").id > first


def test_many_come_in_the_order_asked_each_once(add, write):
    ids = [add(f"Task {number}").id for number in range(5)]
    asked = [ids[3], ids[0], ids[3], 10_000, ids[4]]
    assert [task.id for task in write(lambda work: work.tasks.many(asked))] == [ids[3], ids[0], ids[4]]


def forge(*parts):
    return base64.urlsafe_b64encode(json.dumps(parts).encode()).decode().rstrip("=")


@pytest.mark.parametrize(
    "cursor",
    [
        forge("priority", "text", "2026", 1),
        forge("priority", 1, 2026, 1),
        forge("priority", 1, "2026", 2**80),
        forge("priority", 1, "\ud800", 1),
        forge("priority", 1, "nul\0", 1),
        forge("priority", True, "2026", 1),
        forge("newest", "2026", 1),
        forge("priority", 1),
        "nonsense",
        "",
        "é",
    ],
)
def test_a_forged_cursor_is_refused_or_starts_anew(add, do, cursor):
    add()
    if not cursor:
        assert do(tasks.list_page, Selection(), cursor=cursor).items
        return
    with pytest.raises(Invalid, match="cursor"):
        do(tasks.list_page, Selection(), cursor=cursor)


# Paging, against every kind of list --------------------------------------------------------------------------

DRAFT = st.fixed_dictionaries(
    {"title": st.just("Task")},
    optional={
        "status": st.sampled_from(list(Status)),
        "priority": st.sampled_from(list(Priority)),
        "project": st.sampled_from(["House", "Shed"]),
        "tags": st.lists(st.sampled_from(["a", "b", "c"]), unique=True),
        "due_date": st.sampled_from([DAY, DAY + timedelta(days=1), NOW, NOW + timedelta(days=4)]),
        "blocked": st.booleans(),
        "parent": st.booleans(),
        "later": st.booleans(),
    },
)
FILTERS = {
    "statuses": st.lists(st.sampled_from(list(Status)), min_size=1, max_size=4).map(tuple),
    "closed": st.booleans(),
    "priority": st.sampled_from(list(Priority)),
    "project": st.sampled_from(["House", "Shed", "Nowhere"]),
    "tag": st.sampled_from(["a", "b", "nothing"]),
    "parent": st.just(1),
    "due_before": st.sampled_from([DAY, NOW + timedelta(days=4)]),
    "due_after": st.sampled_from([DAY, NOW]),
    "ready": st.booleans(),
}
SELECTION = (
    st.lists(st.sampled_from(sorted(FILTERS)), unique=True, max_size=2)
    .flatmap(lambda names: st.fixed_dictionaries({name: FILTERS[name] for name in names}))
    .map(lambda chosen: Selection(**chosen))
)


def fits(task: Task, selection: Selection, open_ids: set[int]) -> bool:
    """The meaning of a selection, told again without SQL."""
    statuses = selection.statuses
    if not (task.status in statuses if statuses else selection.closed or task.status.open):
        return False
    if selection.tag is not None and selection.tag not in task.tags:
        return False
    due = None if task.due_date is None else str(task.due_date.isoformat()).replace("+00:00", ".000000Z")
    for bound, holds in ((selection.due_before, str.__lt__), (selection.due_after, str.__ge__)):
        if bound is not None and (due is None or not holds(due, bound.isoformat().replace("+00:00", ".000000Z"))):
            return False
    if selection.ready is not None and selection.ready != open_ids.isdisjoint(task.blocked_by):
        return False
    wanted = ((selection.priority, task.priority), (selection.project, task.project), (selection.parent, task.parent))
    return all(want is None or want == have for want, have in wanted)


def place_of(task: Task, sort: Sort):
    due = "9999" if task.due_date is None else task.due_date.isoformat().replace("+00:00", ".000000Z")
    return {
        Sort.PRIORITY: (-task.priority, task.created_at, task.id),
        Sort.OLDEST: (task.created_at, task.id),
        Sort.NEWEST: (-task.created_at.timestamp(), -task.id),
        Sort.UPDATED: (-task.updated_at.timestamp(), -task.id),
        Sort.DUE: (due, task.id),
    }[sort]


class Moving:
    now = NOW

    def __call__(self) -> datetime:
        return self.now


def fill(app: App, clock: Moving, drafts) -> list[Task]:
    (first,) = app.run(ME, tasks.create, [{"title": "First", "status": "done"}]).tasks
    (blocker,) = app.run(ME, tasks.create, [{"title": "Blocker"}]).tasks
    made = [first, blocker]
    for draft in drafts:
        draft = dict(draft)
        if draft.pop("later", False):
            clock.now += timedelta(seconds=1)
        if draft.pop("blocked", False):
            draft["blocked_by"] = [blocker.id]
        if draft.pop("parent", False):
            draft["parent"] = first.id
        made += app.run(ME, tasks.create, [draft]).tasks
    return [app.run(ME, tasks.get, task.id) for task in made]


@pytest.mark.parametrize("where", ["sqlite", "postgres"])
def test_paging_shows_each_task_once_in_order_also_while_others_add_some(where, tmp_path, postgres_url):
    database = open_database(postgres_url if where == "postgres" else tmp_path / "a.db")
    database.migrate()
    clock = Moving()
    app = App(database, clock=clock)

    examples = 80 if where == "sqlite" else 30

    @settings(max_examples=examples, deadline=None, suppress_health_check=[HealthCheck.too_slow], database=None)
    @given(
        st.lists(DRAFT, min_size=4, max_size=12),
        SELECTION,
        st.sampled_from(list(Sort)),
        st.integers(1, 5),
        st.booleans(),
    )
    def check(drafts, selection, sort, limit, meanwhile):
        with database.writing() as db:
            for table in ("task_tag", "task_blocker", "task"):
                db.run(f"DELETE FROM {table}")
        made = fill(app, clock, drafts)
        if selection.parent is not None:
            selection = replace(selection, parent=made[0].id)
        open_ids = {task.id for task in made if task.status.open}
        expected = sorted(
            (task for task in made if fits(task, selection, open_ids)), key=lambda task: place_of(task, sort)
        )
        seen, cursor = [], None
        while True:
            page = app.run(ME, tasks.list_page, selection, sort=sort, limit=limit, cursor=cursor)
            assert len(page.items) <= limit
            seen += page.items
            assert len(seen) < 100, "it goes round in circles"
            cursor = page.cursor
            if cursor is None:
                break
            if meanwhile and len(seen) < 20:  # somebody adds tasks, but not for ever
                app.run(ME, tasks.create, [{"title": "Meanwhile", "project": "House", "tags": ["a"]}])
        known = {task.id for task in made}
        assert [task for task in seen if task.id in known] == expected
        assert len({task.id for task in seen}) == len(seen)

    try:
        check()
    finally:
        app.close()
