"""Parameters of a query or a form. One that comes twice counts as none: it is not clear which is meant."""

from __future__ import annotations

from urllib.parse import parse_qsl

from starlette.requests import ClientDisconnect, Request

from taskpilot.domain.oauth import Refused

FORM = "application/x-www-form-urlencoded"
MOST_BYTES = 32_768
MOST_FIELDS = 50


class Parameters:
    def __init__(self, encoded: str) -> None:
        try:
            given = parse_qsl(encoded, keep_blank_values=True, errors="replace", max_num_fields=MOST_FIELDS)
        except ValueError:
            raise Refused("invalid_request", "There are too many parameters.") from None
        names = [name for name, _ in given]
        self._given = dict(given)
        self.repeated = frozenset(name for name in names if names.count(name) > 1)

    def get(self, name: str) -> str | None:
        """An empty value is no value, and neither is one that no database could hold."""
        value = self._given.get(name)
        return None if not value or "\0" in value or name in self.repeated else value


def read_query(request: Request) -> Parameters:
    return Parameters(request.scope["query_string"].decode("latin-1"))


async def read_form(request: Request) -> Parameters:
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != FORM:
        raise Refused("invalid_request", f"Content-Type must be {FORM}.")
    try:
        body = await request.body()
    except ClientDisconnect:
        body = b""
    if len(body) > MOST_BYTES:
        raise Refused("invalid_request", f"The request is longer than {MOST_BYTES} bytes.")
    given = Parameters(body.decode("latin-1"))
    if given.repeated:
        raise Refused("invalid_request", "A parameter may come only once.")
    return given
