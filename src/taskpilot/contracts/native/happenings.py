"""What changed: one task's history, or everybody's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from taskpilot.contracts.native import answers, arguments, shapes
from taskpilot.domain.events import Event
from taskpilot.ops import history
from taskpilot.store.work import Work
from taskpilot.toolkit import Reply, budget
from taskpilot.toolkit.budget import Columns

LEVELS: tuple[Columns, ...] = (
    ("id", "change", "at", "actor", "door", "what", "reason", "origin"),
    ("id", "change", "what"),
    ("id",),
)


def tell(work: Work, args: arguments.Listing) -> Reply:
    """Latest first."""
    page = history.list_page(work, task_id=args.task_id, limit=args.limit, cursor=args.cursor)

    def build(events: Sequence[Event], columns: Columns, note: str) -> Reply:
        rows: Any = [{name: row[name] for name in columns if name in row} for row in map(answers.happening, events)]
        data: shapes.Many = {"events": rows}
        told = [answers.told(event) for event in events] or ([] if note else ["Nothing yet."])
        cursor = page.cursor if len(events) == len(page.items) else str(events[-1].id) if events else args.cursor
        return answers.end_list(told, data, note, cursor)

    return budget.fit_rows(page.items, LEVELS, build, args.max_tokens)
