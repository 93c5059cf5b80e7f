"""The examples of the document this contract was written from, in its order, over the protocol itself."""

from __future__ import annotations

import asyncio
import json
from base64 import b64decode

import anyio
import pytest
from jsonschema import Draft202012Validator, validate
from mcp.client import Client
from mcp.shared.exceptions import MCPError
from mcp_types import ResourceListChangedNotification, ResourceUpdatedNotification

from taskpilot.contracts.taskpilot import CONTRACT
from taskpilot.ops import tasks
from taskpilot.surfaces.mcp.server import serve

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.filterwarnings("ignore:resources/(un)?subscribe is removed"),
]
TOOLS = [
    "taskpilot_init",
    "taskpilot_start",
    "taskpilot_add",
    "taskpilot_create_task",
    "taskpilot_status",
    "taskpilot_update",
    "taskpilot_audit",
    "taskpilot_focus",
    "taskpilot_rule_update",
    "taskpilot_github",
    "taskpilot_remote_interface",
    "taskpilot_generate_prompt",
]


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "shop"
    folder.mkdir()
    return folder


@pytest.fixture
def connect(app):
    return lambda mode="legacy", **options: Client(serve(app, CONTRACT), mode=mode, **options)


def wire(result):
    return result.model_dump(mode="json", by_alias=True, exclude_none=True)


async def test_1_1_and_2_1_capabilities_are_declared(connect):
    async with connect() as client:
        told = wire(client.server_capabilities)
    assert "tools" in told
    assert told["resources"] == {"subscribe": True, "listChanged": True}
    assert "prompts" in told
    assert "completions" in told


async def test_1_2_every_tool_is_told_whole(connect):
    async with connect() as client:
        listed = [wire(tool) for tool in (await client.list_tools()).tools]
    assert sorted(tool["name"] for tool in listed) == sorted(TOOLS)
    for tool in listed:
        Draft202012Validator.check_schema(tool["inputSchema"])
        Draft202012Validator.check_schema(tool["outputSchema"])
        assert tool["title"]
        assert tool["description"]
        assert {"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"} <= set(tool["annotations"])
        assert tool["annotations"]["destructiveHint"] is False
        assert tool["_meta"]["category"]
        assert tool["_meta"]["requiresConfirmation"] is False
        if tool["name"] != "taskpilot_generate_prompt":
            described = tool["inputSchema"]["properties"]["workspace_path"]
            assert described == {"type": "string", "description": "Absolute path to the workspace directory"}
    init = next(tool for tool in listed if tool["name"] == "taskpilot_init")
    assert init["title"] == "🚀 Initialize TaskPilot Workspace"
    assert init["description"] == "Initialize a TaskPilot workspace with .task folder structure and configuration"
    assert init["_meta"]["category"] == "workspace-management"
    promised = init["outputSchema"]
    assert {"workspace", "tasks_created", "setup_complete"} <= set(promised["required"])
    assert promised["properties"]["workspace"]["properties"]["id"] == {"type": "string"}
    assert {"id", "path", "name"} <= set(promised["properties"]["workspace"]["required"])
    prompt = next(tool for tool in listed if tool["name"] == "taskpilot_generate_prompt")
    assert prompt["description"] == "Generate user-oriented prompts based on operation results"
    assert prompt["inputSchema"]["properties"]["operation"]["type"] == "string"
    assert prompt["inputSchema"]["properties"]["context"]["type"] == "object"
    assert "required" not in prompt["inputSchema"]


async def test_1_3_init_answers_with_a_sentence_and_with_data(connect, root):
    async with connect() as client:
        given = {"workspace_path": str(root), "project_name": "Shop", "project_requirements": "Build login\n\nPaint it"}
        result = wire(await client.call_tool("taskpilot_init", given))
    assert result["isError"] is False
    text = 'TaskPilot workspace "Shop" initialized successfully. Created 2 initial tasks.'
    assert result["content"][0] == {"type": "text", "text": text}
    assert result["structuredContent"] == {
        "operation": "workspace_init",
        "workspace": {"id": "1", "path": str(root), "name": "Shop", "created_at": "2026-01-01T12:00:00Z"},
        "tasks_created": [
            {"id": "TP-000001", "title": "Build login", "priority": "Medium", "status": "Backlog"},
            {"id": "TP-000002", "title": "Paint it", "priority": "Medium", "status": "Backlog"},
        ],
        "rules_applied": ["coding", "git", "testing", "security", "performance"],
        "rules_initialized": ["coding", "git", "testing", "security", "performance"],
        "setup_complete": True,
        "next_steps": [
            "Run taskpilot_start to begin a session",
            "Use taskpilot_add to create new tasks",
            "Check taskpilot_status for project overview",
        ],
    }
    validate(result["structuredContent"], CONTRACT.by_name["taskpilot_init"].output_schema)


async def test_1_4_a_reply_carries_images_links_and_documents(connect, root):
    (root / "main.rs").write_text("fn main() {}")
    async with connect() as client:
        await client.call_tool("taskpilot_init", {"workspace_path": str(root), "project_requirements": "Build"})
        given = {"workspace_path": str(root), "task_id": "TP-000001", "field": "connected_files", "value": ["main.rs"]}
        await client.call_tool("taskpilot_update", given)
        status = wire(await client.call_tool("taskpilot_status", {"workspace_path": str(root)}))["content"]
        focus = wire(await client.call_tool("taskpilot_focus", {"workspace_path": str(root), "task_id": "TP-000001"}))[
            "content"
        ]
    assert [part["type"] for part in status] == ["text", "image", "resource_link"]
    assert status[1]["mimeType"] == "image/png"
    assert status[1]["annotations"] == {"audience": ["user"], "priority": 0.9}
    assert b64decode(status[1]["data"]).startswith(b"\x89PNG\r\n\x1a\n")
    assert [part["type"] for part in focus] == ["text", "resource", "resource_link"]
    document = focus[1]["resource"]
    assert document["uri"] == "taskpilot://workspace/1/tasks/TP-000001"
    assert json.loads(document["text"])["connected_files"] == ["main.rs"]
    assert focus[1]["annotations"]["lastModified"] == "2026-01-01T12:00:00Z"
    assert focus[2]["uri"] == (root / "main.rs").as_uri()
    assert focus[2]["name"] == "main.rs"
    assert focus[2]["annotations"] == {"audience": ["assistant"], "priority": 0.9}


async def test_1_5_errors_are_told_as_the_document_says(connect, root):
    async with connect() as client:
        with pytest.raises(MCPError) as caught:
            await client.call_tool("invalid_tool_name", {})
        assert caught.value.error.code == -32602
        assert caught.value.error.message == "Unknown tool: invalid_tool_name"
        result = wire(await client.call_tool("taskpilot_start", {"workspace_path": str(root)}))
    assert result["isError"] is True
    (part,) = result["content"]
    assert part["text"] == f"Error: {root} is not a workspace yet. Initialize it first."


async def test_2_2_resources_are_listed_by_their_names(connect, root):
    async with connect() as client:
        await client.call_tool("taskpilot_init", {"workspace_path": str(root)})
        listed = {each.uri: wire(each) for each in (await client.list_resources()).resources}
    assert listed["taskpilot://workspaces"] == {
        "uri": "taskpilot://workspaces",
        "name": "All Workspaces",
        "title": "🏢 TaskPilot Workspaces",
        "description": "List of all registered workspaces",
        "mimeType": "application/json",
    }
    assert listed["taskpilot://workspace/current/tasks"] == {
        "uri": "taskpilot://workspace/current/tasks",
        "name": "Current Tasks",
        "title": "📋 Active Workspace Tasks",
        "description": "All tasks in the current workspace",
        "mimeType": "application/json",
        "annotations": {"audience": ["assistant"], "priority": 0.9},
    }
    assert listed["taskpilot://workspace/current/rules"] == {
        "uri": "taskpilot://workspace/current/rules",
        "name": "Workspace Rules",
        "title": "📝 Project Rules & Guidelines",
        "description": "Project-specific coding standards and rules",
        "mimeType": "text/markdown",
        "annotations": {"audience": ["assistant"], "priority": 0.8},
    }
    for shelf in ("tasks", "rules", "status", "files"):
        assert f"taskpilot://workspace/1/{shelf}" in listed
    assert listed["taskpilot://prompts/init-success"]["name"] == "Initialization Success Prompt"
    assert (
        listed["taskpilot://prompts/init-success"]["description"]
        == "User-oriented prompt for successful workspace initialization"
    )


async def test_2_3_resources_are_read(connect, root):
    async with connect() as client:
        await client.call_tool("taskpilot_init", {"workspace_path": str(root), "project_requirements": "Build login"})
        (read,) = (await client.read_resource("taskpilot://workspace/current/tasks")).contents
        told = wire(read)
        assert (told["uri"], told["mimeType"]) == ("taskpilot://workspace/current/tasks", "application/json")
        assert told["_meta"]["name"] == "Current Tasks"
        (task,) = json.loads(told["text"])
        assert (task["id"], task["title"], task["status"]) == ("TP-000001", "Build login", "Backlog")
        assert told["text"].startswith("[\n  {")
        (rules,) = (await client.read_resource("taskpilot://workspace/1/rules")).contents
        assert rules.text.startswith("# Rules of shop\n\n## Coding\n")
        with pytest.raises(MCPError, match="Resource not found: taskpilot://workspace/9/tasks"):
            await client.read_resource("taskpilot://workspace/9/tasks")


async def test_2_4_templates_are_listed(connect):
    async with connect() as client:
        listed = [each.uri_template for each in (await client.list_resource_templates()).resource_templates]
    assert listed == ["taskpilot://workspace/{workspace_id}/tasks/{task_id}", "taskpilot://prompts/{name}"]


async def test_6_prose_is_made_apart_from_the_tools_and_everywhere_alike(connect, root):
    async with connect() as client:
        made = await client.call_tool("taskpilot_init", {"workspace_path": str(root), "project_requirements": "Build"})
        given = {"operation": "workspace_init", "context": made.structured_content}
        told = wire(await client.call_tool("taskpilot_generate_prompt", given))["structuredContent"]
        (read,) = (await client.read_resource("taskpilot://prompts/init-success")).contents
        got = await client.get_prompt("init-success", {"workspace": "1"})
        names = [prompt.name for prompt in (await client.list_prompts()).prompts]
    assert told["prompt"].startswith("# shop is ready\n")
    assert "- TP-000001 Build (Backlog)" in told["prompt"]
    assert read.text == told["prompt"] == got.messages[0].content.text
    assert names[0] == "init-success"


async def test_phase_4_a_change_through_any_door_reaches_a_subscriber(connect, root, do):
    wanted = {
        f"taskpilot://workspace/{place}"
        for place in ("current/tasks", "1/tasks", "1/tasks/TP-000001", "1/status", "1/files")
    }
    heard, lists, told = set(), [], anyio.Event()

    async def listen(message):
        if isinstance(message, ResourceUpdatedNotification):
            heard.add(message.params.uri)
        elif isinstance(message, ResourceListChangedNotification):
            lists.append(message)
        if heard >= wanted and lists:
            told.set()

    async with connect(message_handler=listen) as client:
        await client.call_tool("taskpilot_init", {"workspace_path": str(root), "project_requirements": "Build"})
        for uri in wanted:
            await client.session.subscribe_resource(uri)
        await asyncio.to_thread(do, tasks.update, 1, {"title": "Build it"})
        with anyio.fail_after(5):
            await told.wait()
        (read,) = (await client.read_resource("taskpilot://workspace/1/tasks/TP-000001")).contents
    assert json.loads(read.text)["title"] == "Build it"
    assert heard == wanted


async def test_arguments_are_completed(connect, root):
    from mcp_types import PromptReference, ResourceTemplateReference

    template = ResourceTemplateReference(uri="taskpilot://workspace/{workspace_id}/tasks/{task_id}")
    async with connect() as client:
        await client.call_tool("taskpilot_init", {"workspace_path": str(root), "project_requirements": "A\nB"})

        async def complete(ref, name, value, others=None):
            found = await client.complete(ref, {"name": name, "value": value}, others)
            return found.completion.values

        assert await complete(template, "workspace_id", "") == ["current", "1"]
        assert await complete(template, "workspace_id", "cu") == ["current"]
        assert await complete(template, "task_id", "tp-", {"workspace_id": "1"}) == ["TP-000001", "TP-000002"]
        assert await complete(template, "task_id", "2") == ["TP-000002"]
        assert await complete(template, "task_id", "", {"workspace_id": "99"}) == []
        prompts = ResourceTemplateReference(uri="taskpilot://prompts/{name}")
        assert await complete(prompts, "name", "audit") == ["audit-report"]
        focus = PromptReference(name="focus-task")
        assert await complete(focus, "workspace", "/") == [str(root)]
        assert await complete(focus, "task_id", "TP-000002") == ["TP-000002"]
