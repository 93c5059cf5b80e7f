"""What an assistant deletes "permanently" is gone for it, and lies in the bin for a person to take out."""

from __future__ import annotations

import json

import pytest
from mcp.client import Client
from mcp_types import CallToolResult
from starlette.testclient import TestClient

from taskpilot import contracts
from taskpilot.app import App
from taskpilot.ops import tasks
from taskpilot.server import build
from taskpilot.settings import Settings
from taskpilot.store.vault import Vault
from taskpilot.surfaces.cli.main import main
from taskpilot.surfaces.mcp.server import serve

WHO = {"user_id": "1"}
DELETES = {
    "native": ("task_delete", {}, (("task_list", {"all": True}), ("task_search", {"query": "walls"}))),
    "manager": (
        "task_delete",
        {},
        (("task_list", {"show_completed": True}), ("task_search", {"query": "walls"}), ("task_get", {"task_id": 1})),
    ),
    "simple": ("delete_task", WHO, (("list_tasks", WHO),)),
    "todo": ("delete_task", {}, (("list_tasks", {}), ("get_task", {"task_id": 1}))),
}
"""How each contract deletes a task, and every way it has of seeing one. The others cannot delete tasks."""

pytestmark = pytest.mark.anyio


@pytest.fixture
def cli(place: str, tmp_path, monkeypatch, capsys):
    if place.startswith("postgres"):
        monkeypatch.setenv("TASKPILOT_DATABASE_URL", place)

    def cli(*words: str) -> str:
        capsys.readouterr()
        assert main([*words, "--data-dir", str(tmp_path)], serve=print, mcp=print) == 0
        return capsys.readouterr().out

    return cli


@pytest.fixture
def put_back(app: App, cli, tmp_path):
    """Each way out of the bin."""

    async def by_native() -> None:
        async with Client(serve(app, contracts.load("native"))) as native:
            assert not (await native.call_tool("undo", {"task_id": 1})).is_error

    async def by_command() -> None:
        cli("bin", "restore", "1")

    async def by_rest() -> None:
        app.vault = Vault(tmp_path / "secret.key")
        with TestClient(build(Settings(data_dir=tmp_path / "data"), app, []), base_url="http://localhost:8000") as web:
            assert [row["id"] for row in web.get("/api/bin").json()["tasks"]] == [2, 1]
            assert web.post("/api/bin/1/restore").status_code == 200

    return {"native": by_native, "command": by_command, "rest": by_rest}


def read(answer: CallToolResult) -> str:
    """All that a model may be handed of it."""
    return json.dumps([answer.structured_content, [getattr(part, "text", "") for part in answer.content]])


@pytest.mark.parametrize("way", ["native", "command", "rest"])
@pytest.mark.parametrize("contract", DELETES)
async def test_what_a_contract_deletes_is_gone_for_it_and_can_be_brought_back(app, do, cli, put_back, contract, way):
    do(tasks.create, [{"title": "Build walls", "notes": "of stone", "tags": ["house"]}])
    do(tasks.create, [{"title": "Lay walls' bricks", "parent": 1}])
    before = [do(tasks.get, number) for number in (1, 2)]
    tool, who, reads = DELETES[contract]
    async with Client(serve(app, contracts.load(contract))) as client:
        answer = await client.call_tool(tool, {"task_id": 1, **who})
        assert not answer.is_error, answer.content
        for name, arguments in reads:
            seen = await client.call_tool(name, arguments)
            assert "walls" not in read(seen), name
        again = await client.call_tool(tool, {"task_id": 1, **who})
        assert again.is_error
    assert "walls" not in cli("list", "--all")
    assert [row["id"] for row in json.loads(cli("bin", "--json"))] == [2, 1]

    await put_back[way]()
    for old in before:
        new = do(tasks.get, old.id)
        assert (new.title, new.notes, new.tags, new.parent) == (old.title, old.notes, old.tags, old.parent)
    assert cli("bin") == "The bin is empty.\n"
    async with Client(serve(app, contracts.load(contract))) as client:
        assert "walls" in read(await client.call_tool(*reads[0]))


def test_no_other_contract_deletes_tasks():
    named = {
        name
        for name in contracts.names()
        for tool in contracts.load(name).tools
        if "task" in tool.name and "delete" in tool.name
    }
    assert named == set(DELETES)
