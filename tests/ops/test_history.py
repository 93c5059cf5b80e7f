from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from taskpilot.domain.caller import local
from taskpilot.domain.errors import Conflict, Invalid, NotFound
from taskpilot.domain.selection import Selection
from taskpilot.domain.task import Status
from taskpilot.ops import claims, history, projects, rules, tags, tasks, workspaces
from taskpilot.ops.queue import Wish

AGENT = local("native", actor="claude-code")


def test_undo_takes_back_the_callers_latest_change(do, add):
    task = add()
    do(tasks.update, task.id, {"title": "Roof", "tags": ["x"]})
    do(history.undo)
    task = do(tasks.get, task.id)
    assert (task.title, task.tags, task.version) == ("Walls", (), 3)


def test_undo_leaves_other_actors_alone(app, do, add):
    mine, theirs = add("Mine"), app.run(AGENT, tasks.create, [{"title": "Theirs"}]).tasks[0]
    do(history.undo)
    assert do(tasks.get, theirs.id) == theirs
    with pytest.raises(NotFound):
        do(tasks.get, mine.id)


def test_undoing_a_new_task_that_somebody_changed_is_refused(app, do, add):
    task = add("Mine")
    app.run(AGENT, tasks.update, task.id, {"priority": "high"})
    created = do(history.list_page, task_id=task.id).items[-1]
    with pytest.raises(Conflict, match="changed since by claude-code"):
        do(history.undo, event_id=created.id)
    assert do(tasks.get, task.id).priority == 4


def test_undo_of_a_delete_brings_the_whole_tree_back(do, add):
    top = add("Top")
    leaf = add("Leaf", parent=top.id, tags=["x"], blocked_by=[])
    do(tasks.delete, top.id)
    do(history.undo)
    assert do(tasks.get, top.id).title == "Top"
    assert do(tasks.get, leaf.id).parent == top.id


def test_undo_of_a_completion_takes_the_next_occurrence_back(do, add):
    task = add("Water", due_date="2026-01-05", recurrence="FREQ=DAILY")
    following = do(tasks.complete, task.id).next
    do(history.undo, task_id=task.id)
    assert not do(tasks.get, task.id).completed
    with pytest.raises(NotFound):
        do(tasks.get, following.id)


def test_undoing_the_undo_puts_it_back(do, add):
    task = add()
    do(tasks.update, task.id, {"title": "Roof"})
    do(history.undo)
    undoing = do(history.list_page, task_id=task.id).items[0]
    do(history.undo, event_id=undoing.id)
    assert do(tasks.get, task.id).title == "Roof"


def test_a_change_is_undone_once(do, add):
    task = add()
    do(tasks.update, task.id, {"title": "Roof"})
    event = do(history.list_page, task_id=task.id).items[0]
    do(history.undo, event_id=event.id)
    with pytest.raises(Conflict, match="undone already"):
        do(history.undo, event_id=event.id)


def test_undo_does_not_overwrite_a_later_change_to_the_same_field(do, add):
    task = add()
    do(tasks.update, task.id, {"title": "Roof"})
    first = do(history.list_page, task_id=task.id).items[0]
    do(tasks.update, task.id, {"title": "Cellar"})
    with pytest.raises(Conflict, match="title changed since"):
        do(history.undo, event_id=first.id)
    assert do(tasks.get, task.id).title == "Cellar"


def test_undo_of_one_field_keeps_later_changes_to_others(do, add):
    task = add()
    do(tasks.update, task.id, {"title": "Roof"})
    first = do(history.list_page, task_id=task.id).items[0]
    do(tasks.update, task.id, {"priority": "high"})
    do(history.undo, event_id=first.id)
    assert (do(tasks.get, task.id).title, do(tasks.get, task.id).priority) == ("Walls", 4)


def test_an_agent_that_wiped_the_plan_is_undone_whole(app, do, add, clock):
    plan = [add(f"Step {n}", project="Plan", tags=["plan"]) for n in range(5)]
    before = do(tasks.list_page, Selection()).items
    clock.forward(minutes=5)
    since = clock.now
    for task in plan[:3]:
        app.run(AGENT, tasks.delete, task.id)
    app.run(AGENT, tasks.update, plan[3].id, {"title": "???", "project": None})
    app.run(AGENT, tasks.complete, plan[4].id)
    app.run(AGENT, tasks.create, [{"title": "Junk", "project": "Junk"}])
    undone = do(history.undo_changes, actor="claude-code", since=since)
    assert undone.conflicts == ()
    after = do(tasks.list_page, Selection()).items
    assert [(t.id, t.title, t.project, t.status, t.tags) for t in after] == [
        (t.id, t.title, t.project, t.status, t.tags) for t in before
    ]
    assert [project.name for project, _ in do(projects.list_all)] == ["Plan"]


def test_undoing_an_actor_names_what_others_changed_since(app, do, add, clock):
    task, other = add("A"), add("B")
    app.run(AGENT, tasks.update, task.id, {"title": "x"})
    app.run(AGENT, tasks.update, other.id, {"title": "y"})
    do(tasks.update, task.id, {"title": "mine"})
    undone = do(history.undo_changes, actor="claude-code", since=clock.now - timedelta(hours=1))
    assert undone.conflicts == (f"task {task.id} has had its title changed since by dev-user",)
    assert (do(tasks.get, task.id).title, do(tasks.get, other.id).title) == ("mine", "B")


def test_what_an_actor_undid_itself_cancels_out(app, do, add, clock):
    task = add("A")
    app.run(AGENT, tasks.update, task.id, {"title": "x"})
    app.run(AGENT, history.undo)
    do(history.undo_changes, actor="claude-code", since=clock.now)
    assert do(tasks.get, task.id).title == "A"


def test_nothing_to_undo_says_so(do, clock):
    with pytest.raises(NotFound, match="nothing to undo"):
        do(history.undo)
    with pytest.raises(NotFound, match="changed nothing"):
        do(history.undo_changes, actor="nobody", since=clock.now)


def test_a_strangers_changes_cannot_be_seen_or_undone(app, do, add, stranger):
    task = add()
    event = do(history.list_page).items[0]
    assert app.run(stranger, history.list_page).items == ()
    with pytest.raises(NotFound):
        app.run(stranger, history.undo, event_id=event.id)
    with pytest.raises(NotFound):
        app.run(stranger, history.list_page, task_id=task.id)


def test_history_goes_on_from_its_cursor(do, add):
    for n in range(5):
        add(f"T{n}")
    page = do(history.list_page, limit=2)
    seen = [event.id for event in page.items]
    while page.cursor:
        page = do(history.list_page, limit=2, cursor=page.cursor)
        seen += [event.id for event in page.items]
    assert seen == sorted(seen, reverse=True)
    assert len(seen) == 5


def test_a_renamed_tag_and_a_deleted_project_can_be_undone(do, add):
    task = add("A", tags=["old"], project="Home")
    do(tags.rename, "old", "new")
    do(projects.delete, "Home")
    assert (do(tasks.get, task.id).tags, do(tasks.get, task.id).project) == (("new",), None)
    do(history.undo)
    do(history.undo)
    assert (do(tasks.get, task.id).tags, do(tasks.get, task.id).project) == (("old",), "Home")


def test_the_callers_latest_change_is_found_behind_any_number_of_others(app, do, add):
    mine = add("Mine")
    app.run(AGENT, tasks.create, [{"title": f"Theirs {n}"} for n in range(250)])
    do(history.undo)
    with pytest.raises(NotFound):
        do(tasks.get, mine.id)


def test_a_rule_can_be_undone_and_what_only_tells_is_passed_over(do, add):
    workspace = do(workspaces.open_folder, "/srv/app")
    rule = do(rules.add, workspace.id, "coding", "Write tests first.")
    do(history.undo)
    assert do(rules.list_all, workspace.id) == []
    do(history.undo, event_id=do(history.list_page).items[0].id)
    assert [each.id for each in do(rules.list_all, workspace.id)] == [rule.id]


def test_a_change_that_only_opened_a_folder_cannot_be_undone(do):
    do(workspaces.open_folder, "/srv/app")
    with pytest.raises(NotFound, match="nothing to undo"):
        do(history.undo)
    opened = do(history.list_page).items[0]
    with pytest.raises(Conflict, match="nothing in this change"):
        do(history.undo, event_id=opened.id)


def test_a_preview_says_what_would_happen_and_changes_nothing(app, do, add, clock):
    kept, lost = add("Kept"), add("Lost")
    app.run(AGENT, tasks.update, kept.id, {"title": "x", "priority": "low"})
    app.run(AGENT, tasks.delete, lost.id)
    do(tasks.update, kept.id, {"title": "mine"})
    known = do(history.list_page).items
    seen = do(history.undo_changes, actor="claude-code", preview=True)
    assert seen.preview
    assert do(history.list_page).items == known
    with pytest.raises(NotFound):
        do(tasks.get, lost.id)
    done = do(history.undo_changes, actor="claude-code")
    assert (done.events, done.conflicts, done.preview) == (seen.events, seen.conflicts, False)
    assert done.conflicts == (f"task {kept.id} has had its title changed since by dev-user",)
    assert do(tasks.get, lost.id).title == "Lost"


def test_what_came_through_one_connection_is_one_changeset(app, do, add):
    first, second = replace(AGENT, origin="mcp:1"), replace(AGENT, origin="mcp:2")
    a, b = add("A"), add("B")
    app.run(first, tasks.update, a.id, {"title": "x"})
    app.run(second, tasks.update, b.id, {"title": "y"})
    assert [event.origin for event in do(history.list_page, limit=2).items] == ["mcp:2", "mcp:1"]
    undone = do(history.undo_changes, origin="mcp:1")
    assert [event.subject for event in undone.events] == [a.id]
    assert (do(tasks.get, a.id).title, do(tasks.get, b.id).title) == ("A", "y")
    with pytest.raises(NotFound, match="Nothing was changed from 'mcp:3'"):
        do(history.undo_changes, origin="mcp:3")
    with pytest.raises(NotFound):
        do(history.undo_changes, origin="")
    with pytest.raises(Invalid, match="Nobody"):
        do(history.undo_changes)


def test_undoing_the_undo_of_a_changeset_puts_all_of_it_back(app, do, add):
    plan = [add(f"Step {n}") for n in range(3)]
    for task in plan:
        app.run(AGENT, tasks.delete, task.id)
    undone = do(history.undo_changes, actor="claude-code")
    assert len(do(tasks.list_page, Selection()).items) == 3
    assert len(do(history.undo, event_id=undone.change).events) == 3
    assert do(tasks.list_page, Selection()).items == ()


def test_undoing_again_takes_nothing_back_twice(app, do, add):
    task = add("A")
    app.run(AGENT, tasks.update, task.id, {"title": "x"})
    do(history.undo_changes, actor="claude-code")
    assert do(history.undo_changes, actor="claude-code").events == ()
    assert do(tasks.get, task.id).title == "A"


def test_what_somebody_put_back_already_is_no_conflict(app, do, add):
    task = add("A")
    app.run(AGENT, tasks.update, task.id, {"title": "x", "priority": "low"})
    do(tasks.update, task.id, {"title": "A"})
    assert do(history.undo_changes, actor="claude-code").conflicts == ()
    assert (do(tasks.get, task.id).title, do(tasks.get, task.id).priority) == ("A", 3)


def test_a_claim_ends_with_the_undo_of_taking_it_and_the_task_can_be_taken_again(app, do, add):
    task = add()
    token = app.run(AGENT, claims.take_next, Wish()).claim.id
    do(history.undo_changes, actor="claude-code")
    assert do(tasks.get, task.id).status is Status.TODO
    with pytest.raises(Conflict, match="nobody holds it now"):
        app.run(AGENT, tasks.complete, task.id, claim=token)
    assert do(claims.take_next, Wish()).task.id == task.id


@pytest.mark.parametrize("ending", ["complete", "delete", "release"])
def test_undoing_what_ended_a_claim_gives_it_back_and_its_lease_still_runs_out(app, do, add, clock, ending):
    task = add()
    token = app.run(AGENT, claims.take_next, Wish(), lease=600).claim.id
    clock.forward(seconds=60)
    if ending == "release":
        app.run(AGENT, claims.release, task.id, token)
    else:
        app.run(AGENT, getattr(tasks, ending), task.id, claim=token)
    clock.forward(seconds=60)
    do(history.undo, task_id=task.id)
    assert do(claims.check, task.id, token).actor == "claude-code"
    assert do(tasks.get, task.id).status is Status.IN_PROGRESS
    clock.forward(seconds=700)
    assert do(claims.take_next, Wish()).task.id == task.id


def test_undoing_an_agent_leaves_a_task_that_another_took_after_it(app, do, add):
    task, other = add(), replace(AGENT, actor="codex")
    app.run(AGENT, claims.release, task.id, app.run(AGENT, claims.take_next, Wish()).claim.id)
    token = app.run(other, claims.take_next, Wish()).claim.id
    undone = do(history.undo_changes, actor="claude-code")
    assert undone.conflicts == (f"task {task.id} has had its status changed since by codex",)
    assert do(claims.check, task.id, token).actor == "codex"
    assert do(tasks.get, task.id).status is Status.IN_PROGRESS


def test_undo_passes_over_a_lease_that_ran_out(app, do, add, clock):
    first, mine = add("First"), add("Mine")
    app.run(AGENT, claims.take, first.id, lease=60)
    clock.forward(seconds=61)
    do(tasks.update, mine.id, {"title": "x"})
    do(claims.sweep)
    do(history.undo)
    assert (do(tasks.get, mine.id).title, do(tasks.get, first.id).status) == ("Mine", Status.TODO)
    undone = do(history.undo_changes, actor="claude-code")
    assert undone.conflicts == ()
    assert do(tasks.get, first.id).started_at is None
