from __future__ import annotations

import json
import time
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from taskpilot.domain.errors import Conflict, Invalid, TaskPilotError
from taskpilot.domain.selection import Selection
from taskpilot.ops import history, projects, rules, search, sessions, tags, tasks, transfer, users, workspaces
from taskpilot.store.check import inspect

EMPTY = {"format": "taskpilot", "version": 1}
NOW = "2026-01-01T12:00:00Z"


def a_task(number=1, **more):
    return {"id": number, "title": f"Task {number}", "created_at": NOW, "updated_at": NOW, **more}


def a_project(number=1, **more):
    return {"id": number, "name": f"Project {number}", "created_at": NOW, "updated_at": NOW, **more}


def a_workspace(number=1, **more):
    return {"id": number, "path": f"/srv/{number}", "name": "W", "created_at": NOW, "updated_at": NOW, **more}


def a_rule(number=1, **more):
    times = {"created_at": NOW, "updated_at": NOW}
    return {"id": number, "workspace_id": 1, "kind": "git", "content": f"Rule {number}", **times, **more}


@pytest.fixture
def export(app, me):
    def export(caller=me):
        return json.loads(b"".join(app.run(caller, transfer.write_out)))

    return export


@pytest.fixture
def bring(app, me):
    def bring(document, caller=me):
        return app.run(caller, transfer.take_in, transfer.read(document))

    return bring


@pytest.fixture
def household(do, add, clock):
    """A bit of everything."""
    folder = do(workspaces.open_folder, "/srv/house")
    do(rules.add, folder.id, "git", "One change, one commit.")
    do(sessions.start, folder.id)
    do(projects.save, "House", colour="#112233", description="Ours")
    do(tags.create, "waiting")
    clock.forward(days=1)
    walls = add("Walls", project="House", tags=["red", "blue"], workspace=folder.id, priority="high", notes="Two coats")
    roof = add(
        "Roof",
        blocked_by=[walls.id],
        parent=walls.id,
        due_date="2026-02-01",
        remind_at="2026-01-31T08:00:00Z",
        connected_files=["src/roof.py"],
        external_refs=[["github", "7", "https://example.com/7"]],
        recurrence="FREQ=WEEKLY;BYDAY=MO",
    )
    clock.forward(hours=1)
    do(tasks.complete, roof.id)
    gone = add("Gone", blocked_by=[walls.id])
    add("Waits for what is gone", blocked_by=[gone.id], status="in_progress", progress=40, energy="deep", rank=0.5)
    do(tasks.delete, gone.id)
    do(tasks.update, walls.id, {"title": "Walls and doors"})


def without_ids(document):
    """The same document with every id replaced by its place, and without what is only told."""
    places = {
        section: {thing["id"]: f"{section}[{place}]" for place, thing in enumerate(document[section])}
        for section in ("projects", "workspaces", "rules", "sessions", "tasks")
    }
    names = {"project_id": "projects", "workspace_id": "workspaces", "parent_id": "tasks", "follows_id": "tasks"}
    told: dict[str, Any] = {"tags": document["tags"]}
    for section, place in places.items():
        told[section] = []
        for thing in document[section]:
            thing = dict(thing, id=place[thing["id"]])
            for name, target in names.items():
                if name in thing:
                    thing[name] = places[target][thing[name]]
            if "blocked_by" in thing:
                thing["blocked_by"] = sorted(places["tasks"][number] for number in thing["blocked_by"])
            told[section].append(thing)
    return told


def test_a_document_tells_everything_and_comes_back_the_same(app, household, export, bring, stranger):
    document = export()
    assert (document["format"], document["version"], document["user"]["handle"]) == ("taskpilot", 1, "dev-user")
    assert [task["title"] for task in document["tasks"]] == [
        "Walls and doors",
        "Roof",
        "Roof",
        "Waits for what is gone",
    ]
    assert [task.get("rank") for task in document["tasks"]] == [None, None, None, 0.5]
    made = bring(document, stranger)
    assert (made.projects, made.tags, made.workspaces, made.rules, made.sessions, made.tasks) == (1, 1, 1, 1, 1, 4)
    again = export(stranger)
    assert without_ids(again) == without_ids(document)
    assert not {task["id"] for task in again["tasks"]} & {task["id"] for task in document["tasks"]}
    assert inspect(app.database) == []


def test_what_is_gone_and_what_happened_is_told_but_not_brought_back(household, export, bring, app, stranger):
    document = export()
    record = document["record"]
    assert [task["title"] for task in record["bin"]["tasks"]] == ["Gone"]
    assert "blocked_by" not in document["tasks"][3]
    assert record["events"][-1]["kind"] == "task.updated"
    assert record["events"][-1]["before_fields"] == {"title": "Walls"}
    bring(document, stranger)
    events = app.run(stranger, history.list_page, limit=100).items
    assert {event.kind for event in events} == {
        "project.created",
        "workspace.created",
        "rule.created",
        "session.started",
        "tag.created",
        "task.created",
    }
    assert {event.reason for event in events} == {"Imported"}
    assert len({event.change for event in events}) == 1


def test_dates_and_versions_survive(household, export, bring, app, stranger, clock):
    document = export()
    clock.forward(days=100)
    bring(document, stranger)
    found = {task.title: task for task in app.run(stranger, tasks.list_page, Selection(closed=True)).items}
    assert found["Walls and doors"].version == 2
    assert found["Walls and doors"].created_at < clock.now - timedelta(days=99)
    roofs = [task for task in app.run(stranger, tasks.list_page, Selection(closed=True)).items if task.title == "Roof"]
    done = next(task for task in roofs if task.completed)
    following = next(task for task in roofs if not task.completed)
    assert following.follows == done.id
    assert done.completed_at is not None
    assert done.completed_at < clock.now - timedelta(days=99)
    assert done.parent == found["Walls and doors"].id


def test_undo_takes_an_import_back_whole(household, export, bring, app, stranger):
    bring(export(), stranger)
    app.run(stranger, history.undo)
    assert export(stranger)["tasks"] == export(stranger)["projects"] == []


def test_what_is_there_by_the_same_name_is_the_same(do, household, export, bring, add):
    mine = add("Mine", project="House", tags=["waiting"])
    made = bring(export())
    assert (made.projects, made.tags, made.workspaces, made.rules) == (0, 0, 0, 0)
    assert made.tasks == 5
    assert {project.name: count for project, count in do(projects.list_all)} == {"House": 4}
    assert do(tasks.get, mine.id) == mine


def test_an_open_session_from_elsewhere_ends_where_one_is_open(do, household, export, bring):
    bring(export())
    open_ones = [session for session in export()["sessions"] if "ended_at" not in session]
    assert len(export()["sessions"]) == 2
    assert len(open_ones) == 1


def test_an_import_is_found_by_searching(app, bring, do):
    bring(EMPTY | {"tasks": [a_task(title="Paint the harbour")]})
    assert [task.title for task in do(search.find, "harbour").tasks] == ["Paint the harbour"]


HOSTILE: list[tuple[dict[str, Any], str]] = [
    ({"tasks": [a_task(1), a_task(1)]}, "tasks[1].id: 1 is there twice"),
    ({"projects": [a_project(1), a_project(1)]}, "projects[1].id"),
    ({"projects": [a_project(1), a_project(2, name="Project 1")]}, "projects[1].name"),
    ({"workspaces": [a_workspace(1), a_workspace(2, path="/srv/1/")]}, "workspaces[1].path"),
    ({"tasks": [a_task(1, parent_id=2)]}, "tasks[0].parent_id: 2 is not among the tasks"),
    ({"tasks": [a_task(1, project_id=2)]}, "tasks[0].project_id: 2 is not among the projects"),
    ({"tasks": [a_task(1, workspace_id=2)]}, "tasks[0].workspace_id"),
    ({"tasks": [a_task(1, follows_id=2)]}, "tasks[0].follows_id"),
    ({"tasks": [a_task(1, blocked_by=[2])]}, "tasks[0].blocked_by"),
    ({"rules": [a_rule()]}, "rules[0].workspace_id: 1 is not among the workspaces"),
    ({"tasks": [a_task(1, parent_id=1)]}, "are part of each other in a circle"),
    ({"tasks": [a_task(1, parent_id=2), a_task(2, parent_id=1)]}, "are part of each other in a circle"),
    ({"tasks": [a_task(1, blocked_by=[1])]}, "wait on each other in a circle"),
    ({"tasks": [a_task(n, blocked_by=[n % 50 + 1]) for n in range(1, 51)]}, "wait on each other in a circle"),
    ({"tasks": [a_task(1, follows_id=2), a_task(2, follows_id=1)]}, "follow each other in a circle"),
    ({"tasks": [a_task(1, recurrence="FREQ=SECONDLY")]}, "tasks[0].recurrence"),
    ({"tasks": [a_task(1, recurrence="FREQ=DAILY;BYMONTH=13")]}, "tasks[0].recurrence"),
    (
        {
            "workspaces": [a_workspace()],
            "sessions": [{"id": number, "workspace_id": 1, "started_at": NOW} for number in (1, 2)],
        },
        "Two sessions are open",
    ),
    (
        {"workspaces": [a_workspace()], "rules": [a_rule(number) for number in range(1, 202)]},
        "at most 200 rules",
    ),
]
BROKEN: list[tuple[Any, str]] = [
    ([], "The document is not an object"),
    ("taskpilot", "The document is not an object"),
    (None, "The document is not an object"),
    ({}, "no TaskPilot export"),
    ({"format": "todoist", "version": 1}, "no TaskPilot export"),
    ({"format": "taskpilot", "version": 2}, "no TaskPilot export"),
    (EMPTY | {"task": []}, "There is no section 'task'"),
    (EMPTY | {"tasks": {}}, "tasks is not a list"),
    (EMPTY | {"record": []}, "record is not an object"),
    (EMPTY | {"tasks": [7]}, "tasks[0]: This is not an object"),
    (EMPTY | {"tasks": [a_task(), {"id": 2}]}, "tasks[1]: created_at is missing"),
    (EMPTY | {"tasks": [a_task(owner=2)]}, "tasks[0]: There is no field 'owner'"),
    (EMPTY | {"tasks": [a_task(owner_id=2)]}, "tasks[0]: There is no field 'owner_id'"),
    (EMPTY | {"tasks": [a_task(deleted_at=NOW)]}, "tasks[0]: There is no field 'deleted_at'"),
    (EMPTY | {"tasks": [a_task("1")]}, "tasks[0].id: This is not a whole number"),
    (EMPTY | {"tasks": [a_task(0)]}, "tasks[0].id: This is not"),
    (EMPTY | {"tasks": [a_task(True)]}, "tasks[0].id: This is not"),
    (EMPTY | {"tasks": [a_task(2**63)]}, "is not a whole number"),
    (EMPTY | {"tasks": [a_task(1.5)]}, "is not a whole number"),
    (EMPTY | {"tasks": [a_task(title="")]}, "title: Title cannot be empty"),
    (EMPTY | {"tasks": [a_task(title="\u202e\u200b\0")]}, "title: Title cannot be empty"),
    (EMPTY | {"tasks": [a_task(title="x" * 501)]}, "at most 500 fit"),
    (EMPTY | {"tasks": [a_task(title=["x"])]}, "tasks[0].title: This is not a text: ['x']"),
    (EMPTY | {"tasks": [a_task(description="x" * 100_001)]}, "at most 100000 fit"),
    (EMPTY | {"tasks": [a_task(status="maybe")]}, "status: 'maybe' is not one of"),
    (EMPTY | {"tasks": [a_task(reopens_as="done")]}, "reopens_as: 'done' is not one of"),
    (EMPTY | {"tasks": [a_task(priority=5)]}, "priority: This is not a text: 5"),
    (EMPTY | {"tasks": [a_task(progress=101)]}, "tasks[0].progress: This is not a whole number from 0 to 100: 101"),
    (EMPTY | {"tasks": [a_task(due_date="soon")]}, "due_date: 'soon' is not a date"),
    (EMPTY | {"tasks": [a_task(due_date="2026-02-30")]}, "due_date: '2026-02-30' is not a date"),
    (EMPTY | {"tasks": [a_task(started_at="2026-02-03")]}, "started_at: '2026-02-03' is not a moment"),
    (EMPTY | {"tasks": [a_task(created_at="0001-01-01T00:00:00+23:00")]}, "created_at"),
    (EMPTY | {"tasks": [a_task(tags=["x" * 51])]}, "tags: A tag is 51 characters long"),
    (EMPTY | {"tasks": [a_task(tags=["x"] * 201)]}, "tags: This is not a list of at most 200"),
    (EMPTY | {"tasks": [a_task(tags="x")]}, "tags: This is not a list"),
    (EMPTY | {"tasks": [a_task(connected_files=["../../etc/passwd"])]}, "leaves the workspace"),
    (EMPTY | {"tasks": [a_task(external_refs=[{"system": "x"}])]}, "A reference has"),
    (EMPTY | {"tasks": [a_task(version=0)]}, "tasks[0].version"),
    (EMPTY | {"projects": [a_project(colour="red")]}, "Colour cannot be 'red'"),
    (EMPTY | {"workspaces": [a_workspace(path="srv")]}, "not an absolute path"),
    (EMPTY | {"workspaces": [a_workspace(path="/srv/\u202e")]}, "hidden characters"),
    (EMPTY | {"rules": [a_rule(kind="law")]}, "There is no rule type 'law'"),
    (EMPTY | {"tags": ["fine", 3]}, "tags[1]: This is not a text: 3"),
]


@pytest.mark.parametrize(("sections", "words"), HOSTILE, ids=lambda value: value if isinstance(value, str) else "")
def test_what_contradicts_itself_is_refused_with_its_place_and_changes_nothing(bring, export, sections, words):
    with pytest.raises(Conflict) as told:
        bring(EMPTY | sections)
    assert words in str(told.value)
    assert export()["record"]["events"] == []


@pytest.mark.parametrize(("document", "words"), BROKEN, ids=lambda value: value if isinstance(value, str) else "")
def test_what_means_nothing_is_refused_with_its_place(document, words):
    with pytest.raises(Invalid) as told:
        transfer.read(document)
    assert words in str(told.value)


def test_deep_nesting_is_no_danger():
    deep: Any = "x"
    for _ in range(500):
        deep = [deep]
    for place in ("title", "tags", "blocked_by", "external_refs", "due_date"):
        with pytest.raises(Invalid):
            transfer.read(EMPTY | {"tasks": [a_task(**{place: deep})]})


def test_where_fields_contradict_each_other_the_status_is_right(bring, export):
    bring(
        EMPTY
        | {
            "tasks": [
                a_task(1, status="done"),
                a_task(2, status="todo", progress=100, completed_at=NOW),
                a_task(3, status="dropped", reopens_as="review"),
            ]
        }
    )
    done, open_one, dropped = export()["tasks"]
    assert (done["progress"], done["completed_at"]) == (100, "2026-01-01T12:00:00.000000Z")
    assert "progress" not in open_one
    assert "completed_at" not in open_one
    assert dropped["reopens_as"] == "review"


def test_somebody_elses_ids_mean_nothing(app, add, bring, stranger, export):
    mine = add("Mine", project="House")
    bring(EMPTY | {"tasks": [a_task(mine.id)]}, stranger)
    with pytest.raises(Conflict):
        bring(EMPTY | {"tasks": [a_task(1, parent_id=mine.id), a_task(mine.id + 1)]}, stranger)
    with pytest.raises(Conflict):
        bring(EMPTY | {"tasks": [a_task(9, project_id=mine.project_id)]}, stranger)
    assert app.run(stranger, tasks.list_page, Selection()).items[0].id != mine.id


def test_ten_thousand_tasks_come_and_go_in_seconds(app, bring, export, stranger):
    many = [
        a_task(
            number,
            project_id=number % 20 + 1,
            tags=["a", f"t{number % 50}"],
            parent_id=number // 10 or None,
            blocked_by=[number - 1] if number % 7 == 0 else [],
            description="Some words to carry along. " * 3,
        )
        for number in range(1, 10_001)
    ]
    document = EMPTY | {"projects": [a_project(number) for number in range(1, 21)], "tasks": many}
    assert len(json.dumps(document)) < 4_194_304
    began = time.monotonic()
    assert bring(document).tasks == 10_000
    took = time.monotonic() - began
    written = export()
    assert len(written["tasks"]) == 10_000
    assert took < 30, took  # seconds; the limit is only here to notice minutes


text_of = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=20).filter(
    lambda said: said.strip() and said.strip()[0].isalnum()
)


@st.composite
def documents(draw):
    number = st.integers(1, 10**9)
    moment = st.datetimes(min_value=_day(1990), max_value=_day(2090)).map(lambda at: f"{at.isoformat()}Z")
    name = text_of
    things = {
        "projects": draw(st.lists(number, unique=True, max_size=4)),
        "workspaces": draw(st.lists(number, unique=True, max_size=3)),
        "tasks": draw(st.lists(number, unique=True, max_size=12)),
    }
    base = {"created_at": moment, "updated_at": moment, "version": st.integers(1, 500)}
    one = lambda kinds: draw(st.fixed_dictionaries(kinds))  # noqa: E731
    ids = things["tasks"]
    tasks_made = []
    for place, identity in enumerate(ids):
        earlier = st.none() | st.sampled_from(ids[:place]) if place else st.none()
        tasks_made.append(
            one(
                {
                    **base,
                    "id": st.just(identity),
                    "title": name,
                    "notes": name,
                    "status": st.sampled_from(
                        ["backlog", "todo", "in_progress", "blocked", "review", "done", "dropped"]
                    ),
                    "priority": st.sampled_from(["someday", "low", "medium", "high", "critical"]),
                    "progress": st.integers(0, 99),
                    "project_id": st.none() | st.sampled_from(things["projects"]) if things["projects"] else st.none(),
                    "workspace_id": st.none() | st.sampled_from(things["workspaces"])
                    if things["workspaces"]
                    else st.none(),
                    "parent_id": earlier,
                    "follows_id": earlier,
                    "blocked_by": st.lists(st.sampled_from(ids[:place]), max_size=3) if place else st.just([]),
                    "tags": st.lists(st.sampled_from(["a", "b", "kept", "ü"]), max_size=3),
                    "due_date": st.none() | moment | st.dates(_day(1990).date(), _day(2090).date()).map(str),
                    "recurrence": st.sampled_from(["", "FREQ=DAILY", "FREQ=MONTHLY;COUNT=3"]),
                }
            )
        )
    return EMPTY | {
        "projects": [
            one({**base, "id": st.just(n), "name": st.just(f"P{n}"), "description": name}) for n in things["projects"]
        ],
        "workspaces": [
            one({**base, "id": st.just(n), "path": st.just(f"/srv/{n}"), "name": name}) for n in things["workspaces"]
        ],
        "rules": [
            one(
                {
                    **base,
                    "id": st.just(n + 1),
                    "workspace_id": st.just(w),
                    "kind": st.just("git"),
                    "content": st.just(f"R{n}"),
                }
            )
            for n, w in enumerate(things["workspaces"])
        ],
        "tags": draw(st.lists(st.sampled_from(["kept", "alone"]), unique=True)),
        "tasks": tasks_made,
    }


def _day(year):
    from datetime import datetime

    return datetime(year, 1, 1)


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(document=documents())
def test_whatever_comes_in_goes_out_and_comes_in_the_same(app, me, export, bring, document):
    app.test_users = getattr(app, "test_users", 1_000) + 2
    first, second = (
        replace(me, user=app.run(me, users.ensure, app.test_users + number).id, trusted=False) for number in (0, 1)
    )
    bring(document, first)
    once = export(first)
    bring(once, second)
    assert without_ids(export(second)) == without_ids(once)
    assert len(once["tasks"]) == len(document["tasks"])


@settings(max_examples=200, deadline=None)
@given(
    document=st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
        max_leaves=10,
    ),
    section=st.sampled_from(["projects", "tags", "workspaces", "rules", "sessions", "tasks", "user", "record"]),
)
def test_no_nonsense_is_a_bug(document, section):
    for whole in (document, EMPTY | {section: document}, EMPTY | {section: [document]}):
        try:
            transfer.read(whole)
        except TaskPilotError as error:
            assert error.message
    for name in ("title", "tags", "due_date", "external_refs", "version", "recurrence", "blocked_by"):
        try:
            transfer.read(EMPTY | {"tasks": [a_task(**{name: document})]})
        except TaskPilotError as error:
            assert error.message.startswith("tasks")
