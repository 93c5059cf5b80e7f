"""The native tools: each an operation, in as few words as will do."""

from __future__ import annotations

from taskpilot.contracts.native import answers, arguments
from taskpilot.domain import phrases
from taskpilot.domain.moments import When, as_moment, local_zone
from taskpilot.domain.selection import Selection
from taskpilot.ops import history, projects, queue, search, stats, tags, tasks, workspaces
from taskpilot.store.work import Work
from taskpilot.toolkit import Reply, tool


@tool(tasks.create, title="Add tasks", output=answers.Made)
def task_create(work: Work, args: arguments.Create) -> Reply:
    """Add a task, or many. Safe to repeat with a key. Also takes notes, progress, energy (light, medium, deep),
    time_estimate, scheduled_start, remind_at, recurrence (RRULE), connected_files, workspace (folder)."""
    made = tasks.create(work, args.drafts(), key=args.key or "")
    data: answers.Made = {"tasks": [answers.brief(task) for task in made.tasks]}
    if made.repeated:
        data["repeated"] = True
    return Reply(f"{'Already there' if made.repeated else 'Added'}:\n{answers.lines(made.tasks)}", data)


@tool(tasks.list_page, title="List tasks", output=answers.Many)
def task_list(work: Work, args: arguments.Listing) -> Reply:
    """Open tasks, highest priority first; filters narrow it. More: pass cursor."""
    due = [_when(work, given) for given in (args.due_before, args.due_after)]
    page = tasks.list_page(work, args.selection(*due), sort=args.sort, limit=args.limit, cursor=args.cursor)
    data: answers.Many = {"tasks": [answers.brief(task) for task in page.items]}
    text = answers.lines(page.items) or "No tasks fit."
    if page.cursor:
        data["cursor"] = page.cursor
        text += f"\nMore: cursor {page.cursor}"
    return Reply(text, data)


@tool(tasks.get, title="Get a task", output=answers.One)
def task_get(work: Work, args: arguments.One) -> Reply:
    """One task, whole."""
    row = answers.whole(tasks.get(work, args.task_id))
    return Reply(answers.details(row), {"task": row})


@tool(tasks.update, title="Change a task", output=answers.Change)
def task_update(work: Work, args: arguments.Update) -> Reply:
    """Change the given fields, any of task_create's; lists replace."""
    changed = tasks.update(work, args.task_id, args.changes(), version=args.version, reason=args.reason)
    return _changed("Changed", changed)


@tool(tasks.complete, title="Complete a task", output=answers.Change, idempotent=True)
def task_complete(work: Work, args: arguments.Complete) -> Reply:
    """Mark done; says what it freed. Safe to repeat."""
    if args.reopen:
        return _changed("Reopened", tasks.reopen(work, args.task_id, reason=args.reason))
    return _changed("Done", tasks.complete(work, args.task_id, reason=args.reason))


@tool(tasks.delete, title="Delete a task", output=answers.Gone, destructive=True)
def task_delete(work: Work, args: arguments.Delete) -> Reply:
    """Delete with its subtasks. undo brings it back."""
    gone = tasks.delete(work, args.task_id, reason=args.reason)
    return Reply(f"Deleted:\n{answers.lines(gone)}", {"deleted": [task.id for task in gone]})


@tool(search.find, title="Search tasks", output=answers.Many)
def task_search(work: Work, args: arguments.Query) -> Reply:
    """Full text, best first; word beginnings match."""
    selection = Selection(closed=not args.open, project=args.project)
    found = search.find(work, args.query, selection=selection, limit=args.limit)
    data: answers.Many = {"tasks": [answers.brief(task) for task in found.tasks]}
    text = answers.lines(found.tasks) or "Nothing found."
    if not found.ranked:
        data["note"] = "These words are very common: newest first. Add a rarer word."
        text += f"\n{data['note']}"
    return Reply(text, data)


@tool(stats.summarize, title="Count tasks", output=answers.Counts)
def task_stats(work: Work, args: arguments.Grouping) -> Reply:
    """Counts by status, priority, project; rate, overdue, streak."""
    found = stats.summarize(work)
    data: answers.Counts = {
        "total": found.total,
        "completed": found.completed,
        "completion_rate": found.completion_rate,
        "overdue": found.overdue,
        "streak": found.streak,
    }
    if args.group_by in (None, "project"):
        data["by_project"] = found.by_project
    if args.group_by in (None, "priority"):
        data["by_priority"] = found.by_priority
    if args.group_by in (None, "status"):
        data["by_status"] = found.by_status
    if args.group_by is None:
        data["by_day"] = found.by_day
    text = f"{found.total} tasks, {found.completed} done ({found.completion_rate}%), {found.overdue} overdue"
    return Reply(text, data)


@tool(queue.next_task, title="What next", output=answers.Next)
def task_next(work: Work, args: arguments.Wanted) -> Reply:
    """The best task ready to start, and why."""
    found = queue.next_task(work, project=args.project, tag=args.tag, workspace=args.workspace)
    if found.task is None:
        return Reply(found.reason, {"reason": found.reason})
    row = answers.whole(found.task)
    return Reply(f"{answers.details(row)}\nwhy: {found.reason}", {"task": row, "reason": found.reason})


@tool(history.list_page, title="Show history", output=answers.Happenings)
def task_history(work: Work, args: arguments.History) -> Reply:
    """What changed, latest first: one task's or all."""
    page = history.list_page(work, task_id=args.task_id, limit=args.limit, cursor=args.cursor)
    rows = [answers.happening(event) for event in page.items]
    data: answers.Happenings = {"events": rows}
    text = "\n".join(answers.told(event) for event in page.items) or "Nothing yet."
    if page.cursor:
        data["cursor"] = page.cursor
        text += f"\nMore: cursor {page.cursor}"
    return Reply(text, data)


@tool(history.undo, title="Undo", output=answers.Reverted)
def undo(work: Work, args: arguments.Undo) -> Reply:
    """Take back a change, a task's latest, yours, or all an actor did since."""
    if args.actor is not None and args.since is not None:
        since = as_moment(phrases.parse(args.since, work.now, local_zone()), local_zone())
        undone = history.undo_actor(work, args.actor, since, reason=args.reason)
    else:
        undone = history.undo(work, event_id=args.change, task_id=args.task_id, reason=args.reason)
    text = f"Undone: {len(undone.events)} changes."
    if undone.conflicts:
        text += " Left alone: " + "; ".join(undone.conflicts)
    return Reply(text, {"undone": [event.id for event in undone.events], "conflicts": list(undone.conflicts)})


@tool(projects.list_all, title="List projects, tags, workspaces", output=answers.Groups)
def group_list(work: Work, args: arguments.Nothing) -> Reply:  # noqa: ARG001
    """Projects, tags and workspaces with open counts."""
    data: answers.Groups = {
        "projects": [
            {"name": item.name, "open": count, "colour": item.colour, "description": item.description}
            for item, count in projects.list_all(work)
        ],
        "tags": [{"name": name, "open": count} for name, count in tags.list_all(work)],
        "workspaces": [
            {"id": item.id, "name": item.name, "path": item.path, "open": count}
            for item, count in workspaces.list_all(work)
        ],
    }
    told = {
        "projects": [f"{row['name']} ({row['open']})" for row in data["projects"]],
        "tags": [f"{row['name']} ({row['open']})" for row in data["tags"]],
        "workspaces": [f"{row['id']} {row['path']} ({row['open']})" for row in data["workspaces"]],
    }
    return Reply("\n".join(f"{kind}: {', '.join(rows) or 'none'}" for kind, rows in told.items()), data)


@tool(projects.save, title="Save a project, tag or workspace", output=answers.Saved)
def group_save(work: Work, args: arguments.Group) -> Reply:
    """Make or change a project, open a workspace, rename or delete a project or tag (tasks stay)."""
    if args.kind == "workspace":
        workspace = workspaces.open_folder(work, args.name)
        return Reply(f"Workspace {workspace.id}: {workspace.path}", {"id": workspace.id, "name": workspace.name})
    if args.kind == "tag":
        number = tags.delete(work, args.name) if args.delete else tags.rename(work, args.name, args.rename or "")
        return Reply(f"Changed on {number} tasks.", {"name": args.rename or args.name, "tasks": number})
    if args.delete:
        project, number = projects.delete(work, args.name)
        return Reply(f"Deleted project {project.name}; {number} tasks stay.", {"name": project.name, "tasks": number})
    project = projects.save(work, args.name, rename=args.rename, colour=args.colour, description=args.description)
    return Reply(f"Project {project.name} saved.", {"id": project.id, "name": project.name})


def _when(work: Work, given: str | None) -> When | None:
    return phrases.parse(given, work.now, local_zone()) if given else None


def _changed(verb: str, changed: tasks.Changed) -> Reply:
    data: answers.Change = {"task": answers.brief(changed.task)}
    text = f"{verb}: {answers.line(changed.task)}"
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
