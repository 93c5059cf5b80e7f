"""A task is handed to an agent, and comes back with a branch, a diff and its proof; or with the reason why not."""

from __future__ import annotations

import sys

import pytest

from taskpilot.domain.run import Agent, Kind, State
from taskpilot.domain.task import Status
from taskpilot.ops import evidence, tokens
from tests.agents.workshop import Workshop, script

pytestmark = pytest.mark.slow

AGENTS = (Agent.CLAUDECODE, Agent.CODEX, Agent.GEMINI, Agent.OPENCODE)


@pytest.mark.parametrize("agent", AGENTS)
def test_an_agent_edits_and_its_work_is_committed_on_a_branch(shop: Workshop, agent: Agent) -> None:
    run = shop.start(script({"edit": "wall.py", "content": "white = 1\n"}, {"say": "Painted."}), agent)

    ended = shop.finish(run)

    assert (ended.state, ended.error, ended.way) == (State.WAITING, "", "acp")
    assert shop.task(run).status is Status.REVIEW
    assert shop.commits(run) == ["Paint the walls"]
    assert shop.show(run, "wall.py") == "white = 1"
    assert ended.files_changed == ("wall.py",)
    assert ended.result == {"summary": "Painted.", "commit": ended.head, "files": 1, "added": 1, "removed": 0}
    diff = shop.diff(run)
    assert "+white = 1" in diff.patch
    assert (diff.head, diff.added, diff.removed) == (ended.head, 1, 0)
    assert (ended.worker, ended.lease_until) == ("", None)
    assert not (shop.repository / "wall.py").exists()
    body = shop.git("log", "-1", "--format=%B", ended.branch)
    assert "Painted." in body
    assert f"TaskPilot-Run: {run.id}" in body


def test_an_agent_by_its_own_json_works_as_well(shop: Workshop) -> None:
    shop.govern(allow=["edit", "execute"])
    steps = script({"edit": "a.txt", "content": "x"}, {"usage": [10, 5, 0.25]}, {"say": "Done so."})

    ended = shop.finish(shop.start(steps, Agent.CLAUDECODE, config={"way": "cli_json"}))

    assert (ended.state, ended.way, ended.error) == (State.WAITING, "cli_json", "")
    assert ended.tokens_in + ended.tokens_out == 15
    assert ended.cost_micros == 250_000


def test_proof_makes_a_task_done_and_its_absence_keeps_it_in_review(shop: Workshop) -> None:
    proved = shop.add("Proved", acceptance=["test -f wall.py", "grep white wall.py"])
    unproved = shop.add("Unproved", acceptance=["test -f wall.py", f"{sys.executable} -c 'raise SystemExit(3)'"])
    steps = script({"edit": "wall.py", "content": "white\n"})

    first, second = (shop.start(steps, task=task) for task in (proved, unproved))
    ended = shop.finish(first)

    assert shop.task(first).status is Status.DONE
    found = shop.do(evidence.get, proved.id)
    assert found.accepted
    assert [(each.exit_code, each.head) for each in found.found] == [(0, ended.head)] * 2
    assert found.found[1].tail == "white\n"
    shop.finish(second)
    assert shop.task(second).status is Status.REVIEW
    assert [each.exit_code for each in shop.do(evidence.get, unproved.id).found] == [0, 3]


def test_a_command_completes_or_fails_by_its_exit_code(shop: Workshop) -> None:
    good = shop.finish(shop.start_command("sh", "-c", "echo $TASKPILOT_PROMPT > said; echo fine"))
    bad = shop.finish(shop.start_command("sh", "-c", "echo half > half; echo oh no >&2; exit 7"))

    assert (good.state, good.exit_code, shop.task(good).status) == (State.COMPLETED, 0, Status.DONE)
    assert shop.show(good, "said") == "Go"
    assert (bad.state, bad.exit_code) == (State.FAILED, 7)
    assert "exit code 7" in bad.error
    assert "oh no" in bad.error
    assert shop.task(bad).status is Status.TODO
    assert shop.show(bad, "half") == "half"


def test_a_failing_model_is_a_failed_run_that_says_why(shop: Workshop) -> None:
    run = shop.start(script({"edit": "half.txt", "content": "x"}, {"fail": "quota exceeded"}))

    ended = shop.finish(run)

    assert ended.state is State.FAILED
    assert "quota exceeded" in ended.error
    assert shop.show(run, "half.txt") == "x"
    assert shop.log(run, Kind.END)


def test_an_agent_that_crashes_is_a_failed_run(shop: Workshop) -> None:
    ended = shop.finish(shop.start(script({"crash": 9})))

    assert ended.state is State.FAILED
    assert "exit code 9" in ended.error


def test_an_agent_reads_its_task_and_reports_through_its_desk_and_has_no_other_way_in(shop: Workshop) -> None:
    run = shop.start(
        script(
            {"mcp": ["task_get", {}]},
            {"mcp": ["log", {"text": "half way", "progress": 50}]},
            {"mcp": ["subtask_add", {"titles": ["Sand", "Paint"]}]},
            {"mcp": ["report", {"done": "one coat", "next": "another"}]},
            {"mcp": ["task_delete", {"id": 1}]},
        )
    )

    shop.finish(run)

    log = [entry.text for entry in shop.log(run, Kind.LOG)]
    assert "half way" in log
    assert any("one coat" in line for line in log)
    assert shop.task(run).progress == 50
    assert [
        token for token in shop.do(tokens.list_all, limit=100)[0] if token.run == run.id and not token.revoked_at
    ] == []


def test_secrets_of_the_environment_are_masked_before_anything_is_stored(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    shop = Workshop(tmp_path_factory.mktemp("secret"))
    try:
        shop.govern(environment=["SHOP_API_KEY"])
        shop.hire(env={"SHOP_API_KEY": "sesame-open-123456"})
        run = shop.start_command("sh", "-c", "echo key $SHOP_API_KEY; echo $SHOP_API_KEY > key.txt")
        ended = shop.finish(run)
        assert ended.state is State.COMPLETED
        assert not any("sesame" in entry.text for entry in shop.log(run))
        assert "sesame" not in str(ended.result)
        assert "sesame" not in shop.diff(run).patch
    finally:
        shop.close()


def test_only_what_is_allowed_of_the_environment_reaches_an_agent(shop: Workshop) -> None:
    run = shop.start_command("env")

    shop.finish(run)

    names = {line.partition("=")[0] for text in shop.said(run) for line in text.splitlines()}
    assert {"PATH", "HOME", "TASKPILOT_RUN", "TASKPILOT_TASK"} <= names
    assert not names & {"TASKPILOT_CONFIG", "PYTHONPATH", "VIRTUAL_ENV"}


def test_setting_up_and_cleaning_up_happen_where_they_belong(shop: Workshop) -> None:
    (shop.repository / ".env").write_text("PORT=1\n")
    (shop.repository / ".gitignore").write_text(".env\nready\n")
    shop.git("add", ".gitignore")
    shop.git("commit", "-q", "-m", "Ignore")
    shop.govern(copies=[".env"], setup=["cp .env ready"], cleanup=["cp ready ready-cleaned"])
    run = shop.start_command("sh", "-c", "cat ready; test ! -e ready-cleaned")

    ended = shop.finish(run)

    assert (ended.state, shop.said(run)) == (State.COMPLETED, ["PORT=1"])
    assert ended.files_changed == ()


def test_a_set_up_that_fails_ends_the_run_before_the_agent_begins(shop: Workshop) -> None:
    shop.govern(setup=["sh -c 'echo no network; exit 4'"])
    run = shop.start_command("touch", "ran")

    ended = shop.finish(run)

    assert ended.state is State.FAILED
    assert "set-up" in ended.error
    assert "no network" in ended.error
    assert ended.files_changed == ()
