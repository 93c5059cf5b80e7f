"""Agents that break the protocol, each in its own manner."""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path

import pytest

from taskpilot.agents import kinds
from taskpilot.agents.talk import Outcome, Turn
from taskpilot.agents.ways.acp import Acp
from taskpilot.domain.run import Agent, Kind
from tests.agents.scripted.scripted import write
from tests.agents.ways.conftest import Stage, find_left

pytestmark = pytest.mark.anyio

ANSWERS = """
    import json, sys
    for line in sys.stdin:
        asked = json.loads(line)
        print(json.dumps({{"jsonrpc": "2.0", "id": asked["id"], {answer}}}), flush=True)
"""


async def play(stage: Stage, tmp_path: Path, program: str, patience: float = 20) -> Outcome:
    file = tmp_path / "bin" / "claude-agent-acp"
    file.parent.mkdir()
    file.write_text(f"#!{sys.executable} -IS\n{textwrap.dedent(program)}")
    file.chmod(0o755)
    env = {**stage.env, "PATH": str(file.parent)}
    way = Acp(kinds.find(Agent.CLAUDECODE), patience=patience)
    return await way.converse(Turn(prompt="hello", cwd=stage.cwd, env=env), stage.ears)


async def test_one_that_never_answers_is_not_waited_for(stage: Stage, tmp_path: Path) -> None:
    program = "import time\nprint('please sign in', flush=True)\ntime.sleep(60)"

    outcome = await play(stage, tmp_path, program, patience=1)

    assert not outcome.ok
    assert "Claude Code did not answer within 1 s" in outcome.error
    assert "please sign in" in outcome.error
    assert stage.ears.texts(Kind.ERROR) == [outcome.error]
    assert find_left(stage) == []


async def test_one_that_is_gone_at_once(stage: Stage, tmp_path: Path) -> None:
    outcome = await play(stage, tmp_path, "import sys\nsys.exit('no settings')")

    assert outcome.exit_code == 1
    assert "no settings" in outcome.error


async def test_one_that_speaks_garbage_and_goes(stage: Stage, tmp_path: Path) -> None:
    outcome = await play(stage, tmp_path, "print('Welcome!' * 20)\nprint('[' * 5000)\nprint('{}')\nprint('[1]')")

    assert not outcome.ok
    assert "ended with exit code 0 in the middle" in outcome.error


async def test_one_that_answers_what_nobody_asked(stage: Stage, tmp_path: Path) -> None:
    outcome = await play(stage, tmp_path, ANSWERS.format(answer='"result": {"protocolVersion": "tomorrow"}'))

    assert not outcome.ok
    assert "Agent Client Protocol" in outcome.error


async def test_one_that_is_not_signed_in_says_how_to(stage: Stage, tmp_path: Path) -> None:
    error = '"error": {"code": -32000, "message": "Authentication required"}'

    outcome = await play(stage, tmp_path, ANSWERS.format(answer=error))

    assert not outcome.ok
    assert "not signed in" in outcome.error
    assert "ANTHROPIC_API_KEY" in outcome.error


async def test_one_that_closes_its_output_and_stays(stage: Stage, tmp_path: Path) -> None:
    outcome = await play(stage, tmp_path, "import os, time\nos.close(1)\ntime.sleep(60)")

    assert not outcome.ok
    assert "closed its output" in outcome.error
    assert find_left(stage) == []


@pytest.mark.parametrize(
    ("stop", "reason"), [("max_tokens", "max_tokens"), ("max_turn_requests", "max_turns"), ("refusal", "refusal")]
)
async def test_a_turn_that_ends_early_says_why(stage: Stage, tmp_path: Path, stop: str, reason: str) -> None:
    program = f"""
    import json, sys
    answers = {{
        "initialize": {{"protocolVersion": 1}},
        "session/new": {{"sessionId": "one"}},
        "session/prompt": {{"stopReason": "{stop}"}},
    }}
    for line in sys.stdin:
        asked = json.loads(line)
        print(json.dumps({{"jsonrpc": "2.0", "id": asked["id"], "result": answers[asked["method"]]}}), flush=True)
    """

    outcome = await play(stage, tmp_path, program)

    assert (outcome.ok, outcome.reason, outcome.session, outcome.resumable) == (False, reason, "one", False)
    assert outcome.error.startswith("Claude Code ")


async def test_it_offers_no_files_and_no_terminal(stage: Stage, tmp_path: Path) -> None:
    program = """
    import json, sys
    asked = json.loads(sys.stdin.readline())
    able = asked["params"].get("clientCapabilities") or {}
    assert not able.get("terminal") and not any((able.get("fs") or {}).values()), able
    wanted = {"sessionId": "one", "path": "/etc/passwd"}
    print(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "fs/read_text_file", "params": wanted}), flush=True)
    sys.exit("refused: " + sys.stdin.readline())
    """

    outcome = await play(stage, tmp_path, program)

    assert "refused" in outcome.error
    assert "-32601" in outcome.error


async def test_a_plan_is_a_message(stage: Stage) -> None:
    await stage.play(Agent.CLAUDECODE, "acp", write({"plan": ["look", "leap"]}, {"plan": ["look", "leap"]}))

    assert stage.ears.texts() == ["[ ] look\n[ ] leap"]
