"""The steps of an authorization, as a program and the browser of the person in front of it take them."""

from __future__ import annotations

import base64
import hashlib
import re
from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlsplit

BASE = "http://localhost:8000"
CALLBACK = "http://localhost:9999/callback"
VERIFIER = "a-verifier-that-is-long-enough-to-be-one-000"
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).decode().rstrip("=")
EMAIL = "ann@example.com"
PASSWORD = "correct horse battery"


def register(http: Any, **fields: Any) -> Any:
    given = {"client_name": "Prog", "redirect_uris": [CALLBACK], "token_endpoint_auth_method": "none"} | fields
    return http.post("/oauth/register", json=given)


def ask(http: Any, client_id: str, /, **changes: Any) -> Any:
    """Open the address a program sends the browser to; a change to None leaves a parameter out."""
    given = {
        "response_type": "code",
        "client_id": client_id,
        "redirect_uri": CALLBACK,
        "code_challenge": CHALLENGE,
        "code_challenge_method": "S256",
        "state": "st&te",
        "scope": "tasks:read tasks:write",
        "resource": f"{BASE}/mcp",
    } | changes
    params = {name: value for name, value in given.items() if value is not None}
    return http.get("/oauth/authorize", params=params, follow_redirects=False)


def open_page(http: Any, asked: Any) -> Any:
    assert asked.status_code == 302, asked.text
    return http.get(asked.headers["location"])


def read_form(page: str) -> dict[str, str]:
    return {name: unescape(value) for name, value in re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page)}


def decide(http: Any, page: Any, decision: str = "allow", origin: str = BASE, **changes: str) -> Any:
    form = {**read_form(page.text), "email": EMAIL, "password": PASSWORD, "decision": decision} | changes
    headers = {"Origin": origin} if origin else {}
    return http.post("/oauth/consent", data=form, headers=headers, follow_redirects=False)


def read_answer(answer: Any) -> dict[str, str]:
    """What the browser brings back to the program."""
    assert answer.status_code in (302, 303), answer.text
    return {name: value for name, (value,) in parse_qs(urlsplit(answer.headers["location"]).query).items()}


def obtain_code(http: Any, client_id: str, **changes: Any) -> str:
    return read_answer(decide(http, open_page(http, ask(http, client_id, **changes))))["code"]


def exchange(http: Any, client_id: str, code: str, /, **changes: Any) -> Any:
    given = {
        "grant_type": "authorization_code",
        "client_id": client_id,
        "code": code,
        "redirect_uri": CALLBACK,
        "code_verifier": VERIFIER,
    } | changes
    return http.post("/oauth/token", data={name: value for name, value in given.items() if value is not None})


def refresh(http: Any, client_id: str, token: str, /, **changes: Any) -> Any:
    given = {"grant_type": "refresh_token", "client_id": client_id, "refresh_token": token} | changes
    return http.post("/oauth/token", data=given)


def obtain_tokens(http: Any, client_id: str, **changes: Any) -> dict[str, Any]:
    answer = exchange(http, client_id, obtain_code(http, client_id, **changes))
    assert answer.status_code == 200, answer.text
    return answer.json()
