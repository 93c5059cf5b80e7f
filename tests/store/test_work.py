"""No repository shows or touches a stranger's rows, whichever method is asked."""

from __future__ import annotations

from dataclasses import replace

import pytest

from taskpilot.domain.errors import NotFound
from taskpilot.domain.selection import Selection, Sort
from taskpilot.ops import history, tasks, workspaces
from taskpilot.store.work import Work


@pytest.fixture
def theirs(app, stranger):
    """A stranger's task, with everything a task can have."""
    run = lambda op, *args, **more: app.run(stranger, op, *args, **more)  # noqa: E731
    folder = run(workspaces.open_folder, "/srv/theirs")
    parent, blocker = (run(tasks.create, [{"title": title}]).tasks[0] for title in ("Parent", "Blocker"))
    fields = {
        "title": "Secret walls",
        "tags": ["secret"],
        "project": "Hidden",
        "workspace": folder.id,
        "parent": parent.id,
        "blocked_by": [blocker.id],
        "due_date": "2025-01-01",
        "recurrence": "FREQ=DAILY",
    }
    task = run(tasks.create, [fields], key="k").tasks[0]
    follower = run(tasks.complete, task.id).next
    assert follower is not None
    return run(tasks.get, task.id)


@pytest.fixture
def read(app, me, clock):
    """Ask the repositories as the local user."""

    def read(ask):
        with app.database.reading() as db:
            return ask(Work(db, me, clock()))

    return read


@pytest.fixture
def write(app, me, clock):
    def write(change):
        with app.database.writing() as db:
            return change(Work(db, me, clock()))

    return write


@pytest.mark.parametrize("deleted", [False, True])
def test_a_strangers_task_is_not_found(read, theirs, deleted):
    with pytest.raises(NotFound):
        read(lambda work: work.tasks.get(theirs.id, deleted=deleted))


def test_a_strangers_project_and_workspace_are_not_found(read, theirs):
    for deleted in (False, True):
        with pytest.raises(NotFound):
            read(lambda work, deleted=deleted: work.projects.get(theirs.project_id, deleted=deleted))
    with pytest.raises(NotFound):
        read(lambda work: work.workspaces.get(theirs.workspace))


@pytest.mark.usefixtures("theirs")
def test_a_strangers_event_is_not_found(app, stranger, read):
    with app.database.reading() as db:
        last = Work(db, stranger, None).events.history(noun=None, subject=None, before=None, limit=1)[0]
    with pytest.raises(NotFound):
        read(lambda work: work.events.get(last.id))
    assert read(lambda work: work.events.of_change(last.change)) == []


@pytest.mark.parametrize(
    "ask",
    [
        lambda work, it: work.tasks.many([it.id, it.parent]),
        lambda work, _: work.tasks.page(Selection(closed=True), Sort.NEWEST, 10).items,
        lambda work, _: work.tasks.page(Selection(closed=True, tag="secret"), Sort.NEWEST, 10).items,
        lambda work, _: work.tasks.page(Selection(closed=True, project="Hidden"), Sort.DUE, 10).items,
        lambda work, it: work.tasks.page(Selection(closed=True, parent=it.parent), Sort.OLDEST, 10).items,
        lambda work, it: work.tasks.page(Selection(closed=True, workspace=it.workspace), Sort.UPDATED, 10).items,
        lambda work, it: work.tasks.blockers_of([it.id]),
        lambda work, it: work.tasks.parents_of([it.id]),
        lambda work, it: work.tasks.children_of([it.parent]),
        lambda work, it: work.tasks.waiting_on(it.blocked_by[0]),
        lambda work, it: work.tasks.open_blockers(it.id),
        lambda work, it: work.tasks.follower(it.id),
        lambda work, _: work.projects.find("Hidden"),
        lambda work, _: work.projects.all(),
        lambda work, it: work.projects.task_ids(it.project_id),
        lambda work, _: work.workspaces.find("/srv/theirs"),
        lambda work, _: work.workspaces.all(),
        lambda work, _: work.tags.all(),
        lambda work, _: work.tags.known(),
        lambda work, _: work.tags.find("secret"),
        lambda work, _: any(work.tags.task_ids(number) or work.tags.count_open(number) for number in range(9)),
        lambda work, it: work.projects.count_open(it.project_id),
        lambda work, _: work.events.history(noun=None, subject=None, before=None, limit=50),
        lambda work, it: work.events.history(noun="task", subject=it.id, before=None, limit=50),
        lambda work, _: work.events.latest_by("user-77", 50),
        lambda work, _: work.events.changeset(actor="user-77", origin=None, since=None, limit=50),
        lambda work, _: work.events.of_tasks_after(0, 50),
        lambda work, _: work.search.find("secret", Selection(closed=True), 10)[0],
        lambda work, _: work.stats.counts(),
        lambda work, _: work.stats.completions("2000-01-01", "day"),
        lambda work, _: work.stats.creations("2000-01-01", "day"),
        lambda work, _: work.stats.overdue("9999", "9999"),
        lambda work, _: work.creation_keys.find("k"),
    ],
)
def test_nothing_of_a_strangers_shows(read, theirs, ask):
    assert not read(lambda work: ask(work, theirs))


@pytest.mark.usefixtures("theirs")
def test_what_a_stranger_undid_does_not_show(app, stranger, read):
    undone = app.run(stranger, history.undo).events
    assert read(lambda work: work.events.undone([event.id for event in undone])) == set()


def test_a_strangers_task_cannot_be_saved_tagged_or_linked(app, stranger, write, theirs):
    mine = replace(theirs, owner=1, title="Mine now", version=9, tags=("mine",), blocked_by=())
    with pytest.raises(NotFound):
        write(lambda work: work.tasks.save(theirs, mine))
    with pytest.raises(NotFound):
        write(lambda work: work.tasks.save(theirs, replace(theirs, tags=("mine",), blocked_by=())))
    assert app.run(stranger, tasks.get, theirs.id) == theirs


def test_a_task_added_for_a_stranger_is_still_mine(write, read, theirs):
    made = write(
        lambda work: work.tasks.add(replace(theirs, project_id=None, workspace=None, parent=None, follows=None))
    )
    found = read(lambda work: work.tasks.get(made.id))
    assert found.owner == 1
    assert found.blocked_by == ()
