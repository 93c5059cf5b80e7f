"""Tasks as rows, fitted to the terminal."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from taskpilot.domain.task import Priority, Task
from taskpilot.surfaces.cli.dates import write_date, write_due
from taskpilot.surfaces.cli.output import STATUS_MARKS, UNLIMITED, console

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

PRIORITY_MARKS = {
    Priority.CRITICAL: ("!!", "bold red"),
    Priority.HIGH: ("!", "yellow"),
    Priority.MEDIUM: ("", ""),
    Priority.LOW: ("↓", "dim"),
    Priority.SOMEDAY: ("~", "dim"),
}

HEADERS = ("id", "", "", "title", "due", "project", "tags")
TITLE = HEADERS.index("title")
TITLE_LEAST = 20
GAP = 2
WIDEST = (20, 2, 2, UNLIMITED, 20, 16, 20)
"""Most columns of the screen for each column of the table."""


def draw_tasks(tasks: Sequence[Task], blocked: Collection[int] = ()) -> Table:
    """As wide as the terminal at most: the title gives way, then the last columns; unused ones are left out."""
    from rich.table import Table

    now = datetime.now(UTC)
    rows = [_row(task, now, locked=task.id in blocked) for task in tasks]
    filled = [max(cell.cell_len for cell in column) for column in zip(*rows, strict=True)]
    widths = [max(width, len(header)) for width, header in zip(filled, HEADERS, strict=True)]
    most = WIDEST if console().is_terminal else (UNLIMITED,) * len(HEADERS)
    used = [place for place, width in enumerate(filled) if width or place == TITLE]

    def room() -> int:
        others = sum(min(widths[place], most[place]) + GAP for place in used if place != TITLE)
        return console().width - others - GAP

    while room() < TITLE_LEAST and used[-1] != TITLE:
        used.pop()
    table = Table(box=None, header_style="dim", pad_edge=False, padding=(0, GAP, 0, 0))
    for place in used:
        fits = max(room(), 1) if place == TITLE else most[place]
        width = min(widths[place], fits)
        right = "right" if place == 0 else "left"
        table.add_column(HEADERS[place], no_wrap=True, overflow="ellipsis", width=width, justify=right)
    for row in rows:
        table.add_row(*(row[place] for place in used))
    return table


def _row(task: Task, now: datetime, *, locked: bool) -> tuple[Text, ...]:
    from rich.text import Text

    mark, style = PRIORITY_MARKS[task.priority]
    return (
        Text(str(task.id), style="cyan"),
        Text("🔒" if locked else STATUS_MARKS[task.status]),
        Text(mark, style=style),
        Text(task.title, style="" if task.status.open else "dim strike" if task.completed else "dim"),
        _due(task, now),
        Text(task.project or "", style="magenta"),
        Text(" ".join(f"+{tag}" for tag in task.tags), style="blue"),
    )


def _due(task: Task, now: datetime) -> Text:
    from rich.text import Text

    if task.due_date is None:
        return Text("")
    late = task.is_overdue(now)
    if not task.status.open:
        return Text(write_date(task.due_date, now), style="dim")
    return Text(write_due(task.due_date, now, late=late), style="bold red" if late else "")
