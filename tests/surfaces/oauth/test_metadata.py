"""All that a program needs to know follows from the address it was given."""

from __future__ import annotations

import pytest
from mcp.shared.auth import OAuthMetadata, ProtectedResourceMetadata


@pytest.mark.parametrize("base", ["http://localhost:8000", "http://127.0.0.1:8123", "http://[::1]:8000"])
def test_issuer_and_endpoints_follow_the_address_that_was_asked(open_server, base):
    http = open_server(base, auth="required")
    told = http.get("/.well-known/oauth-authorization-server").json()
    assert told["issuer"] == base
    endpoints = {name: url for name, url in told.items() if name.endswith("_endpoint")}
    assert endpoints == {
        "authorization_endpoint": f"{base}/oauth/authorize",
        "token_endpoint": f"{base}/oauth/token",
        "registration_endpoint": f"{base}/oauth/register",
        "revocation_endpoint": f"{base}/oauth/revoke",
    }
    assert told["code_challenge_methods_supported"] == ["S256"]
    assert told["client_id_metadata_document_supported"] is True
    assert told["authorization_response_iss_parameter_supported"] is True
    assert set(told["token_endpoint_auth_methods_supported"]) == {"none", "client_secret_post", "client_secret_basic"}
    assert str(OAuthMetadata.model_validate(told).issuer) == base


def test_the_public_address_wins_where_it_is_set(open_server):
    http = open_server(auth="required", public_url="https://tasks.example.com")
    told = http.get("/.well-known/oauth-protected-resource/mcp").json()
    assert told["resource"] == "https://tasks.example.com/mcp"
    assert told["authorization_servers"] == ["https://tasks.example.com"]


@pytest.mark.parametrize("path", ["", "/mcp", "/mcp/native", "/mcp/simple"])
def test_every_resource_describes_itself(http, path):
    told = http.get(f"/.well-known/oauth-protected-resource{path}").json()
    assert told["resource"] == f"http://localhost:8000{path}"
    assert told["authorization_servers"] == ["http://localhost:8000"]
    assert told["scopes_supported"] == ["tasks:read", "tasks:write", "agents:run"]
    assert told["bearer_methods_supported"] == ["header"]
    ProtectedResourceMetadata.model_validate(told)


@pytest.mark.parametrize("path", ["/mcp/nobody", "/api", "/mcp/native/x", "mcp"])
def test_what_is_no_resource_has_no_description(http, path):
    assert http.get(f"/.well-known/oauth-protected-resource{path}").status_code == 404


@pytest.mark.parametrize("path", ["/mcp", "/mcp/simple"])
def test_who_is_turned_away_is_told_where_to_look(http, path):
    refused = http.post(path, json={})
    assert refused.status_code == 401
    url = refused.headers["www-authenticate"].partition('resource_metadata="')[2].partition('"')[0]
    assert http.get(url).json()["resource"] == f"http://localhost:8000{path}"
