"""Deleting a user's rows for good. Every table is named here: what goes, and what stays."""

from __future__ import annotations

from taskpilot.store.database import Connection

_TASKS = "(SELECT id FROM task WHERE owner_id = :owner)"
_REMOTES = "(SELECT id FROM remote WHERE owner_id = :owner)"
_LOGINS = "(SELECT id FROM login WHERE owner_id = :owner)"

ERASED = {
    "task_tag": f"task_id IN {_TASKS}",
    "task_blocker": f"task_id IN {_TASKS} OR blocker_id IN {_TASKS}",
    "remote_link": f"remote_id IN {_REMOTES} OR task_id IN {_TASKS}",
    "remote": "owner_id = :owner",
    "run_log": "owner_id = :owner",
    "run_diff": "owner_id = :owner",
    "question": "owner_id = :owner",
    "message": "owner_id = :owner",
    "conversation": "owner_id = :owner",
    "evidence": "owner_id = :owner",
    "access_token": "owner_id = :owner",
    "run": "owner_id = :owner",
    "run_policy": "owner_id = :owner",
    "rule": "owner_id = :owner",
    "work_session": "owner_id = :owner",
    "claim": "owner_id = :owner",
    "wip_limit": "owner_id = :owner",
    "task": "owner_id = :owner",
    "tag": "owner_id = :owner",
    "project": "owner_id = :owner",
    "workspace": "owner_id = :owner",
    "creation_key": "owner_id = :owner",
    "kept_answer": "owner_id = :owner",
    "refresh_token": f"login_id IN {_LOGINS}",
    "oauth_request": f"owner_id = :owner OR login_id IN {_LOGINS}",
    "login": "owner_id = :owner",
    "invitation": "owner_id = :owner OR email = :email",
    "call_log": "owner_id = :owner OR (owner_id IS NULL AND actor = :email)",
    "event": "(owner_id = :owner OR (noun = 'user' AND subject_id = :owner)) AND id <> :but",
}
"""Table → which of its rows. A table comes before those it refers to."""
KEPT = {
    "user_account": "its number must not be given to another; nothing in it says who that was",
    "oauth_client": "a program, not a person",
    "schema_migration": "how far the database has come",
}


def erase(db: Connection, owner: int, *, email: str | None, but: int) -> int:
    """Delete all that a user owns, but for one event; says how many rows that were."""
    params = {"owner": owner, "email": email or "", "but": but}
    return sum(
        db.run(f"DELETE FROM {table} WHERE {rows}", **{key: params[key] for key in params if f":{key}" in rows})
        for table, rows in ERASED.items()
    )
