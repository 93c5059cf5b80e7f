from __future__ import annotations

import pytest

from taskpilot.domain.errors import Conflict, NotFound, Unfit
from taskpilot.domain.plan import Step, place, read_markdown
from taskpilot.domain.selection import Selection
from taskpilot.domain.task import Status
from taskpilot.ops import history, plans, tasks

HOUSE = """
- [ ] House !high
  - [x] Walls ^walls +stone
  - [ ] Roof @after(walls, paint) due:2026-03-01
- [ ] Paint ^paint
  Two coats.
"""


@pytest.fixture
def everything(do):
    return lambda: {task.title: task for task in do(tasks.list_page, Selection(closed=True), limit=100).items}


def test_a_tree_with_dependencies_is_made_in_one_call(do, everything):
    made = do(plans.make, read_markdown(HOUSE)).tasks
    assert [task.title for task in made] == ["House", "Walls", "Roof", "Paint"]
    house, walls, roof, paint = (everything()[task.title] for task in made)
    assert (walls.parent, roof.parent, paint.parent) == (house.id, house.id, None)
    assert roof.blocked_by == tuple(sorted((walls.id, paint.id)))
    assert (walls.status, walls.tags, paint.description) == (Status.DONE, ("stone",), "Two coats.")


def test_one_undo_takes_a_whole_plan_back(do, everything):
    do(plans.make, read_markdown(HOUSE))
    do(history.undo)
    assert everything() == {}


@pytest.mark.parametrize(
    "text",
    [
        "- [ ] Good\n- [ ] " + "x" * 501,
        "- [ ] Good\n- [ ] Tagged +" + "t" * 51,
        "- [ ] Good\n- [ ] \u200b\u202e",
        "- [ ] One ^a @after(b)\n- [ ] Two ^b @after(a)",
        "- [ ] One ^a\n  - [ ] Two ^b\n- [ ] Three @after(c)",
        "- [ ] Good\n- [ ] One ^a @after(a)",
        "- [ ] Good\n- [ ] One @after(²)",
        "- [ ] Good ^g\n- [ ] Again ^g",
        "\n".join("  " * depth + "- [ ] Deep" for depth in range(21)),
        "\n".join(f"- [ ] Task {number}" for number in range(10_000)),
    ],
    ids=range(10),
)
def test_one_bad_task_and_none_is_made(do, everything, text):
    with pytest.raises(Unfit):
        do(plans.make, read_markdown(text))
    assert everything() == {}


def test_a_parent_that_waits_on_its_own_subtask_is_refused(do, everything):
    with pytest.raises(Unfit, match="in a circle: 'Up' → 'Down' → 'Up'"):
        do(
            plans.make,
            read_markdown("- [ ] First\n- [ ] Up @after(down)\n  - [ ] Down ^down\n- [ ] After @after(down)"),
        )
    assert everything() == {}


def test_a_plan_may_wait_on_tasks_that_are_there(do, add):
    ground = add("Ground")
    made = do(plans.make, read_markdown(f"- [ ] Walls @after({ground.id})")).tasks
    assert made[0].blocked_by == (ground.id,)
    for stranger in (99_999, "9" * 30, "9" * 5_000):
        with pytest.raises(NotFound):
            do(plans.make, read_markdown(f"- [ ] Walls @after({stranger})"))


def test_somebody_elses_task_cannot_be_waited_on(app, do, stranger):
    theirs = app.run(stranger, tasks.create, [{"title": "Theirs"}]).tasks[0]
    steps = [Step({"title": "Mine"}, after=(str(theirs.id),))]
    with pytest.raises(NotFound):
        do(plans.make, steps)
    place(steps, parent=theirs.id)
    with pytest.raises(NotFound):
        do(plans.make, [Step({"title": "Mine", "parent": theirs.id})])


def test_with_a_key_a_plan_is_made_once(do, everything):
    first = do(plans.make, read_markdown(HOUSE), key="k")
    again = do(plans.make, read_markdown(HOUSE), key="k")
    assert (first.repeated, again.repeated) == (False, True)
    assert [task.id for task in again.tasks] == [task.id for task in first.tasks]
    with pytest.raises(Conflict, match="used for another"):
        do(plans.make, read_markdown("- [ ] Other"), key="k")
    assert len(everything()) == 4


def test_what_is_exported_makes_the_same_plan_again(do, everything):
    steps = read_markdown(HOUSE)
    place(steps, project="House")
    do(plans.make, steps)
    written = do(plans.write, Selection(closed=True, project="House"), title="House")
    for task in everything().values():
        if task.parent is None:
            do(tasks.delete, task.id)
    do(plans.make, read_markdown(written))
    house, walls, roof, paint = (everything()[title] for title in ("House", "Walls", "Roof", "Paint"))
    assert (house.priority.word, walls.status, walls.tags) == ("high", Status.DONE, ("stone",))
    assert roof.blocked_by == tuple(sorted((walls.id, paint.id)))
    assert (roof.parent, paint.description) == (house.id, "Two coats.")


def test_an_export_has_a_limit(do, add, monkeypatch):
    monkeypatch.setattr(plans, "EXPORTED_MOST", 1)
    add(), add()
    with pytest.raises(Unfit, match="More than 1 tasks"):
        do(plans.write, Selection())


def test_an_export_shows_nobody_elses(app, do, add, stranger):
    add("Mine")
    assert app.run(stranger, plans.write, Selection(closed=True)) == "\n"


def test_a_task_that_waits_on_itself_is_named(do, everything):
    with pytest.raises(Unfit, match="in a circle: 'One' → 'One'"):
        do(plans.make, read_markdown("- [ ] One ^a @after(a)"))
    assert everything() == {}


def test_a_missing_task_that_is_waited_on_leaves_nothing_behind(do, everything):
    for written in ("0", "TP-7", "9" * 60):
        with pytest.raises(NotFound):
            do(plans.make, read_markdown(f"- [ ] Good\n- [ ] Bad @after({written})"))
    assert everything() == {}


ODD = """
- [ ] Ünïcode "quotes" \\+1 \\!high `due:today` !critical +"a \\"b\\" \\\\" +c/d due:2026-03-01T09:30:00Z ^x
  First line.

      indented\ttab
  ````
  ```
  - [ ] code
  ````
  \\- [ ] a box that is no task
  - [/] Begun @after(x) !someday
    - [x] Finished
    - [-] Dropped
      \\~~~
    - [ ] Waits @after(y, x)
- [ ] 1. [x] - odd ^y
"""


def test_the_same_tree_comes_back_however_odd_its_texts(do, everything):
    def draw():
        tree = everything()
        titles = {task.id: task.title for task in tree.values()}
        return {
            title: (
                task.status,
                task.priority,
                task.tags,
                task.due_date,
                task.description,
                titles.get(task.parent),
                sorted(titles[blocker] for blocker in task.blocked_by),
            )
            for title, task in tree.items()
        }

    do(plans.make, read_markdown(ODD))
    drawn, written = draw(), do(plans.write, Selection(closed=True))
    assert len(drawn) == 6
    assert drawn['Ünïcode "quotes" +1 !high `due:today`'][2] == ('a "b" \\', "c/d")
    for task in everything().values():
        if task.parent is None:
            do(tasks.delete, task.id)
    assert everything() == {}
    do(plans.make, read_markdown(written))
    assert draw() == drawn
