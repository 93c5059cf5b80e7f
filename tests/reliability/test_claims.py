"""Agents in processes of their own, some killed with `kill -9` while they hold a task: each is done exactly once."""

from __future__ import annotations

import time
from collections import Counter
from contextlib import closing

import pytest

from taskpilot.app import App
from taskpilot.domain.caller import local
from taskpilot.ops import tasks
from taskpilot.store import open_database
from tests.conftest import SOAK

pytestmark = pytest.mark.slow

AGENTS = 8
TASKS = 2_000 if SOAK else 200
LEASE = 5
PATIENCE = 600 if SOAK else 150


def name(number: int) -> str:
    """One in ten kills whoever takes it first; one in fifty makes it oversleep."""
    return f"{'Deadly' if number % 10 == 0 else 'Tiring' if number % 50 == 25 else 'Plain'} {number}"


def test_every_task_is_done_once_although_every_tenth_kills_its_agent(place, start):
    with closing(open_database(place)) as database:
        database.migrate()
        app = App(database)
        for first in range(0, TASKS, 100):
            app.run(local("cli"), tasks.create, [{"title": name(first + number)} for number in range(100)])
        app.close()

    running = {f"agent{number}": start("take", place, f"agent{number}", LEASE) for number in range(AGENTS)}
    end, killed, told = time.monotonic() + PATIENCE, 0, list[str]()
    while running:
        assert time.monotonic() < end, "the agents do not come to an end"
        for agent, child in list(running.items()):
            if child.poll() is None:
                continue
            told += child.stdout.read().splitlines()
            del running[agent]
            if child.returncode == -9:
                killed += 1
                running[f"{agent}+"] = start("take", place, f"{agent}+", LEASE)
            else:
                assert child.returncode == 0
        time.sleep(0.02)

    with closing(open_database(place)) as database, database.reading() as db:
        statuses = Counter(row["status"] for row in db.all("SELECT status FROM task"))
        completed = Counter(
            row["subject_id"] for row in db.all("SELECT subject_id FROM event WHERE kind = 'task.completed'")
        )
        reopened = db.all("SELECT id FROM event WHERE kind = 'task.reopened'")
        claims = db.all("SELECT task_id, id, ending FROM claim")
    assert killed == TASKS // 10
    assert statuses == {"done": TASKS}
    assert (len(completed), set(completed.values()), reopened) == (TASKS, {1}, [])
    endings = Counter(claim["ending"] for claim in claims)
    assert endings["completed"] == TASKS
    assert endings["expired"] >= killed
    # Whoever was told "done" held the claim that ended so; whoever came too late was told so.
    done = [f"{claim['task_id']} {claim['id']}" for claim in claims if claim["ending"] == "completed"]
    assert sorted(line for line in told if line != "stale") == sorted(done)
    assert told.count("stale") == TASKS // 50
