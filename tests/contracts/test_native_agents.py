"""Many agents on one list, through the native tools."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from jsonschema import validate

from taskpilot.app import Errand
from taskpilot.contracts.native import CONTRACT
from taskpilot.domain.caller import local
from taskpilot.domain.errors import Conflict, Invalid, NotFound
from taskpilot.domain.operation import Access
from taskpilot.domain.scopes import Scope
from taskpilot.store import backup
from taskpilot.toolkit.budget import cost

ME = local("native", actor="ann")


@pytest.fixture
def agent(app):
    """Tools in the hands of one of several agents."""

    def agent(name):
        def call(tool_name, /, **arguments):
            tool = CONTRACT.by_name[tool_name]
            caller, given = replace(ME, actor=name), tool.parse(arguments)
            errand = tool.access is Access.ERRAND
            reply = tool(Errand(app, caller), given) if errand else app.run(caller, tool, given)
            validate(reply.data, tool.output_schema)
            json.dumps(reply.data)
            return reply

        return call

    return agent


@pytest.fixture
def call(agent):
    return agent("ann")


def test_a_claimed_task_comes_with_its_token_and_to_one_agent_only(agent):
    ann, bob = agent("ann"), agent("bob")
    ann("task_create", tasks=[{"title": "High", "priority": "high"}, {"title": "Low", "priority": "low"}])
    first = ann("task_next", claim=True, lease=60)
    assert (first.data["task"]["id"], first.data["task"]["status"]) == (1, "in_progress")
    assert first.data["claim"] == {"token": 1, "lease_until": "2026-01-01T12:01:00Z"}
    assert "claim 1 until 2026-01-01T12:01:00Z" in first.text
    assert bob("task_next", claim=True).data["task"]["id"] == 2
    nothing = bob("task_next", claim=True)
    assert "task" not in nothing.data
    assert nothing.text.startswith("Nothing is ready")


def test_looking_for_the_next_task_takes_nothing(agent):
    agent("ann")("task_create", title="A")
    assert "claim" not in agent("ann")("task_next").data
    assert agent("bob")("task_next").data["task"]["status"] == "todo"


def test_a_certain_task_can_be_claimed_once(agent):
    agent("ann")("task_create", tasks=[{"title": "A"}, {"title": "B"}])
    assert agent("ann")("task_next", task_id="TP-2", claim=True).data["task"]["id"] == 2
    with pytest.raises(Conflict, match="ann holds task 2 until"):
        agent("bob")("task_next", task_id=2, claim=True)


def test_energy_and_time_choose_what_fits(call):
    call("task_create", title="Long", energy="deep", time_estimate="3h")
    call("task_create", title="Short", energy="light", time_estimate="20m")
    found = call("task_next", energy="light", time="45m")
    assert found.data["task"]["title"] == "Short"
    assert "fits light energy, fits in 45 min" in found.text


def test_a_stale_token_changes_nothing_and_the_answer_says_who_holds_it(agent, clock):
    ann, bob = agent("ann"), agent("bob")
    ann("task_create", title="A")
    old = ann("task_next", claim=True, lease=60).data["claim"]["token"]
    clock.forward(seconds=61)
    new = bob("task_next", claim=True).data["claim"]["token"]
    for name, arguments in (("task_update", {"title": "Mine"}), ("task_complete", {}), ("task_delete", {})):
        with pytest.raises(Conflict, match=r"Claim 1 on task 1 has ended \(expired\); bob holds it now, until"):
            ann(name, task_id=1, claim=old, **arguments)
    assert bob("task_get", task_id=1).data["task"]["title"] == "A"
    assert bob("task_complete", task_id=1, claim=new).data["task"]["status"] == "done"


def test_who_holds_a_task_is_shown_and_listed(call):
    call("task_create", tasks=[{"title": "A"}, {"title": "B"}])
    assert call("task_list", held=True).text == "Nobody holds anything."
    call("task_next", task_id=2, claim=True, lease=60)
    task = call("task_get", task_id=2)
    assert (task.data["task"]["claimed_by"], task.data["task"]["claimed_until"]) == ("ann", "2026-01-01T12:01:00Z")
    assert "claimed by ann" in task.text
    assert "claimed_by" not in call("task_get", task_id=1).data["task"]
    held = call("task_list", held=True)
    assert [(row["id"], row["claimed_by"]) for row in held.data["tasks"]] == [(2, "ann")]
    assert held.text == "2 B [in_progress] ann until 2026-01-01T12:01:00Z"


def test_a_claim_is_kept_by_any_change_or_for_as_long_as_asked(call, clock):
    call("task_create", title="A")
    token = call("task_next", claim=True, lease=60).data["claim"]["token"]
    clock.forward(seconds=50)
    kept = call("task_update", task_id=1, claim=token, lease=600)
    assert kept.data["claim"]["lease_until"] == "2026-01-01T12:10:50Z"
    clock.forward(seconds=500)
    call("task_update", task_id=1, claim=token, progress=50)
    clock.forward(seconds=500)
    assert call("task_complete", task_id=1, claim=token).data["task"]["status"] == "done"


def test_what_is_left_behind_reaches_the_next_one(agent):
    ann, bob = agent("ann"), agent("bob")
    ann("task_create", title="A")
    token = ann("task_next", claim=True).data["claim"]["token"]
    handoff = {"done": "walls", "tried": "glue", "failed": "tape", "next": "roof"}
    back = ann("task_release", task_id=1, claim=token, **handoff)
    assert (back.data["task"]["status"], back.data["ended"]) == ("todo", "released")
    assert bob("task_get", task_id=1).data["handoff"] == {"by": "ann", "ended": "released", **handoff}
    taken = bob("task_next", claim=True)
    assert taken.data["handoff"] == {"by": "ann", "ended": "released", **handoff}
    assert "before you: ann (released)\ndone: walls\ntried: glue\nfailed: tape\nnext: roof" in taken.text


def test_what_somebody_did_before_the_lease_ran_out_reaches_the_next_one(agent, clock):
    ann, bob = agent("ann"), agent("bob")
    ann("task_create", title="A")
    token = ann("task_next", claim=True, lease=60).data["claim"]["token"]
    ann("task_update", task_id=1, claim=token, progress=40)
    clock.forward(seconds=61)
    taken = bob("task_next", claim=True)
    assert (taken.data["handoff"]["by"], taken.data["handoff"]["ended"]) == ("ann", "expired")
    assert "did: #1 progress: 0 → 40" in taken.text


def test_what_collides_is_held_back_and_the_answer_says_so(agent):
    ann, bob = agent("ann"), agent("bob")
    ann("task_create", title="First", priority="critical", connected_files=["a.py"])
    ann("task_create", title="Second", priority="high", connected_files=["a.py"])
    ann("task_create", title="Third")
    ann("task_next", claim=True)
    taken = bob("task_next", claim=True)
    assert taken.data["task"]["title"] == "Third"
    assert taken.data["held_back"] == ["2 Second: a.py is in the hands of task 1"]
    assert "held back: 2 Second" in taken.text


def test_limits_are_set_and_shown(agent):
    ann, bob = agent("ann"), agent("bob")
    ann("task_create", tasks=[{"title": "A", "project": "Home"}, {"title": "B", "project": "Home"}])
    assert ann("workspace", action="save", kind="agent", name="bob", wip=1).text == "bob may hold at most 1 at once."
    ann("workspace", action="save", kind="project", name="Home", wip=2)
    assert "limits: agent bob 1, project Home 2" in ann("task_stats", groups=True).text
    bob("task_next", claim=True)
    with pytest.raises(Conflict, match="bob holds 1 of at most 1"):
        bob("task_next", claim=True)


def test_only_those_who_may_change_things_can_take_tasks(app):
    tool = CONTRACT.by_name["task_next"]
    assert not tool.read_only
    assert tool.scope is Scope.WRITE
    assert CONTRACT.by_name["task_list"].scope is Scope.READ


READS = {
    "task_list": {"limit": 200},
    "task_get": {"task_id": 1},
    "task_search": {"query": "review", "limit": 100},
    "task_next": {},
    "task_list history": {"history": True, "limit": 200},
    "task_stats groups": {"groups": True},
    "run_get": {},
    "task_stats": {},
    "task_board": {},
    "task_list since": {"since": 0, "limit": 200},
    "task_list fields": {"fields": ["title", "notes", "connected_files"], "limit": 200},
    "task_list markdown": {"markdown": True},
    "task_list held": {"held": True, "limit": 200},
    "task_list bin": {"bin": True, "limit": 200},
    "task_get fields": {"task_id": 1, "fields": ["notes", "title"]},
    "task_list history one": {"history": True, "task_id": 1, "limit": 200},
    "task_next elsewhere": {"project": "Book 5"},
    "undo preview": {"actor": "ann", "since": "1 hour ago", "preview": True},
    "workspace": {},
    "workspace audit": {"action": "audit"},
    "workspace focus": {"action": "focus", "task_id": 1},
}


@pytest.fixture
def full(agent, call, tmp_path):
    """A list with long and short texts, and much of everything."""
    call("workspace", action="init", path=str(tmp_path), name="w" * 100)
    for number in range(20):
        call("workspace", action="rule", text=f"{number}. Be kind, " * 20)
    call(
        "task_create",
        title="Review " + "ü" * 400,
        priority="critical",
        description="Why and how. " * 300,
        notes="Seen. " * 500,
        connected_files=[f"src/{n}.py" for n in range(90)],
        tags=[f"tag{n}" for n in range(40)],
        workspace=str(tmp_path),
    )
    call("task_create", tasks=[{"title": f"Review chapter {n}", "project": f"Book {n}"} for n in range(150)])
    call(
        "task_create",
        tasks=[
            {"title": f"Review {n} {'long ' * 80}", "description": "x", "workspace": str(tmp_path)} for n in range(50)
        ],
    )
    for number in range(30):
        call("task_update", task_id=1, notes=f"Seen {number} times. " * 200, reason="because " * 50)
    token = call("task_next", claim=True, task_id=1).data["claim"]["token"]
    call("task_release", task_id=1, claim=token, **dict.fromkeys(("done", "tried", "failed", "next"), "Much. " * 600))
    for number in range(100, 130):
        agent(f"agent {number} {'of many ' * 9}")("task_next", claim=True, task_id=number)
        call("task_delete", task_id=number + 50)
    return call


def test_every_read_keeps_to_its_budget_and_says_what_was_left_out(full):
    for name, arguments in READS.items():
        whole = cost(full(name.split()[0], **arguments, max_tokens=1_000_000))
        for most in (150, 200, 300, 400, 1_000, 4_000):
            reply = full(name.split()[0], max_tokens=most, **arguments)
            assert cost(reply) <= most, (name, most)
            if whole > most:
                assert f"max_tokens={whole}" in reply.text, (name, most, reply.text[-300:])
                assert reply.data["note"], (name, most)
            else:
                assert cost(reply) == whole


def test_every_tool_that_reads_takes_a_budget():
    reading = {tool.name for tool in CONTRACT.tools if tool.read_only} | {name.split()[0] for name in READS}
    assert reading == {tool.name for tool in CONTRACT.tools if "max_tokens" in tool.args.model_fields}


def test_the_smallest_budget_still_shows_something(full):
    assert len(full("task_list", max_tokens=150).data["tasks"]) >= 1
    assert full("task_get", task_id=1, max_tokens=150).data["task"]["id"] == 1
    assert full("task_next", max_tokens=150).data["task"]["id"] == 1
    assert full("task_list", history=True, max_tokens=150).data["events"]
    assert full("task_list", since=0, max_tokens=150).data["changed"]


def test_a_cut_page_goes_on_exactly_after_its_last_row(full):
    for sort in ("priority", "oldest", "newest", "updated", "due"):
        seen, cursor = [], None
        while True:
            page = full("task_list", sort=sort, limit=50, max_tokens=500, **({"cursor": cursor} if cursor else {}))
            seen += [row["id"] for row in page.data["tasks"]]
            cursor = page.data.get("cursor")
            if not cursor:
                break
            assert page.text.endswith(f"More: cursor {cursor}")
        assert len(seen) == len(set(seen)) == 171, sort


def test_cut_history_and_changes_go_on_where_they_stopped(full):
    seen, cursor = [], None
    while True:
        page = full("task_list", history=True, limit=50, max_tokens=400, **({"cursor": cursor} if cursor else {}))
        seen += [row["id"] for row in page.data["events"]]
        cursor = page.data.get("cursor")
        if not cursor:
            break
    assert len(seen) == len(set(seen))
    assert min(seen) == 1
    changed, since, more = [], 0, True
    while more:
        page = full("task_list", since=since, max_tokens=400)
        changed += [row["id"] for row in page.data["changed"]]
        since, more = page.data["revision"], "more" in page.data
    assert sorted(changed) == list(range(1, 202))


def test_fewer_columns_come_before_fewer_rows(full):
    page = full("task_list", limit=50, max_tokens=cost(full("task_list", limit=50)) - 1)
    assert len(page.data["tasks"]) == 50
    assert "version" not in page.data["tasks"][0]
    assert "Left out: blocked_by, project, tags, version" in page.text


def test_a_long_text_is_cut_to_what_is_left(full):
    task = full("task_get", task_id=1, max_tokens=800).data
    assert task["task"]["description"].endswith("…")
    assert "part of description" in task["note"]
    assert "fields, or max_tokens=" in task["note"]


def test_fields_choose_the_columns(call):
    call("task_create", title="A", notes="Seen", project="Home")
    assert call("task_list", fields=["title", "notes"]).data["tasks"] == [{"id": 1, "title": "A", "notes": "Seen"}]
    assert call("task_list", fields=["project"]).text == "1; project Home"
    assert call("task_get", task_id=1, fields=["notes"]).data == {"task": {"id": 1, "notes": "Seen"}}
    with pytest.raises(Invalid, match="There is no field 'colour'"):
        call("task_list", fields=["colour"])


def test_answers_to_changes_stay_small_however_many_tasks_they_touch(call):
    made = call("task_create", tasks=[{"title": f"Review {n}", "subtasks": []} for n in range(200)])
    assert [row["id"] for row in made.data["tasks"]] == list(range(1, 201))
    assert made.text.endswith("\n20 Review 19\nand 180 more, up to 200")
    top = call("task_create", title="Top").data["tasks"][0]["id"]
    for number in range(1, 101):
        call("task_update", task_id=number, parent=top)
    gone = call("task_delete", task_id=top)
    assert len(gone.data["deleted"]) == 101
    assert gone.text.endswith(f"and 81 more, all below {top}")
    assert max(cost(made), cost(gone)) <= 1_000


def test_groups_and_counts_stay_small_however_many_there_are(call):
    call("task_create", tasks=[{"title": f"T{n}", "project": f"Project number {n}"} for n in range(400)])
    for groups in (True, False):
        assert cost(call("task_stats", groups=groups)) <= 2_000
        assert "max_tokens=" in call("task_stats", groups=groups).text


def test_what_changed_is_told_task_by_task(agent):
    ann, bob = agent("ann"), agent("bob")
    ann("task_create", tasks=[{"title": title} for title in "ABCDE"])
    start = ann("task_list").data["revision"]
    assert ann("task_list", since=start).text == f"Nothing changed. Revision {start}."
    bob("task_update", task_id=1, priority="high")
    bob("task_update", task_id=1, priority="critical", notes="x")
    bob("task_complete", task_id=2)
    ann("task_delete", task_id=3)
    ann("task_create", title="F")
    ann("task_update", task_id=6, title="G")
    bob("task_next", task_id=4, claim=True)
    ann("task_update", task_id=5, title="Other")
    ann("task_update", task_id=5, title="E")
    news = ann("task_list", since=start)
    assert news.text.split("\n") == [
        "1 A: priority: medium → critical; notes: – → x (bob)",
        "2 B: completed (bob)",
        "3 C: deleted (ann)",
        "6 G: created (ann)",
        "4 D: status: todo → in_progress (bob)",
        "5 E: changed back (ann)",
        f"Revision {news.data['revision']}.",
    ]
    assert news.data["changed"][1] == {"id": 2, "title": "B", "what": "completed", "status": "done", "by": ["bob"]}
    assert ann("task_list", since=news.data["revision"]).data["changed"] == []


def test_more_changes_than_asked_for_follow_after_the_revision_given(call):
    call("task_create", tasks=[{"title": f"T{n}"} for n in range(5)])
    first = call("task_list", since=0, limit=2)
    assert [row["id"] for row in first.data["changed"]] == [1, 2]
    assert first.text.endswith(f"And 3 more: since={first.data['revision']}.")
    rest = call("task_list", since=first.data["revision"])
    assert [row["id"] for row in rest.data["changed"]] == [3, 4, 5]


def test_a_revision_too_old_gets_counts_and_one_from_another_log_is_told_so(call, app, tmp_path):
    for _ in range(3):
        call("task_create", tasks=[{"title": f"T{n}"} for n in range(400)])
    old = call("task_list", since=0)
    assert old.data["counts"] == {"created": 1200}
    assert "More than 1000 changes since then: 1200 created. List again, then since=" in old.text
    backup.write(app.database, tmp_path / "x.backup")
    before = call("task_list").data["revision"]
    backup.restore(app.database, tmp_path / "x.backup")
    void = call("task_list", since=before)
    assert "a backup was restored" in void.text
    assert call("task_list", since=void.data["revision"]).data["changed"] == []
    assert "not of this log" in call("task_list", since=2**62).text


def test_nearly_the_same_task_is_pointed_out_and_left_out_if_asked(call):
    call("task_create", title="Fix the login page")
    twin = call("task_create", title="fix the LOGIN page!")
    assert twin.data["alike"] == [{"id": 1, "title": "Fix the login page", "new": 2}]
    assert twin.text.endswith("1 says nearly the same as 2: Fix the login page")
    none = call("task_create", tasks=[{"title": "Fix the login-page"}, {"title": "Paint"}], if_new=True)
    assert [row["title"] for row in none.data["tasks"]] == ["Paint"]
    assert none.data["alike"] == [{"id": 1, "title": "Fix the login page"}]
    assert "1 says nearly the same and was not repeated" in none.text
    assert call("task_create", title="Paint", if_new=True).data["tasks"] == []
    assert "alike" not in call("task_create", title="Something else").data


PLAN = [
    {"title": "Database", "name": "db", "subtasks": [{"title": "Schema"}, {"title": "Seed", "after": ["db2"]}]},
    {"title": "Server", "name": "srv", "after": ["db", 1]},
    {"title": "Second database", "name": "db2"},
]


def test_a_plan_is_made_in_one_call(call):
    call("task_create", title="Before")
    made = call("task_create", tasks=PLAN, key="k")
    names = made.data["names"]
    assert set(names) == {"db", "srv", "db2"}
    assert f"Names: db {names['db']}, srv {names['srv']}" in made.text
    assert call("task_get", task_id=names["srv"]).data["task"]["blocked_by"] == [1, names["db"]]
    seed = next(row["id"] for row in made.data["tasks"] if row["title"] == "Seed")
    task = call("task_get", task_id=seed).data["task"]
    assert (task["parent"], task["blocked_by"]) == (names["db"], [names["db2"]])
    again = call("task_create", tasks=PLAN, key="k").data
    assert again["repeated"]
    assert again["names"] == names


def test_a_markdown_plan_is_read_and_written(call):
    text = "# Plan\n\n- [ ] Walls !high ^w\n  - [ ] Paint\n- [ ] Roof @after(w)\n"
    made = call("task_create", markdown=text)
    assert [row["title"] for row in made.data["tasks"]] == ["Walls", "Paint", "Roof"]
    written = call("task_list", markdown=True)
    assert "- [ ] Walls !high" in written.text
    assert written.data["markdown"].strip() == written.text


@pytest.mark.parametrize(
    ("name", "arguments", "error", "says"),
    [
        ("task_create", {"tasks": [{"title": "A", "after": ["nowhere"]}]}, Invalid, "nowhere"),
        ("task_create", {"tasks": [{"title": "A", "name": "a", "after": ["a"]}]}, Invalid, "circle"),
        ("task_create", {"tasks": [{"title": "A", "name": "a"}, {"title": "B", "after": [99]}]}, NotFound, "99"),
        ("task_create", {"tasks": [{"title": "A", "after": ["²"]}]}, Invalid, "not a task id"),
        ("task_create", {"tasks": [{"title": "A", "subtasks": [{"title": ""}]}]}, Invalid, "Title"),
        ("task_create", {"tasks": [{"title": "A", "name": "a"}], "if_new": True}, Invalid, "made whole"),
        ("task_create", {"markdown": "nothing here"}, Invalid, "no list"),
        ("task_create", {"markdown": "- A", "title": "B"}, Invalid, "either title"),
        ("task_next", {"lease": 60}, Invalid, "goes with claim"),
        ("task_next", {"task_id": 1}, Invalid, "goes with claim"),
        ("task_next", {"claim": True, "lease": 4}, Invalid, "A lease cannot be"),
        ("task_next", {"claim": True, "task_id": 99}, NotFound, "99"),
        ("task_next", {"time": "soon"}, Invalid, "not a length of time"),
        ("task_next", {"energy": "none"}, Invalid, "Energy cannot be"),
        ("task_update", {"task_id": 1, "lease": 60}, Invalid, "lease goes with claim"),
        ("task_update", {"task_id": 1, "claim": 99, "title": "x"}, Conflict, "is not a claim on task 1"),
        ("task_update", {"task_id": 1, "claim": "1", "title": "x"}, Invalid, "claim: "),
        ("task_release", {"task_id": 1}, Conflict, "Nobody holds"),
        ("task_release", {"task_id": 1, "claim": 5, "done": "x"}, Conflict, "is not a claim"),
        ("task_release", {"task_id": 1, "nope": 1}, Invalid, "nope"),
        ("task_list", {"max_tokens": 10}, Invalid, "max_tokens: "),
        ("task_list", {"since": -1}, Invalid, "since: "),
        ("task_list", {"since": 0, "project": "x"}, Invalid, "since does not go with project"),
        ("task_list", {"since": 0, "held": True}, Invalid, "do not go together"),
        ("task_list", {"markdown": True, "limit": 5}, Invalid, "markdown does not go with limit"),
        ("task_list", {"bin": True, "tag": "x"}, Invalid, "bin does not go with tag"),
        ("workspace", {"action": "save", "kind": "agent", "name": "x"}, Invalid, "how much it may hold"),
        ("workspace", {"action": "save", "kind": "project", "name": "x", "wip": -1}, Invalid, "A limit cannot be"),
        ("undo", {"preview": True}, Invalid, "preview goes with"),
    ],
)
def test_bad_input_says_what_is_wrong_and_changes_nothing(call, name, arguments, error, says):
    call("task_create", title="Walls")
    before = (
        call("task_list", all=True).data,
        call("task_list", history=True).data,
        call("task_stats", groups=True).data,
    )
    with pytest.raises(error) as caught:
        call(name, **arguments)
    assert says in str(caught.value)
    assert (
        call("task_list", all=True).data,
        call("task_list", history=True).data,
        call("task_stats", groups=True).data,
    ) == before


def test_the_bin_is_listed_in_pages_and_undo_empties_it(call):
    call("task_create", tasks=[{"title": f"T{n}"} for n in range(30)])
    for number in range(1, 31):
        call("task_delete", task_id=number)
    seen, cursor = [], None
    while True:
        page = call("task_list", bin=True, max_tokens=300, **({"cursor": cursor} if cursor else {}))
        seen += [row["id"] for row in page.data["tasks"]]
        cursor = page.data.get("cursor")
        if not cursor:
            break
    assert seen == list(range(30, 0, -1))
    call("undo", task_id=7)
    assert [row["id"] for row in call("task_list").data["tasks"]] == [7]


def test_arguments_that_say_nothing_are_no_hindrance(call):
    call("task_create", title="A")
    assert call("task_list", since=0, held=False, project=None, sort="priority").data["changed"]


def test_an_undo_can_be_looked_at_first(agent):
    ann, bob = agent("ann"), agent("bob")
    ann("task_create", tasks=[{"title": "A"}, {"title": "B"}])
    for number in (1, 2):
        bob("task_delete", task_id=number)
    seen = ann("undo", actor="bob", since="1 hour ago", preview=True)
    assert seen.data["preview"]
    assert seen.text.startswith("It would undo: 2 changes.")
    assert ann("task_list").data["tasks"] == []
    assert "bob: #1 deleted" in seen.text
    back = ann("undo", actor="bob", since="1 hour ago")
    assert back.text == f"Undone: 2 changes.\nTo put it back: undo change {back.data['change']}."
    assert len(ann("task_list").data["tasks"]) == 2
