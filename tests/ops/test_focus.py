from __future__ import annotations

import pytest

from taskpilot.domain.errors import NotFound
from taskpilot.ops import focus, rules, tasks, workspaces


def test_everything_about_a_task_is_gathered(do, add):
    here = do(workspaces.open_folder, "/srv/app").id
    do(rules.add, here, "git", "Be kind")
    parent, blocker, waiting = add("Parent"), add("Blocker"), add("Waiting")
    task = add("Walls", workspace=here, parent=parent.id, blocked_by=[blocker.id])
    part = add("Part", parent=task.id)
    do(tasks.update, waiting.id, {"blocked_by": [task.id]})
    do(tasks.update, task.id, {"priority": 5}, reason="urgent now")
    found = do(focus.gather, task.id)
    assert found.workspace.id == here
    assert [rule.content for rule in found.rules] == ["Be kind"]
    assert [each.id for each in found.blockers] == [blocker.id]
    assert [each.id for each in found.waiting] == [waiting.id]
    assert [each.id for each in found.subtasks] == [part.id]
    assert found.parent.id == parent.id
    assert found.events[0].reason == "urgent now"
    assert not found.ready
    do(tasks.complete, blocker.id)
    assert do(focus.gather, task.id).ready


def test_a_task_of_no_workspace_has_no_rules(do, add):
    found = do(focus.gather, add().id)
    assert (found.workspace, found.rules, found.parent) == (None, (), None)
    assert found.ready


def test_a_strangers_task_is_not_found(app, add, stranger):
    task = add()
    with pytest.raises(NotFound):
        app.run(stranger, focus.gather, task.id)
