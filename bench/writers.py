"""Eight processes, fifty creates each, one SQLite store: is everything that was acknowledged there?"""

from __future__ import annotations

import json
import subprocess
import tempfile
import threading
import time

from bench.processes import TASKPILOT, Stdio
from bench.report import show

PROCESSES = 8
CREATES = 50


def run() -> None:
    with tempfile.TemporaryDirectory() as folder:
        clients = [Stdio(*TASKPILOT, "mcp", "--data-dir", folder) for _ in range(PROCESSES)]
        for client in clients:
            client.open()
        acknowledged: list[int] = []
        errors: list[BaseException] = []

        def write(number: int) -> None:
            try:
                for count in range(CREATES):
                    made = clients[number].call("task_create", {"title": f"Writer {number}, task {count}"})
                    acknowledged.append(made["structuredContent"]["tasks"][0]["id"])
            except BaseException as error:
                errors.append(error)

        threads = [threading.Thread(target=write, args=(number,)) for number in range(PROCESSES)]
        start = time.perf_counter()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        took = time.perf_counter() - start
        for client in clients:
            client.close()
        listed = subprocess.run(
            [*TASKPILOT, "list", "--json", "--limit", "1000", "--data-dir", folder],
            check=True,
            capture_output=True,
        )
    kept = {task["id"] for task in json.loads(listed.stdout)}
    wanted = PROCESSES * CREATES
    right = len(kept & set(acknowledged)) == wanted and not errors
    show("8 × 50 creates kept", len(kept), f"= {wanted}", right, f"{len(errors)} errors, {wanted / took:,.0f}/s")
