"""A process to be killed: the product's core on a store, told what to do by its arguments.

It says on standard output what was acknowledged, one line each, as soon as it was.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

from taskpilot.app import App
from taskpilot.domain.caller import local
from taskpilot.domain.errors import Conflict, TaskPilotError
from taskpilot.domain.selection import Selection
from taskpilot.ops import claims, tasks
from taskpilot.ops.queue import Wish
from taskpilot.store import Database, open_database

ME = local("cli")


def say(line: str) -> None:
    os.write(1, f"{line}\n".encode())


def write_forever(app: App, name: str) -> None:
    """Each operation makes a project or finds it, two tasks with a link, tags, events and a key; then it is told."""
    number = 0
    while True:
        number += 1
        key = f"{name}-{number}"
        made = app.run(
            ME, tasks.create, [{"title": key, "project": name[:5], "tags": ["a", "b"]}, {"title": key}], key=key
        )
        say(key + " " + " ".join(str(task.id) for task in made.tasks))


def serve(database: Database, name: str) -> None:
    database.migrate()
    app = App(database)
    say("ready")
    threads = [threading.Thread(target=write_forever, args=(app, f"{name}.{each}"), daemon=True) for each in range(4)]
    for thread in threads:
        thread.start()
    threading.Event().wait()


def migrate(database: Database) -> None:
    say("ready")
    database.migrate()
    say("done")


def restore(database: Database, first: str, second: str) -> None:
    from taskpilot.store import backup

    say("ready")
    while True:
        for path in (first, second):
            backup.restore(database, Path(path))
            say(path)


def create(database: Database, number: str) -> None:
    app = App(database)
    say("ready")
    sys.stdin.readline()
    for each in range(int(number)):
        say(str(app.run(ME, tasks.create, [{"title": f"{os.getpid()}.{each}"}]).tasks[0].id))
    app.close()


def take(database: Database, name: str, lease: str) -> None:
    """An agent: takes tasks and completes them until all are done.

    Told by a task's title, it dies the first time somebody holds that one, or oversleeps its lease.
    """
    app, me = App(database), replace(ME, actor=name)
    say("ready")
    while True:
        taken = app.run(me, claims.take_next, Wish(), lease=int(lease))
        if taken.task is None or taken.claim is None:
            if app.run(me, tasks.list_page, Selection(), limit=1).items == ():
                break
            time.sleep(0.1)
            continue
        if taken.before is None and taken.task.title.startswith("Deadly"):
            os.kill(os.getpid(), signal.SIGKILL)
        if taken.before is None and taken.task.title.startswith("Tiring"):
            time.sleep(int(lease) + 1.5)
        try:
            app.run(me, tasks.complete, taken.task.id, claim=taken.claim.id)
            say(f"{taken.task.id} {taken.claim.id}")
        except Conflict:
            say("stale")
    app.close()


def fill(database: Database, bytes_most: str) -> None:
    """Write until no file may grow further; then be allowed more, and write again with the same App."""
    import resource

    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    database.migrate()
    app = App(database)
    acknowledged: list[int] = []
    failures: list[str] = []
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(bytes_most), resource.RLIM_INFINITY))
    for _ in range(500):
        try:
            made = app.run(ME, tasks.create, [{"title": "Fill", "notes": "x" * 5_000}])
            acknowledged.append(made.tasks[0].id)
        except TaskPilotError as error:
            failures.append(type(error).__name__)
        if len(failures) == 3:
            break
    readable = app.run(ME, tasks.get, acknowledged[0]).title
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    after = app.run(ME, tasks.create, [{"title": "After"}]).tasks[0].id
    app.close()
    say(json.dumps({"acknowledged": acknowledged, "failures": failures, "readable": readable, "after": after}))


if __name__ == "__main__":
    _, what, where, *rest = sys.argv
    globals()[what](open_database(where), *rest)
