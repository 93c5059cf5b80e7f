from __future__ import annotations

import pytest

from taskpilot.domain.errors import NotFound
from taskpilot.domain.run import Agent, State
from taskpilot.ops import reports, runs, tasks


@pytest.fixture
def create(do):
    def create(agent=Agent.CODEX, workspace="/srv/app", branch="main"):
        options = {"agent": agent, "workspace": workspace, "branch": branch, "start": False}
        return do(runs.create, description="Fix bug", instructions="Debug it", **options)

    return create


def test_one_task_is_reported_with_the_end_of_its_log(do, create):
    create()
    for number in range(30):
        do(runs.update, 1, log=f"Line {number}")
    report = do(reports.tell, 1, lines=5)
    assert report.workspace.path == "/srv/app"
    assert report.counts == {"log": 30}
    assert [entry.text for entry in report.last] == [f"Line {number}" for number in range(25, 30)]


def test_a_summary_agrees_with_each_task(do, create, add):
    add(status="done")
    add(status="dropped")
    for agent in (Agent.CODEX, Agent.CODEX, Agent.GEMINI):
        create(agent)
    do(runs.end, 3, State.FAILED)
    do(tasks.complete, 5)
    summary = do(reports.summarize)
    assert summary.all.by_state == {State.COMPLETED: 2, State.FAILED: 2, State.PENDING: 1}
    assert summary.by_agent[Agent.CODEX].by_state == {State.FAILED: 1, State.PENDING: 1}
    assert summary.by_agent[Agent.GEMINI].success_rate == 100.0
    assert summary.usage == (0, 0, 0)


def test_a_folder_is_surveyed(do, create):
    create(branch="a")
    create(branch="b")
    create(workspace="/srv/other", branch="c")
    found = do(reports.survey, "/srv/app", limit=10)
    assert (found.summary.all.total, found.branches, found.tasks.total) == (2, ["b", "a"], 2)
    with pytest.raises(NotFound):
        do(reports.survey, "/srv/nope", limit=10)


def test_strangers_are_told_nothing(app, stranger, create):
    create()
    assert app.run(stranger, reports.summarize).all.total == 0
    for op, given in ((reports.tell, 1), (reports.survey, "/srv/app")):
        with pytest.raises(NotFound):
            app.run(stranger, op, given, **({"limit": 5} if op is reports.survey else {}))
