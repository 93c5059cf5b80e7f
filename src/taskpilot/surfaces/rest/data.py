"""`/api/export`, `/api/import`, and the end of an account."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator
from dataclasses import asdict
from typing import Any

from fastapi import APIRouter, Request
from pydantic import BaseModel
from starlette.responses import Response, StreamingResponse

from taskpilot.access import leaving
from taskpilot.domain.errors import Conflict, Invalid
from taskpilot.domain.operation import writes
from taskpilot.domain.transfer import Parcel
from taskpilot.ops import transfer
from taskpilot.store.work import Work
from taskpilot.surfaces.rest.asking import app_of, create, run, send
from taskpilot.surfaces.rest.document import Document
from taskpilot.surfaces.rest.people import CurrentPassword
from taskpilot.surfaces.rest.types import Body, IdempotencyKey

router = APIRouter(prefix="/api", tags=["data"])


class Farewell(Body):
    password: CurrentPassword


class ImportedOut(BaseModel):
    """How many of each are new."""

    projects: int
    tags: int
    workspaces: int
    rules: int
    sessions: int
    tasks: int


@router.get("/export", response_model=Document)
async def export_everything(request: Request) -> Response:
    """Everything you own, as one document to keep, or to import elsewhere."""
    pieces = await run(request, transfer.write_out)
    name = f"taskpilot-{app_of(request).now():%Y%m%d}.json"
    headers = {
        "Content-Disposition": f'attachment; filename="{name}"',
        "Content-Length": str(sum(map(len, pieces))),
    }
    return StreamingResponse(_each(pieces), headers=headers, media_type="application/json")


@router.post("/import", status_code=201, response_model=ImportedOut)
async def import_everything(request: Request, document: Document, key: IdempotencyKey = None) -> Response:  # noqa: ARG001
    """Add what a document holds to what you own, under new ids: all of it, or nothing."""
    parcel = await asyncio.to_thread(unpack, document)

    @writes
    def make(work: Work) -> dict[str, Any]:
        return asdict(transfer.take_in(work, parcel))

    return await create(request, make, asked=hashlib.sha256(await request.body()).hexdigest())


@router.delete("/me", status_code=204)
async def delete_me(request: Request, farewell: Farewell) -> Response:
    """Delete your account and everything in it, for good. Takes your password; no token is enough."""
    gone = await send(request, leaving.close_account, farewell.password)
    request.app.state.keeper.forget(gone.id)
    return Response(status_code=204)


def unpack(document: Document) -> Parcel:
    """What has the form of a document and still makes no sense is refused as a conflict with itself."""
    try:
        return transfer.read(document.model_dump(exclude_unset=True))
    except Invalid as error:
        raise Conflict(error.message, hint=error.hint) from None


async def _each(pieces: list[bytes]) -> AsyncIterator[bytes]:
    for piece in pieces:
        yield piece
