"""Any program, by its argv."""

from __future__ import annotations

import asyncio
import sys

import pytest

from taskpilot.domain.errors import Invalid, NotFound
from taskpilot.domain.run import Agent, Kind
from tests.agents.ways.conftest import Stage, find_left

pytestmark = pytest.mark.anyio


def code(text: str) -> tuple[str, ...]:
    return (sys.executable, "-IS", "-c", text)


async def test_what_it_prints_is_its_message_and_what_it_complains_of_its_log(stage: Stage) -> None:
    text = "import sys\nprint('one')\nprint('two', flush=True)\nprint('hm', file=sys.stderr)\nsys.stderr.write('end')"

    outcome = await stage.play(Agent.COMMAND, "", "", argv=code(text))

    assert (outcome.ok, outcome.reason, outcome.exit_code) == (True, "exit", 0)
    assert stage.ears.texts() == ["one", "two"]
    assert stage.ears.texts(Kind.LOG) == ["hm", "end"]
    assert stage.ears.told(Kind.END) == [{"reason": "exit"}]
    assert (outcome.session, outcome.resumable, stage.ears.asked) == ("", False, [])


async def test_lines_come_as_they_are_written(stage: Stage) -> None:
    text = "import sys, time\nprint('now', flush=True)\nprint('oh', file=sys.stderr, flush=True)\ntime.sleep(3)"
    playing = asyncio.create_task(stage.play(Agent.COMMAND, "", "", argv=code(text)))

    await stage.ears.wait_until(lambda ears: ears.texts() and ears.texts(Kind.LOG), 2.5)

    assert (await playing).ok


@pytest.mark.parametrize("number", [1, 3, 255])
async def test_its_exit_code_decides(stage: Stage, number: int) -> None:
    outcome = await stage.play(
        Agent.COMMAND, "", "", argv=code(f"import sys\nprint('no!', file=sys.stderr)\nsys.exit({number})")
    )

    assert (outcome.ok, outcome.exit_code) == (False, number)
    assert f"exit code {number}" in outcome.error
    assert "no!" in outcome.error


async def test_it_reads_the_prompt_from_a_variable_and_nothing_from_its_input(stage: Stage) -> None:
    text = "import os, sys\nprint(os.environ['TASKPILOT_PROMPT'])\nprint(repr(sys.stdin.read()))"

    await stage.play(Agent.COMMAND, "", "make it so", argv=code(text))

    assert stage.ears.texts() == ["make it so", "''"]


async def test_a_prompt_that_is_too_long_for_a_variable_is_cut(stage: Stage) -> None:
    text = "import os, sys\nprint(len(os.environ['TASKPILOT_PROMPT']))"

    outcome = await stage.play(Agent.COMMAND, "", "é\0" * 200_000, argv=code(text))

    assert outcome.ok
    assert stage.ears.texts()[0].isdigit()


async def test_a_flood_of_output_is_told_in_large_pieces_and_whole(stage: Stage) -> None:
    text = "import sys\nfor n in range(20000): print('line', n)\nfor n in range(20000): print('oh', n, file=sys.stderr)"

    await stage.play(Agent.COMMAND, "", "", argv=code(text))

    assert "\n".join(stage.ears.texts()).split("\n") == [f"line {n}" for n in range(20_000)]
    assert "\n".join(stage.ears.texts(Kind.LOG)).split("\n") == [f"oh {n}" for n in range(20_000)]
    assert len(stage.ears.said) < 2_000


async def test_bytes_that_are_no_text_do_no_harm(stage: Stage) -> None:
    outcome = await stage.play(
        Agent.COMMAND, "", "", argv=code("import os\nos.write(1, b'\\xff\\xfe\\n' + b'x' * 30000)")
    )

    assert outcome.ok
    assert "".join(stage.ears.texts()).endswith("x" * 30_000)


async def test_nothing_is_left_of_one_that_is_cancelled(stage: Stage) -> None:
    child = "import os,signal,time; os.setsid(); signal.signal(2, signal.SIG_IGN); time.sleep(300)"
    text = (
        "import signal, subprocess, sys, time\nsignal.signal(2, signal.SIG_IGN)\n"
        f"subprocess.Popen([sys.executable, '-IS', '-c', {child!r}])\nprint('up', flush=True)\ntime.sleep(300)"
    )
    playing = asyncio.create_task(stage.play(Agent.COMMAND, "", "", argv=code(text)))
    await stage.ears.wait_until(lambda ears: ears.texts())

    playing.cancel()
    with pytest.raises(asyncio.CancelledError):
        async with asyncio.timeout(5):
            await playing

    assert find_left(stage) == []


async def test_what_is_not_there_cannot_be_run(stage: Stage) -> None:
    with pytest.raises(NotFound, match="not-a-program"):
        await stage.play(Agent.COMMAND, "", "", argv=("not-a-program",))
    with pytest.raises(Invalid, match="no command"):
        await stage.play(Agent.COMMAND, "", "")
