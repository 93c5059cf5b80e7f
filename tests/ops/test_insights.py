from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from taskpilot.domain.caller import local
from taskpilot.domain.errors import Invalid, NotFound
from taskpilot.domain.task import Status
from taskpilot.ops import history, insights, stats, tasks, transfer
from tests.contracts import stage

NOTHING = {"backlog": 0, "todo": 0, "in_progress": 0, "blocked": 0, "review": 0}


@pytest.fixture
def draw(do):
    return lambda **how: do(insights.draw, **{"days": 5, **how})


def of_days(picture, *names):
    return [tuple(getattr(day, name) for name in names) for day in picture.days]


def test_an_empty_list_has_empty_days(draw):
    found = draw(days=3)
    assert [day.date for day in found.days] == ["2025-12-30", "2025-12-31", "2026-01-01"]
    assert all(day.open == NOTHING and not day.created_total for day in found.days)
    assert (found.by_project, found.median_minutes, found.streak, found.actors) == ((), None, 0, ())
    assert found.spans == (0,) * 7
    assert [share.name for share in found.by_priority] == ["critical", "high", "medium", "low", "someday"]


def test_made_and_done_are_told_day_by_day_and_summed_up(draw, add, do, clock):
    first = add()
    clock.forward(days=1)
    add()
    clock.forward(days=2)
    do(tasks.complete, first.id)
    found = draw()
    assert of_days(found, "created", "completed", "created_total", "completed_total") == [
        (0, 0, 0, 0),
        (1, 0, 1, 0),
        (1, 0, 2, 0),
        (0, 0, 2, 0),
        (0, 1, 2, 1),
    ]


def test_what_was_there_before_counts_in_the_sums(draw, add, do, clock):
    do(tasks.complete, add().id)
    add()
    clock.forward(days=10)
    found = draw(days=2)
    assert of_days(found, "created", "created_total", "completed", "completed_total") == [(0, 2, 0, 1)] * 2
    assert [day.open["todo"] for day in found.days] == [1, 1]


def test_where_things_stood_at_the_end_of_each_day(draw, add, do, clock):
    task, other = add(), add(status="backlog")
    clock.forward(days=1)
    do(tasks.update, task.id, {"status": "in_progress"})
    clock.forward(days=1)
    do(tasks.update, task.id, {"status": "review"})
    do(tasks.complete, other.id)
    clock.forward(days=1)
    do(tasks.complete, task.id)
    do(tasks.reopen, other.id)
    found = draw()
    assert [{name: number for name, number in day.open.items() if number} for day in found.days] == [
        {},
        {"todo": 1, "backlog": 1},
        {"in_progress": 1, "backlog": 1},
        {"review": 1},
        {"backlog": 1},
    ]


def test_what_was_taken_back_never_counted_for_long(draw, add, do, clock):
    task = add()
    do(tasks.complete, task.id)
    do(history.undo, task_id=task.id)
    gone = add()
    do(tasks.delete, gone.id)
    found = draw(days=1)
    assert of_days(found, "created", "completed", "created_total", "completed_total") == [(1, 0, 1, 0)]
    assert found.days[0].open["todo"] == 1
    assert found.actors == ()


def test_tasks_that_were_brought_along_have_their_own_past(draw, do, clock):
    """Except that what was done already never was open here."""
    clock.forward(days=3)
    old = {"title": "Old", "created_at": "2026-01-01T12:00:00Z", "updated_at": "2026-01-03T12:00:00Z"}
    done = {"status": "done", "progress": 100, "completed_at": "2026-01-03T12:00:00Z", "reopens_as": "backlog"}
    given = {"format": "taskpilot", "version": 1, "tasks": [{"id": 1, **old, **done}, {"id": 2, **old}]}
    do(transfer.take_in, transfer.read(given))
    found = draw()
    assert of_days(found, "created", "completed") == [(0, 0), (2, 0), (0, 0), (0, 1), (0, 0)]
    assert [(day.open["backlog"], day.open["todo"]) for day in found.days] == [(0, 0), (0, 1), (0, 1), (0, 1), (0, 1)]


def test_a_day_begins_at_midnight_in_the_zone(draw, add, do, clock):
    clock.now = datetime(2026, 1, 1, 18, 14, 59, tzinfo=UTC)  # a second before midnight in Kathmandu
    task = add()
    clock.forward(seconds=1)
    do(tasks.update, task.id, {"status": "in_progress"})
    for zone, open_then in {"Asia/Kathmandu": ["todo", "in_progress"], "UTC": [None, "in_progress"]}.items():
        found = draw(days=2, zone=zone)
        assert [next((name for name, number in day.open.items() if number), None) for day in found.days] == open_then


def test_projects_and_priorities_have_their_shares(draw, add, do, clock):
    do(tasks.complete, add(project="Home", priority="high").id)
    clock.forward(days=30)
    add(project="Home")
    do(tasks.complete, add(project="Home", priority="low").id)
    do(tasks.update, add(project="Shop").id, {"status": "dropped"})
    add()
    found = draw()
    assert [(share.name, share.open, share.completed) for share in found.by_project] == [("Home", 1, 1), (None, 1, 0)]
    assert [
        (share.name, share.open, share.completed) for share in found.by_priority if share.open + share.completed
    ] == [
        ("medium", 2, 0),
        ("low", 0, 1),
    ]
    assert found.by_status == {**NOTHING, "todo": 2, "done": 2, "dropped": 1}


def test_how_long_things_took(draw, add, do, clock):
    for minutes in (1, 59, 60, 24 * 60, 40 * 24 * 60):
        task = add()
        do(tasks.update, task.id, {"status": "in_progress"})
        clock.forward(minutes=minutes)
        do(tasks.complete, task.id)
    do(tasks.complete, add().id)  # nobody ever began it
    found = draw(days=100)
    assert dict(zip([label for label, _ in insights.SPANS], found.spans, strict=True)) == {
        "under an hour": 2,
        "1–4 hours": 1,
        "4–24 hours": 0,
        "1–3 days": 1,
        "3–7 days": 0,
        "1–4 weeks": 0,
        "longer": 1,
    }
    assert found.median_minutes == 60


def test_the_streak_is_the_one_of_the_statistics(draw, do, add, clock):
    for _ in range(8):
        do(tasks.complete, add().id)
        clock.forward(days=1)
    for days in (1, 2, 5, 8, 30, 366):
        assert draw(days=days).streak == do(stats.summarize, days=days).streak == 8
    clock.forward(days=1)
    assert draw().streak == 0


def test_people_assistants_and_agents_stand_beside_each_other(draw, app, add, do, tmp_path):
    do(tasks.complete, add().id)
    app.run(local("rest"), tasks.complete, add().id)
    app.run(local("todo", "claude-ai"), tasks.complete, add().id)
    shop = str(tmp_path)
    proved = stage.seat(app, add("A", workspace=shop, acceptance=["make test"]).id)
    proved.keep()
    proved.prove("make test")
    proved.finish(accepted=True)
    unproved = stage.seat(app, add("B", workspace=shop, acceptance=["make test"]).id)
    unproved.keep()
    unproved.prove("make test", 1)
    unproved.finish(accepted=False)
    stage.seat(app, add("C", workspace=shop).id).finish(ok=False, error="It broke.")
    asking = stage.seat(app, add("D", workspace=shop).id)
    asking.ask()
    asking.finish(resting=True)
    found = {(actor.kind, actor.name): actor for actor in draw(days=1).actors}
    assert list(found) == [("person", "dev-user"), ("assistant", "claude-ai"), ("agent", "claudecode")]
    assert found["person", "dev-user"].completed == 2
    assert found["assistant", "claude-ai"].completed == 1
    agent = found["agent", "claudecode"]
    assert (agent.completed, agent.runs, agent.succeeded, agent.failed, agent.verified) == (1, 4, 2, 1, 1)


def test_old_runs_and_old_completions_are_nobodys_merit_any_more(draw, app, add, do, clock, tmp_path):
    do(tasks.complete, add().id)
    stage.seat(app, add(workspace=str(tmp_path)).id).finish()
    clock.forward(days=5)
    assert draw().actors == ()
    assert [actor.name for actor in draw(days=6).actors] == ["dev-user", "claudecode"]


def test_one_project_or_workspace_alone(draw, add, do, tmp_path):
    task = add("A", project="Home", workspace=str(tmp_path))
    add("B")
    do(tasks.complete, task.id)
    for found in (draw(project_id=task.project_id), draw(workspace_id=task.workspace)):
        assert (found.days[-1].created_total, found.days[-1].open, found.actors[0].completed) == (1, NOTHING, 1)
    assert draw().days[-1].open["todo"] == 1


def test_what_is_not_there_is_not_found(app, draw, add, do, stranger, tmp_path):
    task = add("A", project="Home", workspace=str(tmp_path))
    for how in ({"project_id": task.project_id}, {"workspace_id": task.workspace}):
        with pytest.raises(NotFound):
            app.run(stranger, insights.draw, **how)
    for how in ({"project_id": 99}, {"workspace_id": 2**63 - 1}, {"zone": "Nowhere/Town"}):
        with pytest.raises(NotFound):
            draw(**how)
    for days in (0, 367):
        with pytest.raises(Invalid, match="days cannot be"):
            draw(days=days)


def test_a_strangers_tasks_are_not_counted(app, add, do, stranger):
    do(tasks.complete, add("Mine", project="Secret").id)
    found = app.run(stranger, insights.draw)
    assert (found.days[-1].created_total, found.by_project, found.actors) == (0, (), ())


def test_words_in_a_text_are_not_taken_for_a_status(draw, add, do):
    task = add('"status":"done"', description='{"status":"review"} \\"status\\":\\"blocked\\"', status="backlog")
    do(tasks.update, task.id, {"description": '"status":"done"', "notes": '\\","status":"done"'})
    do(tasks.update, task.id, {"status": "blocked", "title": '{"status":"todo"}'})
    assert draw(days=2).days[0].open == NOTHING
    assert draw(days=1).days[0].open == {**NOTHING, "blocked": 1}


STEPS = st.lists(st.tuples(st.integers(0, 4), st.sampled_from(list(Status)), st.integers(0, 30)), max_size=25)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
def test_whatever_happens_each_day_is_told_as_it_was(app, add, do, clock, steps):
    """Looked back at from the end, each evening is what somebody who had looked that evening saw."""
    known, seen = [], {}
    for which, status, hours in steps:
        if which >= len(known):
            known.append(add(status=status.value).id)
        else:
            do(tasks.update, known[which], {"status": status.value})
        today = do(insights.draw, days=1).days[0]
        seen[today.date] = (today.open, today.created_total)
        clock.forward(hours=hours)
    found = {day.date: (day.open, day.created_total) for day in do(insights.draw, days=40).days}
    assert {day: found[day] for day in seen} == seen
