"""`/api/tags`."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, Field, StringConstraints
from starlette.responses import Response

from taskpilot.domain.operation import writes
from taskpilot.domain.task import TAG_MOST
from taskpilot.ops import tags
from taskpilot.store.work import Work
from taskpilot.surfaces.rest.asking import create, reply, run
from taskpilot.surfaces.rest.group_shapes import TagOut, cut, show_tag
from taskpilot.surfaces.rest.people import Paging
from taskpilot.surfaces.rest.types import HIDDEN, Body, IdempotencyKey, Number

Name = Annotated[
    str,
    StringConstraints(min_length=1, max_length=TAG_MOST, pattern=f"[^#+{HIDDEN}]"),
    Field(examples=["home"]),
]
"""Something besides the # or + that may stand before it, and is not part of it."""

router = APIRouter(prefix="/api/tags", tags=["tags"])


class NewTag(Body):
    name: Name


class TagChanges(Body):
    name: Name
    merge: bool = Field(False, description="Where another tag has that name, let the two become one.")


class TagsOut(BaseModel):
    tags: list[TagOut]
    total: int


@router.get("", response_model=TagsOut)
async def list_tags(request: Request, page: Annotated[Paging, Query()]) -> Response:
    """Your tags by name, each with its number of open tasks."""
    found = await run(request, tags.list_known)
    return reply({"tags": [show_tag(*each) for each in cut(found, page)], "total": len(found)})


@router.post("", status_code=201, response_model=TagOut)
async def create_tag(request: Request, body: NewTag, key: IdempotencyKey = None) -> Response:  # noqa: ARG001
    """Make a tag. It stays, whether tasks carry it or not."""

    @writes
    def make(work: Work) -> dict[str, Any]:
        return show_tag(tags.create(work, body.name), 0)

    return await create(request, make, asked=body.model_dump(), location=lambda made: f"/api/tags/{made['id']}")


@router.get("/{tag_id}", response_model=TagOut)
async def get_tag(request: Request, tag_id: Number) -> Response:
    """One tag."""
    return reply(show_tag(*await run(request, tags.get, tag_id)))


@router.patch("/{tag_id}", response_model=TagOut)
async def rename_tag(request: Request, tag_id: Number, body: TagChanges) -> Response:
    """Give a tag another name, on all its tasks. Merged into another, that one is the answer."""

    @writes
    def change(work: Work) -> dict[str, Any]:
        tags.rename(work, tag_id, body.name, merge=body.merge)
        return show_tag(*tags.get(work, body.name))

    return reply(await run(request, change))


@router.delete("/{tag_id}", status_code=204)
async def delete_tag(request: Request, tag_id: Number) -> Response:
    """Take a tag off all tasks, and away."""
    await run(request, tags.delete, tag_id)
    return Response(status_code=204)
