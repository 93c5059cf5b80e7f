"""`/api/projects`."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, StringConstraints
from starlette.responses import Response

from taskpilot.domain.operation import writes
from taskpilot.domain.project import DEFAULT_COLOUR, DESCRIPTION_MOST, NAME_MOST
from taskpilot.ops import projects
from taskpilot.store.work import Work
from taskpilot.surfaces.rest.asking import create, expected_version, reply, run, tag
from taskpilot.surfaces.rest.group_shapes import ProjectOut, cut, show_project
from taskpilot.surfaces.rest.people import Paging
from taskpilot.surfaces.rest.types import VISIBLE, Body, Colour, IdempotencyKey, IfMatch, Number

Name = Annotated[str, StringConstraints(min_length=1, max_length=NAME_MOST, pattern=VISIBLE)]
Description = Annotated[str, StringConstraints(max_length=DESCRIPTION_MOST)]

router = APIRouter(prefix="/api/projects", tags=["projects"])


class NewProject(Body):
    name: Name
    colour: Colour = DEFAULT_COLOUR
    description: Description = ""


class ProjectChanges(Body):
    """What is not named, or null, stays."""

    name: Name | None = None
    colour: Colour | None = None
    description: Description | None = None


class ProjectsOut(BaseModel):
    projects: list[ProjectOut]
    total: int


@router.get("", response_model=ProjectsOut)
async def list_projects(request: Request, page: Annotated[Paging, Query()]) -> Response:
    """Your projects by name, each with its number of open tasks."""
    found = await run(request, projects.list_all)
    return reply({"projects": [show_project(*each) for each in cut(found, page)], "total": len(found)})


@router.post("", status_code=201, response_model=ProjectOut)
async def create_project(request: Request, body: NewProject, key: IdempotencyKey = None) -> Response:  # noqa: ARG001
    """Make a project. Its name must be free."""

    @writes
    def make(work: Work) -> dict[str, Any]:
        return show_project(projects.create(work, **body.model_dump()), 0)

    return await create(request, make, asked=body.model_dump(), location=lambda made: f"/api/projects/{made['id']}")


@router.get("/{project_id}", response_model=ProjectOut)
async def get_project(request: Request, project_id: Number) -> Response:
    """One project."""
    project, open_tasks = await run(request, projects.get, project_id)
    return reply(show_project(project, open_tasks), headers=tag(project.version))


@router.patch("/{project_id}", response_model=ProjectOut)
async def update_project(
    request: Request, project_id: Number, body: ProjectChanges, if_match: IfMatch = None
) -> Response:
    """Change a project's name, colour or description."""

    @writes
    def change(work: Work) -> dict[str, Any]:
        version = expected_version(if_match)
        projects.save(
            work, project_id, rename=body.name, colour=body.colour, description=body.description, version=version
        )
        return show_project(*projects.get(work, project_id))

    shown = await run(request, change)
    return reply(shown, headers=tag(shown["version"]))


@router.put("/{project_id}", response_model=ProjectOut)
async def put_project(request: Request, project_id: Number, body: ProjectChanges, if_match: IfMatch = None) -> Response:
    """The same as PATCH: only what is given changes."""
    return await update_project(request, project_id, body, if_match)


@router.delete("/{project_id}", status_code=204)
async def delete_project(request: Request, project_id: Number, if_match: IfMatch = None) -> Response:
    """Remove a project. Its tasks stay, without one."""
    await run(request, projects.delete, project_id, version=expected_version(if_match))
    return Response(status_code=204)
