"""The addresses of it all. Every one is public: whoever comes here is about to prove who they are."""

from __future__ import annotations

from collections.abc import Iterable

from starlette.routing import Route

from taskpilot.access.doorkeeper import Doorkeeper
from taskpilot.app import App
from taskpilot.surfaces.oauth.authorization import Authorization
from taskpilot.surfaces.oauth.consent import Consent
from taskpilot.surfaces.oauth.metadata import WELL_KNOWN_RESOURCE, Metadata
from taskpilot.surfaces.oauth.office import Office
from taskpilot.surfaces.oauth.registration import Registration
from taskpilot.surfaces.oauth.tokens import Tokens


def lay_oauth(app: App, keeper: Doorkeeper, resources: Iterable[str]) -> list[Route]:
    """`resources` are the paths at which MCP is spoken."""
    office = Office(app, keeper, frozenset(resources))
    metadata, consent, tokens = Metadata(office), Consent(office), Tokens(office)
    return [
        Route("/.well-known/oauth-authorization-server", metadata.show_server),
        Route(WELL_KNOWN_RESOURCE, metadata.show_resource),
        Route(f"{WELL_KNOWN_RESOURCE}/{{path:path}}", metadata.show_resource),
        Route("/oauth/register", Registration(office).answer, methods=["POST"]),
        Route("/oauth/authorize", Authorization(office).ask),
        Route("/oauth/consent", consent.show),
        Route("/oauth/consent", consent.decide, methods=["POST"]),
        Route("/oauth/token", tokens.give, methods=["POST"]),
        Route("/oauth/revoke", tokens.take_back, methods=["POST"]),
    ]
