"""Resources, what touches them, and which workspace is the current one."""

from __future__ import annotations

import json

import pytest

from taskpilot.app import Errand
from taskpilot.contracts.taskpilot import CONTRACT
from taskpilot.domain.caller import local
from taskpilot.domain.errors import NotFound
from taskpilot.ops import history, rules, sessions, tasks, workbench, workspaces

LIBRARY = CONTRACT.library


@pytest.fixture
def read(do):
    return lambda path: do(LIBRARY.read, f"taskpilot://{path}")[0]


@pytest.fixture
def two(do):
    """Two workspaces; the second is the current one."""
    return [do(workbench.set_up, f"/srv/{name}", requirements=f"Build {name}").workspace for name in ("one", "two")]


@pytest.fixture
def touched(do):
    """The URIs that one change touches, and whether the list has changed."""

    def touched(op, *args, **more):
        last = do(history.list_page, limit=1).items
        do(op, *args, **more)
        events = [event for event in do(history.list_page).items if not last or event.id > last[0].id]
        uris = {uri.removeprefix("taskpilot://") for event in events for uri in LIBRARY.touched(event)}
        return {uri for uri in uris if not uri.startswith("prompts/")}, any(map(LIBRARY.reshelved, events))

    return touched


CURRENT = {f"workspace/current/{shelf}" for shelf in ("tasks", "rules", "status", "files")}


def test_everything_that_is_listed_can_be_read(do, two):
    listed = do(LIBRARY.shelve)
    assert len({entry.uri for entry in listed}) == len(listed)
    assert len({entry.name for entry in listed}) == len(listed)
    for entry in listed:
        (document,) = do(LIBRARY.read, entry.uri)
        assert (document.uri, document.mime) == (entry.uri, entry.mime)
        if entry.mime == "application/json":
            json.loads(document.text)


def test_it_can_be_read_before_there_is_a_workspace(do, read):
    for entry in do(LIBRARY.shelve):
        do(LIBRARY.read, entry.uri)
    assert read("workspace/current/tasks").text == "[]"
    assert read("workspaces").text == "[]"


def test_a_workspace_and_its_tasks_rules_status_and_files(do, read, two):
    do(tasks.update, 1, {"connected_files": ["a.py", "b.py"], "priority": 5})
    do(tasks.create, [{"title": "Next", "workspace": 1, "connected_files": ["a.py"]}])
    do(tasks.create, [{"title": "Gone", "workspace": 1, "status": "dropped"}])
    do(rules.add, 1, "custom", "Be kind")
    listed = json.loads(read("workspace/1/tasks").text)
    assert [(task["id"], task["priority"]) for task in listed] == [("TP-000001", "High"), ("TP-000003", "Medium")]
    assert read("workspace/1/tasks").meta == {"total": 2}
    assert "## Custom\n\nBe kind\n" in read("workspace/1/rules").text
    assert json.loads(read("workspace/1/files").text) == [
        {"path": "a.py", "tasks": ["TP-000001", "TP-000003"]},
        {"path": "b.py", "tasks": ["TP-000001"]},
    ]
    assert json.loads(read("workspace/1/status").text)["by_status"]["Dropped"] == 1
    assert json.loads(read("workspace/1/tasks/TP-000001").text)["title"] == "Build one"
    assert read("workspace/1/tasks/TP-000001").annotations.last_modified == "2026-01-01T12:00:00Z"
    rows = json.loads(read("workspaces").text)
    assert {row["id"]: (row["open_tasks"], row["current"]) for row in rows} == {"1": (2, True), "2": (1, False)}


@pytest.mark.parametrize(
    "uri",
    [
        "taskpilot://",
        "taskpilot://workspace/99/tasks",
        "taskpilot://workspace/1",
        "taskpilot://workspace/1/secrets",
        "taskpilot://workspace/1/tasks/TP-000002",
        "taskpilot://workspace/1/tasks/TP-000099",
        "taskpilot://workspace/1/tasks/x",
        "taskpilot://workspace/..%2F1/tasks",
        "taskpilot://workspace/²/tasks",
        "taskpilot://workspace/99999999999999999999999/tasks",
        "taskpilot://prompts/nothing",
        "file:///etc/passwd",
    ],
)
def test_what_leads_nowhere_is_not_found(do, two, uri):
    with pytest.raises(NotFound) as caught:
        do(LIBRARY.read, uri)
    assert str(caught.value) == f"Resource not found: {uri}"


def test_a_stranger_reads_nothing_of_it(app, stranger, two):
    assert app.run(stranger, LIBRARY.read, "taskpilot://workspaces")[0].text == "[]"
    assert app.run(stranger, LIBRARY.read, "taskpilot://workspace/current/tasks")[0].text == "[]"
    assert not [entry for entry in app.run(stranger, LIBRARY.shelve) if "/workspace/1/" in entry.uri]
    for uri in ("taskpilot://workspace/1/tasks", "taskpilot://workspace/1/tasks/TP-000001"):
        with pytest.raises(NotFound):
            app.run(stranger, LIBRARY.read, uri)


def test_the_current_workspace_is_the_one_used_last_through_any_door(app, do, two, stranger):
    def current():
        return do(workspaces.find_current).name

    assert current() == "two"
    do(tasks.update, 1, {"title": "Build"})
    assert current() == "one"
    do(sessions.start, 2)
    assert current() == "two"
    do(rules.add, 1, "git", "Be kind")
    assert current() == "one"
    do(workbench.set_up, "/srv/two")
    assert current() == "two"
    count = len(do(history.list_page).items)
    do(workbench.set_up, "/srv/two")
    assert len(do(history.list_page).items) == count
    app.run(stranger, workbench.set_up, "/srv/theirs")
    do(tasks.create, [{"title": "Loose"}])
    assert current() == "two"


def test_a_task_touches_its_workspace_and_the_current_one(touched, two):
    uris, reshelved = touched(tasks.update, 1, {"title": "Build"})
    assert uris == CURRENT | {
        "workspaces",
        "workspace/current/tasks/TP-000001",
        "workspace/1/tasks",
        "workspace/1/status",
        "workspace/1/files",
        "workspace/1/tasks/TP-000001",
    }
    assert not reshelved


def test_a_task_that_moves_touches_both(touched, two):
    uris, _ = touched(tasks.update, 1, {"workspace": 2})
    assert {"workspace/1/tasks", "workspace/2/tasks", "workspace/2/tasks/TP-000001"} <= uris
    uris, _ = touched(tasks.update, 1, {"workspace": None})
    assert {"workspace/2/tasks", "workspace/current/tasks"} <= uris


def test_rules_sessions_and_workspaces_touch_what_tells_of_them(touched, two):
    assert touched(rules.add, 1, "git", "Be kind") == (CURRENT | {"workspaces", "workspace/1/rules"}, False)
    assert touched(sessions.start, 1) == (CURRENT | {"workspaces", "workspace/1/status"}, False)
    uris, reshelved = touched(workspaces.open_folder, "/srv/three")
    assert {"workspaces", "workspace/3/status"} <= uris
    assert reshelved
    assert touched(workbench.set_up, "/srv/three", name="Third")[1]


def test_what_has_no_workspace_touches_nothing(touched, do):
    assert touched(tasks.create, [{"title": "Loose"}]) == (set(), False)


def test_an_undo_is_a_change_like_any_other(touched, do, two):
    do(tasks.update, 1, {"title": "Build"})
    assert "workspace/1/tasks/TP-000001" in touched(history.undo, task_id=1)[0]


def test_prompts_tell_what_the_store_says(do, two):
    prompts = {prompt.name: prompt for prompt in CONTRACT.prompts}
    do(tasks.update, 1, {"blocked_by": [2], "description": "As we said"})
    told = do(prompts["focus-task"].render, {"workspace": "/srv/one", "task_id": "TP-000001"})
    assert told.startswith("# TP-000001: Build one\n")
    assert "It waits on:\n- TP-000002 Build two (Backlog)" in told
    assert "# How two stands" in do(prompts["status-report"].render, {"workspace": "2"})
    assert "# Working on one" in do(prompts["session-start"].render, {})
    assert "The score is " in do(prompts["audit-report"].render, {})
    with pytest.raises(NotFound):
        do(prompts["status-report"].render, {"workspace": "99"})


def test_a_huge_workspace_is_cut_and_says_so(do, two, monkeypatch):
    from taskpilot.contracts.taskpilot import library

    monkeypatch.setattr(library, "PAGE", 2)
    monkeypatch.setattr(library, "MOST_TASKS", 3)
    do(tasks.create, [{"title": f"T{number}", "workspace": 1} for number in range(6)])
    do(tasks.create, [{"title": "Gone", "workspace": 1, "status": "dropped"}])
    (document,) = do(LIBRARY.read, "taskpilot://workspace/1/tasks")
    assert len(json.loads(document.text)) == 4
    assert document.meta == {"total": 7}


def test_the_door_is_in_the_log(app, do, tmp_path):
    tool = CONTRACT.by_name["taskpilot_init"]
    tool(Errand(app, local("taskpilot", "assistant")), tool.parse({"workspace_path": str(tmp_path)}))
    assert {event.door for event in do(history.list_page).items} == {"taskpilot"}
