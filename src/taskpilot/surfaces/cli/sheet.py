"""One task on a sheet: everything that was said about it, nothing that was not."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from taskpilot.domain.task import Energy, Priority, Task
from taskpilot.surfaces.cli.dates import write_ago, write_date, write_distance
from taskpilot.surfaces.cli.output import STATUS_MARKS

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text


def write_sheet(task: Task, blockers: Sequence[Task], subtasks: Sequence[Task]) -> Table:
    from rich.table import Table
    from rich.text import Text

    now = datetime.now(UTC)
    sheet = Table.grid(padding=(0, 2, 0, 0))
    sheet.add_column(style="dim", justify="right", no_wrap=True)
    sheet.add_column()

    def row(name: str, value: str | Text | None) -> None:
        if value:
            sheet.add_row(name, Text(value) if isinstance(value, str) else value)

    row(f"#{task.id}", Text(task.title, style="bold"))
    progress = f", {task.progress} % done" if 0 < task.progress < 100 else ""
    row("status", f"{STATUS_MARKS[task.status]} {task.status.replace('_', ' ')}{progress}")
    row("priority", task.priority.word if task.priority is not Priority.MEDIUM else None)
    if task.due_date is not None:
        late = task.is_overdue(now)
        short = write_distance(task.due_date, now) if task.status.open else ""
        row("due", Text(write_date(task.due_date, now) + (f" ({short})" if short else ""), "bold red" if late else ""))
    row("starts", write_date(task.scheduled_start, now) if task.scheduled_start else None)
    row("reminds", write_date(task.remind_at, now) if task.remind_at else None)
    row("repeats", task.recurrence)
    row("project", Text(task.project or "", style="magenta"))
    row("tags", Text(" ".join(f"+{tag}" for tag in task.tags), style="blue"))
    row("takes", task.time_estimate)
    row("energy", task.energy if task.energy is not Energy.MEDIUM else None)
    row("part of", f"#{task.parent}" if task.parent else None)
    row("workspace", str(task.workspace) if task.workspace else None)
    row("waits on", "\n".join(_line(each) for each in blockers))
    row("subtasks", "\n".join(_line(each) for each in subtasks))
    row("files", "\n".join(task.connected_files))
    row("also", "\n".join(f"{ref.system} {ref.key} {ref.url}".strip() for ref in task.external_refs))
    row("accepted by", "\n".join(task.acceptance))
    row("about", task.description)
    row("notes", task.notes)
    row("changed", f"{write_ago(task.updated_at, now)}, version {task.version}")
    row("added", write_date(task.created_at, now))
    row("done", write_date(task.completed_at, now) if task.completed_at else None)
    return sheet


def _line(task: Task) -> str:
    return f"{STATUS_MARKS[task.status]} #{task.id} {task.title}"
