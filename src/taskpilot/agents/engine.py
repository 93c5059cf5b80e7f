"""The engine under a worker: DBOS, which remembers how far each run has come, whoever carries it out.

Each run and turn is one workflow, found by its name. A worker starts those it has reserved; one that another worker
had begun is put into the worker's own queue, and goes on after the last part that was remembered. Nothing else in the
product knows DBOS.
"""

from __future__ import annotations

import asyncio
import logging
import random
import sqlite3
import uuid
from collections.abc import Awaitable, Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from dbos import DBOS, DBOSConfig, SetWorkflowID

from taskpilot import logs
from taskpilot.agents.attempt import Halt, Halted
from taskpilot.domain.errors import Unavailable
from taskpilot.store.run_queue import Ticket

NAME = "taskpilot"
VERSION = "1"
"""Of what is remembered, not of the product: an upgraded worker goes on with what an older one began."""
POLL = 0.2
"""Seconds between two looks into the worker's own queue."""
TRIES = 5
KEPT = timedelta(days=7)
OPEN = ("PENDING", "ENQUEUED", "DELAYED", "CANCELLED")
"""States of a workflow that can go on."""

CarryOut = Callable[[int, int], Awaitable[str]]

_carry_out: CarryOut | None = None


@DBOS.workflow(name="run")
async def run_workflow(run: int, owner: int) -> str:
    """DBOS knows its workflows by functions of a module, so that the worker has to be found from here."""
    if _carry_out is None:
        raise asyncio.CancelledError
    return await _carry_out(run, owner)


async def remember(name: str, do: Callable[[], Awaitable[Any]]) -> Any:
    """Do something once in a workflow: when it is gone through again, only the outcome is looked up."""

    async def step() -> Any:
        try:
            return await do()
        except Halted as halted:
            if halted.why is Halt.STOP:
                raise
            raise asyncio.CancelledError from None  # the one way to end a step that nobody is to remember

    return await DBOS.run_step_async({"name": name}, step)


class Engine:
    def __init__(self, address: str | Path, worker: str) -> None:
        """`address`: a PostgreSQL URL, or the file to keep its records in."""
        self._url = str(address) if isinstance(address, str) else f"sqlite:///{address}"
        self._file = address if isinstance(address, Path) else None
        self._executor = f"{worker}:{uuid.uuid4().hex[:8]}"  # a new one each time: nothing is recovered unasked
        self._queue = f"agents:{self._executor}"

    async def open(self, carry_out: CarryOut) -> None:
        global _carry_out
        _carry_out = carry_out
        if self._file is not None:
            with closing(sqlite3.connect(self._file)) as raw:
                raw.execute("PRAGMA journal_mode = WAL")
        dbos = logging.getLogger("dbos")
        dbos.addHandler(logging.NullHandler())  # else it brings a handler of its own
        dbos.propagate = True
        for tries_left in reversed(range(TRIES)):
            try:
                await self._launch()
                break
            except Exception as error:
                await asyncio.to_thread(DBOS.destroy)
                if not tries_left:
                    raise _explain(error) from None
                await asyncio.sleep(random.uniform(0.2, 1.0))  # another may be making the same tables
        dbos.setLevel(logging.ERROR)
        await self._forget_old()

    async def _launch(self) -> None:
        config: DBOSConfig = {
            "name": NAME,
            "system_database_url": self._url,
            "executor_id": self._executor,
            "application_version": VERSION,
            "log_level": "CRITICAL",
            "sys_db_pool_size": 5,
            "notification_listener_polling_interval_sec": 0.5,
        }
        DBOS(config=config)
        DBOS.listen_queues([self._queue])
        DBOS.launch()
        await DBOS.register_queue_async(self._queue, polling_interval_sec=POLL)

    async def begin(self, ticket: Ticket) -> None:
        """Have a run carried out in this process; one that was begun elsewhere goes on from there."""
        name = f"run-{ticket.run}-{ticket.turn}"
        while (status := await DBOS.get_workflow_status_async(name)) is not None and status.status not in OPEN:
            name += "+"  # it is said to be over, and the run knows nothing of it
        if status is not None:
            await DBOS.resume_workflow_async(name, queue_name=self._queue)
            return
        with SetWorkflowID(name):
            await DBOS.start_workflow_async(run_workflow, ticket.run, ticket.owner)

    async def close(self) -> None:
        global _carry_out
        _carry_out = None
        await DBOS.delete_queue_async(self._queue)
        await asyncio.to_thread(DBOS.destroy)

    async def _forget_old(self) -> None:
        """Runs keep their own account; what the engine remembers of one that is over helps nobody."""
        before = (datetime.now(UTC) - KEPT).isoformat()
        old = await DBOS.list_workflows_async(
            status=["SUCCESS", "ERROR"], completed_before=before, load_input=False, load_output=False, limit=1_000
        )
        if old:
            await DBOS.delete_workflows_async([each.workflow_id for each in old])


def _explain(error: Exception) -> Unavailable:
    why = str(error).strip().partition("\n")[0]
    return Unavailable(
        f"The engine cannot keep its records: {logs.mask(why)}",
        hint="It needs to be able to make its own tables, in the schema dbos or in engine.db.",
    )
