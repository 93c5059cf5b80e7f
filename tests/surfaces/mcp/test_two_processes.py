"""A change in one process reaches the subscribers of another on the same database."""

from __future__ import annotations

import asyncio
import time

import anyio
import pytest
from mcp.client import Client
from mcp_types import ResourceUpdatedNotification

from taskpilot.app import App
from taskpilot.domain.caller import local
from taskpilot.ops import tasks
from taskpilot.store import open_database

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:resources/subscribe is removed"),
]
CHANGES = 1_000
ME = local("cli")
MODES = pytest.mark.parametrize("mode", ["legacy", "auto"])


@pytest.fixture(params=["sqlite", "postgres"])
def shared(request, tmp_path, start_everything):
    """This process's application, and the address of another's on the same database."""
    url = "" if request.param == "sqlite" else request.getfixturevalue("postgres_url")
    _, address = start_everything(url)
    database = open_database(url or str(tmp_path / "taskpilot.db"))
    app = App(database)
    yield app, f"{address}/mcp/everything"
    app.close()


class Ear:
    """Hears one connection's updates, whichever era it speaks."""

    def __init__(self) -> None:
        self.heard: dict[str, int] = {}
        self.news = asyncio.Event()

    def note(self, uri: str) -> None:
        self.heard[uri] = self.heard.get(uri, 0) + 1
        self.news.set()

    async def hear(self, message) -> None:
        if isinstance(message, ResourceUpdatedNotification):
            self.note(message.params.uri)

    async def until(self, done, seconds: float) -> None:
        with anyio.fail_after(seconds):
            while not done():
                self.news.clear()
                await self.news.wait()


async def listen(client, uris, ear, ready) -> None:
    async with client.listen(resource_subscriptions=uris) as changes:
        ready.set()
        async for change in changes:
            ear.note(change.uri)


def connect(address, mode, ear) -> Client:
    return Client(address, mode=mode, message_handler=ear.hear if mode == "legacy" else None)


async def subscribe(client, mode, uris, ear, group) -> None:
    if mode == "legacy":
        for uri in uris:
            await client.session.subscribe_resource(uri)
        return
    ready = asyncio.Event()
    group.start_soon(listen, client, uris, ear, ready)
    await ready.wait()


@MODES
async def test_a_change_arrives_within_a_second(shared, mode):
    app, address = shared
    task = app.run(ME, tasks.create, [{"title": "Walls"}]).tasks[0]
    ear = Ear()
    async with anyio.create_task_group() as group, connect(address, mode, ear) as client:
        await subscribe(client, mode, [f"tasks://{task.id}"], ear, group)
        for number in range(10):
            ear.heard.clear()
            await asyncio.to_thread(app.run, ME, tasks.update, task.id, {"title": f"Walls {number}"})
            changed = time.monotonic()
            await ear.until(lambda: ear.heard, 5)
            assert time.monotonic() - changed < 1
        group.cancel_scope.cancel()


@MODES
async def test_no_change_is_missed(shared, mode):
    """A thousand tasks, each changed once, as fast as it goes; each has its own subscription."""
    app, address = shared
    ids = [
        task.id
        for batch in range(CHANGES // 100)
        for task in app.run(ME, tasks.create, [{"title": f"Task {batch} {n}"} for n in range(100)]).tasks
    ]
    uris = [f"tasks://{task_id}" for task_id in ids]
    ear = Ear()

    def change_all() -> None:
        for task_id in ids:
            app.run(ME, tasks.update, task_id, {"title": f"Changed {task_id}"})

    async with anyio.create_task_group() as group, connect(address, mode, ear) as client:
        await subscribe(client, mode, uris, ear, group)
        await asyncio.to_thread(change_all)
        await ear.until(lambda: len(ear.heard) == CHANGES, 20)
        group.cancel_scope.cancel()
    assert ear.heard == dict.fromkeys(uris, 1)


async def test_every_change_of_one_resource_is_a_notice_of_its_own(shared):
    app, address = shared
    task = app.run(ME, tasks.create, [{"title": "Walls"}]).tasks[0]
    ear, uri = Ear(), f"tasks://{task.id}"
    async with Client(address, mode="legacy", message_handler=ear.hear) as client:
        await client.session.subscribe_resource(uri)

        def change() -> None:
            for number in range(CHANGES):
                app.run(ME, tasks.update, task.id, {"title": f"Walls {number}"})

        await asyncio.to_thread(change)
        await ear.until(lambda: ear.heard.get(uri, 0) >= CHANGES, 20)
    assert ear.heard == {uri: CHANGES}
