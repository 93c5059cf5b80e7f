"""Tokens for codes, new tokens for old, and giving them back (RFC 6749, RFC 7009)."""

from __future__ import annotations

import base64
import hmac
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import unquote

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from taskpilot.access.secrets import hash_secret, make_secret
from taskpilot.domain.caller import Caller
from taskpilot.domain.errors import TaskPilotError, Unauthenticated
from taskpilot.domain.oauth import Client, Refused, challenge_of, check_scopes
from taskpilot.domain.scopes import write_scopes
from taskpilot.ops import oauth
from taskpilot.ops.logins import Entry
from taskpilot.ops.oauth import Claim
from taskpilot.surfaces.oauth.office import Office, base_of
from taskpilot.surfaces.oauth.parameters import Parameters, read_form

HEADERS = {"Cache-Control": "no-store", "Pragma": "no-cache"}


class Tokens:
    def __init__(self, office: Office) -> None:
        self._office = office

    async def give(self, request: Request) -> Response:
        async def exchange() -> Response:
            form, caller = await read_form(request), self._office.meet(request)
            client = await self._authenticate(request, caller, form)
            resource = self._office.choose_resource(base_of(request), form.get("resource"))
            refresh_token = make_secret()
            match form.get("grant_type"):
                case "authorization_code":
                    entry = await self._redeem(caller, client, form, resource, refresh_token)
                case "refresh_token":
                    entry = await self._refresh(caller, client, form, resource, refresh_token)
                case _:
                    raise Refused("unsupported_grant_type", "grant_type must be authorization_code or refresh_token.")
            if entry is None:
                raise Refused("invalid_grant", "This was used before, so all that came of it has ended.")
            return self._answer(entry, refresh_token)

        return await _tell(request, exchange)

    async def take_back(self, request: Request) -> Response:
        """Whatever the token is: who asks learns only that it does not work any more."""

        async def revoke() -> Response:
            form, caller = await read_form(request), self._office.meet(request)
            client = await self._authenticate(request, caller, form)
            token = form.get("token")
            if token is None:
                raise Refused("invalid_request", "token is missing.")
            ended = await self._office.app.call(caller, oauth.revoke, client.id, **self._identify(token))
            if ended is not None:
                self._office.keeper.forget(ended.owner)  # now, before the news of it comes round
            return Response(headers=HEADERS)

        return await _tell(request, revoke)

    def _identify(self, token: str) -> dict[str, Any]:
        try:
            return {"login_id": self._office.keeper.signer.read(token, self._office.app.now()).login}
        except Unauthenticated:
            return {"refresh_hash": hash_secret(token)}

    async def _redeem(
        self, caller: Caller, client: Client, form: Parameters, resource: str | None, refresh_token: str
    ) -> Entry | None:
        code = form.get("code")
        if code is None:
            raise Refused("invalid_request", "code is missing.")
        claim = Claim(
            client_id=client.id,
            code_hash=hash_secret(code),
            challenge=challenge_of(form.get("code_verifier")),
            redirect_uri=form.get("redirect_uri"),
            resource=resource,
        )
        return await self._office.app.call(caller, oauth.redeem, claim, hash_secret(refresh_token))

    async def _refresh(
        self, caller: Caller, client: Client, form: Parameters, resource: str | None, refresh_token: str
    ) -> Entry | None:
        shown, scope = form.get("refresh_token"), form.get("scope")
        if shown is None:
            raise Refused("invalid_request", "refresh_token is missing.")
        return await self._office.app.call(
            caller,
            oauth.refresh,
            client.id,
            hash_secret(shown),
            hash_secret(refresh_token),
            resource=resource,
            scopes=None if scope is None else check_scopes(scope),
        )

    async def _authenticate(self, request: Request, caller: Caller, form: Parameters) -> Client:
        """The program, by its secret if it was given one."""
        client_id, secret = form.get("client_id"), form.get("client_secret")
        shown = request.headers.get("authorization", "")
        if shown:
            named, secret = _read_basic(shown, secret)
            if client_id is not None and client_id != named:
                raise Refused("invalid_request", "Two programs are named.")
            client_id = named
        client = await self._office.find_client(caller, client_id)
        if client.secret_hash and not hmac.compare_digest(client.secret_hash, hash_secret(secret or "")):
            raise Refused("invalid_client", "The client's secret is missing or wrong.")
        return client

    def _answer(self, entry: Entry, refresh_token: str) -> Response:
        now = self._office.app.now()
        token, until = self._office.keeper.signer.sign(entry.user, entry.login, now)
        told = {
            "access_token": token,
            "token_type": "Bearer",
            "expires_in": max(0, int((until - now).total_seconds())),
            "refresh_token": refresh_token,
            "scope": write_scopes(entry.login.scopes),
        }
        return JSONResponse(told, headers=HEADERS)


async def _tell(request: Request, answer: Callable[[], Awaitable[Response]]) -> Response:
    """The answer, or what stood in its way in the words of the standard."""
    try:
        return await answer()
    except Unauthenticated as error:
        return _refuse("invalid_grant", error, 400)
    except Refused as error:
        status = 401 if error.code == "invalid_client" else 400
        return _refuse(error.code, error, status, shown=bool(request.headers.get("authorization")))
    except TaskPilotError as error:
        return _refuse("temporarily_unavailable", error, 503)


def _refuse(code: str, error: TaskPilotError, status: int, *, shown: bool = False) -> Response:
    headers = HEADERS | ({"WWW-Authenticate": 'Basic realm="taskpilot"'} if status == 401 and shown else {})
    return JSONResponse({"error": code, "error_description": str(error)}, status, headers)


def _read_basic(shown: str, beside: str | None) -> tuple[str, str]:
    """Client id and secret as RFC 6749 wraps them: encoded, then joined, then encoded again."""
    scheme, _, rest = shown.partition(" ")
    try:
        named, colon, secret = base64.b64decode(rest.strip(), validate=True).decode().partition(":")
    except ValueError:
        named = colon = secret = ""
    named, secret = unquote(named), unquote(secret)
    if scheme.lower() != "basic" or not colon or "\0" in named:
        raise Refused("invalid_client", "The Authorization header cannot be read.")
    if beside is not None:
        raise Refused("invalid_request", "A secret may be shown only once.")
    return named, secret
