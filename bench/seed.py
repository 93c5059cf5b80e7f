"""A store with very many tasks, filled by the database itself."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from taskpilot.store import open_database

# Every task has the common word `task`; each `needle…` occurs in a hundred of them.
FILL = """
WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < :many)
INSERT INTO task (
    owner_id, title, description, notes, status, reopens_as, priority, progress, energy, time_estimate,
    connected_files, external_refs, recurrence, created_at, updated_at, version)
SELECT 1, 'Task ' || n || ' about needle' || (n % max(1, :many / 100)) || 'x', 'Some words that say what to do.', '',
       CASE WHEN n % 3 = 0 THEN 'done' ELSE 'todo' END, 'todo', 1 + n % 5, 0, 'medium', '1hr', '[]', '[]', '',
       strftime('%Y-%m-%dT%H:%M:%S.000000Z', 1767225600 + n, 'unixepoch'),
       strftime('%Y-%m-%dT%H:%M:%S.000000Z', 1767225600 + n, 'unixepoch'), 1
  FROM number
"""
LOG = """
INSERT INTO event (at, owner_id, actor, door, noun, kind, subject_id, after_fields, reason)
SELECT created_at, 1, 'dev-user', 'native', 'task', 'task.created', id, json_object('title', title), '' FROM task
"""


def fill(path: Path, many: int) -> None:
    database = open_database(path)
    database.migrate()
    database.close()
    raw = sqlite3.connect(path)
    raw.execute("PRAGMA cache_size = -500000")
    with raw:
        raw.execute(FILL, {"many": many})
        raw.execute(LOG)
        raw.execute("INSERT INTO task_search (task_search) VALUES ('rebuild')")
    raw.close()
