"""Lists of tasks: by filters, by words, by who holds them, and what changed since."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from taskpilot.contracts.native import answers, arguments, happenings, shapes
from taskpilot.domain import phrases
from taskpilot.domain.moments import When, local_zone, wire
from taskpilot.domain.selection import Page, Selection
from taskpilot.domain.task import Task
from taskpilot.ops import bin, changes, claims, plans, search, tasks
from taskpilot.ops.changes import TaskChange
from taskpilot.store.work import Work
from taskpilot.toolkit import Reply, budget, tool
from taskpilot.toolkit.budget import Columns

BRIEF = ("id", "title", "status", "priority", "due_date", "blocked_by", "project", "tags", "version")
LEVELS: tuple[Columns, ...] = (BRIEF, BRIEF[:5], BRIEF[:2], BRIEF[:1])
"""What a row has, in full and where it must be cheaper; the text has the title in any case."""
CHANGE_LEVELS: tuple[Columns, ...] = (("id", "title", "what", "status", "by"), ("id", "what"), ("id",))
UNKNOWN_CURSOR = "x" * 100
"""Stands for a cursor while it is not known how many rows will fit: none is longer."""
NONE = "No tasks fit."
LONG_AGO = f"More than {changes.RECALLED_MOST} changes since then"
TAKE_OUT = "undo(task_id) takes one out."
VOID = "That revision is not of this log: a backup was restored."


@tool(tasks.list_page, title="List tasks", output=shapes.Many)
def task_list(work: Work, args: arguments.Listing) -> Reply:
    """Open tasks, highest priority first; filters narrow it. Also workspace, parent, fields
    (columns), held (claimed ones), bin (deleted ones), markdown (as a check list), history (of task_id)."""
    if args.since is not None:
        return _tell_changes(changes.sum_up(work, args.since, limit=args.limit), args.max_tokens)
    if args.held:
        return _list_held(work, args)
    if args.history:
        return happenings.tell(work, args)
    selection = args.selection(*(_when(work, given) for given in (args.due_before, args.due_after)))
    if args.markdown:
        return budget.fit({"markdown": plans.write(work, selection)}, _write_markdown, args.max_tokens)

    def fetch(limit: int) -> Page[Task]:
        if args.bin:
            return bin.list_page(work, limit=limit, cursor=args.cursor)
        return tasks.list_page(work, selection, sort=args.sort, limit=limit, cursor=args.cursor)

    page, revision = fetch(args.limit), changes.find_last(work)

    def build(rows: Sequence[Task], columns: Columns, note: str) -> Reply:
        note = f"{note} {TAKE_OUT}".strip() if args.bin and rows else note
        cut = UNKNOWN_CURSOR if rows else args.cursor
        reply = write(rows, columns, note, page.cursor if len(rows) == len(page.items) else cut, bool(args.fields))
        return Reply(reply.text, {**cast(Any, reply.data), "revision": revision})

    levels = (("id", *args.fields),) if args.fields else LEVELS
    reply = budget.fit_rows(page.items, levels, build, args.max_tokens)
    shown = len(cast(Any, reply.data)["tasks"])
    if shown in (0, len(page.items)):
        return reply
    return _replace_cursor(reply, fetch(shown).cursor or "")


@tool(search.find, title="Search tasks", output=shapes.Many)
def task_search(work: Work, args: arguments.Query) -> Reply:
    """Full text, best first; word beginnings match."""
    selection = Selection(closed=not args.open, project=args.project)
    found = search.find(work, args.query, selection=selection, limit=args.limit)
    common = "" if found.ranked else "These words are very common: newest first. Add a rarer word."

    def build(rows: Sequence[Task], columns: Columns, note: str) -> Reply:
        return write(rows, columns, " ".join(said for said in (common, note) if said), None, False, "Nothing found.")

    return budget.fit_rows(found.tasks, LEVELS, build, args.max_tokens)


def write(
    rows: Sequence[Task],
    columns: Columns,
    note: str,
    cursor: str | None = None,
    chosen: bool = False,
    none: str = NONE,
) -> Reply:
    data: shapes.Many = {"tasks": [_pick(task, columns) for task in rows]}
    if chosen:
        lines = [answers.details(row, every=True).replace("\n", "; ") for row in data["tasks"]]
    else:
        lines = [answers.line(task) for task in rows]
    return answers.end_list(lines or ([] if note else [none]), data, note, cursor)


def _pick(task: Task, columns: Columns) -> shapes.Whole:
    row: Any = answers.brief(task) if columns is BRIEF else answers.whole(task)
    return row if columns is BRIEF else cast(Any, {name: row[name] for name in columns if name in row})


def _replace_cursor(reply: Reply, cursor: str) -> Reply:
    """The cursor is the last that is said."""
    return Reply(f"{reply.text.removesuffix(UNKNOWN_CURSOR)}{cursor}", {**cast(Any, reply.data), "cursor": cursor})


def _list_held(work: Work, args: arguments.Listing) -> Reply:
    live = claims.list_live(work)
    held: list[tuple[Task, shapes.Whole]] = []
    for claim in live[: args.limit]:
        task = tasks.get(work, claim.task)
        until = wire(claim.lease_until) or ""
        held.append((task, {"id": task.id, "title": task.title, "claimed_by": claim.actor, "claimed_until": until}))

    def build(rows: Sequence[tuple[Task, shapes.Whole]], _: Columns, note: str) -> Reply:
        data: shapes.Many = {"tasks": [row for _, row in rows]}
        told = [f"{answers.line(task)} {row.get('claimed_by')} until {row.get('claimed_until')}" for task, row in rows]
        more = f"{len(live) - len(held)} more are held: raise limit." if len(live) > len(held) else ""
        if note or more:
            data["note"] = f"{note} {more}".strip()
            told.append(data["note"])
        return Reply("\n".join(told) or "Nobody holds anything.", data)

    return budget.fit_rows(held, (BRIEF,), build, args.max_tokens)


def _write_markdown(parts: dict[str, Any], note: str) -> Reply:
    written = parts.get("markdown", "")
    data: shapes.Many = {"markdown": written}
    if note:
        data["note"] = note
    return Reply(f"{written}\n{note}".strip(), data)


def _tell_changes(digest: changes.Digest, max_tokens: int | None) -> Reply:
    if digest.reset or digest.counts:
        counts = ", ".join(f"{number} {kind}" for kind, number in digest.counts.items())
        text = VOID if digest.reset else f"{LONG_AGO}: {counts}."
        text += f" List again, then since={digest.last}."
        data: shapes.Many = {"changed": [], "revision": digest.last, "note": text}
        if digest.counts:
            data["counts"] = dict(digest.counts)
        return Reply(text, data)

    def build(rows: Sequence[TaskChange], columns: Columns, note: str) -> Reply:
        return _write_changes(digest, rows, columns, note)

    return budget.fit_rows(digest.changes, CHANGE_LEVELS, build, max_tokens)


def _write_changes(digest: changes.Digest, rows: Sequence[TaskChange], columns: Columns, note: str) -> Reply:
    """Where not all are shown, the revision is that of the last one shown: since that, the others follow."""
    told = [answers.tell_change(change) for change in rows]
    picked: Any = [{name: row[name] for name in columns if name in row} for row in map(answers.changed, rows)]
    data: shapes.Many = {"changed": picked, "revision": digest.last}
    if len(rows) < len(digest.changes):
        data["revision"] = rows[-1].last if rows else digest.changes[0].last - 1
    more = digest.more + len(digest.changes) - len(rows)
    if note:
        data["note"] = note
        told.append(note)
    if more:
        data["more"] = more
        told.append(f"And {more} more: since={data['revision']}.")
    else:
        told.append(f"{'' if rows else 'Nothing changed. '}Revision {data['revision']}.")
    return Reply("\n".join(told), data)


def _when(work: Work, given: str | None) -> When | None:
    return phrases.parse(given, work.now, local_zone()) if given else None
