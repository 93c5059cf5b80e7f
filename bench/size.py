"""What a model has to read: the tools, and a list."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from bench.report import show
from taskpilot.app import App
from taskpilot.contracts.native import CONTRACT
from taskpilot.domain.caller import Caller, local
from taskpilot.ops import tasks
from taskpilot.store import open_database
from taskpilot.toolkit import Reply

TOOLS_BYTES = 6_400
TASK_BYTES = 60
HANDOFF = {
    "done": "The form and its checks are in.",
    "tried": "Sending from a worker thread.",
    "failed": "The thread has no access to the session.",
    "next": "Send after the commit instead, then the tests.",
}


def run() -> None:
    told = [
        {"name": tool.name, "description": tool.description, "inputSchema": tool.input_schema}
        for tool in CONTRACT.tools
    ]
    size = len(json.dumps(told, separators=(",", ":"), ensure_ascii=False).encode())
    show(f"tools/list of native, bytes ({len(told)} tools)", size, f"≤ {TOOLS_BYTES}", size <= TOOLS_BYTES)
    with tempfile.TemporaryDirectory() as folder:
        database = open_database(Path(folder) / "taskpilot.db")
        database.migrate()
        app, me = App(database), local("native")
        titles = [{"title": f"Review the draft of chapter {n} with the editor and reply"} for n in range(500)]
        app.run(me, tasks.create, titles)
        reply = _call(app, me, "task_list", limit=50)
        _measure(app, me)
        app.close()
    each = len("\n".join(reply.text.splitlines()[:50]).encode()) / 50
    show("task_list, bytes of text a task", each, f"≤ {TASK_BYTES}", each <= TASK_BYTES)


def _measure(app: App, me: Caller) -> None:
    """What an agent reads while it works, in bytes."""
    listed = _call(app, me, "task_list", limit=50)
    _tell("list of 50 tasks", listed)
    _tell("list of 50 tasks, max_tokens=1000", _call(app, me, "task_list", limit=50, max_tokens=1_000))
    for number in range(100, 110):
        _call(app, me, "task_update", task_id=number, priority="low")
    _tell("what changed, 10 changes", _call(app, me, "task_list", since=listed.data["revision"]))
    made = {"description": "Mail a sign-in link. " * 10, "connected_files": ["src/mail.py"], "priority": "high"}
    task = _call(app, me, "task_create", title="Add the login form", **made).data["tasks"][0]["id"]
    claim = _call(app, me, "task_next", claim=True).data["claim"]["token"]
    _call(app, me, "task_release", task_id=task, claim=claim, **HANDOFF)
    _tell("next with claim and handoff", _call(app, me, "task_next", claim=True))
    _tell("next with claim, max_tokens=200", _call(app, me, "task_next", claim=True, max_tokens=200))
    _tell("a task with its context", _call(app, me, "task_get", task_id=task))


def _call(app: App, me: Caller, name: str, **arguments: Any) -> Any:
    tool = CONTRACT.by_name[name]
    return app.run(me, tool, tool.parse(arguments))


def _tell(what: str, reply: Reply) -> None:
    data = len(json.dumps(reply.data, separators=(",", ":"), ensure_ascii=False).encode())
    print(f"       {what:<52} {len(reply.text.encode()):6} bytes of text, {data} of data", flush=True)
