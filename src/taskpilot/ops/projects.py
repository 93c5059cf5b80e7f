"""What one can do with projects."""

from __future__ import annotations

from dataclasses import replace

from taskpilot.domain import text
from taskpilot.domain.errors import Conflict
from taskpilot.domain.operation import reads, writes
from taskpilot.domain.project import DESCRIPTION_MOST, NAME_MOST, Project, missing, parse_colour
from taskpilot.store.work import Work


@reads
def list_all(work: Work) -> list[tuple[Project, int]]:
    """Every project with its number of open tasks."""
    return work.projects.all()


@writes
def save(
    work: Work,
    name: str,
    *,
    rename: str | None = None,
    colour: str | None = None,
    description: str | None = None,
) -> Project:
    """Change a project, or make it if there is none of that name. Safe to repeat."""
    before = obtain(work, text.line(name, "A project name", NAME_MOST))
    after = before
    if rename is not None:
        after = replace(after, name=text.line(rename, "A project name", NAME_MOST))
        other = work.projects.find(after.name)
        if other is not None and other.id != before.id:
            raise Conflict(f"There is a project {after.name!r} already.", hint="Choose another name.")
    if colour is not None:
        after = replace(after, colour=parse_colour(colour))
    if description is not None:
        after = replace(after, description=text.prose(description, "A project description", DESCRIPTION_MOST))
    if after == before:
        return before
    return _store(work, "project.updated", before, after)


@writes
def delete(work: Work, name: str, *, reason: str = "") -> tuple[Project, int]:
    """Remove a project; its tasks stay, without one. Says how many there were."""
    before = work.projects.find(text.line(name, "A project name", NAME_MOST))
    if before is None:
        raise missing(name)
    ids = work.projects.task_ids(before.id)
    for task in work.tasks.many(ids):
        loose = task.edit({"project_id": None, "project": None}, work.now)
        work.tasks.save(task, loose)
        work.record("task.updated", task, loose, reason=reason)
    return _store(work, "project.deleted", before, replace(before, deleted_at=work.now), reason), len(ids)


def obtain(work: Work, name: str) -> Project:
    """The project of that name, made on first use."""
    found = work.projects.find(name)
    if found is not None:
        return found
    project = work.projects.add(
        Project(id=0, owner=work.caller.user, name=name, created_at=work.now, updated_at=work.now)
    )
    work.record("project.created", None, project)
    return project


def _store(work: Work, kind: str, before: Project, after: Project, reason: str = "") -> Project:
    after = work.projects.save(replace(after, version=before.version + 1, updated_at=work.now))
    work.record(kind, before, after, reason=reason)
    return after
