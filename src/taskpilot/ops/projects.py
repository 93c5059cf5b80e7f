"""What one can do with projects. One is named by its name or by its number."""

from __future__ import annotations

from dataclasses import replace

from taskpilot.domain import text
from taskpilot.domain.errors import Conflict
from taskpilot.domain.operation import reads, writes
from taskpilot.domain.project import DEFAULT_COLOUR, DESCRIPTION_MOST, NAME_MOST, Project, missing, parse_colour
from taskpilot.domain.version import expect
from taskpilot.store.work import Work


@reads
def list_all(work: Work) -> list[tuple[Project, int]]:
    """Every project with its number of open tasks."""
    return work.projects.all()


@reads
def get(work: Work, which: str | int) -> tuple[Project, int]:
    """One project with its number of open tasks."""
    found = _find(work, which)
    return found, work.projects.count_open(found.id)


@writes
def create(work: Work, name: str, *, colour: str = DEFAULT_COLOUR, description: str = "") -> Project:
    """A new project. Its name must be free."""
    name = _parse_name(name)
    _require_free(work, name)
    return _add(work, name, parse_colour(colour), _parse_description(description))


@writes
def save(
    work: Work,
    which: str | int,
    *,
    rename: str | None = None,
    colour: str | None = None,
    description: str | None = None,
    version: int | None = None,
) -> Project:
    """Change a project; by a name that none has, make it. Safe to repeat. `version` refuses a change on an old view."""
    before = _find(work, which) if isinstance(which, int) else obtain(work, _parse_name(which))
    expect(f"Project {before.name!r}", before.version, version)
    after = before
    if rename is not None:
        after = replace(after, name=_parse_name(rename))
        _require_free(work, after.name, before)
    if colour is not None:
        after = replace(after, colour=parse_colour(colour))
    if description is not None:
        after = replace(after, description=_parse_description(description))
    if after == before:
        return before
    return _store(work, "project.updated", before, after)


@writes
def delete(work: Work, which: str | int, *, version: int | None = None, reason: str = "") -> tuple[Project, int]:
    """Remove a project; its tasks stay, without one. Says how many there were."""
    before = _find(work, which)
    expect(f"Project {before.name!r}", before.version, version)
    ids = work.projects.task_ids(before.id)
    for task in work.tasks.many(ids):
        loose = task.edit({"project_id": None, "project": None}, work.now)
        work.tasks.save(task, loose)
        work.record("task.updated", task, loose, reason=reason)
    return _store(work, "project.deleted", before, replace(before, deleted_at=work.now), reason), len(ids)


def obtain(work: Work, name: str) -> Project:
    """The project of that name, made on first use."""
    return work.projects.find(name) or _add(work, name)


def _find(work: Work, which: str | int) -> Project:
    if isinstance(which, int):
        return work.projects.get(which)
    found = work.projects.find(_parse_name(which))
    if found is None:
        raise missing(which)
    return found


def _add(work: Work, name: str, colour: str = DEFAULT_COLOUR, description: str = "") -> Project:
    project = work.projects.add(
        Project(
            id=0,
            owner=work.caller.user,
            name=name,
            colour=colour,
            description=description,
            created_at=work.now,
            updated_at=work.now,
        )
    )
    work.record("project.created", None, project)
    return project


def _require_free(work: Work, name: str, mine: Project | None = None) -> None:
    other = work.projects.find(name)
    if other is not None and (mine is None or other.id != mine.id):
        raise Conflict(f"There is a project {name!r} already.", hint="Choose another name.")


def _parse_name(given: str) -> str:
    return text.line(given, "A project name", NAME_MOST)


def _parse_description(given: str) -> str:
    return text.prose(given, "A project description", DESCRIPTION_MOST)


def _store(work: Work, kind: str, before: Project, after: Project, reason: str = "") -> Project:
    after = work.projects.save(replace(after, version=before.version + 1, updated_at=work.now))
    work.record(kind, before, after, reason=reason)
    return after
