"""`/api/oauth-clients`: programs that act for you because you let them in."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from pydantic import BaseModel, Field
from starlette.responses import Response

from taskpilot.domain.moments import wire
from taskpilot.domain.scopes import Scope
from taskpilot.ops import clients
from taskpilot.ops.clients import KEY_LENGTH, Connected
from taskpilot.surfaces.rest.asking import caller_of, reply, run

router = APIRouter(prefix="/api/oauth-clients", tags=["tokens"])

ClientKey = Annotated[str, Path(pattern=f"^[0-9a-f]{{{KEY_LENGTH}}}$", examples=["9f86d081884c7d65"])]


class ClientOut(BaseModel):
    id: str
    client_id: str = Field(description="As it names itself to others.")
    name: str
    host: str = Field(description="Who publishes it; empty for a program that only registered itself.")
    scopes: list[str]
    resources: list[str] = Field(description="The addresses its tokens are for.")
    logins: int = Field(description="How many times it is let in now.")
    connected_at: str
    last_used_at: str


class ClientsOut(BaseModel):
    clients: list[ClientOut]


@router.get("", response_model=ClientsOut)
async def list_clients(request: Request) -> Response:
    """Programs you let in by OAuth, latest first."""
    return reply({"clients": [_show(client) for client in await run(request, clients.list_all)]})


@router.delete("/{client_key}", status_code=204)
async def disconnect_client(request: Request, client_key: ClientKey) -> Response:
    """End all that a program holds: its tokens stop working at once."""
    await run(request, clients.disconnect, client_key)
    request.app.state.keeper.forget(caller_of(request).user)
    return Response(status_code=204)


def _show(client: Connected) -> dict[str, Any]:
    return {
        "id": client.key,
        "client_id": client.client_id,
        "name": client.name,
        "host": client.host,
        "scopes": [scope.value for scope in Scope if scope in client.scopes],
        "resources": list(client.resources),
        "logins": len(client.logins),
        "connected_at": wire(client.connected_at),
        "last_used_at": wire(client.last_used_at),
    }
