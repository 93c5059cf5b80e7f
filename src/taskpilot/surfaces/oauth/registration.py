"""Dynamic client registration (RFC 7591): the SDK reads and answers, we bound and keep."""

from __future__ import annotations

import json
from typing import Any

from mcp.server.auth.handlers.register import RegistrationHandler
from mcp.server.auth.provider import RegistrationError
from mcp.server.auth.settings import ClientRegistrationOptions
from mcp.shared.auth import OAuthClientInformationFull
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from taskpilot.access.secrets import hash_secret
from taskpilot.domain.errors import TaskPilotError
from taskpilot.domain.oauth import Refused
from taskpilot.domain.scopes import GRANTABLE
from taskpilot.ops import oauth
from taskpilot.surfaces.oauth.office import Office

MOST_BYTES = 16_384
OPTIONS = ClientRegistrationOptions(enabled=True, valid_scopes=list(GRANTABLE))


class Registration:
    def __init__(self, office: Office) -> None:
        self._office = office

    async def answer(self, request: Request) -> Response:
        try:
            length = len(await request.body())
        except ClientDisconnect:
            return Response(status_code=400)
        if length > MOST_BYTES:
            return _refuse("invalid_client_metadata", f"A registration has at most {MOST_BYTES} bytes.", 400)
        keeper: Any = _Keeper(self._office, request)
        try:
            return await RegistrationHandler(keeper, OPTIONS).handle(request)
        except TaskPilotError as error:
            return _refuse("temporarily_unavailable", str(error), 503)


class _Keeper:
    """The one part of the SDK's provider that its registration asks for."""

    def __init__(self, office: Office, request: Request) -> None:
        self._office = office
        self._request = request

    async def register_client(self, client_info: OAuthClientInformationFull) -> None:
        # As they were sent: the SDK spells them its own way, and they are compared to the letter.
        redirect_uris = json.loads(await self._request.body())["redirect_uris"] or ()
        secret = client_info.client_secret
        try:
            await self._office.app.call(
                self._office.meet(self._request),
                oauth.keep_client,
                client_info.client_id,
                client_info.client_name or "",
                redirect_uris,
                secret_hash=hash_secret(secret) if secret else "",
            )
        except Refused as refused:
            code: Any = refused.code
            raise RegistrationError(code, str(refused)) from None


def _refuse(code: str, told: str, status: int) -> Response:
    return JSONResponse({"error": code, "error_description": told}, status)
