from __future__ import annotations

import pytest

from taskpilot.agents.repository.worktrees import Worktrees
from tests.agents.repo import commit, make, sh
from tests.contracts.stage import seat


@pytest.fixture
def place(tmp_path):
    """Git has nothing to do with the database."""
    return str(tmp_path / "taskpilot.db")


@pytest.fixture
def repository(tmp_path):
    return make(tmp_path / "shop")


@pytest.fixture
def sat(app, add, repository, tmp_path):
    sat = seat(app, add(workspace=str(repository)).id)
    made = Worktrees(tmp_path / "data" / "worktrees").prepare(run=sat.run, repository=repository, branch="task/1")
    sat.keep(commit(made.path, {"new": "n\n"}, "New"), ["new"])
    sat.finish()
    return sat


def test_a_run_is_rebased_and_merged(client, sat, repository):
    tip = commit(repository, {"later": "l\n"})
    rebased = client.post(f"/api/runs/{sat.run}/rebase", json={}).json()
    assert rebased["text"] == "task/1 is now on top of main."
    assert client.get(f"/api/runs/{sat.run}").json()["base_head"] == tip
    merged = client.post(f"/api/runs/{sat.run}/merge", json={"into": "main"})
    assert merged.json()["text"] == "task/1 is merged into main."
    assert (repository / "new").exists()
    assert client.post(f"/api/runs/{sat.run}/merge", json={"into": "nowhere"}).status_code == 404
    assert client.post(f"/api/runs/{sat.run}/push", json={}).status_code == 404
    assert client.post(f"/api/runs/{sat.run}/push", json={"remote": "--upload-pack=x"}).status_code == 422


def test_conflicts_are_named_and_leave_everything_as_it_was(client, sat, repository):
    commit(repository, {"new": "theirs\n"})
    before = sh(repository, "for-each-ref")
    refused = client.post(f"/api/runs/{sat.run}/merge", json={})
    assert refused.status_code == 409
    assert "conflicts in new" in refused.json()["message"]
    assert sh(repository, "for-each-ref") == before


def test_worktrees_are_listed_and_removed(client, sat, repository):
    listed = client.get("/api/worktrees").json()
    assert (listed["total"], listed["worktrees"][0]["run_id"]) == (1, sat.run)
    assert listed["bytes"] == listed["worktrees"][0]["bytes"] > 0
    assert client.delete(f"/api/worktrees/{sat.run}", params={"discard": "perhaps"}).status_code == 422
    removed = client.delete(f"/api/worktrees/{sat.run}").json()
    assert removed["ref"] == f"refs/taskpilot/saved/run-{sat.run}"
    assert sh(repository, "rev-parse", removed["ref"]) == removed["commit"]
    assert client.get("/api/worktrees").json() == {"worktrees": [], "total": 0, "bytes": 0}
    assert client.delete(f"/api/worktrees/{sat.run}").status_code == 404
