"""A new user's first day: one list, reached through every door there is, by the real clients."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

TASKPILOT = str(Path(sys.executable).with_name("taskpilot"))
pytestmark = [pytest.mark.anyio, pytest.mark.slow]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def address(folder: Path) -> Iterator[str]:
    """A running `taskpilot serve`."""
    server = subprocess.Popen(
        [TASKPILOT, "serve", "--port", "0", "--data-dir", str(folder)], stderr=subprocess.PIPE, text=True
    )
    assert server.stderr is not None
    try:
        yield next(json.loads(line)["url"] for line in server.stderr if '"url"' in line)
    finally:
        server.terminate()
        server.wait(10)
        server.stderr.close()


def run(folder: Path, *words: str, code: int = 0) -> str:
    done = subprocess.run(
        [TASKPILOT, *words, "--data-dir", str(folder)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "NO_COLOR": "1"},
    )
    assert done.returncode == code, done.stderr
    return done.stdout


def assistant(folder: Path) -> Client:
    """An assistant that starts `taskpilot mcp` itself."""
    return Client(stdio_client(StdioServerParameters(command=TASKPILOT, args=["mcp", "--data-dir", str(folder)])))


async def test_one_list_for_everybody(folder, address):
    async with Client(address.rstrip("/") + "/mcp") as web:
        made = await web.call_tool("task_create", {"title": "Write the report", "priority": "high"})
        assert made.structured_content["tasks"][0]["id"] == 1

    assert "Write the report" in run(folder, "list")

    async with assistant(folder) as helper:
        listed = await helper.call_tool("task_list", {})
        assert listed.structured_content["tasks"][0]["title"] == "Write the report"
        done = await helper.call_tool("task_complete", {"task_id": 1, "reason": "sent it"})
        assert not done.is_error

    assert json.loads(run(folder, "list", "--json")) == []
    told = json.loads(run(folder, "log", "1", "--json"))
    assert told[0]["reason"] == "sent it"
    run(folder, "undo", "--task", "1")
    assert [task["status"] for task in json.loads(run(folder, "list", "--json"))] == ["todo"]


async def test_it_works_without_a_server_too(folder):
    async with assistant(folder) as helper:
        await helper.call_tool("task_create", {"tasks": [{"title": "A"}, {"title": "B", "blocked_by": []}]})
        found = await helper.call_tool("task_next", {})
        assert found.structured_content["task"]["id"] == 1
    run(folder, "done", "1")
    assert [task["title"] for task in json.loads(run(folder, "list", "--json"))] == ["B"]


async def test_a_lost_store_is_restored_from_its_backup(folder, tmp_path):
    run(folder, "add", "Keep", "me")
    run(folder, "backup", str(tmp_path / "copy.db"))
    run(folder, "rm", "1", "--yes")
    run(folder, "restore", str(tmp_path / "copy.db"), "--yes")
    assert [task["title"] for task in json.loads(run(folder, "list", "--json"))] == ["Keep me"]
    run(folder, "check")


async def test_mistakes_are_told_kindly(folder):
    run(folder, "done", "99", code=3)
    run(folder, "add", "x", "--priority", "huge", code=4)
    async with assistant(folder) as helper:
        wrong = await helper.call_tool("task_update", {"task_id": 99, "title": "x"})
        assert wrong.is_error
        assert wrong.content[0].text == "Task 99 not found. List or search tasks to see their ids."
