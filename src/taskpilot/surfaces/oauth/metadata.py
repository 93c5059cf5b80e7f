"""Where everything is, for programs that were told nothing but an address (RFC 8414, RFC 9728)."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from taskpilot.domain.scopes import GRANTABLE, USUAL
from taskpilot.surfaces.oauth.office import Office, base_of

AUTH_METHODS = ["none", "client_secret_post", "client_secret_basic"]
GRANT_TYPES = ["authorization_code", "refresh_token"]
WELL_KNOWN_RESOURCE = "/.well-known/oauth-protected-resource"


class Metadata:
    def __init__(self, office: Office) -> None:
        self._office = office

    async def show_server(self, request: Request) -> Response:
        return JSONResponse(describe_server(base_of(request)))

    async def show_resource(self, request: Request) -> Response:
        path = request.url.path.removeprefix(WELL_KNOWN_RESOURCE).rstrip("/")
        if path and path not in self._office.paths:
            return JSONResponse({"error": "not_found", "error_description": "There is no such resource."}, 404)
        return JSONResponse(describe_resource(base_of(request), path))


def describe_server(base: str) -> dict[str, Any]:
    return {
        "issuer": base,
        "authorization_endpoint": f"{base}/oauth/authorize",
        "token_endpoint": f"{base}/oauth/token",
        "registration_endpoint": f"{base}/oauth/register",
        "revocation_endpoint": f"{base}/oauth/revoke",
        "scopes_supported": list(GRANTABLE),
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": GRANT_TYPES,
        "token_endpoint_auth_methods_supported": AUTH_METHODS,
        "revocation_endpoint_auth_methods_supported": AUTH_METHODS,
        "code_challenge_methods_supported": ["S256"],
        "client_id_metadata_document_supported": True,
        "authorization_response_iss_parameter_supported": True,
    }


def describe_resource(base: str, path: str) -> dict[str, Any]:
    return {
        "resource": base + path,
        "authorization_servers": [base],
        # Clients ask for all that is listed here. Who wants to administer the server says so.
        "scopes_supported": [scope for scope in GRANTABLE if scope in USUAL],
        "bearer_methods_supported": ["header"],
        "resource_name": "TaskPilot",
    }
