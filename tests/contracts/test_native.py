from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import validate

from taskpilot.app import Errand
from taskpilot.contracts.native import CONTRACT
from taskpilot.domain.caller import local
from taskpilot.domain.errors import Conflict, Invalid, NotFound, TaskPilotError
from taskpilot.domain.operation import Access

BUDGET = 6_400
MOST_TOOLS = 16


@pytest.fixture
def call(app):
    """Call a tool as an assistant does; its data must fit its schema."""
    caller = local("native", actor="assistant")

    def call(name, /, **arguments):
        tool = CONTRACT.by_name[name]
        given = tool.parse(arguments)
        errand = tool.access is Access.ERRAND
        reply = tool(Errand(app, caller), given) if errand else app.run(caller, tool, given)
        validate(reply.data, tool.output_schema)
        json.dumps(reply.data)
        return reply

    return call


def test_what_a_model_must_read_fits_the_budget():
    told = [
        {"name": tool.name, "description": tool.description, "inputSchema": tool.input_schema}
        for tool in CONTRACT.tools
    ]
    assert len(json.dumps(told, separators=(",", ":"), ensure_ascii=False).encode()) <= BUDGET
    assert len(CONTRACT.tools) <= MOST_TOOLS


def test_a_task_lives_its_life(call):
    made = call("task_create", title="Write report", priority="high", due_date="2026-01-02", tags=["work"])
    assert made.text == "Added:\n1 Write report !high due 2026-01-02"
    assert call("task_list").text == "1 Write report !high due 2026-01-02"
    assert call("task_update", task_id=1, status="in_progress", reason="begun").data["task"]["version"] == 2
    got = call("task_get", task_id="TP-1")
    assert got.data["task"]["status"] == "in_progress"
    assert "tags work" in got.text
    assert call("task_complete", task_id=1).text.startswith("Done: 1 Write report")
    assert call("task_list").text == "No tasks fit."
    assert call("task_list", all=True).data["tasks"][0]["status"] == "done"
    assert call("task_complete", task_id=1, reopen=True).data["task"]["status"] == "in_progress"
    assert call("task_delete", task_id=1).data == {"deleted": [1]}
    assert call("undo").data["undone"]
    assert call("task_search", query="repo").data["tasks"][0]["id"] == 1


def test_many_tasks_in_one_call(call):
    made = call("task_create", tasks=[{"title": "A"}, {"title": "B", "priority": 5}], key="k")
    assert [row["id"] for row in made.data["tasks"]] == [1, 2]
    assert call("task_create", tasks=[{"title": "A"}, {"title": "B", "priority": 5}], key="k").data["repeated"]


def test_the_arguments_a_schema_does_not_list_are_taken(call):
    call(
        "task_create",
        title="A",
        notes="n",
        progress=5,
        energy="deep",
        time_estimate="2hr",
        scheduled_start="2026-02-01",
        remind_at="2026-02-02",
        recurrence="FREQ=DAILY",
        connected_files=["a.py"],
        workspace="/srv/app",
    )
    task = call("task_get", task_id=1).data["task"]
    assert (task["energy"], task["connected_files"], task["recurrence"]) == ("deep", ["a.py"], "FREQ=DAILY")
    listed = " ".join(tool.description for tool in CONTRACT.tools)
    for name in ("notes", "progress", "energy", "time_estimate", "scheduled_start", "remind_at", "connected_files"):
        assert name in listed


def test_clearing_empties_fields(call):
    call("task_create", title="A", due_date="tomorrow", project="Home")
    assert "due_date" not in call("task_update", task_id=1, clear=["due_date", "project"]).data["task"]


def test_a_list_costs_the_same_however_many_there_are(call):
    for size in (30, 300):
        call("task_create", tasks=[{"title": f"Task with a rather long title, number {n}" * 3} for n in range(size)])
        listed = call("task_list")
        *rows, more = listed.text.split("\n")
        assert len(rows) == 20
        assert max(len(row.encode()) + 1 for row in rows) <= 60
        assert more.startswith("More: cursor ")


@pytest.mark.parametrize("title", ["ü" * 200, "👩‍💻" * 60, "漢字" * 100])
def test_a_line_is_cut_by_bytes_between_letters(call, title):
    call("task_create", title=title, priority="critical", due_date="2026-01-01")
    assert len(call("task_list").text.encode()) <= 60


def test_pages_go_on_from_their_cursor(call):
    call("task_create", tasks=[{"title": f"T{n}"} for n in range(45)])
    seen, cursor = [], None
    while True:
        page = call("task_list", **({"cursor": cursor} if cursor else {}))
        seen += [row["id"] for row in page.data["tasks"]]
        cursor = page.data.get("cursor")
        if not cursor:
            break
    assert seen == list(range(1, 46))


def test_filters_narrow_the_list(call):
    call("task_create", title="A", project="Home", tags=["x"], due_date="2026-01-05", priority="low")
    call("task_create", title="B", blocked_by=[1])
    for arguments in (
        {"project": "Home"},
        {"tag": "x"},
        {"due_before": "2026-01-06"},
        {"due_after": "2026-01-05"},
        {"priority": "low"},
        {"ready": True},
        {"sort": "oldest", "limit": 1},
    ):
        assert [row["id"] for row in call("task_list", **arguments).data["tasks"]] == [1], arguments
    assert [row["id"] for row in call("task_list", ready=False).data["tasks"]] == [2]


def test_stats_next_history_and_groups_answer(call):
    call("task_create", title="A", project="Home", tags=["x"])
    assert call("task_stats").data["by_project"] == {"Home": 1}
    assert "by_status" not in call("task_stats", group_by="project").data
    assert call("task_next").data["reason"] == "medium priority"
    assert "#1 created: A" in call("task_list", history=True, task_id=1).text
    assert call("task_stats", groups=True).text == "projects: Home (1)\ntags: x (1)\nworkspaces: none"


def test_groups_can_be_saved(call):
    call("task_create", title="A", project="Home", tags=["x"])
    call("workspace", action="save", kind="project", name="Home", rename="House", colour="#00ff00")
    call("workspace", action="save", kind="tag", name="x", rename="y")
    call("workspace", action="save", kind="workspace", name="/srv/app")
    assert call("task_stats", groups=True).text == "projects: House (1)\ntags: y (1)\nworkspaces: 1 /srv/app (0)"
    assert "1 tasks stay" in call("workspace", action="save", kind="project", name="House", delete=True).text


def test_all_an_actor_did_is_undone(call):
    call("task_create", title="A")
    call("task_create", title="B")
    assert call("undo", actor="assistant", since="1 hour ago").text.startswith("Undone: 2 changes.")
    assert call("task_list").data["tasks"] == []


@pytest.mark.parametrize(
    ("name", "arguments", "error", "says"),
    [
        ("task_create", {}, Invalid, "either title, or tasks"),
        ("task_create", {"title": 5}, Invalid, "title: "),
        ("task_create", {"title": ""}, Invalid, "Title cannot be empty"),
        ("task_create", {"title": "x" * 501}, Invalid, "at most 500"),
        ("task_create", {"title": "x", "colour": 1}, Invalid, "colour: "),
        ("task_create", {"title": "x", "tags": "web"}, Invalid, "tags: "),
        ("task_create", {"title": "x", "due_date": "someday soon"}, Invalid, "I do not know the date"),
        ("task_create", {"title": "x", "tasks": [{"title": "y"}]}, Invalid, "either title, or tasks"),
        ("task_create", {"tasks": [{"title": "y", "nope": 1}]}, Invalid, "nope"),
        ("task_create", {"title": "x", "priority": "huge"}, Invalid, "Priority cannot be"),
        ("task_create", {"title": "x", "connected_files": ["../x"]}, Invalid, "leaves the workspace"),
        ("task_get", {"task_id": 99}, NotFound, "Task 99 not found"),
        ("task_get", {"task_id": "x"}, Invalid, "not a task id"),
        ("task_get", {"task_id": True}, Invalid, "not a task id"),
        ("task_get", {}, Invalid, "task_id: "),
        ("task_update", {"task_id": 1}, Invalid, "Nothing to change"),
        ("task_update", {"task_id": 1, "title": "x", "version": 9}, Conflict, "at version 1, not 9"),
        ("task_update", {"task_id": 1, "blocked_by": [1]}, Conflict, "wait on itself"),
        ("task_update", {"task_id": 1, "clear": ["nope"]}, Invalid, "no field 'nope'"),
        ("task_update", {"task_id": 1, "clear": ["title"]}, Invalid, "title"),
        ("task_list", {"limit": 0}, Invalid, "limit: "),
        ("task_list", {"limit": 201}, Invalid, "limit: "),
        ("task_list", {"cursor": "x"}, Invalid, "does not belong"),
        ("task_list", {"status": ["nope"]}, Invalid, "Status cannot be"),
        ("task_list", {"sort": "nope"}, Invalid, "sort: "),
        ("task_search", {"query": " "}, Invalid, "cannot be empty"),
        ("undo", {"change": 99}, NotFound, "no change 99"),
        ("undo", {"actor": "x"}, Invalid, "go together"),
        ("workspace", {"action": "save", "kind": "tag", "name": "x"}, Invalid, "rename or delete"),
        ("workspace", {"action": "save", "kind": "workspace", "name": "/x", "delete": True}, Invalid, "has no delete"),
    ],
)
def test_bad_input_says_what_is_wrong_and_changes_nothing(call, name, arguments, error, says):
    call("task_create", title="Walls")
    before = (call("task_list").data, call("task_list", history=True).data)
    with pytest.raises(error) as caught:
        call(name, **arguments)
    assert says in str(caught.value)
    assert (call("task_list").data, call("task_list", history=True).data) == before


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=5,
)


@pytest.mark.parametrize("tool", CONTRACT.tools, ids=lambda tool: tool.name)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_no_arguments_break_a_tool(call, tool, data):
    """Whatever comes, the answer is a reply that fits the schema or an error with a kind."""
    names = st.sampled_from(sorted(tool.args.model_fields) or ["x"])
    arguments = data.draw(st.dictionaries(names, JSON, max_size=4))
    try:
        call(tool.name, **arguments)
    except TaskPilotError as error:
        assert str(error)
