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
