"""What to say about a tool's answer where no model does: the todo tools' own words, and as plain ones for the rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

Row = Mapping[str, Any]


def tell(tool: str, arguments: Row, said: str, data: Row | None) -> str:
    """A sentence or a short list. What there is no better word for is told as the tool tells it."""
    if data is None:
        return said
    match tool:
        case "task_create":
            return _tell_created(arguments, _rows(data)) or said
        case "task_list" | "task_search":
            found = "I found" if tool == "task_search" else "You have"
            return _tell_rows(_rows(data), found, more=bool(data.get("cursor"))) if "tasks" in data else said
        case "task_complete":
            return _tell_completed(data, reopened=bool(arguments.get("reopen"))) or said
        case "task_update":
            return _tell_updated(data) or said
        case "task_next":
            return _tell_next(data) or said
        case "task_stats":
            return _tell_counts(arguments, data) or said
        case "undo":
            return _tell_undone(data) or said
        case _:
            return said


def _tell_rows(rows: Sequence[Row], found: str, *, more: bool) -> str:
    if not rows:
        return "I found no such tasks."
    many = f"{len(rows)} task{'s' if len(rows) > 1 else ''}"
    lines = [f"{found} {many}:" if not more else f"{found} more than {many}; these come first:"]
    for number, row in enumerate(rows, 1):
        mark = "✓" if row.get("status") == "done" else "○"
        due = f" (due {_show(row['due_date'])})" if row.get("due_date") else ""
        lines.append(f"{number}. {mark} Task #{row.get('id')}: {row.get('title')}{due}")
    return "\n".join(lines)


def _tell_created(arguments: Row, rows: Sequence[Row]) -> str:
    if not rows:
        return ""
    if len(rows) > 1:
        lines = "\n".join(f"- Task #{row.get('id')}: {row.get('title')}" for row in rows if "title" in row)
        return f"I've added {len(rows)} tasks to your list.\n{lines}".strip()
    row = rows[0]
    told = [f"I've added '{row.get('title')}' to your list. It's task #{row.get('id')}."]
    if row.get("due_date"):
        told.append(f"Due {_show(row['due_date'])}.")
    if arguments.get("remind_at"):
        told.append(f"I'll remind you at {_show(arguments['remind_at'])}.")
    if arguments.get("recurrence"):
        told.append("It repeats.")
    return " ".join(told)


def _tell_completed(data: Row, *, reopened: bool) -> str:
    row = _task(data)
    if not row:
        return ""
    if data.get("unproved"):
        return f"I've updated task #{row.get('id')}. {data['unproved']}"
    state = "incomplete." if reopened else "complete. Great job!"
    told = [f"Done! I've marked task #{row.get('id')} ('{row.get('title')}') as {state}"]
    following = data.get("next")
    if isinstance(following, Mapping):
        after = cast(Row, following)
        told.append(f"The next one is task #{after.get('id')}, due {_show(after.get('due_date', 'later'))}.")
    if data.get("freed"):
        told.append(f"Ready now: {', '.join(f'#{number}' for number in data['freed'])}.")
    return " ".join(told)


def _tell_updated(data: Row) -> str:
    row = _task(data)
    if not row:
        return ""
    due = f" Due {_show(row['due_date'])}." if row.get("due_date") else ""
    return f"I've updated task #{row.get('id')} ('{row.get('title')}').{due}"


def _tell_next(data: Row) -> str:
    row = _task(data)
    why = str(data.get("reason", ""))
    if not row:
        return why or "There is nothing to do next."
    why = f" {why[:1].upper()}{why[1:].rstrip('.')}." if why else ""
    return f"Next is task #{row.get('id')}: {row.get('title')}.{why}"


def _tell_counts(arguments: Row, data: Row) -> str:
    if "total" not in data:
        return ""
    if not data["total"]:
        return "You have no tasks."
    done = data.get("completed", 0)
    told = f"You have {data['total']} task{'' if data['total'] == 1 else 's'}: {data['total'] - done} open, {done} done"
    told += f", {data['overdue']} overdue." if data.get("overdue") else "."
    groups = data.get(f"by_{arguments.get('group_by')}")
    if isinstance(groups, Mapping):
        told += "".join(f"\n- {name}: {number}" for name, number in cast(Row, groups).items())
    return told


def _tell_undone(data: Row) -> str:
    if data.get("preview") or data.get("conflicts"):
        return ""
    return "Done! I've undone the last change." if data.get("undone") else ""


def _rows(data: Row) -> list[Row]:
    rows = data.get("tasks")
    return cast("list[Row]", rows) if isinstance(rows, list) else []


def _task(data: Row) -> Row:
    row = data.get("task")
    return cast(Row, row) if isinstance(row, Mapping) else {}


def _show(when: object) -> str:
    """`2026-01-02`, or `2026-01-02 17:00 UTC`."""
    said = str(when)
    return f"{said[:10]} {said[11:16]} UTC" if len(said) > 16 and said.endswith("Z") else said
