"""What the product counts on, seen with the real agents: by the Agent Client Protocol and by their own JSON."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest

from taskpilot.domain.run import Agent, Kind
from tests.agents import repo
from tests.agents.ways.conftest import Ears
from tests.end_to_end.conftest import Bench
from tests.end_to_end.model import write

pytestmark = pytest.mark.anyio

STOP_SECONDS = 5.0
NEVER = {
    Agent.CLAUDECODE: "0199f0a0-0000-4000-8000-000000000000",
    Agent.CODEX: "0199f0a0-0000-7000-8000-000000000000",
    Agent.GEMINI: "0199f0a0-0000-4000-8000-000000000000",
    Agent.OPENCODE: "ses_0000000000000000000000000",
}
"""Names of sessions that never were, as each agent writes them."""


async def test_it_edits_in_its_worktree_and_hears_more_in_the_same_session(bench: Bench) -> None:
    bench.ears.prompts = [write({"edit": "two.txt", "content": "two\n"})]

    outcome = await bench.play(write({"edit": "one.txt", "content": "one\n"}))

    assert outcome.ok, outcome.error
    assert find_answers(bench.ears) == ["turn 1", "turn 2"]
    assert (bench.read("one.txt"), bench.read("two.txt")) == ("one\n", "two\n")
    assert [call["kind"] for call in bench.ears.told(Kind.TOOL_CALL)] == [_name_edit(bench)] * 2
    assert all(result["ok"] for result in bench.ears.told(Kind.TOOL_RESULT))
    assert bench.ears.sum("tokens_in") > 0
    assert set(bench.ears.sessions) == {outcome.session}
    assert bench.find_left() == []
    commit = bench.worktrees.commit(bench.worktree, "Paint the walls", repo.allow)
    diff = bench.worktrees.diff(bench.worktree)
    assert (diff.commit, diff.files) == (commit, ("one.txt", "two.txt"))


async def test_its_session_is_resumed_by_another_process(bench: Bench) -> None:
    first = await bench.play(write({"edit": "one.txt", "content": "one\n"}))
    assert first.ok, first.error
    again = Ears()

    anew = write({"edit": "anew.txt", "content": "anew\n"})
    prompt = write({"edit": "more.txt", "content": "more\n"})
    second = await bench.play(prompt, again, session=first.session, anew=anew)

    assert second.ok, second.error
    if (bench.agent, bench.way) == (Agent.GEMINI, "acp"):  # which says that it can, and then cannot
        assert not first.resumable
        assert find_answers(again) == ["turn 1"]
        assert bench.read("anew.txt") == "anew\n"
        return
    assert first.resumable
    assert second.session == first.session
    assert find_answers(again) == ["turn 2"]
    assert bench.read("more.txt") == "more\n"


async def test_a_session_that_is_lost_begins_anew(bench: Bench) -> None:
    prompt = write({"edit": "more.txt", "content": "more\n"})
    anew = write({"edit": "anew.txt", "content": "anew\n"})

    outcome = await bench.play(prompt, session=NEVER[bench.agent], anew=anew)

    assert outcome.ok, outcome.error
    assert "has lost its session" in bench.ears.texts(Kind.LOG)[0]
    assert find_answers(bench.ears) == ["turn 1"]
    assert bench.read("anew.txt") == "anew\n"
    assert not (bench.worktree.path / "more.txt").exists()
    assert outcome.session not in ("", NEVER[bench.agent])


async def test_it_works_at_its_desk_with_the_token_of_its_run(bench: Bench) -> None:
    steps = [
        {"call": "log", "arguments": {"text": "half way", "progress": 50}},
        {"call": "report", "arguments": {"done": "one coat", "next": "another"}},
    ]

    outcome = await bench.play(write(*steps), mcp=bench.desk.server)

    assert outcome.ok, outcome.error
    assert find_answers(bench.ears) == ["turn 1"]
    assert bench.desk.progress == 50
    assert "half way" in bench.desk.log
    assert any("one coat" in text for text in bench.desk.log)
    assert bench.desk.server.token not in str(bench.ears.said)


async def test_cancelling_leaves_nothing_of_it_alive(bench: Bench) -> None:
    talking = asyncio.create_task(bench.play(write({"run": "setsid sleep 301 & sleep 302"})))
    while sum(line.startswith("sleep 30") for line in bench.find_left()) < 2:
        assert not talking.done(), (talking.result(), bench.ears.said)
        await asyncio.sleep(0.1)

    async with asyncio.timeout(STOP_SECONDS):
        talking.cancel()
        with suppress(asyncio.CancelledError):
            await talking

    assert bench.find_left() == []


def find_answers(ears: Ears) -> list[str]:
    """What our model said. Codex adds that it has never heard of such a model."""
    return [text for text in ears.texts() if not text.startswith("Warning: Model metadata")]


def _name_edit(bench: Bench) -> str:
    """Codex edits by commands."""
    return "execute" if bench.agent is Agent.CODEX else "edit"
