"""What a run, its questions and its log look like: as JSON, as lines, on a sheet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from taskpilot.domain import text
from taskpilot.domain.evidence import Proof
from taskpilot.domain.moments import wire
from taskpilot.domain.question import Question
from taskpilot.domain.run import Entry, Kind, Run, State
from taskpilot.ops.run_views import View
from taskpilot.surfaces.cli.dates import write_ago, write_date

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

STATE_MARKS = {
    State.PENDING: ("○", ""),
    State.IN_PROGRESS: ("◐", "cyan"),
    State.WAITING: ("◑", "yellow"),
    State.COMPLETED: ("✓", "green"),
    State.FAILED: ("✗", "red"),
    State.CANCELLED: ("■", "dim"),
    State.INTERRUPTED: ("◌", "yellow"),
}
NEWS_MOST = 100
SHORT = 12
"""Characters of a commit."""
MICROS = 1_000_000


def run_json(run: Run) -> dict[str, Any]:
    return {
        "id": run.id,
        "task": run.task,
        "workspace": run.workspace,
        "agent": run.agent.value,
        "state": run.state.value,
        "stopping": run.stopping,
        "session": run.session,
        "way": run.way,
        "branch": run.branch,
        "base": run.base,
        "base_head": run.base_head,
        "head": run.head,
        "worktree": run.worktree,
        "worker": run.worker,
        "attempt": run.attempt,
        "turns": run.turns,
        "instructions": run.instructions,
        "config": dict(run.config),
        "result": run.result,
        "error": run.error,
        "exit_code": run.exit_code,
        "files_changed": list(run.files_changed),
        "commands": list(run.commands),
        "tokens_in": run.tokens_in,
        "tokens_out": run.tokens_out,
        "cost_micros": run.cost_micros,
        "queued_at": wire(run.queued_at),
        "started_at": wire(run.started_at),
        "ended_at": wire(run.ended_at),
        "created_at": wire(run.created_at),
        "updated_at": wire(run.updated_at),
        "version": run.version,
    }


def view_json(view: View) -> dict[str, Any]:
    return run_json(view.run) | {
        "title": view.task.title,
        "question": question_json(view.question) if view.question else None,
        "obstacle": view.obstacle,
        "proof": proof_json(view.proof),
    }


def question_json(question: Question) -> dict[str, Any]:
    return {
        "id": question.id,
        "run": question.run,
        "task": question.task,
        "asking": question.asking.value,
        "text": question.text,
        "options": [{"id": each.id, "label": each.label} for each in question.options],
        "data": dict(question.data),
        "open": question.open,
        "answer": question.answer,
        "answered_by": question.answered_by,
        "answered_at": wire(question.answered_at),
        "asked_at": wire(question.asked_at),
    }


def proof_json(proof: Proof) -> dict[str, Any]:
    checks = [
        {
            "command": command,
            "passed": seen.passed if seen else None,
            "stale": bool(seen and seen.is_stale(proof.head)),
            "exit_code": seen.exit_code if seen else None,
            "head": seen.head if seen else "",
            "digest": seen.digest if seen else "",
            "at": wire(seen.at) if seen else None,
        }
        for command, seen in proof.checks
    ]
    return {"accepted": proof.accepted if proof.commands else None, "head": proof.head, "checks": checks}


def entry_json(entry: Entry) -> dict[str, Any]:
    return {
        "number": entry.number,
        "kind": entry.kind.value,
        "text": entry.text,
        "data": dict(entry.data) if entry.data else None,
        "attempt": entry.attempt,
        "at": wire(entry.at),
    }


def describe_run(run: Run) -> str:
    """`run 7 · claudecode · in progress · task 42 on task/42-walls`."""
    stops = ", stopping" if run.stopping else ""
    where = f" on {text.clean_line(run.branch)}" if run.branch else ""
    return f"run {run.id} · {run.agent} · {run.state.replace('_', ' ')}{stops} · task {run.task}{where}"


def write_question(question: Question) -> list[str]:
    """The question, and how to answer it."""
    said = f"? {text.clean(question.text)}"
    choices = "|".join(option.id for option in question.options)
    if question.open:
        return [said, f"  taskpilot run answer {question.id} {choices}"]
    answered = f"{question.answered_by}: {question.answer}" if question.answer else f"nobody ({question.answered_by})"
    return [said, f"  Answered by {text.clean_line(answered)}"]


def write_entries(entries: Iterable[Entry]) -> Iterator[Text]:
    """That the agent has ended goes without saying where the run says so, too."""
    return (write_entry(entry) for entry in entries if entry.text or entry.kind is not Kind.END)


def write_entry(entry: Entry) -> Text:
    """One entry of a log, by its kind. What an agent says cannot move the cursor or ring the bell."""
    from rich.text import Text

    said = text.clean(entry.text)
    data = entry.data or {}
    if entry.kind is Kind.USAGE:
        return Text("  · " + write_usage(*(int(data.get(name, 0)) for name in USED)), style="dim")
    if entry.kind is Kind.TOOL_RESULT:
        worked = bool(data.get("ok", True))
        mark = ("  ✓ " if worked else "  ✗ ", "green" if worked else "red")
        return Text.assemble(mark, (said or ("done" if worked else "failed"), "dim"))
    if entry.kind is Kind.END:
        said = said or text.clean_line(str(data.get("reason", "")))
    mark, style = ENTRY_MARKS[entry.kind]
    return Text.assemble((mark, style), (said, "" if entry.kind in PLAIN else style))


USED = ("tokens_in", "tokens_out", "cost_micros")
PLAIN = (Kind.MESSAGE, Kind.LOG, Kind.TOOL_CALL, Kind.FILE_CHANGE, Kind.INSTRUCTIONS)
ENTRY_MARKS: dict[Kind, tuple[str, str]] = {
    Kind.LOG: ("  - ", "dim"),
    Kind.STATUS: ("  · ", "dim"),
    Kind.INSTRUCTIONS: ("» ", "magenta"),
    Kind.MESSAGE: ("", ""),
    Kind.THOUGHT: ("  ~ ", "dim italic"),
    Kind.TOOL_CALL: ("  → ", "cyan"),
    Kind.FILE_CHANGE: ("  ± ", "blue"),
    Kind.PERMISSION_REQUEST: ("? ", "yellow"),
    Kind.ERROR: ("✗ ", "red"),
    Kind.END: ("■ ", "bold"),
}


def write_usage(tokens_in: int, tokens_out: int, cost_micros: int) -> str:
    cost = f", ${cost_micros / MICROS:.2f}" if cost_micros else ""
    return f"{tokens_in:,} tokens in, {tokens_out:,} out{cost}"


def write_seconds(seconds: float) -> str:
    whole = round(seconds)
    hours, minutes, rest = whole // 3_600, whole // 60 % 60, whole % 60
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s" if minutes else f"{rest} s"


def draw_runs(found: list[tuple[Run, Question | None]]) -> Table:
    from rich.table import Table
    from rich.text import Text

    now = datetime.now(UTC)
    table = Table(box=None, header_style="dim", pad_edge=False, padding=(0, 2, 0, 0))
    for name in ("run", "", "state", "agent", "task", "branch", "when", ""):
        table.add_column(name, no_wrap=True, overflow="ellipsis", justify="right" if name == "run" else "left")
    for run, question in found:
        mark, style = STATE_MARKS[run.state]
        words = f"asks: {text.clean_line(question.text)}" if question else text.clean_line(run.error)
        asks = Text(text.shorten(words, NEWS_MOST), "yellow")
        table.add_row(
            Text(str(run.id), style="cyan"),
            Text(mark, style=style),
            Text(run.state.replace("_", " "), style=style),
            run.agent.value,
            f"#{run.task}",
            Text(text.clean_line(run.branch)),
            Text(write_ago(run.updated_at, now), style="dim"),
            asks,
        )
    return table


def write_run_sheet(view: View) -> Table:
    """One run: everything there is to say about it, nothing that there is not."""
    from rich.table import Table
    from rich.text import Text

    now, run = datetime.now(UTC), view.run
    sheet = Table.grid(padding=(0, 2, 0, 0))
    sheet.add_column(style="dim", justify="right", no_wrap=True)
    sheet.add_column()

    def row(name: str, value: str | Text | None) -> None:
        if value:
            sheet.add_row(name, Text(value) if isinstance(value, str) else value)

    mark, style = STATE_MARKS[run.state]
    row(f"run {run.id}", Text(f"#{run.task} {text.clean_line(view.task.title)}", style="bold"))
    stops = ", stopping" if run.stopping else ""
    row("state", Text(f"{mark} {run.state.replace('_', ' ')}{stops}", style=style))
    row("waits", view.obstacle)
    row("asks", "\n".join(write_question(view.question)) if view.question else None)
    row("error", Text(text.clean(run.error), style="red"))
    row("agent", f"{run.agent}{f' by {run.way}' if run.way else ''}")
    row("branch", f"{text.clean_line(run.branch)}{f', from {run.base}' if run.base else ''}")
    row("commit", run.head[:SHORT])
    row("worktree", run.worktree)
    row("worker", f"{run.worker}, attempt {run.attempt}" if run.worker else None)
    row("took", write_seconds(view.seconds(now)) if run.started_at else None)
    row(
        "used", write_usage(run.tokens_in, run.tokens_out, run.cost_micros) if run.tokens_in or run.tokens_out else None
    )
    row("files", "\n".join(text.clean_line(path) for path in run.files_changed))
    row("proof", write_proof(view.proof))
    row("orders", text.clean(run.instructions))
    row("added", write_date(run.created_at, now))
    return sheet


def write_proof(proof: Proof) -> str:
    lines: list[str] = []
    for command, seen in proof.checks:
        how = "not run yet" if seen is None else "passed" if seen.passed else f"failed with exit code {seen.exit_code}"
        stale = f", but on {seen.head[:SHORT]}: stale" if seen and seen.is_stale(proof.head) else ""
        mark = "✓" if seen and seen.passed and not stale else "✗" if seen and not seen.passed else "○"
        lines.append(f"{mark} {command}: {how}{stale}")
    return "\n".join(lines)
