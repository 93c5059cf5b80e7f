from __future__ import annotations

import pytest

from taskpilot.domain.errors import NotFound
from taskpilot.ops import history, sessions, workspaces


@pytest.fixture
def here(do):
    return do(workspaces.open_folder, "/srv/app").id


def test_a_new_session_ends_the_one_before(do, here, clock):
    first = do(sessions.start, here)
    assert first.closed is None
    assert do(workspaces.outline, here).session == first.session
    clock.forward(hours=2)
    second = do(sessions.start, here)
    assert second.closed.id == first.session.id
    assert second.closed.ended_at == clock.now
    assert do(workspaces.outline, here).session == second.session


def test_a_session_is_ended_once(do, here, clock):
    one = do(sessions.start, here).session
    clock.forward(hours=1)
    ended = do(sessions.end, here, one.id)
    assert ended.ended_at == clock.now
    clock.forward(hours=1)
    assert do(sessions.end, here, one.id) == do(sessions.get, here, one.id) == ended
    assert do(workspaces.outline, here).session is None
    assert do(sessions.start, here).closed is None


def test_sessions_are_listed_latest_first(do, here):
    made = [do(sessions.start, here).session.id for _ in range(3)]
    found, total = do(sessions.list_slice, here, limit=2, offset=1)
    assert ([each.id for each in found], total) == ([made[1], made[0]], 3)


def test_a_session_is_only_in_its_own_workspace(app, do, here, stranger):
    there = do(workspaces.open_folder, "/srv/there").id
    one = do(sessions.start, here).session
    for ask in (sessions.get, sessions.end):
        with pytest.raises(NotFound, match=f"Session {one.id} not found"):
            do(ask, there, one.id)
        with pytest.raises(NotFound):
            app.run(stranger, ask, here, one.id)
    with pytest.raises(NotFound):
        app.run(stranger, sessions.list_slice, here)
    assert do(sessions.get, here, one.id) == one


def test_each_workspace_has_its_own(do, here):
    there = do(workspaces.open_folder, "/srv/there").id
    mine = do(sessions.start, here).session
    assert do(sessions.start, there).closed is None
    assert do(workspaces.outline, here).session == mine


def test_both_ends_are_in_the_log_as_one_change(do, here):
    do(sessions.start, here)
    do(sessions.start, here)
    started, ended = do(history.list_page).items[:2]
    assert (started.kind, ended.kind) == ("session.started", "session.ended")
    assert started.change == ended.change
    assert started.workspace == here


def test_a_stranger_starts_none(app, do, here, stranger):
    with pytest.raises(NotFound):
        app.run(stranger, sessions.start, here)
    assert do(workspaces.outline, here).session is None
