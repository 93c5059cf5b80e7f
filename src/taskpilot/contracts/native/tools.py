"""The native tools: each an operation, in as few words as will do."""

from __future__ import annotations

from functools import partial
from typing import Any, cast

from taskpilot.contracts.native import answers, arguments, groups, shapes, sheet
from taskpilot.domain import phrases
from taskpilot.domain.moments import as_moment, local_zone, wire
from taskpilot.ops import claims, history, stats, tasks
from taskpilot.store.work import Work
from taskpilot.toolkit import Reply, budget, tool

TOLD_MOST = 20


@tool(tasks.get, title="Get a task", output=shapes.One)
def task_get(work: Work, args: arguments.Get) -> Reply:
    """One task, whole or some fields, and who holds or left it."""
    row = answers.whole(tasks.get(work, args.task_id))
    held, before = claims.find(work, args.task_id)
    if held is not None:
        row["claimed_by"], row["claimed_until"] = held.actor, wire(held.lease_until) or ""
    if args.fields is None:
        parts = sheet.lay_out(row, answers.handoff(before) if before is not None and before.handoff else None)
        return budget.fit(parts, sheet.write, args.max_tokens, "fields, or ")
    chosen = {name: value for name, value in row.items() if name == "id" or name in args.fields}
    return budget.fit(chosen, lambda parts, note: sheet.write(parts, note, every=True), args.max_tokens)


@tool(tasks.update, title="Change a task", output=shapes.Change)
def task_update(work: Work, args: arguments.Update) -> Reply:
    """Change the given fields, any of task_create's; lists replace. lease: keep a claim for so many seconds."""
    changes = args.changes()
    if args.lease is not None and args.claim is not None:
        kept = claims.renew(work, args.task_id, args.claim, lease=args.lease)
        if not changes:
            task = tasks.get(work, args.task_id)
            return Reply(
                f"Yours until {wire(kept.lease_until)}: {answers.line(task)}",
                {"task": answers.brief(task), "claim": answers.ticket(kept)},
            )
    changed = tasks.update(work, args.task_id, changes, version=args.version, claim=args.claim, reason=args.reason)
    return _changed("Changed", changed)


@tool(tasks.complete, title="Complete a task", output=shapes.Change, idempotent=True)
def task_complete(work: Work, args: arguments.Complete) -> Reply:
    """Mark done; says what it freed. Safe to repeat."""
    if args.reopen:
        return _changed("Reopened", tasks.reopen(work, args.task_id, reason=args.reason))
    return _changed("Done", tasks.complete(work, args.task_id, claim=args.claim, reason=args.reason))


@tool(tasks.delete, title="Delete a task", output=shapes.Gone, destructive=True)
def task_delete(work: Work, args: arguments.Delete) -> Reply:
    """Delete with its subtasks. undo brings it back."""
    gone = tasks.delete(work, args.task_id, claim=args.claim, reason=args.reason)
    more = f"\nand {len(gone) - TOLD_MOST} more, all below {args.task_id}" if len(gone) > TOLD_MOST else ""
    return Reply(f"Deleted:\n{answers.lines(gone[:TOLD_MOST])}{more}", {"deleted": [task.id for task in gone]})


@tool(stats.summarize, title="Count tasks", output=shapes.Counts)
def task_stats(work: Work, args: arguments.Grouping) -> Reply:
    """Counts by status, priority, project; rate, overdue, streak."""
    if args.groups:
        return groups.list_all(work, args.max_tokens)
    found = stats.summarize(work)
    counts = {"status": found.by_status, "priority": found.by_priority, "project": found.by_project}
    parts: dict[str, Any] = {
        "total": found.total,
        "completed": found.completed,
        "completion_rate": found.completion_rate,
        "overdue": found.overdue,
        "streak": found.streak,
        **{f"by_{name}": numbers for name, numbers in counts.items() if args.group_by in (None, name)},
    }
    if args.group_by is None:
        parts["by_day"] = found.by_day
    text = f"{found.total} tasks, {found.completed} done ({found.completion_rate}%), {found.overdue} overdue"

    def build(kept: dict[str, Any], note: str) -> Reply:
        return Reply(f"{text}\n{note}", {**kept, "note": note}) if note else Reply(text, kept)

    return budget.fit(parts, build, args.max_tokens, "group_by, or ")


@tool(history.undo, title="Undo", output=shapes.Reverted)
def undo(work: Work, args: arguments.Undo) -> Reply:
    """Take back a change, a task's latest, yours, or all an actor did since or an origin (in history). preview:
    only tell."""
    if args.actor is not None or args.origin is not None:
        zone = local_zone()
        since = as_moment(phrases.parse(args.since, work.now, zone), zone) if args.since else None
        undone = history.undo_changes(
            work, actor=args.actor, origin=args.origin, since=since, preview=args.preview, reason=args.reason
        )
    else:
        undone = history.undo(work, event_id=args.change, task_id=args.task_id, reason=args.reason)
    return budget.fit(_lay_out(undone), partial(_tell_undone, undone), args.max_tokens, "task_list(history), or ")


def _lay_out(undone: history.Undone) -> dict[str, Any]:
    """What cannot be taken back comes first, numbers last."""
    parts: dict[str, Any] = {} if undone.change is None else {"change": undone.change}
    parts["conflicts"] = list(undone.conflicts)
    if undone.preview:
        parts |= {"preview": True, "what": [answers.told(event) for event in undone.events]}
    return {**parts, "undone": [event.id for event in undone.events]}


def _tell_undone(undone: history.Undone, parts: dict[str, Any], note: str) -> Reply:
    told = f"{'It would undo' if undone.preview else 'Undone'}: {len(undone.events)} changes."
    if undone.conflicts:
        told += f" {len(undone.conflicts)} left alone: {'; '.join(parts.get('conflicts', ()))}"
    lines = [told, *parts.get("what", ())]
    if len(undone.events) > 1 and "change" in parts:
        lines.append(f"To put it back: undo change {parts['change']}.")
    data: shapes.Reverted = cast(Any, {**parts, "note": note} if note else parts)
    return Reply("\n".join([*lines, note] if note else lines), data)


def _changed(verb: str, changed: tasks.Changed) -> Reply:
    data: shapes.Change = {"task": answers.brief(changed.task)}
    text = f"{'Changed' if changed.unproved else verb}: {answers.line(changed.task)}"
    if changed.unproved:
        data["unproved"] = changed.unproved
        text += f"\n{changed.unproved}"
    if changed.freed:
        data["freed"] = [task.id for task in changed.freed]
        text += f"\nReady now: {', '.join(str(task.id) for task in changed.freed)}"
    if changed.next is not None:
        data["next"] = answers.brief(changed.next)
        text += f"\nNext: {answers.line(changed.next)}"
    if changed.waited_on:
        data["waited_on"] = list(changed.waited_on)
        text += f"\nIt still waited on {', '.join(str(number) for number in changed.waited_on)}."
    return Reply(text, data)
