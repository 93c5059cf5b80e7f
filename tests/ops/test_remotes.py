"""Our half of a sync: leases, merging, what is written down, and whose it is."""

from __future__ import annotations

from datetime import timedelta

import pytest

from taskpilot.domain.errors import Conflict, Invalid, NotFound
from taskpilot.domain.remote import (
    Face,
    Item,
    Link,
    Push,
    State,
    add_marker,
    make_marker,
    merge_faces,
    read_item,
    split_marker,
)
from taskpilot.domain.selection import Selection
from taskpilot.domain.system import SYSTEMS
from taskpilot.ops import history, remotes, tasks, workspaces
from tests.conftest import NOON

WHERE = "/home/me/site"


@pytest.fixture
def remote(do):
    do(workspaces.open_folder, WHERE)
    return do(remotes.connect, WHERE, "github", "acme/site api.github.com", {"repository": "acme/site"}, "sealed")


@pytest.fixture
def lease(do, remote):
    return do(remotes.begin, remote.id)


def item(key: str, title: str, **more) -> Item:
    given = {"description": "", "state": State.OPEN, "updated_at": "2026-01-01T12:00:00Z", "url": "", **more}
    return read_item(key=key, title=title, label=f"acme/site#{key}", **given)


def test_connecting_again_changes_nothing_and_other_values_are_a_change(do, remote):
    again = do(remotes.connect, WHERE, "github", remote.scope, {"repository": "acme/site"}, "sealed")
    assert again == remote
    changed = do(remotes.connect, WHERE, "github", remote.scope, {"repository": "acme/site", "base": "dev"}, "other")
    assert (changed.id, changed.version) == (remote.id, 2)
    kinds = [event.kind for event in do(history.list_page).items]
    assert kinds == ["remote.configured", "remote.connected", "workspace.created"]
    assert "sealed" not in repr(do(history.list_page).items)


def test_secrets_among_the_values_are_not_kept_with_them(do, remote):
    given = {"repository": "acme/site", "token": "clear"}
    changed = do(remotes.connect, WHERE, "github", remote.scope, given, "sealed")
    assert changed == remote
    with pytest.raises(Invalid, match="no option"):
        do(remotes.connect, WHERE, "github", remote.scope, {"nonsense": "x"}, "")


def test_one_may_sync_at_a_time_until_the_lease_runs_out(do, remote, lease, clock):
    with pytest.raises(Conflict, match="under way"):
        do(remotes.begin, remote.id)
    do(remotes.finish, lease)
    do(remotes.finish, lease)
    second = do(remotes.begin, remote.id)
    do(remotes.finish, lease)  # not theirs any more
    with pytest.raises(Conflict):
        do(remotes.begin, remote.id)
    clock.forward(minutes=1)
    do(remotes.renew, second)
    clock.forward(minutes=1, seconds=30)
    with pytest.raises(Conflict):
        do(remotes.begin, remote.id)
    clock.forward(minutes=1)
    do(remotes.begin, remote.id)
    push = Push(task_id=1, key="", face=Face("x"), changes={})
    for late in (
        lambda: do(remotes.renew, second),
        lambda: do(remotes.merge, second, [item("1", "Roof")]),
        lambda: do(remotes.confirm, second, push, item("1", "Roof")),
        lambda: do(remotes.forget, second, push),
    ):
        with pytest.raises(Conflict, match="took over"):
            late()
    assert do(tasks.list_page, Selection()).items == ()


def test_a_merge_is_one_change_that_undo_takes_back_whole(do, lease):
    plan = do(remotes.merge, lease, [item("1", "Roof"), item("2", "Door")])
    assert len(plan.imported) == 2
    do(history.undo)
    assert do(tasks.list_page, Selection()).items == ()
    assert do(remotes.merge, lease, [item("1", "Roof"), item("2", "Door")]).imported == ()


def test_the_same_item_twice_in_one_list_is_one(do, lease):
    assert len(do(remotes.merge, lease, [item("1", "Roof"), item("1", "Flat roof")]).imported) == 1
    assert do(tasks.list_page, Selection()).items[0].title == "Flat roof"


def test_what_was_not_confirmed_is_planned_again(do, lease, add):
    walls = add("Walls", workspace=WHERE)
    (push,) = do(remotes.merge, lease, []).pushes
    assert (push.task_id, push.key, push.face.title) == (walls.id, "", "Walls")
    assert do(remotes.merge, lease, []).pushes == (push,)
    do(remotes.confirm, lease, push, item("7", "Walls", url="https://github.com/acme/site/issues/7"))
    assert do(remotes.merge, lease, []).pushes == ()
    assert do(tasks.get, walls.id).external_refs[0].url.endswith("/7")
    assert do(history.list_page, task_id=walls.id).items[0].reason == "Linked to GitHub acme/site#7"


def test_a_change_made_while_it_was_being_sent_is_sent_next_time(do, lease, add):
    walls = add("Walls", workspace=WHERE)
    (push,) = do(remotes.merge, lease, []).pushes
    do(tasks.update, walls.id, {"title": "Thick walls"})
    do(remotes.confirm, lease, push, item("7", "Walls"))
    (next_push,) = do(remotes.merge, lease, []).pushes
    assert dict(next_push.changes) == {"title": "Thick walls"}
    # Somebody over there changed the text at the same moment: it is not mistaken for what was sent.
    do(remotes.confirm, lease, next_push, item("7", "Thick walls", description="Brick"))
    do(remotes.merge, lease, [item("7", "Thick walls", description="Brick")])
    assert do(tasks.get, walls.id).description == "Brick"


@pytest.mark.parametrize("since", ["complete", "delete"])
def test_an_item_of_ours_is_known_again_whatever_became_of_its_task(do, lease, add, since):
    walls = add("Walls", workspace=WHERE)
    (push,) = do(remotes.merge, lease, []).pushes
    do(getattr(tasks, since), walls.id)
    plan = do(remotes.merge, lease, [item("7", "Walls", marker=push.marker)])
    assert plan.imported == ()
    assert [dict(each.changes) for each in plan.pushes] == ([{"state": "done"}] if since == "complete" else [])


def test_a_valid_marker_of_a_task_that_a_restore_took_away_is_a_new_item(do, remote, lease, add, app, me):
    def seal(work):
        return work.users.find(me.user).uuid

    seal.access, seal.scope = remotes.find.access, remotes.find.scope
    marker = make_marker(do(seal), remote.scope, "4711")
    assert len(do(remotes.merge, lease, [item("7", "Walls", marker=marker)]).imported) == 1


def test_tasks_of_other_workspaces_and_closed_ones_stay_here(do, lease, add):
    add("Elsewhere", workspace="/home/me/other")
    add("Nowhere")
    done = add("Done", workspace=WHERE)
    do(tasks.complete, done.id)
    assert do(remotes.merge, lease, []).pushes == ()
    do(tasks.reopen, done.id)
    assert len(do(remotes.merge, lease, []).pushes) == 1


def test_the_next_occurrence_of_a_recurring_task_is_a_new_item(do, lease, add):
    water = add("Water", workspace=WHERE, recurrence="FREQ=DAILY", due_date="2026-01-01")
    (push,) = do(remotes.merge, lease, []).pushes
    do(remotes.confirm, lease, push, item("1", "Water"))
    plan = do(remotes.merge, lease, [item("1", "Water", state=State.DONE)])
    assert plan.updated == (water.id,)
    assert [each.key for each in plan.pushes] == [""]


def test_a_task_is_chosen_by_its_id_or_its_title(do, lease, add):
    walls = add("Walls", workspace=WHERE)
    add("Walls", workspace="/home/me/other")
    assert do(remotes.choose, lease, "Walls", "").task == walls
    assert do(remotes.choose, lease, f"tp-{walls.id:06}", "").task == walls
    assert do(remotes.choose, lease, "Roof", "").task is None
    with pytest.raises(NotFound, match="Task 999 not found"):
        do(remotes.choose, lease, "TP-999", "")


def test_a_stranger_reaches_nothing_of_it(app, stranger, remote, lease, do):
    assert app.run(stranger, remotes.find, WHERE, "github") is None
    for attempt in (
        lambda: app.run(stranger, remotes.begin, remote.id),
        lambda: app.run(stranger, remotes.merge, lease, [item("1", "Roof")]),
        lambda: app.run(stranger, remotes.finish, lease),
    ):
        with pytest.raises(NotFound, match="no remote"):
            attempt()
    mine = app.run(stranger, remotes.connect, WHERE, "github", remote.scope, {"repository": "acme/site"}, "")
    assert mine.id != remote.id
    assert do(remotes.find, WHERE, "github").remote == remote


AGREED = Link(task_id=1, key="1", label="#1", url="", ours=Face("A", "B"), theirs=Face("A", "B"))


def test_the_rule_of_merging():
    def merged(here: Face, there: Face, newer: bool = True):
        found = merge_faces(AGREED, here, there, ours_is_newer=newer)
        return found.pull, found.push, found.conflicts

    same = Face("A", "B")
    assert merged(same, same) == ({}, {}, ())
    assert merged(Face("X", "B"), same) == ({}, {"title": "X"}, ())
    assert merged(same, Face("X", "B")) == ({"title": "X"}, {}, ())
    assert merged(Face("X", "B"), Face("A", "Y")) == ({"description": "Y"}, {"title": "X"}, ())
    assert merged(Face("X", "B"), Face("X", "B")) == ({}, {}, ())
    assert merged(Face("X", "B"), Face("Y", "B"), True) == ({}, {"title": "X"}, ("title",))
    assert merged(Face("X", "B"), Face("Y", "B"), False) == ({"title": "Y"}, {}, ("title",))
    assert merged(same, Face("A", "B", State.DONE)) == ({"state": State.DONE}, {}, ())


def test_markers_are_known_again_and_cannot_be_guessed():
    marker = make_marker("seal", "place", "42")
    assert marker.startswith("taskpilot:42:")
    assert marker != make_marker("other seal", "place", "42") != make_marker("seal", "other place", "42")
    assert split_marker(add_marker("Words", marker)) == ("Words", marker)
    assert split_marker(add_marker("", marker, "[{}]")) == ("", marker)
    assert split_marker(f"Words\n\n\\[{marker}\\]\n") == ("Words", marker)
    assert split_marker(f"{marker} in the middle") == (f"{marker} in the middle", "")


def test_an_item_is_cleaned_and_cut_and_its_moment_must_have_a_zone():
    made = item("1", "A\u202eB\n" + "x" * 600, description="y" * 200_000, url="javascript:alert(1)")
    assert made.face.title.startswith("AB x")
    assert len(made.face.title) == 500
    assert len(made.face.description) == 100_000
    assert made.url == ""
    assert item("1", "\u200b").face.title == "acme/site#1"
    assert item("1", "x", updated_at="2026-01-01T13:00:00+0100").updated_at == NOON
    with pytest.raises(ValueError, match="zone"):
        item("1", "x", updated_at="2026-01-01T13:00:00")


def test_a_face_fits_what_the_other_side_can_keep():
    face = Face("t" * 300, "d" * 70_000, State.DROPPED)
    github, asana = face.fit(SYSTEMS["github"]), face.fit(SYSTEMS["asana"])
    assert (len(github.title), len(github.description), github.state) == (256, 65_000, State.DROPPED)
    assert asana.state is State.DONE
    assert timedelta(minutes=1) < remotes.LEASE
