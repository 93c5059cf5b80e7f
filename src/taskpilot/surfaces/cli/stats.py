"""How much there is, and how it goes."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from taskpilot.ops import stats
from taskpilot.surfaces.cli.output import print_json, say
from taskpilot.surfaces.cli.session import Session

if TYPE_CHECKING:
    from rich.table import Table

BAR = 24
DAYS = 14


def show_stats(session: Session) -> None:
    """Show counts, progress and your streak."""
    summary = session.run(stats.summarize)
    if session.json:
        print_json(asdict(summary))
    elif not summary.total:
        say("No tasks yet. Add one: taskpilot add Buy milk")
    else:
        say(_headline(summary), "", _bars(summary))


def _headline(summary: stats.Summary) -> str:
    parts = [
        f"{summary.total} task{'' if summary.total == 1 else 's'}",
        f"{summary.completed} done ({summary.completion_rate:g} %)",
        f"{summary.overdue} late" if summary.overdue else "none late",
    ]
    if summary.streak:
        parts.append(f"{summary.streak} day{'' if summary.streak == 1 else 's'} in a row with something done")
    return " · ".join(parts)


def _bars(summary: stats.Summary) -> Table:
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True, max_width=30, overflow="ellipsis")
    table.add_column(justify="right")
    table.add_column(no_wrap=True)
    groups = {
        "by status": {name.replace("_", " "): number for name, number in summary.by_status.items()},
        "by priority": summary.by_priority,
        "by project": summary.by_project,
    }
    for title, counts in groups.items():
        if counts:
            table.add_row(Text(title, style="dim"))
            most = max(counts.values())
            for name, number in counts.items():
                bar = "█" * max(1, round(BAR * number / most))
                table.add_row(Text(f"  {name}"), str(number), Text(bar, style="cyan"))
            table.add_row()
    done = sum(summary.by_day.values())
    table.add_row(Text(f"done in {DAYS} days", style="dim"), str(done), Text(_spark(summary.by_day), style="green"))
    return table


def _spark(by_day: dict[str, int]) -> str:
    """One mark a day, the last one today."""
    today = datetime.now(UTC).date()
    counts = [by_day.get((today - timedelta(days=back)).isoformat(), 0) for back in reversed(range(DAYS))]
    most = max(counts) or 1
    return "".join("·" if not number else "▁▂▃▄▅▆▇█"[min(7, round(7 * number / most))] for number in counts)
