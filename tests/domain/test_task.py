from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taskpilot.domain.errors import Conflict, Invalid, NotFound
from taskpilot.domain.events import diff, plain
from taskpilot.domain.task import (
    FIELDS,
    Priority,
    Reference,
    Status,
    Task,
    parse_id,
    parse_paths,
    parse_priority,
    parse_tags,
    revive,
)

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
LATER = NOON + timedelta(hours=1)


def a_task(**fields) -> Task:
    return Task(**{"id": 1, "owner": 1, "title": "Walls", "created_at": NOON, "updated_at": NOON, **fields})


def test_completing_sets_everything_that_follows_from_it():
    done = a_task(status=Status.REVIEW, progress=40).complete(LATER)
    assert (done.status, done.progress, done.completed_at, done.version) == (Status.DONE, 100, LATER, 2)


def test_completing_twice_changes_nothing():
    done = a_task().complete(LATER)
    assert done.complete(LATER + timedelta(days=1)) is done


@pytest.mark.parametrize("status", [status for status in Status if status.open])
def test_reopening_returns_to_the_status_before(status):
    task = a_task(status=status).complete(LATER).reopen(LATER)
    assert (task.status, task.progress, task.completed_at) == (status, 0, None)


def test_reopening_a_dropped_task_works_too():
    assert a_task(status=Status.BACKLOG).edit({"status": Status.DROPPED}, LATER).reopen(LATER).status is Status.BACKLOG


def test_reopening_an_open_task_changes_nothing():
    task = a_task()
    assert task.reopen(LATER) is task


def test_full_progress_means_done():
    assert a_task().edit({"progress": 100}, LATER).completed


def test_a_done_task_cannot_have_less_than_full_progress():
    with pytest.raises(Invalid, match="progress 100"):
        a_task().complete(LATER).edit({"progress": 50}, LATER)


def test_starting_is_noted_once():
    started = a_task().edit({"status": Status.IN_PROGRESS}, NOON)
    again = started.edit({"status": Status.TODO}, LATER).edit({"status": Status.IN_PROGRESS}, LATER)
    assert again.started_at == NOON


def test_an_edit_that_changes_nothing_is_no_change():
    task = a_task()
    assert task.edit({"title": "Walls", "priority": Priority.MEDIUM}, LATER) is task


def test_a_stale_version_is_refused_with_the_current_one():
    with pytest.raises(Conflict, match="at version 1, not 7"):
        a_task().expect(7)


def test_a_day_is_overdue_only_when_it_has_ended():
    due = a_task(due_date=date(2026, 1, 1))
    assert not due.is_overdue(NOON)
    assert due.is_overdue(NOON + timedelta(days=1))
    assert not due.complete(LATER).is_overdue(NOON + timedelta(days=1))


@pytest.mark.parametrize("given", [42, "42", "#42", "TP-42", "tp-000042", " 42 "])
def test_an_id_is_understood_in_every_form(given):
    assert parse_id(given) == 42


@pytest.mark.parametrize("given", ["", "four", "TP-", "4.2", "-1", True, None, 4.2, "４２"])
def test_what_is_not_an_id_is_invalid(given):
    with pytest.raises(Invalid, match="not a task id"):
        parse_id(given)


@pytest.mark.parametrize("given", [0, 2**63, "9" * 400])
def test_an_impossible_id_is_not_found(given):
    with pytest.raises(NotFound):
        parse_id(given)


@pytest.mark.parametrize(("given", "meant"), [("urgent", 5), ("High", 4), (1, 1), ("2", 2)])
def test_priorities_are_words_or_numbers(given, meant):
    assert parse_priority(given) == meant


@pytest.mark.parametrize("path", ["/etc/passwd", "../up", "a/../../b", "C:/x", "..\\x"])
def test_a_path_that_leaves_the_workspace_is_refused(path):
    with pytest.raises(Invalid, match="leaves the workspace"):
        parse_paths([path])


def test_tags_are_cleaned_and_kept_once():
    assert parse_tags(["#web", "+web", " deep  work "]) == ("deep work", "web")


@given(
    st.fixed_dictionaries(
        {
            "status": st.sampled_from(Status),
            "tags": st.lists(st.text(min_size=1)).map(tuple),
            "due_date": st.none() | st.dates() | st.datetimes(timezones=st.just(UTC)),
            "external_refs": st.lists(st.builds(Reference, st.text(), st.text(), st.text())).map(tuple),
            "completed_at": st.none() | st.datetimes(min_value=datetime(1000, 1, 1), timezones=st.just(UTC)),
        }
    )
)
def test_every_field_survives_the_log(fields):
    due = fields["due_date"]
    if due is not None and due.year < 1000:
        return  # strftime does not pad years before 1000; nothing is due then
    task = a_task(**fields)
    assert revive({name: plain(getattr(task, name)) for name in FIELDS}) == {n: getattr(task, n) for n in FIELDS}


def test_a_difference_names_only_what_was_asked_for():
    before = a_task()
    was, now = diff(before, before.edit({"title": "Roof"}, LATER))
    assert (was, now) == ({"title": "Walls"}, {"title": "Roof"})
