"""The page where somebody says yes or no."""

from __future__ import annotations

import hmac
from urllib.parse import urlsplit

from starlette.requests import Request as HttpRequest
from starlette.responses import RedirectResponse, Response

from taskpilot.access.entry import Claim, recognise
from taskpilot.access.secrets import hash_secret, make_secret
from taskpilot.domain.caller import Caller
from taskpilot.domain.errors import Forbidden, TaskPilotError, Unauthenticated, Unavailable
from taskpilot.domain.oauth import Refused, Request
from taskpilot.ops import oauth
from taskpilot.surfaces.oauth.office import Office, base_of
from taskpilot.surfaces.oauth.page import Question, show_failure, show_question
from taskpilot.surfaces.oauth.parameters import Parameters, read_form, read_query

COOKIE = "taskpilot-consent"
SECRET_LENGTH = 43


class Consent:
    def __init__(self, office: Office) -> None:
        self._office = office

    async def show(self, request: HttpRequest) -> Response:
        caller = self._office.meet(request)
        try:
            asked = await self._office.app.call(caller, oauth.find_pending, read_query(request).get("request") or "")
        except TaskPilotError as error:
            return show_failure(error)
        return self._ask(request, asked)

    async def decide(self, request: HttpRequest) -> Response:
        caller, app = self._office.meet(request), self._office.app
        try:
            given = await read_form(request)
            request_id = self._check_origin(request, given)
            asked = await app.call(caller, oauth.find_pending, request_id)
            if given.get("decision") != "allow":
                asked = await app.call(caller, oauth.deny, request_id)
                return _send(asked.answer(error="access_denied", error_description="They said no."))
        except TaskPilotError as error:
            return show_failure(error)
        try:
            user = await self._identify(request, caller, given)
            code = make_secret()
            asked = await app.call(caller, oauth.allow, request_id, user, hash_secret(code))
        except (Unauthenticated, Unavailable, Refused) as error:
            app.note(caller, error.kind)
            return self._ask(request, asked, str(error), given.get("email") or "")
        except TaskPilotError as error:
            return show_failure(error)
        return _send(asked.answer(code=code))

    async def _identify(self, request: HttpRequest, caller: Caller, given: Parameters) -> int:
        """Who it is: this machine's user where nobody signs in, else whoever knows the password."""
        found: Caller = request.scope["caller"]
        if found.trusted:
            return found.user
        claim = Claim(given.get("email") or "", given.get("password") or "")
        return (await self._office.app.send(caller, recognise, claim)).user_id

    def _ask(self, request: HttpRequest, asked: Request, problem: str = "", email: str = "") -> Response:
        base, name = base_of(request), _cookie_name(request)
        secret = request.cookies.get(name, "")
        if len(secret) != SECRET_LENGTH or not secret.isascii():
            secret = make_secret()
        caller: Caller = request.scope["caller"]
        question = Question(asked, self._seal(secret, asked.id), sign_in=not caller.trusted, email=email)
        answer = show_question(question, problem)
        answer.set_cookie(
            name, secret, max_age=3600, path="/", secure=base.startswith("https:"), httponly=True, samesite="lax"
        )
        return answer

    def _check_origin(self, request: HttpRequest, given: Parameters) -> str:
        """That this form is ours, and filled in on our own page: the request it is about."""
        base, request_id = urlsplit(base_of(request)), given.get("request") or ""
        secret = request.cookies.get(_cookie_name(request), "")
        sealed = self._seal(secret, request_id)
        ours = request.headers.get("origin", "").lower() == f"{base.scheme}://{base.netloc}".lower()
        if not secret or not ours or not hmac.compare_digest(sealed, (given.get("token") or "").encode()):
            raise Forbidden("This form did not come from this server's own page.", hint="Start again in the program.")
        return request_id

    def _seal(self, secret: str, request_id: str) -> bytes:
        said = f"{secret}\n{request_id}".encode("utf-8", "surrogatepass")
        return hmac.new(self._office.form_key, said, "sha256").hexdigest().encode()


def _cookie_name(request: HttpRequest) -> str:
    """With the prefix, browsers take it from this very host over https only, and from nobody else."""
    return f"__Host-{COOKIE}" if base_of(request).startswith("https:") else COOKIE


def _send(where: str) -> Response:
    return RedirectResponse(where, 303)
