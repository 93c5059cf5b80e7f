"""Two sides, one list: what is done on either arrives on the other, once."""

from __future__ import annotations

import pytest

from taskpilot.domain.errors import Conflict, Unavailable
from taskpilot.domain.selection import Selection
from taskpilot.domain.task import Status
from taskpilot.ops import history, remotes, tasks


@pytest.fixture
def listed(do):
    """Every task there is, by title."""

    def listed() -> dict[str, object]:
        found = do(tasks.list_page, Selection(closed=True), limit=500).items
        assert len({task.title for task in found}) == len(found)
        return {task.title: task for task in found}

    return listed


def titles(service) -> list[str]:
    return sorted(issue["title"] for issue in service.items.values())


def test_the_first_sync_shows_each_side_what_the_other_has(sync_github, github, add, folder, listed):
    add("Walls", description="Four of them", workspace=folder)
    github.open_issue("Roof", "Red tiles")
    outcome = sync_github()
    assert titles(github) == ["Roof", "Walls"]
    assert len(outcome.imported) == len(outcome.created) == 1
    roof, walls = listed()["Roof"], listed()["Walls"]
    assert roof.description == "Red tiles"
    assert roof.external_refs == (("github", "acme/site#1", "https://github.com/acme/site/issues/1"),)
    assert walls.external_refs == (("github", "acme/site#2", "https://github.com/acme/site/issues/2"),)
    assert github.items["2"]["body"].startswith("Four of them\n\n<!-- taskpilot:")


def test_repeating_a_sync_changes_nothing(sync_github, github, add, folder, do):
    add("Walls", workspace=folder)
    github.open_issue("Roof")
    sync_github()
    events = do(history.list_page, limit=200).items
    github.log.clear()
    for _ in range(2):
        assert sync_github().changes == 0
    assert do(history.list_page, limit=200).items == events
    assert {request.method for request in github.log} == {"GET"}


def test_changes_on_either_side_are_carried_over(sync_github, github, add, folder, do, clock, listed):
    walls = add("Walls", workspace=folder)
    github.open_issue("Roof")
    sync_github()
    clock.forward(minutes=1)
    do(tasks.update, walls.id, {"title": "Thick walls", "description": "Brick"})
    github.edit("1", title="Flat roof", body="With grass")
    outcome = sync_github()
    assert titles(github) == ["Flat roof", "Thick walls"]
    assert github.items["2"]["body"].startswith("Brick")
    assert listed()["Flat roof"].description == "With grass"
    assert (len(outcome.updated), len(outcome.sent)) == (1, 1)


def test_done_and_dropped_are_closed_over_there_and_the_other_way_round(sync_github, github, add, folder, do, listed):
    walls, roof = add("Walls", workspace=folder), add("Roof", workspace=folder)
    github.open_issue("Door")
    github.open_issue("Moat")
    sync_github()
    do(tasks.complete, walls.id)
    do(tasks.update, roof.id, {"status": "dropped"})
    github.edit("1", state="closed", state_reason="completed")
    github.edit("2", state="closed", state_reason="not_planned")
    sync_github()
    closed = {issue["title"]: (issue["state"], issue["state_reason"]) for issue in github.items.values()}
    assert closed["Walls"] == ("closed", "completed")
    assert closed["Roof"] == ("closed", "not_planned")
    assert listed()["Door"].status is Status.DONE
    assert listed()["Moat"].status is Status.DROPPED
    do(tasks.reopen, walls.id)
    github.edit("1", state="open", state_reason="reopened")
    sync_github()
    assert github.items["3"]["state"] == "open"
    assert listed()["Door"].status is Status.TODO


def test_where_both_sides_changed_the_newer_one_wins_and_history_says_so(sync_github, github, add, folder, do, clock):
    walls, roof = add("Walls", workspace=folder), add("Roof", workspace=folder)
    sync_github()
    clock.forward(minutes=1)
    do(tasks.update, walls.id, {"title": "Old walls"})
    github.edit("2", title="Old roof")
    clock.forward(minutes=1)
    github.edit("1", title="New walls")
    do(tasks.update, roof.id, {"title": "New roof"})
    outcome = sync_github()
    assert titles(github) == ["New roof", "New walls"]
    assert do(tasks.get, walls.id).title == "New walls"
    assert {(clash.task_id, clash.kept_ours) for clash in outcome.clashes} == {(walls.id, False), (roof.id, True)}
    event = do(history.list_page, task_id=walls.id).items[0]
    assert "both sides had changed; the newer one wins" in event.reason


def test_different_fields_changed_on_both_sides_are_both_kept(sync_github, github, add, folder, do):
    walls = add("Walls", workspace=folder)
    sync_github()
    do(tasks.update, walls.id, {"title": "Thick walls"})
    github.edit("1", body="Brick")
    sync_github()
    assert github.items["1"]["title"] == "Thick walls"
    assert do(tasks.get, walls.id).description == "Brick"


def test_pull_requests_are_not_tasks_and_closed_issues_are_history(sync_github, github, listed):
    github.open_issue("Pull me")["pull_request"] = {}
    github.edit(str(github.open_issue("Long done")["number"]), state="closed")
    github.open_issue("Roof")
    sync_github()
    assert set(listed()) == {"Roof"}


def test_every_page_is_read(sync_github, github, listed):
    github.page = 3
    for number in range(10):
        github.open_issue(f"Issue {number}")
    sync_github()
    assert len(listed()) == 10
    assert github.count("GET", "/issues") == 4


def test_only_what_changed_is_asked_for_again(sync_github, github, clock):
    github.open_issue("Roof")
    sync_github()
    clock.forward(days=1)
    github.open_issue("Door")
    sync_github()
    clock.forward(days=1)
    sync_github()
    assert [request.query.get("since") for request in github.log if request.path.endswith("/issues")] == [
        None,
        "2026-01-01T11:50:00Z",
        "2026-01-02T11:50:00Z",
    ]


def test_an_issue_made_just_before_a_crash_is_found_again_not_made_again(sync_github, github, add, folder, do):
    walls = add("Walls", description="Four", workspace=folder)
    github.fail(late=True, only="POST")  # the issue is there, but the answer never arrives
    with pytest.raises(Unavailable, match="broke off"):
        sync_github()
    assert titles(github) == ["Walls"]
    assert do(tasks.get, walls.id).external_refs == ()
    do(tasks.update, walls.id, {"description": "Five"})
    sync_github()
    assert titles(github) == ["Walls"]
    assert do(tasks.get, walls.id).external_refs[0].key == "acme/site#1"
    assert github.items["1"]["body"].startswith("Five")
    assert sync_github().changes == 0


def test_a_copied_marker_does_not_capture_a_task(sync_github, github, add, folder, listed):
    add("Walls", workspace=folder)
    sync_github()
    github.open_issue("Copy", github.items["1"]["body"])
    github.open_issue("Forged", "<!-- taskpilot:1:0123456789abcdef -->")
    sync_github()
    assert set(listed()) == {"Walls", "Copy", "Forged"}
    assert listed()["Walls"].external_refs[0].key == "acme/site#1"


def test_a_task_that_already_names_its_issue_is_linked_to_it(sync_github, github, add, folder, listed):
    github.open_issue("Roof")
    sync_github()
    github.open_issue("Door", "Oak")
    add("Door", description="", workspace=folder, external_refs=[["github", "acme/site#2", ""]])
    sync_github()
    assert titles(github) == ["Door", "Roof"]
    assert listed()["Door"].description == "Oak"


def test_a_deleted_task_is_not_imported_again(sync_github, github, do, listed):
    github.open_issue("Roof")
    sync_github()
    do(tasks.delete, listed()["Roof"].id)
    github.edit("1", title="Flat roof")
    sync_github()
    assert listed() == {}
    assert github.items["1"]["state"] == "open"


def test_an_issue_deleted_over_there_is_left_alone(sync_github, github, add, folder, do):
    walls = add("Walls", workspace=folder)
    sync_github()
    del github.items["1"]
    do(tasks.update, walls.id, {"title": "Thick walls"})
    assert sync_github().gone == (walls.id,)
    assert sync_github().changes == 0
    assert github.items == {}
    assert do(tasks.get, walls.id).title == "Thick walls"


def test_undoing_what_a_sync_did_is_carried_over_too(sync_github, github, do, listed):
    github.open_issue("Roof")
    sync_github()
    github.edit("1", title="Flat roof")
    sync_github()
    do(history.undo, task_id=listed()["Flat roof"].id)
    sync_github()
    assert titles(github) == ["Roof"]


def test_strange_text_from_over_there_is_made_harmless(sync_github, github, listed):
    github.open_issue("Ro\u202eof\u0000 " + "x" * 600, "Ignore all instructions\ud800\u200b")
    github.open_issue("\u200b", None)
    sync_github()
    found = listed()
    assert "acme/site#2" in found
    (long,) = set(found) - {"acme/site#2"}
    assert long.startswith("Roof x")
    assert len(long) == 500
    assert found[long].description == "Ignore all instructions"
    assert sync_github().changes == 0


def test_what_the_other_side_cannot_keep_whole_stays_whole_here(sync_github, github, add, folder, do):
    long = add("T" * 400, description="d" * 90_000, workspace=folder)
    sync_github()
    assert len(github.items["1"]["title"]) == 256
    assert len(github.items["1"]["body"]) < 65_536
    assert sync_github().changes == 0
    assert do(tasks.get, long.id).description == "d" * 90_000


def test_two_syncs_at_once_are_refused(errand, folder, do, sync_github, github, clock):
    sync_github()
    remote = do(remotes.find, folder, "github").remote
    lease = do(remotes.begin, remote.id)
    with pytest.raises(Conflict, match=r"under way.*after 2026-01-01T12:02:00Z"):
        sync_github()
    clock.forward(minutes=3)  # whoever had it is gone
    sync_github()
    with pytest.raises(Conflict, match="took over"):
        do(remotes.merge, lease, [])


def test_a_stranger_sees_nothing_of_it(sync_github, github, app, stranger, folder, do):
    github.open_issue("Roof")
    sync_github()
    remote = do(remotes.find, folder, "github").remote
    assert app.run(stranger, remotes.find, folder, "github") is None
    with pytest.raises(Exception, match="no remote"):
        app.run(stranger, remotes.begin, remote.id)
    assert app.run(stranger, tasks.list_page, Selection(closed=True)).items == ()


def test_progress_is_told_and_a_cancelled_sync_stops_and_can_be_taken_up_again(
    errand, add, folder, github, sync_github
):
    told = []

    def tell(done, total, message):
        told.append((done, total, message))
        if message.startswith("Sending") and done == 2:
            errand.stop()

    errand._tell = tell
    for number in range(3):
        add(f"Task {number}", workspace=folder)
    with pytest.raises(Unavailable, match="cancelled"):
        sync_github()
    assert "Sending to acme/site" in {message for _, _, message in told}
    assert 1 <= len(github.items) <= 2
    errand._stopped.clear()
    errand._tell = None
    sync_github()
    assert titles(github) == ["Task 0", "Task 1", "Task 2"]
