"""An agent wipes the plan, through several contracts. One command brings everything back."""

from __future__ import annotations

import json
from contextlib import AsyncExitStack
from itertools import cycle
from typing import Any

import pytest
from mcp.client import Client
from mcp_types import Implementation

from taskpilot import contracts
from taskpilot.app import App
from taskpilot.ops import claims, history, tasks
from taskpilot.ops.queue import Wish
from taskpilot.surfaces.cli.main import main
from taskpilot.surfaces.mcp.server import serve

AGENT = Implementation(name="wrecker", version="1")
WAYS = (("native", "task_delete"), ("manager", "task_delete"), ("simple", "delete_task"), ("todo", "delete_task"))
PHASES = ("Ground", "Walls", "Roof")
BOOKKEEPING = {"version", "updated_at"}
"""Counts every change, an undoing as well."""

pytestmark = pytest.mark.anyio


@pytest.fixture
def plan(do, clock) -> None:
    """Two hundred tasks: phases with subtasks, each waiting on the one before, some begun, some done, one claimed."""
    made: list[int] = []
    for number in range(200):
        parent = made[number - number % 10] if number % 10 else None
        task = {
            "title": f"Step {number}",
            "project": PHASES[number % 3],
            "tags": [f"week{number % 4}", "plan"],
            "parent": parent,
            "blocked_by": made[-1:] if number % 7 == 3 else [],
            "due_date": "2026-03-01",
            "notes": f"Notes of step {number}",
        }
        made.append(do(tasks.create, [task]).tasks[0].id)
    for number in range(0, 200, 9):
        do(tasks.update, made[number], {"status": "in_progress", "progress": 30})
    for number in range(5, 200, 11):
        do(tasks.complete, made[number])
    do(claims.take_next, Wish(), lease=86_400)
    clock.forward(minutes=5)


@pytest.fixture
def undo(place: str, tmp_path, monkeypatch, capsys):
    """`taskpilot undo …`, as a person types it."""
    if place.startswith("postgres"):
        monkeypatch.setenv("TASKPILOT_DATABASE_URL", place)

    def undo(*words: str) -> str:
        capsys.readouterr()
        assert main(["undo", *words, "--data-dir", str(tmp_path)], serve=print, mcp=print) == 0
        return capsys.readouterr().out

    return undo


def connect(app: App, contract: str) -> Client:
    """With a handshake: only such a connection lasts for more than one request."""
    return Client(serve(app, contracts.load(contract)), client_info=AGENT, mode="legacy")


def dump(app: App) -> dict[str, Any]:
    """Every row that makes up the plan."""
    with app.database.reading() as db:
        found = {
            table: db.all(f"SELECT * FROM {table} ORDER BY {order}")
            for table, order in (
                ("task", "id"),
                ("project", "id"),
                ("tag", "id"),
                ("task_tag", "task_id, tag_id"),
                ("task_blocker", "task_id, blocker_id"),
                ("claim", "id"),
            )
        }
    return {
        table: [{name: value for name, value in row.items() if name not in BOOKKEEPING} for row in rows]
        for table, rows in found.items()
    }


async def wipe(app: App) -> None:
    """Delete all there is, whatever the contract calls it, and leave a mess behind."""
    async with AsyncExitStack() as stack:
        speak = {name: await stack.enter_async_context(connect(app, name)) for name, _ in WAYS}
        native, manager = speak["native"], speak["manager"]
        for number in range(1, 201, 17):
            await manager.call_tool("task_update", {"task_id": number, "title": "???", "notes": ""})
        for number in range(2, 201, 19):
            await native.call_tool("task_update", {"task_id": number, "parent": None, "blocked_by": [], "tags": []})
        for number, (name, tool) in zip(range(200, 0, -1), cycle(WAYS), strict=False):
            who = {"user_id": "1"} if name == "simple" else {}
            answer = await speak[name].call_tool(tool, {"task_id": number, **who})
            assert not answer.is_error, answer.content
        for phase in PHASES[:2]:
            await native.call_tool(
                "workspace", {"action": "save", "kind": "project", "name": phase, "rename": f"x{phase}"}
            )
        await native.call_tool("workspace", {"action": "save", "kind": "project", "name": PHASES[2], "delete": True})


@pytest.mark.usefixtures("plan")
async def test_one_command_brings_a_wiped_plan_back(app, do, undo):
    whole = dump(app)
    await wipe(app)
    wiped = dump(app)
    assert all(row["deleted_at"] for row in wiped["task"])
    assert sorted(row["name"] for row in wiped["project"] if not row["deleted_at"]) == ["xGround", "xWalls"]

    seen = undo("--actor", "wrecker", "--since", "2026-01-01", "--preview")
    assert seen.count("Would take back: #") >= 200
    assert "Would leave" not in seen
    assert dump(app) == wiped

    told = undo("--actor", "wrecker", "--since", "2026-01-01", "--yes")
    assert told.count("Took back") == seen.count("Would take back")
    assert dump(app) == whole

    again = told.splitlines()[-1].rpartition(" ")[2]
    undo(again)
    assert [row["deleted_at"] is None for row in dump(app)["task"]] == [False] * 200
    last = do(history.list_page, limit=1).items[0].change
    undo(str(last))
    assert dump(app) == whole


@pytest.mark.usefixtures("plan")
async def test_one_connection_of_several_is_taken_back_and_what_others_did_since_is_named(app, do, undo):
    async with connect(app, "native") as good:
        await good.call_tool("task_update", {"task_id": 1, "priority": "high"})
    async with connect(app, "native") as bad:
        await bad.call_tool("task_update", {"task_id": 2, "title": "???"})
        await bad.call_tool("task_update", {"task_id": 3, "title": "???"})
        await bad.call_tool("task_delete", {"task_id": 11})
    do(tasks.update, 3, {"title": "Mine"})
    origin = do(history.list_page, task_id=11, limit=1).items[0].origin
    assert origin.startswith("mcp:")
    told = json.loads(undo("--origin", origin, "--yes", "--json"))
    assert told["conflicts"] == ["task 3 has had its title changed since by dev-user"]
    found = {number: do(tasks.get, number) for number in (1, 2, 3, 11, 12)}
    assert [found[number].title for number in (2, 3, 11)] == ["Step 1", "Mine", "Step 10"]
    assert found[1].priority == 4
    assert found[12].parent == 11
