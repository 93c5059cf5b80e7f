"""`kill -9`, at any moment: nothing acknowledged is lost, nothing is half done."""

from __future__ import annotations

import os
import random
import time
from collections import Counter
from contextlib import closing

import pytest

from taskpilot.app import App
from taskpilot.domain.caller import local
from taskpilot.ops import tasks
from taskpilot.store import backup, open_database
from taskpilot.store.check import inspect

pytestmark = pytest.mark.slow

ROUNDS = 1_000 if os.environ.get("TASKPILOT_SOAK") else 100
ME = local("cli")


def test_no_acknowledged_task_is_lost_and_no_operation_is_half_done(start, tmp_path):
    place = tmp_path / "taskpilot.db"
    acknowledged: dict[str, list[int]] = {}
    for number in range(ROUNDS):
        child = start("serve", place, f"r{number:04}")
        time.sleep(random.uniform(0.01, 0.15))
        child.kill()
        for line in child.communicate()[0].splitlines():
            key, *ids = line.split()
            acknowledged[key] = [int(each) for each in ids]
    with closing(open_database(place)) as database:
        database.migrate()
        assert inspect(database) == []
        with database.reading() as db:
            made = {row["id"]: row["title"] for row in db.all("SELECT id, title FROM task")}
            keys = {row["key"]: row["task_ids"] for row in db.all("SELECT key, task_ids FROM creation_key")}
            events = Counter(row["subject_id"] for row in db.all("SELECT * FROM event WHERE kind = 'task.created'"))
            tagged = Counter(row["task_id"] for row in db.all("SELECT task_id FROM task_tag"))
    assert len(acknowledged) > ROUNDS
    assert [key for key, ids in acknowledged.items() if [made.get(each) for each in ids] != [key, key]] == []
    # Whole or not at all, also for those that nobody was told about: two tasks, their events, their key.
    assert Counter(made.values()) == Counter(dict.fromkeys(keys, 2))
    assert events == Counter(dict.fromkeys(made, 1))
    assert sum(tagged.values()) == len(made)


def test_a_store_killed_while_it_was_made_opens_and_is_whole(start, tmp_path):
    unfinished = 0
    for number in range(15):
        place = tmp_path / f"{number}.db"
        child = start("migrate", place)
        time.sleep(random.uniform(0, 0.012))
        child.kill()
        unfinished += "done" not in child.communicate()[0]
        with closing(open_database(place)) as database:
            database.migrate()
            assert inspect(database) == []
    assert unfinished, "no process was killed in the middle: the pauses are too long"


def test_a_restore_that_is_killed_leaves_the_old_or_the_new_whole(start, place, tmp_path):
    backups = {}
    for name, number in (("few", 500), ("many", 1_500)):
        with closing(App(open_database(tmp_path / name))) as app:
            app.database.migrate()
            for _ in range(number // 500):
                app.run(ME, tasks.create, [{"title": name, "tags": ["a"]} for _ in range(500)])
            backups[tmp_path / f"{name}.bak"] = {(name, number)}
            backup.write(app.database, tmp_path / f"{name}.bak")
    with closing(open_database(place)) as database:
        database.migrate()
    for _ in range(5):
        child = start("restore", place, *backups)
        child.stdout.readline()  # the first is whole; then somewhere inside a later one
        time.sleep(random.uniform(0.02, 0.4))
        child.kill()
        child.communicate()
        with closing(open_database(place)) as database:
            database.migrate()
            assert inspect(database) == []
            with database.reading() as db:
                rows = db.all("SELECT title, count(*) AS number FROM task GROUP BY title")
            assert {(row["title"], row["number"]) for row in rows} in backups.values()
