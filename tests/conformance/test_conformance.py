"""The protocol's own conformance suite, against the product's own HTTP server. `left_out.json`: what does not apply."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.node.packages import install, node

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("node")]

HERE = Path(__file__).parent
LEFT_OUT = json.loads((HERE / "left_out.json").read_text(encoding="utf-8"))
SUITES = {
    "2025-11-25": ("conformance-2025", "--suite", "all"),
    "2025-11-25, as the newer suite has it": ("conformance-2026", "--requirements", "2025-11-25"),
    "2026-07-28": ("conformance-2026", "--requirements", "2026-07-28"),
}
LEAST_SCENARIOS = 30
VERDICT = re.compile(r"^[✓✗] ([\w.-]+): (\d+) passed, (\d+) failed", re.MULTILINE)
LISTED = re.compile(r"^  - ([\w.-]+) \[", re.MULTILINE)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    install()
    command = [sys.executable, str(HERE / "server.py"), str(tmp_path_factory.mktemp("data"))]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        seen = ""
        for line in process.stderr:
            seen += line
            if '"url"' in line:
                break
        else:
            raise AssertionError(seen)
        yield json.loads(line)["url"]
        process.terminate()
        process.communicate()


@pytest.mark.parametrize("suite", SUITES)
def test_every_scenario_that_applies_passes(address: str, suite: str):
    package, *choice = SUITES[suite]
    script = f"node_modules/{package}/dist/index.js"
    run = node(script, "server", "--url", f"{address}/mcp", *choice, timeout=300)
    verdicts = {name: (int(passed), int(failed)) for name, passed, failed in VERDICT.findall(run.stdout)}
    applying = {name: verdict for name, verdict in verdicts.items() if name not in LEFT_OUT}
    assert len(applying) >= LEAST_SCENARIOS, run.stdout + run.stderr
    assert [name for name, (passed, failed) in applying.items() if failed or not passed] == []


def test_what_is_left_out_is_in_the_suite_and_has_its_reason():
    install()
    listed = node("node_modules/conformance-2026/dist/index.js", "list", "--server").stdout
    assert set(LEFT_OUT) <= set(LISTED.findall(listed))
    assert all(LEFT_OUT.values())
