from __future__ import annotations

from datetime import date, timedelta

import pytest

from taskpilot.domain.errors import NotFound
from taskpilot.domain.run import State
from taskpilot.ops import run_log, runs, tasks

TODAY = date(2026, 1, 1)


def test_a_log_is_read_from_its_end(do, add):
    add()
    for number in range(5):
        do(runs.update, 1, log=f"Line {number}")
    last = do(run_log.read_task, 1, limit=2)
    assert [entry.text for entry in last] == ["Line 3", "Line 4"]
    assert [entry.text for entry in do(run_log.read_task, 1, limit=2, before=last[0].id)] == ["Line 1", "Line 2"]
    assert [entry.number for entry in do(run_log.read_task, 1, limit=9)] == [1, 2, 3, 4, 5]


def test_days_are_apart_to_the_microsecond(do, add, clock):
    add()
    clock.now = clock.now.replace(hour=23, minute=59, second=59, microsecond=999_999)
    do(runs.update, 1, log="late")
    clock.forward(microseconds=1)
    do(runs.update, 1, log="early")
    assert [entry.text for entry in do(run_log.read_day, TODAY, limit=9)] == ["late"]
    assert [entry.text for entry in do(run_log.read_day, TODAY + timedelta(days=1), limit=9)] == ["early"]
    assert [event.kind for event in do(run_log.read_audit, TODAY, limit=9)] == ["task.created", "run.logged"]
    assert [event.kind for event in do(run_log.read_audit, TODAY + timedelta(days=1), limit=9)] == ["run.logged"]
    assert do(run_log.list_days) == do(run_log.list_days, audit=True) == ["2026-01-02", "2026-01-01"]


def test_an_audit_of_one_day_is_found_among_many(do, add, clock):
    for _ in range(40):
        add()
        add()
        clock.forward(days=1)
    found = do(run_log.read_audit, TODAY + timedelta(days=17), limit=9)
    assert [event.subject for event in found] == [35, 36]
    assert [event.subject for event in do(run_log.read_audit, TODAY + timedelta(days=17), limit=1)] == [36]
    before = do(run_log.read_audit, TODAY + timedelta(days=17), limit=9, before=found[1].id)
    assert [event.subject for event in before] == [35]
    assert do(run_log.read_audit, TODAY + timedelta(days=40), limit=9) == []
    assert do(run_log.read_audit, TODAY - timedelta(days=1), limit=9) == []


def test_what_befell_a_task_and_its_runs_is_told_together(do, add):
    add()
    add()
    do(runs.update, 1, state=State.IN_PROGRESS, log="x")
    do(runs.end, 1, State.FAILED)
    do(tasks.update, 2, {"title": "Other"})
    kinds = [event.kind for event in do(run_log.read_events, 1, limit=9)]
    assert kinds == ["task.created", "task.updated", "run.created", "run.ended", "task.updated"]
    assert do(run_log.read_output, 1, limit=9) == []


def test_strangers_read_nothing(app, stranger, do, add):
    add()
    do(runs.update, 1, log="x")
    for op in (run_log.read_task, run_log.read_events, run_log.read_output):
        with pytest.raises(NotFound):
            app.run(stranger, op, 1, limit=9)
    assert app.run(stranger, run_log.read_day, TODAY, limit=9) == []
    assert app.run(stranger, run_log.read_audit, TODAY, limit=9) == []
    assert app.run(stranger, run_log.list_days) == []
