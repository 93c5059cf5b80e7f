"""What an orchestrator can read and watch: every resource, every template."""

from __future__ import annotations

import json
import os
from dataclasses import replace

import pytest

from taskpilot.contracts.coder import CONTRACT, addresses
from taskpilot.domain.caller import local
from taskpilot.domain.errors import NotFound
from taskpilot.domain.operation import writes
from taskpilot.domain.run import Entry, Kind
from taskpilot.ops import changes, run_orders, tasks
from taskpilot.store.work import Work
from taskpilot.toolkit import Suggestion
from tests.contracts import stage

LIBRARY = CONTRACT.library
CODER = local("coder", actor="orchestrator")
BASE = {"description": "Fix bug in auth module", "instructions": "Debug and fix the login issue"}


@pytest.fixture
def call(app):
    def call(name, **arguments):
        tool = CONTRACT.by_name[name]
        return stage.call(app, CODER, tool, arguments).data["result"]

    return call


@pytest.fixture
def create(call):
    def create(tool="CLAUDECODE", folder="/srv/app", **arguments):
        config = {"start": False, "workspace_path": folder}
        return call("create_task", **{**BASE, "tool": tool, "config": config, **arguments})

    return create


@pytest.fixture
def read(app):
    def read(uri):
        (document,) = app.run(CODER, LIBRARY.read, uri)
        assert document.uri == uri
        return document.text if document.mime == "text/plain" else json.loads(document.text)

    return read


def test_the_list_has_the_static_ones_and_the_latest_sessions(app, create, add):
    static = ["agent://status", "agent://tasks", "task://list", "agent://sessions"]
    assert [item.uri for item in app.run(CODER, LIBRARY.shelve)] == static
    add("Not an agent's")
    create()
    listed = app.run(CODER, LIBRARY.shelve)
    assert [item.uri for item in listed] == [*static, "task://2", "task://2/logs", "task://2/result"]
    assert [item.mime for item in listed[4:]] == ["application/json", "text/plain", "application/json"]
    for item in listed:
        app.run(CODER, LIBRARY.read, item.uri)


def test_the_list_stays_short(app, create):
    for _ in range(60):
        create()
    listed = app.run(CODER, LIBRARY.shelve)
    assert len(listed) == 4 + 3 * 50
    assert listed[4].uri == "task://60"


def test_the_templates_are_the_documents():
    assert [template.uri for template in LIBRARY.templates] == [
        "task://{taskId}",
        "task://{taskId}/logs",
        "task://{taskId}/result",
        "session://{sessionType}/{sessionId}",
        "branch://{branchName}/tasks",
        "project://{projectPath}/status",
        "log://{logType}/{date}",
    ]


def test_the_status_tells_what_is_there(read, create, call, add):
    add("By hand", status="in_progress")
    create()
    call("update_task", taskId="2", status="in_progress")
    status = read("agent://status")
    assert (status["status"], status["activeTasks"], status["totalTasks"]) == ("ready", 2, 2)
    assert status["tasksByStatus"] == {"in_progress": 2}
    assert status["availableTools"] == ["create_task", "update_task", "end_task", "report_task"]
    assert status["availableTools"] == [tool.name for tool in CONTRACT.tools]
    assert status["capabilities"]["agents"] == ["CLAUDECODE", "GEMINI", "CODEX", "OPENCODE", "COMMAND"]
    assert status["capabilities"]["startAgents"] is True


def test_the_list_of_tasks_has_two_names(read, create, add, do):
    add("Walls")
    made = create("GEMINI", branch="feature/auth")
    do(tasks.update, add("Never mind").id, {"status": "dropped"})
    assert read("agent://tasks") == read("task://list")
    assert read("task://list") == {
        "tasks": [
            {
                "id": "2",
                "title": "Fix bug in auth module",
                "description": "Fix bug in auth module",
                "status": "pending",
                "tool": "GEMINI",
                "branch": "feature/auth",
                "sessionId": made["sessionId"],
                "createdAt": "2026-01-01T12:00:00Z",
                "updatedAt": "2026-01-01T12:00:00Z",
            },
            {
                "id": "1",
                "title": "Walls",
                "description": "Walls",
                "status": "pending",
                "createdAt": "2026-01-01T12:00:00Z",
                "updatedAt": "2026-01-01T12:00:00Z",
            },
        ],
        "total": 2,
    }


def test_a_long_list_says_that_it_is_cut(read, do):
    do(tasks.create, [{"title": f"T{number}", "description": "x" * 5_000} for number in range(300)])
    listed = read("agent://tasks")
    assert (len(listed["tasks"]), listed["total"]) == (200, 300)
    assert "newest 200" in listed["note"]
    assert len(json.dumps(listed)) < 100_000


def test_sessions_are_listed_latest_first(read, create, call):
    first, second = create("CODEX"), create("COMMAND", config={"start": False, "command": ["make"]})
    call("end_task", taskId="1", status="failed")
    listed = read("agent://sessions")["sessions"]
    assert [item["sessionId"] for item in listed] == [second["sessionId"], first["sessionId"]]
    assert listed[1] == {
        "sessionId": first["sessionId"],
        "sessionType": "codex",
        "tool": "CODEX",
        "taskId": "1",
        "status": "failed",
        "live": False,
        "branch": "task/1-fix-bug-in-auth-module",
        "attempts": 0,
        "createdAt": "2026-01-01T12:00:00Z",
        "updatedAt": "2026-01-01T12:00:00Z",
        "startedAt": "2026-01-01T12:00:00Z",
        "endedAt": "2026-01-01T12:00:00Z",
    }


def test_a_task_is_told_whole(read, create, call, clock, app):
    made = create()
    clock.forward(seconds=5)
    call("update_task", taskId="1", status="in_progress", log="Looking")
    app.run(CODER, say, 1, Kind.MESSAGE, "I found it", 1)
    clock.forward(seconds=5)
    told = read("task://1")
    assert list(told) == ["task", "session", "output", "duration", "logs", "events", "result"]
    assert told["task"]["id"] == "1"
    assert told["session"]["sessionId"] == made["sessionId"]
    assert told["session"]["instructions"] == BASE["instructions"]
    assert told["output"] == "I found it"
    assert told["duration"] == {"totalSeconds": 10.0, "waitedSeconds": 5.0, "workedSeconds": 5.0}
    assert told["logs"]["byKind"] == {"log": 1, "message": 1, "status": 1}
    assert [event["kind"] for event in told["events"]] == [
        "task.created",
        "run.created",
        "run.updated",
        "task.updated",
    ]
    assert told["events"][0]["actor"] == "orchestrator"
    assert told["result"] is None


def test_a_result_is_null_until_there_is_one(read, create, call):
    create()
    assert read("task://1/result") is None
    call("end_task", taskId="1", status="completed", result=[1, "two"])
    assert read("task://1/result") == [1, "two"]


def test_a_session_is_found_by_agent_and_id(read, create):
    made = create("OPENCODE")
    for spelling in ("opencode", "OPENCODE"):
        found = read(f"session://{spelling}/{made['sessionId']}")
        assert (found["sessionType"], found["taskId"], found["task"]["id"]) == ("opencode", "1", "1")
    with pytest.raises(NotFound):
        read(f"session://codex/{made['sessionId']}")


def test_a_branch_is_found_encoded_and_raw(read, create):
    create(branch="feature/auth")
    create(branch="feature/auth")
    create(branch="main")
    for uri in ("branch://feature%2Fauth/tasks", "branch://feature/auth/tasks"):
        found = read(uri)
        assert found["branch"] == "feature/auth"
        assert [task["id"] for task in found["tasks"]] == ["2", "1"]


def test_a_project_is_found_encoded_and_raw(read, create, call):
    create(branch="main")
    create(branch="feature/auth")
    create(folder="/srv/other")
    call("end_task", taskId="1", status="completed")
    for uri in ("project://%2Fsrv%2Fapp/status", "project:///srv/app/status", "project://srv/app/status"):
        found = read(uri)
        assert found["project"] == {"path": "/srv/app", "name": "app"}
        assert found["byStatus"] == {"pending": 1, "completed": 1}
        assert (found["successRate"], found["active"]) == (100.0, 0)
        assert found["branches"] == ["feature/auth", "main"]
        assert [task["id"] for task in found["tasks"]] == ["2", "1"]


def test_logs_are_kept_by_day(read, create, call, clock, add):
    add("Walls")
    create()
    call("update_task", taskId="1", log="Primer on")
    clock.forward(days=1)
    call("update_task", taskId="2", status="in_progress")
    call("update_task", taskId="1", log="Second coat")
    assert read("log://task/2026-01-01") == "2026-01-01T12:00:00Z task 1 [log] Primer on"
    assert read("log://task/2026-01-02").splitlines() == [
        "2026-01-02T12:00:00Z task 2 [status] pending → in_progress",
        "2026-01-02T12:00:00Z task 1 [log] Second coat",
    ]
    assert read("log://run/2026-01-02") == "2026-01-02T12:00:00Z task 2 [status] pending → in_progress"
    assert read("log://task/2026-01-03") == ""
    assert read("log://audit/2026-01-01").splitlines() == [
        "2026-01-01T12:00:00Z dev-user via cli: #1 created: Walls",
        "2026-01-01T12:00:00Z orchestrator via coder: workspace 1 created: app",
        "2026-01-01T12:00:00Z orchestrator via coder: #2 created: Fix bug in auth module",
        "2026-01-01T12:00:00Z orchestrator via coder: run 1 created",
        "2026-01-01T12:00:00Z orchestrator via coder: run logged",
    ]
    assert len(read("log://audit/2026-01-02").splitlines()) == 4
    assert read("log://audit/2025-12-31") == ""


@pytest.mark.parametrize(
    "uri",
    [
        "task://",
        "task://0",
        "task://99",
        "task://one",
        "task://1/nope",
        "task://1/logs/more",
        "task://list/logs",
        "task://1%00",
        "task://1/logs?before=x",
        "task://99999999999999999999999999",
        "agent://nope",
        "agent://",
        "nope://1",
        "",
        "task:1",
        "session://claudecode/nope",
        "session://vim/nope",
        "session://hand/nope",
        "session://claudecode/%00%ff",
        "branch://nope/tasks",
        "branch://%00/tasks",
        "branch:///tasks",
        "project://nope/status",
        "project://%2Fsrv%2Fapp%2F..%2F..%2Fetc/status",
        "project:///status",
        "log://task/2026-13-01",
        "log://task/0001-01-01",
        "log://task/9999-12-31",
        "log://task/today",
        "log://nope/2026-01-01",
        "log://task/2026-01-01?before=",
        "task://\ud800",
        "branch://" + "x" * 100_000 + "/tasks",
    ],
)
def test_what_leads_nowhere_is_not_found(read, create, uri):
    create()
    with pytest.raises(NotFound, match="Resource not found") as caught:
        read(uri)
    str(caught.value).encode()
    assert len(str(caught.value)) < 300


@writes
def say(work: Work, task: int, kind: Kind, words: str, times: int) -> None:
    run = work.runs.latest(task)
    for number in range(times):
        text = f"{words} {number}" if times > 1 else words
        work.runs.log.append(Entry(id=0, task=task, run=run.id, number=0, kind=kind, text=text, at=work.now))


def test_a_long_log_is_shown_from_its_end_and_can_be_read_to_its_beginning(app, read, create):
    create()
    app.run(CODER, say, 1, Kind.LOG, "Line", 10_000)
    text = read("task://1/logs")
    note, *lines = text.splitlines()
    assert len(lines) == 500
    assert len(text) < 110_000
    assert lines[-1].endswith("[log] Line 9999")
    assert note == "(Earlier entries: task://1/logs?before=9501, or all of that day: log://task/2026-01-01)"
    assert len(json.dumps(read("task://1"))) < 20_000
    for first in ("task://1/logs", "log://task/2026-01-01", "log://run/2026-01-01"):
        seen, uri = [], first
        while uri:
            page = read(uri).splitlines()
            uri = ""
            if page[0].startswith("(Earlier"):
                uri = page.pop(0).split()[2].rstrip(",)")
                assert uri.startswith(first)
            seen = [line.rpartition(" ")[2] for line in page] + seen
        assert seen == [str(number) for number in range(10_000)], first


def test_long_lines_make_short_pages(app, read, create):
    create()
    app.run(CODER, say, 1, Kind.LOG, "x" * 9_000, 30)
    assert len(read("task://1/logs").splitlines()) == 12
    assert len(read("task://1/logs")) < 110_000
    assert len(json.dumps(read("task://1"))) < 40_000


def test_a_runs_log_has_no_gap(app, create, call):
    @writes
    def numbers(work: Work) -> list[int]:
        return [entry.number for entry in work.runs.log.of_task(1, 100)]

    create()
    call("update_task", taskId="1", log="a", status="in_progress")
    create()
    call("update_task", taskId="2", log="b")
    call("update_task", taskId="1", log="c")
    assert app.run(CODER, numbers) == [1, 2, 3]


# Watching.


def touched(events) -> set[str]:
    return {uri for event in events for uri in LIBRARY.touched(event)}


@pytest.fixture
def news(do):
    """The events since this was last asked."""
    seen = 0

    def news():
        nonlocal seen
        found = do(changes.read_after, seen).events
        seen = max((event.id for event in found), default=seen)
        return found

    return news


def test_a_change_reaches_whoever_watches_what_it_changed(create, call, news):
    made = create(branch="feature/auth")
    about = {
        "task://1",
        "task://1/logs",
        "task://1/result",
        "task://list",
        "agent://tasks",
        "agent://status",
        "agent://sessions",
        f"session://claudecode/{made['sessionId']}",
        "branch://feature%2Fauth/tasks",
        "project://%2Fsrv%2Fapp/status",
        "log://audit/2026-01-01",
    }
    assert about <= touched(news())
    for arguments in ({"log": "x"}, {"status": "in_progress"}, {"status": "failed"}):
        call("update_task", taskId="1", **arguments)
        assert about | {"log://task/2026-01-01", "log://run/2026-01-01"} <= touched(news())


def test_a_change_through_another_door_reaches_them_too(create, do, news):
    create()
    news()
    do(tasks.complete, 1)
    assert {"task://1", "task://list", "agent://status", "branch://*", "session://*", "project://*"} <= touched(news())


def test_a_restored_backup_changes_everything(create, news):
    create()
    event = replace(news()[0], kind="store.restored", subject=0, after={"tasks": 1})
    assert {"task://*", "agent://status", "log://*", "session://*"} <= touched([event])
    assert LIBRARY.reshelved(event)


def test_the_list_of_resources_changes_with_sessions_and_titles(create, call, do, news, add):
    def reshelved():
        return any(LIBRARY.reshelved(event) for event in news())

    add("Walls")
    assert not reshelved()
    create()
    assert reshelved()
    call("update_task", taskId="2", status="in_progress", log="x")
    assert not reshelved()
    do(tasks.update, 2, {"title": "Other"})
    assert reshelved()
    do(tasks.delete, 2)
    assert reshelved()


def test_values_are_suggested(app, create, call, clock, add):
    add("Walls")
    first = create("CODEX", branch="feature/auth")
    second = create("GEMINI", folder="/srv/other")
    call("update_task", taskId="1", log="x")
    clock.forward(days=1)
    add("Later")

    def suggest(argument, begun="", **others):
        wanted = Suggestion(of="any", argument=argument, begun=begun, others=others)
        return list(app.run(CODER, CONTRACT.complete, wanted))

    assert suggest("taskId") == ["4", "3", "2", "1"]
    assert suggest("taskId", "3") == ["3"]
    assert suggest("sessionType", "c") == ["claudecode", "codex", "command"]
    assert suggest("sessionId") == [second["sessionId"], first["sessionId"]]
    assert suggest("sessionId", sessionType="codex") == [first["sessionId"]]
    assert suggest("sessionId", first["sessionId"][:8]) == [first["sessionId"]]
    assert suggest("branchName") == ["task/3-fix-bug-in-auth-module", "feature/auth"]
    assert suggest("branchName", "feat") == ["feature/auth"]
    assert suggest("branchName", "%") == []
    assert suggest("projectPath", "/srv/o") == ["/srv/other"]
    assert suggest("logType") == ["task", "run", "audit"]
    assert suggest("date", logType="task") == ["2026-01-01"]
    assert suggest("date", "2026-01", logType="audit") == ["2026-01-02", "2026-01-01"]
    assert suggest("nope") == []


def test_addresses_are_read_as_they_are_written():
    assert addresses.read("branch://a%2Fb/tasks") == addresses.read("branch://a/b/tasks")
    assert addresses.read("task://7/logs?before=12") == ("task", "7", "logs", 12)
    assert os.path.isabs(addresses.read("project:///srv/app/status").first)


def test_whatever_a_worker_does_to_a_run_reaches_those_who_watch(app, do, create):
    made = create(config={"workspace_path": "/srv/app"})
    seen: dict[str, set[str]] = {}
    watched = {
        *("task://1", "task://1/logs", "agent://status", "agent://sessions", "agent://tasks", "task://list"),
        f"session://claudecode/{made['sessionId']}",
        "branch://task%2F1-fix-bug-in-auth-module/tasks",
        "project://%2Fsrv%2Fapp/status",
    }

    def touch(what, act):
        last = do(changes.find_last)
        act()
        events = do(changes.read_after, last).events
        seen[what] = {uri for event in events for uri in LIBRARY.touched(event)}

    seat = None

    def take():
        nonlocal seat
        seat = stage.take_latest(app, 1)

    touch("taken", take)
    touch("said", lambda: seat.say("Looking"))
    touch("asked", lambda: seat.ask())
    touch("ended", lambda: seat.finish())
    touch("told more", lambda: do(run_orders.follow_up, seat.run, "More"))
    touch("stopped", lambda: do(run_orders.stop, seat.run))
    assert {what: watched - uris for what, uris in seen.items() if watched - uris} == {}
    assert "task://1/result" in seen["ended"]
