"""A short account of a run for whoever goes on with its task, put together by machine."""

from __future__ import annotations

from taskpilot.domain import text
from taskpilot.domain.operation import reads
from taskpilot.domain.run import Entry, Kind, Run
from taskpilot.domain.task import Task
from taskpilot.store.runs import Diff
from taskpilot.store.work import Work

TOKENS_MOST = 800
BYTES_A_TOKEN = 4
LOOK_BACK = 400
LINE_MOST = 160
FILES_TOLD = 20
COMMANDS_TOLD = 12
PATCH_LEAST = 200
"""A piece of a patch shorter than this tells nothing."""


@reads
def write(work: Work, run_id: int) -> str:
    """Goal, changes, commands and how they went, what failed, what comes next: at most 800 tokens."""
    run = work.runs.get(run_id)
    task = work.tasks.get(run.task)
    log = work.runs.log.of_task(task.id, LOOK_BACK)
    mine = [entry for entry in log if entry.run == run.id]
    proof = [
        f"{each.command}: exit {each.exit_code}"
        for each in work.evidence.of_task(task.id, COMMANDS_TOLD)
        if each.run == run.id and not each.passed
    ]
    handed = work.claims.last_ended(task.id)
    parts = [
        f"Task {task.id} was begun by {run.agent} (run {run.id}, {run.state}) on branch {run.branch}.",
        _section("Goal", [_goal(task)]),
        _section("Left behind", list(handed.handoff.lines) if handed else []),
        _section(
            "Failed",
            _failures(run, mine, proof),
        ),
        _section("Next", _next(mine)),
        _section("Commands", _commands(mine)),
        _section("Changed", _changes(run)),
    ]
    return _fit([part for part in parts if part], work.runs.diff(run.id))


def _fit(parts: list[str], diff: Diff | None) -> str:
    """What comes first matters most; the patch fills what is left."""
    most = TOKENS_MOST * BYTES_A_TOKEN
    kept = ""
    for part in parts:
        longer = f"{kept}\n{part}" if kept else part
        if len(longer.encode()) <= most:
            kept = longer
    room = most - len(kept.encode()) - len("\nPatch, its beginning:\n")
    if diff is not None and diff.patch and room >= PATCH_LEAST:
        kept += "\nPatch, its beginning:\n" + diff.patch.encode()[:room].decode(errors="ignore")
    return kept


def _section(title: str, lines: list[str]) -> str:
    return (
        "\n".join((f"{title}:", *(f"- {text.shorten(text.clean_line(line), LINE_MOST)}" for line in lines)))
        if lines
        else ""
    )


def _goal(task: Task) -> str:
    return f"{task.title}. {task.description}" if task.description else task.title


def _failures(run: Run, log: list[Entry], proof: list[str]) -> list[str]:
    errors = [entry.text for entry in log if entry.kind is Kind.ERROR][-3:]
    return list(dict.fromkeys((*([run.error] if run.error else []), *errors, *proof)))


def _next(log: list[Entry]) -> list[str]:
    said = [entry.text for entry in log if entry.kind is Kind.MESSAGE]
    return [said[-1].strip().splitlines()[-1]] if said and said[-1].strip() else []


def _commands(log: list[Entry]) -> list[str]:
    """What was run, and how it went."""
    ended = {
        entry.data.get("id"): bool(entry.data.get("ok"))
        for entry in log
        if entry.kind is Kind.TOOL_RESULT and entry.data
    }
    told: list[str] = []
    for entry in log:
        if entry.kind is Kind.TOOL_CALL and entry.data and entry.data.get("kind") == "execute":
            ok = ended.get(entry.data.get("id"))
            told.append(f"{entry.text}: {'no answer' if ok is None else 'worked' if ok else 'failed'}")
    return told[-COMMANDS_TOLD:]


def _changes(run: Run) -> list[str]:
    files = list(run.files_changed)
    more = [f"and {len(files) - FILES_TOLD} more"] if len(files) > FILES_TOLD else []
    return files[:FILES_TOLD] + more
