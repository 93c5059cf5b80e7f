"""Projects, tags and workspaces, and how much may be under way in them."""

from __future__ import annotations

from typing import Any, cast

from taskpilot.contracts.native import arguments, shapes
from taskpilot.domain.wip import LimitKind
from taskpilot.ops import claims, projects, tags, workspaces
from taskpilot.store.work import Work
from taskpilot.toolkit import Reply, budget, tool


def list_all(work: Work, max_tokens: int) -> Reply:
    """Projects, tags and workspaces with open counts; limits."""
    data: shapes.Groups = {
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
    limits = claims.list_limits(work)
    if limits:
        data["limits"] = [{"kind": limit.kind.value, "name": limit.name, "most": limit.most} for limit in limits]
    return budget.fit(data, _write, max_tokens)


def _write(parts: dict[str, Any], note: str) -> Reply:
    data: shapes.Groups = cast(Any, {**parts, "note": note} if note else parts)
    told = {
        "projects": [f"{row['name']} ({row['open']})" for row in data.get("projects", ())],
        "tags": [f"{row['name']} ({row['open']})" for row in data.get("tags", ())],
        "workspaces": [f"{row['id']} {row['path']} ({row['open']})" for row in data.get("workspaces", ())],
        "limits": [f"{row['kind']} {row['name'] or 'each'} {row['most']}" for row in data.get("limits", ())],
    }
    lines = [f"{kind}: {', '.join(told[kind]) or 'none'}" for kind in told if kind in parts]
    return Reply("\n".join([*lines, note] if note else lines), data)


@tool(projects.save, title="Save a project, tag or workspace", output=shapes.Saved)
def save(work: Work, args: arguments.Group) -> Reply:
    """Make or change a project, open a workspace, rename or delete a project or tag, set a limit. The tool `workspace`
    offers it."""
    if args.kind == "agent":
        most = claims.limit(work, LimitKind.AGENT, args.name, args.wip or 0)
        return Reply(f"{most.name or 'Each agent'} may hold {_tell_most(most.most)}.", {"name": most.name})
    if args.kind == "workspace":
        workspace = workspaces.open_folder(work, args.name)
        told = f"Workspace {workspace.id}: {workspace.path}"
        if args.wip is not None:
            most = claims.limit(work, LimitKind.WORKSPACE, str(workspace.id), args.wip)
            told += f", in progress {_tell_most(most.most)}"
        return Reply(told, {"id": workspace.id, "name": workspace.name})
    if args.kind == "tag":
        number = tags.delete(work, args.name) if args.delete else tags.rename(work, args.name, args.rename or "")
        return Reply(f"Changed on {number} tasks.", {"name": args.rename or args.name, "changed": number})
    if args.delete:
        project, number = projects.delete(work, args.name)
        return Reply(f"Deleted project {project.name}; {number} tasks stay.", {"name": project.name, "changed": number})
    project = projects.save(work, args.name, rename=args.rename, colour=args.colour, description=args.description)
    told = f"Project {project.name} saved."
    if args.wip is not None:
        told += f" In progress: {_tell_most(claims.limit(work, LimitKind.PROJECT, project.name, args.wip).most)}."
    return Reply(told, {"id": project.id, "name": project.name})


def _tell_most(most: int) -> str:
    return f"at most {most} at once" if most else "any number"
