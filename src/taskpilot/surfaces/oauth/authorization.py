"""The question: who asks, for what, and where the answer goes. Nothing is believed before it is checked."""

from __future__ import annotations

from starlette.requests import Request as HttpRequest
from starlette.responses import RedirectResponse, Response

from taskpilot.access.secrets import make_secret
from taskpilot.domain.caller import Caller
from taskpilot.domain.errors import TaskPilotError
from taskpilot.domain.oauth import (
    REQUEST_LIFETIME,
    STATE_MOST,
    Client,
    Refused,
    Request,
    check_challenge,
    check_scopes,
    is_loopback,
    send_back,
)
from taskpilot.ops import oauth
from taskpilot.surfaces.oauth.office import Office, base_of
from taskpilot.surfaces.oauth.page import show_failure
from taskpilot.surfaces.oauth.parameters import Parameters, read_query

DEFAULT_RESOURCE = "/mcp"


class Authorization:
    def __init__(self, office: Office) -> None:
        self._office = office

    async def ask(self, request: HttpRequest) -> Response:
        caller, base = self._office.meet(request), base_of(request)
        try:
            given = read_query(request)
            client = await self._office.meet_client(caller, given.get("client_id"))
            redirect = client.choose_redirect(_redirect_of(given))
        except TaskPilotError as error:
            return show_failure(error)
        try:
            asked = await self._put_down(caller, given, client, redirect, base)
        except TaskPilotError as error:
            # Anyone can register: until somebody has let it in once, nobody is sent anywhere without a click.
            if client.used_at is None and not is_loopback(redirect):
                return show_failure(error)
            code = error.code if isinstance(error, Refused) else "temporarily_unavailable"
            told = send_back(redirect, given.get("state"), base, error=code, error_description=error.message)
            return RedirectResponse(told, 302)
        return RedirectResponse(f"{base}/oauth/consent?request={asked.id}", 302)

    async def _put_down(self, caller: Caller, given: Parameters, client: Client, redirect: str, base: str) -> Request:
        if given.repeated:
            raise Refused("invalid_request", "A parameter may come only once.")
        if given.get("response_type") != "code":
            raise Refused("unsupported_response_type", "response_type must be code.")
        state = given.get("state")
        if state is not None and len(state) > STATE_MOST:
            raise Refused("invalid_request", f"state has at most {STATE_MOST} characters.")
        asked = Request(
            id=make_secret(),
            client_id=client.id,
            client=client.name,
            redirect_uri=redirect,
            redirect_named=given.get("redirect_uri") is not None,
            challenge=check_challenge(given.get("code_challenge"), given.get("code_challenge_method")),
            state=state,
            scopes=check_scopes(given.get("scope")),
            resource=self._office.choose_resource(base, given.get("resource")) or base + DEFAULT_RESOURCE,
            issuer=base,
            expires_at=self._office.app.now() + REQUEST_LIFETIME,
        )
        return await self._office.app.call(caller, oauth.begin, asked)


def _redirect_of(given: Parameters) -> str | None:
    if "redirect_uri" in given.repeated:
        raise Refused("invalid_request", "The program names two addresses for the answer.")
    return given.get("redirect_uri")
