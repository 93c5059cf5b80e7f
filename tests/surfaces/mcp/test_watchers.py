from __future__ import annotations

import pytest

from taskpilot.surfaces.mcp.watchers import Change, ResourceUpdated, Watcher

pytestmark = pytest.mark.anyio


async def test_a_change_of_all_that_begin_so_reaches_each_of_them():
    watcher = Watcher(user=1)
    for uri in ("branch://a/tasks", "branch://b%2Fc/tasks", "task://1"):
        watcher.want(uri)
    watcher.hear(Change(owner=1, uris=frozenset({"branch://*"}), reshelved=False))
    told = {await watcher.next(), await watcher.next()}
    assert told == {ResourceUpdated("branch://a/tasks"), ResourceUpdated("branch://b%2Fc/tasks")}


async def test_an_exact_change_reaches_only_its_own():
    watcher = Watcher(user=1)
    watcher.want("task://1")
    watcher.want("task://10")
    watcher.hear(Change(owner=1, uris=frozenset({"task://10"}), reshelved=False))
    assert await watcher.next() == ResourceUpdated("task://10")
