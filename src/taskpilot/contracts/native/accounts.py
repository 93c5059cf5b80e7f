"""Runs in short text, and as data without empty fields."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, cast

from typing_extensions import TypedDict

from taskpilot.domain import text
from taskpilot.domain.evidence import Proof
from taskpilot.domain.question import Question
from taskpilot.domain.run import Entry, Run
from taskpilot.ops.run_views import Account as Report
from taskpilot.ops.run_views import News, View
from taskpilot.store.runs import Diff
from taskpilot.toolkit import Reply

MILLION = 1_000_000
LINE_MOST = 2_000


class Asked(TypedDict):
    id: int
    text: str
    options: list[str]


class Row(TypedDict, total=False):
    run: int
    task: int
    agent: str
    state: str
    question: Asked


class Line(TypedDict):
    number: int
    kind: str
    text: str


class Account(TypedDict, total=False):
    run: int
    task: int
    agent: str
    state: str
    stopping: bool
    question: Asked
    obstacle: str
    error: str
    branch: str
    proof: list[str]
    seconds: float
    turns: int
    tokens: int
    cost_usd: float
    commit: str
    added: int
    removed: int
    files: list[str]
    commands: list[str]
    result: Any
    counts: dict[str, int]
    entries: list[Line]
    after: int
    patch: str
    runs: list[Row]
    questions: list[Asked]
    total: int
    note: str


Parts = dict[str, Any]


def state(view: View, now: datetime) -> Parts:
    """What one needs to know of it: what it asks comes first."""
    run = view.run
    return _told(
        **_head(run),
        stopping=run.wanted and run.stop_asked_at is not None,
        question=asked(view.question),
        obstacle=view.obstacle,
        error=run.error,
        branch=run.branch,
        proof=prove(view.proof),
        seconds=round(view.seconds(now), 1),
        turns=run.turns,
        tokens=run.tokens_in + run.tokens_out,
        cost_usd=run.cost_micros / MILLION,
        commit=run.head,
        files=list(run.files_changed),
    )


def log(news: News) -> Parts:
    entries = [_line(each) for each in news.entries]
    more = {"note": "There are more entries."} if news.more else {}
    return _told(**_head(news.run), question=asked(news.question), entries=entries) | more


def diff(run: Run, kept: Diff) -> Parts:
    head = _head(run) | {"commit": kept.head, "added": kept.added, "removed": kept.removed}
    return _told(**head, files=list(run.files_changed), patch=kept.patch)


def report(found: Report) -> Parts:
    run = found.view.run
    return state(found.view, found.now) | _told(
        added=found.diff.added,
        removed=found.diff.removed,
        commands=list(run.commands),
        result=run.result,
        counts=dict(found.counts),
        entries=[_line(each) for each in found.last],
    )


def list_runs(page: Sequence[tuple[Run, Question | None]], total: int, waiting: Sequence[Question]) -> Parts:
    rows = [_told(**_head(run), question=asked(question)) for run, question in page]
    return _told(questions=[asked(each) for each in waiting]) | {"runs": rows, "total": total}


def asked(question: Question | None) -> Asked | None:
    if question is None:
        return None
    return {"id": question.id, "text": question.text, "options": [option.id for option in question.options]}


def prove(proof: Proof) -> list[str]:
    """Each acceptance command, and what came of it on the last commit."""
    told: list[str] = []
    for command, seen in proof.checks:
        verdict = "not run yet" if seen is None else "passed" if seen.passed else f"exit {seen.exit_code}"
        told.append(f"{command}: {verdict}{', stale' if seen and seen.is_stale(proof.head) else ''}")
    return told


def write(parts: Mapping[str, Any], note: str) -> Reply:
    """The last entry that is shown is where the log goes on."""
    data: Parts = dict(parts)
    note = " ".join(said for said in (data.pop("note", ""), note) if said)
    if data.get("entries"):
        data["after"] = data["entries"][-1]["number"]
    if note:
        data["note"] = note
    return Reply("\n".join(_lines(data)), cast(Any, data))


def _lines(data: Mapping[str, Any]) -> list[str]:
    told: list[str] = []
    if "run" in data:
        told.append(f"{_name(data)}{', stopping' if data.get('stopping') else ''}")
        told += [_ask(data["question"])] if "question" in data else []
    for name in ("obstacle", "error", "branch", "seconds", "commit", "result"):
        told += [f"{name}: {data[name]}"] if name in data else []
    for name in ("proof", "files", "commands"):
        told += [f"{name}: {', '.join(data[name])}"] if data.get(name) else []
    told += map(_tell_line, data.get("entries", ()))
    told += [data["patch"]] if "patch" in data else []
    told += [_name(row) + (f"; {_ask(row['question'])}" if "question" in row else "") for row in data.get("runs", ())]
    if not told:
        told.append("No runs yet.")
    return told + ([data["note"]] if "note" in data else [])


def _tell_line(row: Mapping[str, Any]) -> str:
    """What follows its first line is set in, so that no entry can pose as another."""
    return f"{row['number']} {row['kind']}: " + row["text"].replace("\n", "\n  ")


def _name(row: Mapping[str, Any]) -> str:
    return f"run {row['run']}: {row.get('agent', 'somebody')} on task {row.get('task')}, {row.get('state')}"


def _ask(question: Mapping[str, Any]) -> str:
    return f"asks: {question['text']} ({', '.join(question['options'])})"


def _head(run: Run) -> Parts:
    return {"run": run.id, "task": run.task, "agent": run.agent.value, "state": run.state.value}


def _line(entry: Entry) -> Line:
    return {"number": entry.number, "kind": entry.kind.value, "text": text.shorten(entry.text, LINE_MOST)}


def _told(**members: Any) -> Parts:
    """What there is to say."""
    return {name: value for name, value in members.items() if value or (value == 0 and name in ("added", "removed"))}
