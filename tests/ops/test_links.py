from __future__ import annotations

import pytest

from taskpilot.domain.errors import Conflict, NotFound
from taskpilot.ops import links


def test_a_link_is_made_once_and_removed(do, add):
    walls, roof = add("Walls"), add("Roof")
    linked = do(links.add, roof.id, walls.id)
    assert linked.blocked_by == (walls.id,)
    assert do(links.add, roof.id, walls.id) == linked
    blockers, waiting = do(links.list_all, roof.id)
    assert ([task.id for task in blockers], waiting) == ([walls.id], ())
    blockers, waiting = do(links.list_all, walls.id)
    assert (blockers, [task.id for task in waiting]) == ((), [roof.id])
    assert do(links.remove, roof.id, walls.id).blocked_by == ()
    with pytest.raises(NotFound, match="does not wait on"):
        do(links.remove, roof.id, walls.id)


def test_a_circle_is_refused(do, add):
    walls, roof = add("Walls"), add("Roof")
    do(links.add, roof.id, walls.id)
    with pytest.raises(Conflict, match="wait on itself"):
        do(links.add, walls.id, roof.id)


def test_an_old_view_changes_nothing(do, add):
    walls, roof = add("Walls"), add("Roof")
    with pytest.raises(Conflict, match="version"):
        do(links.add, roof.id, walls.id, version=7)


def test_strangers_tasks_are_not_linked(app, do, add, stranger):
    walls, roof = add("Walls"), add("Roof")
    do(links.add, roof.id, walls.id)
    for op in (links.add, links.remove):
        with pytest.raises(NotFound, match="not found"):
            app.run(stranger, op, roof.id, walls.id)
    with pytest.raises(NotFound):
        app.run(stranger, links.list_all, roof.id)
