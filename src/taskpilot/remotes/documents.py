"""What an OAuth client says of itself, in a document at the address that is its id."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast
from urllib.parse import urlsplit

from taskpilot.app import Errand
from taskpilot.domain.errors import TaskPilotError
from taskpilot.domain.oauth import DOCUMENT_LIFETIME, Client, Refused, check_document, check_redirect
from taskpilot.domain.operation import sends
from taskpilot.domain.scopes import Scope
from taskpilot.ops import oauth
from taskpilot.remotes.client import Client as Http

MOST_BYTES = 20_000
SECONDS = 5.0


@sends(scope=Scope.ACCOUNT)
def fetch_client(errand: Errand, client_id: str) -> Client:
    """Fetch a client's document, check it and keep it for a while.

    All that goes wrong on the way is told in one sentence: strangers choose the address, and must not learn
    from the answer what there is in this server's network.
    """
    parts = urlsplit(check_document(client_id))
    host = parts.hostname or ""
    try:
        document = _fetch(errand, f"{parts.scheme}://{parts.netloc}", client_id, host)
    except TaskPilotError:
        raise Refused("invalid_client", f"What this program says of itself at {host} cannot be read.") from None
    name, redirects = _read(document, client_id, host)
    return errand.run(oauth.keep_client, client_id, name, redirects, lifetime=DOCUMENT_LIFETIME)


def _fetch(errand: Errand, origin: str, url: str, host: str) -> Any:
    reach = replace(errand.reach, timeout=min(SECONDS, errand.reach.timeout))
    http = Http(host, origin, reach, {}, (), most_bytes=MOST_BYTES, most_redirects=0)
    try:
        return http.get(url).data
    finally:
        http.close()


def _read(document: Any, client_id: str, host: str) -> tuple[str, list[str]]:
    """The program's name, and those of its redirect URIs that may be used here."""
    given = cast("dict[str, Any]", document) if isinstance(document, dict) else {}
    if given.get("client_id") != client_id:
        raise Refused("invalid_client", f"The document at {host} is not about this program.")
    if given.get("token_endpoint_auth_method", "none") != "none":
        raise Refused("invalid_client", "This program wants to prove itself in a way that is not supported here.")
    name, listed = given.get("client_name"), given.get("redirect_uris")
    redirects = [each for each in cast("list[Any]", listed) if _is_usable(each)] if isinstance(listed, list) else []
    return name if isinstance(name, str) else "", redirects


def _is_usable(uri: Any) -> bool:
    try:
        return isinstance(uri, str) and bool(check_redirect(uri))
    except Refused:
        return False
