from __future__ import annotations

import pytest

from taskpilot.domain.errors import Conflict, Invalid, NotFound
from taskpilot.domain.selection import Selection
from taskpilot.ops import bulk, history, tasks
from taskpilot.ops.bulk import Edit


def titles(do):
    return [task.title for task in do(tasks.list_slice, Selection()).items]


def test_everything_asked_for_happens_in_one_go(do, add):
    walls, roof, cellar = add("Walls"), add("Roof"), add("Cellar")
    done = do(
        bulk.change,
        create=[{"title": "Door"}, {"title": "Window"}],
        update=[Edit(walls.id, {"title": "Thick walls"})],
        complete=[roof.id, roof.id],
        delete=[cellar.id],
    )
    assert [task.title for task in done.created] == ["Door", "Window"]
    assert [task.title for task in done.updated] == ["Thick walls"]
    assert [task.completed for task in done.completed] == [True]
    assert done.deleted == (cellar.id,)
    assert sorted(titles(do)) == ["Door", "Thick walls", "Window"]


def test_one_undo_takes_all_of_it_back(do, add):
    walls, roof = add("Walls"), add("Roof")
    do(bulk.change, create=[{"title": "Door"}], complete=[walls.id], delete=[roof.id])
    do(history.undo)
    assert sorted(titles(do)) == ["Roof", "Walls"]


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        ({"delete": [404]}, NotFound),
        ({"complete": [404]}, NotFound),
        ({"update": [Edit(404, {"title": "x"})]}, NotFound),
        ({"update": [Edit(1, {"title": ""})]}, Invalid),
        ({"update": [Edit(1, {"title": "x"}, version=9)]}, Conflict),
        ({"update": [Edit(1, {}, version=9)]}, Conflict),
        ({"complete": [1] * 501}, Invalid),
    ],
)
def test_one_mistake_and_nothing_happens(do, add, wrong, error):
    task = add("Walls")
    assert task.id == 1
    with pytest.raises(error):
        do(bulk.change, create=[{"title": "Door"}], **wrong)
    assert titles(do) == ["Walls"]
    assert do(tasks.get, 1) == task


def test_naming_a_subtask_besides_its_task_is_no_mistake(do, add):
    house = add("House")
    wall = add("Wall", parent=house.id)
    assert do(bulk.change, delete=[house.id, wall.id, house.id]).deleted == (house.id, wall.id)


def test_a_strangers_task_is_as_good_as_missing(app, add, stranger):
    task = add("Walls")
    for wrong in ({"update": [Edit(task.id, {"title": "x"})]}, {"complete": [task.id]}, {"delete": [task.id]}):
        with pytest.raises(NotFound):
            app.run(stranger, bulk.change, create=[{"title": "Door"}], **wrong)
    assert app.run(stranger, tasks.list_slice, Selection()).items == ()
