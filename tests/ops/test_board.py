from __future__ import annotations

import pytest

from taskpilot.domain.errors import Invalid, NotFound
from taskpilot.domain.operation import writes
from taskpilot.domain.question import PERMISSION, Asking
from taskpilot.domain.run import Agent
from taskpilot.domain.wip import LimitKind
from taskpilot.ops import board, changes, claims, questions, run_orders, tags, tasks, workspaces
from taskpilot.ops.queue import Wish


@writes
def start_and_ask(work, task_id):
    run = run_orders.start(work, task_id, agent=Agent.CODEX).run
    return run, questions.ask(work, run, Asking.PERMISSION, "May it?", PERMISSION, {"kind": "execute"})


def ids(found):
    return [card["id"] for card in found.cards]


def test_a_card_says_what_is_not_usual(do, add):
    first = add("First")
    add(
        "Everything",
        priority="high",
        rank=0.5,
        energy="deep",
        time_estimate="",
        project="House",
        workspace="/srv/house",
        parent=first.id,
        tags=["b", "a"],
        blocked_by=[first.id],
        due_date="2026-02-01",
        scheduled_start="2026-01-20T08:00:00.5Z",
        recurrence="FREQ=DAILY",
        connected_files=["a.py", "b.py"],
        notes="n",
        acceptance=["make test"],
    )
    at = "2026-01-01T12:00:00Z"
    assert do(board.show).cards == [
        {
            "id": 2,
            "title": "Everything",
            "state": "todo",
            "priority": "high",
            "rank": 0.5,
            "energy": "deep",
            "estimate": "",
            "project_id": 1,
            "workspace_id": 1,
            "parent_id": 1,
            "tags": ["a", "b"],
            "blocked_by": [1],
            "due": "2026-02-01",
            "start": "2026-01-20T08:00:00Z",
            "every": "FREQ=DAILY",
            "files": 2,
            "described": True,
            "accept": True,
            "created": at,
            "updated": at,
            "version": 1,
        },
        {"id": 1, "title": "First", "state": "todo", "created": at, "updated": at, "version": 1},
    ]


def test_open_tasks_come_first_then_done_ones_newest_first_and_dropped_ones_never(do, add, clock):
    for title in ("a", "b", "c", "d", "e"):
        add(title)
    for task_id in (3, 1):
        clock.forward(minutes=1)
        do(tasks.complete, task_id)
    do(tasks.update, 4, {"status": "dropped"})
    do(tasks.delete, 5)
    found = do(board.show)
    assert (ids(found), found.left_out) == ([2, 1, 3], 0)
    assert found.cards[1]["done"] == "2026-01-01T12:02:00Z"


def test_what_is_left_out_is_counted(do, add):
    for title in ("a", "b", "c"):
        add(title)
    do(tasks.complete, 1)
    assert (ids(do(board.show, limit=2)), do(board.show, limit=2).left_out) == ([2, 3], 1)
    assert (ids(do(board.show, limit=3)), do(board.show, limit=3).left_out) == ([2, 3, 1], 0)
    for limit in (0, 20_001):
        with pytest.raises(Invalid):
            do(board.show, limit=limit)


def test_the_board_goes_with_all_that_stands_on_it(do, add):
    add("Walls", project="House", tags=["stone"], workspace="/srv/house")
    add("Roof")
    do(tags.create, "kept")
    do(claims.limit, LimitKind.PROJECT, "House", 3)
    claim = do(claims.take, 2, lease=60).claim
    run, question = do(start_and_ask, 1)
    found = do(board.show)
    assert [(project.name, number) for project, number in found.projects] == [("House", 1)]
    assert [place.path for place in found.workspaces] == ["/srv/house"]
    assert found.tags == ["kept", "stone"]
    assert [(each.task, each.actor) for each in found.claims] == [(2, claim.actor)]
    assert [(each.id, asked) for each, asked in found.runs] == [(run.id, question.id)]
    assert (found.questions, [limit.most for limit in found.limits]) == (1, [3])
    assert found.me.id == 1


def test_whoever_goes_on_from_the_board_misses_nothing_and_hears_nothing_twice(do, add):
    add("Before")
    event = do(board.show).event
    assert do(changes.read_after, event).events == ()
    add("After")
    assert [each.subject for each in do(changes.read_after, event).events] == [2]


def test_one_workspace_alone_can_be_looked_at(app, do, add, stranger):
    add("Here", workspace="/srv/here")
    add("There", workspace="/srv/there")
    add("Nowhere")
    place = next(each for each, _ in do(workspaces.list_all) if each.path == "/srv/there")
    found = do(board.show, workspace=place.id, limit=1)
    assert (ids(found), found.left_out) == ([2], 0)
    with pytest.raises(NotFound):
        app.run(stranger, board.show, workspace=place.id)


def test_a_stranger_sees_none_of_it(app, do, add, stranger):
    add("Walls", project="House", tags=["stone"], workspace="/srv/house", blocked_by=[])
    do(start_and_ask, 1)
    do(claims.limit, LimitKind.PROJECT, "House", 3)
    found = app.run(stranger, board.show)
    assert not any([found.cards, found.projects, found.workspaces, found.tags, found.claims, found.runs])
    assert (found.questions, found.limits, found.left_out, found.me.id) == (0, [], 0, 77)
    assert app.run(stranger, board.pick, [1]).gone == (1,)


def test_cards_are_picked_in_the_order_asked_and_those_gone_are_named(app, do, add, stranger):
    for title in ("a", "b", "c", "d"):
        add(title, tags=[title])
    theirs = app.run(stranger, tasks.create, [{"title": "Theirs"}]).tasks[0].id
    do(tasks.update, 2, {"status": "dropped"})
    do(tasks.delete, 3)
    picked = do(board.pick, [4, 2, 1, 3, theirs, 999, 4])
    assert ([card["tags"] for card in picked.cards], picked.gone) == ([["d"], ["a"]], (2, 3, theirs, 999))
    assert picked.event == do(changes.find_last)
    for wanted in ([], list(range(1, 202))):
        with pytest.raises(Invalid, match="Ask for 1 to 200"):
            do(board.pick, wanted)


def test_a_claim_that_ran_out_holds_nothing(do, add, clock):
    add()
    do(claims.take_next, Wish(), lease=60)
    assert len(do(board.show).claims) == 1
    clock.forward(seconds=61)
    assert do(board.show).claims == []
