"""The two tools that go out: over the protocol, to services on loopback."""

from __future__ import annotations

import json
import logging
from dataclasses import replace

import pytest
from jsonschema import validate
from mcp.client import Client

from taskpilot.contracts.taskpilot import CONTRACT
from taskpilot.domain.remote import Reach
from taskpilot.domain.selection import Selection
from taskpilot.ops import history, remotes, tasks, workspaces
from taskpilot.store.vault import Vault
from taskpilot.surfaces.mcp.server import serve
from tests.remotes import services
from tests.remotes.services import TOKEN

pytestmark = pytest.mark.anyio


@pytest.fixture
def github(clock):
    with services.GitHub(clock).running() as service:
        yield service


@pytest.fixture
def endpoint(clock):
    with services.Custom(clock).running() as service:
        yield service


@pytest.fixture
def root(app, do, tmp_path, github):
    """A workspace that is a clone of acme/site, on a server that may call loopback."""
    app.vault = Vault(tmp_path / "secret.key")
    app.reach = Reach(hosts=("127.0.0.1",), timeout=1, github_url=github.url, github_token=TOKEN)
    folder = tmp_path / "site"
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "config").write_text('[remote "origin"]\n\turl = git@git.example:acme/site.git\n')
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/feature/thick-walls\n")
    do(workspaces.open_folder, str(folder))
    return folder


@pytest.fixture
def call(app, root):
    """Call a tool; its text, its data, and whether it is an error. What it says of itself is checked each time."""

    async def call(name: str, progress=None, **arguments):
        async with Client(serve(app, CONTRACT), mode="legacy") as client:
            given = {"workspace_path": str(root), **arguments}
            result = await client.call_tool(name, given, progress_callback=progress)
        if not result.is_error:
            validate(result.structured_content, CONTRACT.by_name[name].output_schema)
        assert TOKEN not in result.model_dump_json()
        return result.content[0].text, result.structured_content, result.is_error

    return call


@pytest.fixture
def sync(call):
    return lambda **more: call("taskpilot_github", action="sync_tasks", **more)


@pytest.fixture
def interface(call):
    def use(kind: str, action: str, **config):
        more = {"config": json.dumps(config)} if config else {}
        return call("taskpilot_remote_interface", interface_type=kind, action=action, **more)

    return use


async def test_the_tools_say_that_they_go_out(app):
    async with Client(serve(app, CONTRACT), mode="legacy") as client:
        listed = {tool.name: tool for tool in (await client.list_tools()).tools}
    for name in ("taskpilot_github", "taskpilot_remote_interface"):
        tool = listed[name]
        assert tool.annotations.open_world_hint is True
        assert tool.annotations.read_only_hint is False
        assert tool.meta["category"] == "integration"
        assert tool.meta["requiresConfirmation"] is False
        assert tool.title
        assert tool.output_schema["type"] == "object"
    assert set(listed["taskpilot_github"].input_schema["required"]) == {"workspace_path", "action"}
    assert set(listed["taskpilot_remote_interface"].input_schema["required"]) == {
        "workspace_path",
        "interface_type",
        "action",
    }


async def test_sync_tasks_works_both_ways_and_repeating_it_does_nothing(sync, github, root, add, do):
    add("Walls", workspace=str(root))
    github.open_issue("Roof", "Tiles")
    steps = []

    async def progress(done, total, message):
        steps.append(done)

    text, data, _ = await sync(progress=progress)
    assert text == "Synced with GitHub acme/site: 1 imported, 1 created there."
    assert data["sync"]["imported"] == ["TP-000002"]
    assert data["sync"]["created"] == ["TP-000001"]
    assert data["repository"] == "acme/site"
    assert steps == sorted(set(steps))
    assert steps
    text, data, _ = await sync()
    assert text == "In step with GitHub acme/site; nothing to do."
    assert data["sync"]["changes"] == 0
    assert len(do(tasks.list_page, Selection()).items) == len(github.items) == 2


async def test_create_issue_makes_issue_and_task_and_never_twice(call, github, do, sync):
    text, data, _ = await call("taskpilot_github", action="create_issue", title="Roof leaks", description="A lot")
    assert text == "Issue acme/site#1 was opened."
    assert data["issue"] == {"key": "acme/site#1", "url": "https://github.com/acme/site/issues/1", "created": True}
    assert data["task"]["title"] == "Roof leaks"
    text, data, _ = await call("taskpilot_github", action="create_issue", title="Roof leaks", description="A lot")
    assert text == "Issue acme/site#1 is there already."
    assert data["issue"]["created"] is False
    assert (await sync())[1]["sync"]["changes"] == 0
    assert len(github.items) == len(do(tasks.list_page, Selection()).items) == 1


async def test_create_issue_for_a_task_that_is_there(call, github, add, root, do):
    walls = add("Walls", description="Four", workspace=str(root))
    _, data, _ = await call("taskpilot_github", action="create_issue", title=f"TP-{walls.id:06}")
    assert data["task"]["id"] == "TP-000001"
    assert github.items["1"]["title"] == "Walls"
    assert do(tasks.get, walls.id).external_refs[0].key == "acme/site#1"


@pytest.mark.parametrize("known", [True, False])
async def test_an_issue_whose_answer_got_lost_is_found_when_the_call_is_repeated(call, github, add, root, do, known):
    if known:
        add("Walls", workspace=str(root))
    github.fail(late=True, only="POST")
    text, _, failed = await call("taskpilot_github", action="create_issue", title="Walls")
    assert failed
    assert text.startswith("Error: GitHub broke off")
    assert len(do(tasks.list_page, Selection()).items) == int(known)
    text, data, failed = await call("taskpilot_github", action="create_issue", title="Walls")
    assert not failed
    assert data["issue"]["created"] is False
    assert len(github.items) == len(do(tasks.list_page, Selection()).items) == 1


async def test_create_pr_takes_the_branch_that_is_checked_out(call, github, sync):
    text, data, _ = await call("taskpilot_github", action="create_pr", description="Brick")
    assert text == "Pull request acme/site#1 was opened."
    assert data["pull_request"] == {
        "number": 1,
        "title": "Thick walls",
        "url": "https://github.com/acme/site/pull/1",
        "branch": "feature/thick-walls",
        "base": "main",
        "created": True,
    }
    text, data, _ = await call("taskpilot_github", action="create_pr", title="Something else")
    assert text == "Pull request acme/site#1 is there already."
    assert (await sync())[1]["sync"]["imported"] == []
    text, _, failed = await call("taskpilot_github", action="create_pr", branch="main")
    assert failed
    assert text.startswith("Error: main is the branch to merge into.")


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"action": "create_issue"}, "a title is needed"),
        ({"action": "create_issue", "title": "  "}, "Title cannot be empty"),
        ({"action": "create_issue", "title": "x" * 501}, "at most 500"),
        ({"action": "create_issue", "title": "TP-999"}, "Task TP-000999 not found"),
        ({"action": "create_issue", "title": "x", "description": "y" * 100_001}, "at most 100000"),
        ({"action": "create_pr", "branch": "b" * 300}, "at most 255"),
        ({"action": "merge"}, "action"),
        ({"action": "sync_tasks", "force": True}, "force"),
        ({"action": "sync_tasks", "workspace_path": "site"}, "not an absolute path"),
        ({"action": "sync_tasks", "workspace_path": "/nowhere/known"}, "not a workspace yet"),
    ],
)
async def test_bad_input_is_refused_before_anything_is_sent(call, github, do, given, words):
    text, _, failed = await call("taskpilot_github", **given)
    assert failed
    assert text.startswith("Error: ")
    assert words in text
    assert {request.method for request in github.log} <= {"GET"}
    assert do(tasks.list_page, Selection()).items == ()


async def test_without_a_token_or_a_repository_it_says_what_to_give(call, app, root):
    app.reach = replace(app.reach, github_token="")
    text, _, failed = await call("taskpilot_github", action="sync_tasks")
    assert failed
    assert "GitHub needs token" in text
    (root / ".git" / "config").unlink()
    text, _, _ = await call("taskpilot_github", action="sync_tasks")
    assert 'GitHub needs repository. Give config as JSON: {"repository": "…"}' in text


async def test_connect_checks_before_it_stores(interface, endpoint, do, root, add, caplog):
    caplog.set_level(logging.DEBUG)
    url = f"{endpoint.url}/tasks"
    text, _, failed = await interface("custom", "connect", url=url, token="wrong-1")
    assert failed
    assert text == "Error: The endpoint did not accept the token. Connect again with a valid one."
    assert do(remotes.find, str(root), "custom") is None
    text, data, _ = await interface("custom", "connect", url=url, token=TOKEN)
    assert text == f"The endpoint {url} is connected."
    assert data["config"] == {"url": url, "token": "•••"}
    add("Walls", workspace=str(root))
    endpoint.add("Roof")
    text, data, _ = await interface("custom", "sync")
    assert text == f"Synced with The endpoint {url}: 1 imported, 1 created there."
    text, _, _ = await interface("custom", "test")
    assert text == f"The endpoint {url} can be reached."
    assert TOKEN not in caplog.text
    assert TOKEN not in repr(do(history.list_page, limit=100))


async def test_configure_stores_without_calling(interface, root, do):
    given = {"url": "https://acme.atlassian.net", "project": "ENG"}
    text, data, failed = await interface("jira", "configure", **given, token=TOKEN)
    assert not failed
    assert text == "Jira ENG is configured."
    assert data["config"] == given | {"token": "•••"}
    assert TOKEN not in do(remotes.find, str(root), "jira").secrets
    _, data, _ = await interface("jira", "configure", email="me@example.com")
    assert data["config"]["email"] == "me@example.com"
    assert data["config"]["token"] == "•••"


@pytest.mark.parametrize("url", ["https://127.0.0.2/tasks", "http://example.com/tasks", "https://[::1]/tasks"])
async def test_a_server_cannot_be_sent_into_its_own_network(interface, url, do, root):
    for action in ("connect", "sync", "test"):
        text, _, failed = await interface("custom", action, url=url)
        assert failed
        assert "remote_hosts" in text
    assert do(remotes.find, str(root), "custom") is None


async def test_a_config_that_is_no_json_is_refused(call):
    for config in ("{", "[]", "x" * 30_000):
        text, _, failed = await call(
            "taskpilot_remote_interface", interface_type="linear", action="configure", config=config
        )
        assert failed
        assert text.startswith("Error: The config")
