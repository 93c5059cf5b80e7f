from __future__ import annotations

from datetime import UTC, datetime

import pytest

from taskpilot.domain.errors import Invalid, NotFound
from taskpilot.ops import projects, quickadd, tasks, users

LINE = "Pay rent tomorrow 9am #home !high @flat every month ~30min"


def test_what_is_previewed_is_what_is_made(do):
    seen = do(quickadd.preview, LINE, zone="Europe/Berlin").fields
    task = do(quickadd.add, LINE, {}, zone="Europe/Berlin")
    assert (task.title, task.due_date, task.tags) == ("Pay rent", datetime(2026, 1, 2, 8, tzinfo=UTC), ("home",))
    assert (task.priority.word, task.project, task.recurrence) == ("high", "flat", "FREQ=MONTHLY")
    assert task.time_estimate == "30min"
    assert {name: getattr(task, name) for name in ("title", "due_date", "project")} == {
        name: seen[name] for name in ("title", "due_date", "project")
    }


def test_a_preview_makes_nothing(do):
    do(quickadd.preview, LINE)
    assert do(projects.list_all) == []
    with pytest.raises(NotFound):
        do(tasks.get, 1)


def test_without_a_zone_the_users_own_counts(do):
    do(users.change_settings, {"time_zone": "Asia/Tokyo"})
    assert do(quickadd.add, "Pay rent tomorrow 9am", {}).due_date == datetime(2026, 1, 2, 0, tzinfo=UTC)
    with pytest.raises(NotFound, match="no time zone"):
        do(quickadd.add, "Pay rent", {}, zone="Mars/Base")


def test_a_project_is_found_in_any_case(do):
    made = do(projects.create, name="Flat")
    seen = do(quickadd.preview, "Paint @flat")
    assert (seen.fields["project"], seen.parts[-1].label) == ("Flat", "Flat")
    assert do(quickadd.add, "Paint @FLAT", {}).project_id == made.id


def test_the_line_counts_before_what_is_said_beside_it(do):
    here = do(projects.create, name="Here")
    assert do(quickadd.add, "Paint", {"project_id": here.id}).project == "Here"
    assert do(quickadd.add, "Paint @There", {"project_id": here.id}).project == "There"
    task = do(quickadd.add, "Paint", {"status": "in_progress", "rank": 2.5})
    assert (task.status, task.rank) == ("in_progress", 2.5)


def test_a_line_without_a_title_makes_nothing(do):
    with pytest.raises(Invalid, match="no title"):
        do(quickadd.add, "#home !high @flat", {})
    assert do(projects.list_all) == []
