from __future__ import annotations

import pytest

from taskpilot.domain.choices import OneOf
from taskpilot.domain.errors import Invalid, NotFound
from taskpilot.domain.task import Priority
from taskpilot.ops import history, rules, tasks, workbench, workspaces

NEEDS = "- Build login\n\n  * Paint walls \n--dry-run is kept\n"


def test_setting_up_makes_tasks_and_rules(do):
    made = do(workbench.set_up, "/srv/app", name="App", requirements=NEEDS, tech_stack="Python,\nReact")
    assert made.workspace.name == "App"
    assert [task.title for task in made.tasks] == ["Build login", "Paint walls", "--dry-run is kept"]
    assert {task.workspace for task in made.tasks} == {made.workspace.id}
    assert "The stack is: Python, React." in made.rules[0].content
    assert [rule.kind.value for rule in made.rules] == ["coding", "git", "testing", "security", "performance"]
    assert len({event.change for event in do(history.list_page).items}) == 1


def test_repeating_it_changes_nothing_and_keeps_what_people_changed(do):
    made = do(workbench.set_up, "/srv/app", requirements=NEEDS)
    do(rules.update, 1, "git", "Ours")
    do(tasks.complete, 1)
    do(tasks.delete, 2)
    before = do(history.list_page).items
    again = do(workbench.set_up, "/srv/app", name="Other", requirements="Another")
    assert again.workspace == made.workspace
    assert [(task.id, task.status) for task in again.tasks] == [(1, "done"), (3, "todo")]
    assert "Ours" in [rule.content for rule in again.rules]
    assert do(history.list_page).items == before


def test_rules_that_were_there_are_kept(do):
    do(workspaces.open_folder, "/srv/app")
    do(rules.add, 1, "custom", "Ours alone")
    assert [rule.content for rule in do(workbench.set_up, "/srv/app").rules] == ["Ours alone"]


@pytest.mark.parametrize(
    "broken",
    [{"name": "x" * 101}, {"requirements": "x\n" * 501}, {"requirements": "x" * 100_001}, {"tech_stack": "x" * 1_001}],
)
def test_a_setup_that_is_refused_leaves_nothing(do, broken):
    with pytest.raises(Invalid):
        do(workbench.set_up, "/srv/app", **broken)
    assert do(workspaces.list_all) == []
    assert do(history.list_page).items == ()


def test_from_a_workspace_one_reaches_its_tasks_and_loose_ones(do, add):
    own, loose, other = add("Own", workspace="/srv/app"), add("Loose"), add("Other", workspace="/srv/other")
    assert do(workbench.get_task, 1, own.id) == own
    assert do(workbench.get_task, 1, loose.id) == loose
    with pytest.raises(NotFound, match="not found in this workspace"):
        do(workbench.get_task, 1, other.id)
    with pytest.raises(NotFound):
        do(workbench.update_task, 1, other.id, {"title": "x"})


def test_a_coarse_word_keeps_what_it_means_already(do, add):
    task = add("Own", workspace="/srv/app", priority=5)
    high = OneOf((Priority.HIGH, Priority.CRITICAL))
    assert do(workbench.update_task, 1, task.id, {"priority": high}).task == task
    do(tasks.update, task.id, {"priority": 1})
    assert do(workbench.update_task, 1, task.id, {"priority": high}, reason="now").task.priority is Priority.HIGH
    assert do(history.list_page, task_id=task.id).items[0].reason == "now"


def test_a_stranger_sets_up_a_folder_of_their_own(app, do, stranger):
    mine = do(workbench.set_up, "/srv/app", requirements="Build")
    theirs = app.run(stranger, workbench.set_up, "/srv/app", requirements="Spy")
    assert theirs.workspace.id != mine.workspace.id
    with pytest.raises(NotFound):
        app.run(stranger, workbench.get_task, theirs.workspace.id, mine.tasks[0].id)
