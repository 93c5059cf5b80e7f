from __future__ import annotations

import pytest

from taskpilot.domain.errors import Invalid, NotFound
from taskpilot.ops import audit, history, tasks, workspaces

GOOD = "A description that is long enough"


@pytest.fixture
def here(do):
    return do(workspaces.open_folder, "/srv/app").id


@pytest.fixture
def put(add, here):
    return lambda title="Walls", **fields: add(title, workspace=here, **{"description": GOOD, **fields})


@pytest.fixture
def found(do, here):
    def found(**more):
        report = do(audit.inspect, here, **more)
        assert report.score == max(0, 100 - 5 * len(report.findings))
        return [(finding.kind.value, finding.task) for finding in report.findings]

    return found


def test_a_workspace_in_order_scores_a_hundred(put, found):
    put()
    assert found() == []


@pytest.mark.parametrize(
    ("days", "kinds"), [(6.9, []), (7, ["stale"]), (13.9, ["stale"]), (14, ["long_running"]), (90, ["long_running"])]
)
def test_what_is_in_progress_and_untouched_grows_stale(put, found, clock, days, kinds):
    put(status="in_progress")
    clock.forward(days=days)
    assert found() == [(kind, 1) for kind in kinds]


def test_touching_it_makes_it_fresh(put, do, found, clock):
    put(status="in_progress")
    clock.forward(days=10)
    do(tasks.update, 1, {"progress": 50})
    assert found() == []


@pytest.mark.parametrize(
    ("length", "kinds"), [(0, ["undescribed"]), (9, ["undescribed"]), (10, ["thin_description"]), (20, [])]
)
def test_what_has_few_words_is_thin(put, found, length, kinds):
    put(description="x" * length)
    assert found() == [(kind, 1) for kind in kinds]


@pytest.mark.parametrize(("status", "number"), [("backlog", 1), ("todo", 1), ("in_progress", 0), ("review", 0)])
@pytest.mark.parametrize("priority", [4, 5])
def test_high_priority_is_not_left_in_the_backlog(put, found, status, number, priority):
    put(status=status, priority=priority)
    assert found() == [("high_priority_in_backlog", 1)] * number


def test_what_is_blocked_needs_a_reason(put, do, found):
    put(status="blocked")
    assert found() == [("blocked_without_reason", 1)]
    put()
    do(tasks.update, 2, {"status": "blocked"}, reason="Waiting for paint")
    assert found() == [("blocked_without_reason", 1)]
    do(tasks.update, 1, {"blocked_by": [2]})
    assert found() == []
    do(tasks.update, 2, {"status": "todo"})
    do(tasks.update, 2, {"status": "blocked"})
    assert found() == [("blocked_without_reason", 2)]


def test_what_waits_on_a_dropped_or_deleted_task_waits_for_ever(put, add, do, found):
    put("A")
    blockers = [put(f"B{number}") for number in range(3)] + [add("Elsewhere")]
    do(tasks.update, 1, {"blocked_by": [task.id for task in blockers]})
    assert found() == []
    do(tasks.update, 2, {"status": "dropped"})
    do(tasks.delete, 3)
    do(tasks.complete, 4)
    assert found() == [("dropped_dependency", 1), ("dropped_dependency", 1)]


def test_a_circle_is_found_once(app, do, put, found, here):
    for title in "ABCD":
        put(title)
    with app.database.writing() as db:  # the core refuses to make one
        for task, blocker in ((2, 3), (3, 4), (4, 2), (1, 2)):
            db.run("INSERT INTO task_blocker (task_id, blocker_id) VALUES (:t, :b)", t=task, b=blocker)
    assert found(scope="dependencies") == [("cycle", 2)]
    (circle,) = do(audit.inspect, here).findings
    assert circle.others == (3, 4)
    assert "circle of 3" in circle.message
    assert not circle.fixable
    assert do(audit.repair, here).fixed == ()


def test_files_that_are_not_there_are_named(put, do, found, here):
    put(connected_files=["a.py", "b.py"])
    assert found(missing=["b.py", "c.py"]) == [("missing_file", 1)]
    assert do(audit.inspect, here, missing=["b.py"]).findings[0].paths == ("b.py",)


def test_a_scope_looks_at_its_own_and_nothing_else(put, do, found):
    put("A", description="", connected_files=["a.py"])
    put("B")
    do(tasks.update, 1, {"blocked_by": [2]})
    do(tasks.update, 2, {"status": "dropped"})
    kinds = {
        "tasks": ["undescribed"],
        "dependencies": ["dropped_dependency"],
        "files": ["missing_file"],
        "full": ["undescribed", "dropped_dependency", "missing_file"],
    }
    for scope, expected in kinds.items():
        assert [kind for kind, _ in found(scope=scope, missing=["a.py"])] == expected


def test_a_scope_that_is_none_is_refused(do, here):
    with pytest.raises(Invalid, match="no scope 'all'"):
        do(audit.inspect, here, scope="all")


def test_closed_tasks_are_left_in_peace(put, found):
    put(description="", status="done")
    put(description="", status="dropped")
    assert found() == []


def test_a_score_does_not_go_below_zero(put, do, here):
    for number in range(30):
        put(f"T{number}", description="")
    report = do(audit.inspect, here)
    assert (report.score, len(report.findings), report.checked) == (0, 30, 30)


def test_a_repair_does_what_is_safe_and_nothing_else(put, do, here):
    put("A", description="", priority=5, connected_files=["a.py", "b.py"])
    put("B")
    put("C")
    do(tasks.update, 1, {"blocked_by": [2, 3]})
    do(tasks.update, 2, {"status": "dropped"})
    before = do(tasks.get, 1)
    repaired = do(audit.repair, here, missing=["a.py"])
    after = do(tasks.get, 1)
    assert (after.blocked_by, after.connected_files) == ((3,), ("b.py",))
    assert (after.description, after.priority, after.status) == (before.description, before.priority, before.status)
    assert [finding.kind.value for finding, _ in repaired.fixed] == ["dropped_dependency", "missing_file"]
    assert [finding.kind.value for finding in repaired.report.findings] == ["undescribed", "high_priority_in_backlog"]
    assert repaired.report.score == 90
    assert {event.reason for event in do(history.list_page, task_id=1, limit=2).items} == {"Put right by an audit"}
    do(history.undo)
    assert do(tasks.get, 1).connected_files == ("a.py", "b.py")


def test_nothing_to_repair_changes_nothing(put, do, here):
    put()
    before = do(history.list_page).items
    assert do(audit.repair, here).fixed == ()
    assert do(history.list_page).items == before


def test_a_stranger_audits_nothing(app, put, here, stranger):
    put()
    for op in (audit.inspect, audit.repair):
        with pytest.raises(NotFound):
            app.run(stranger, op, here)
