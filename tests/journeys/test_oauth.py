"""A program that was told nothing but an address gets to work for somebody, and is sent away again.

By the official client, over real HTTP, against a real server; the test plays the browser.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientInformationFull, OAuthClientMetadata, OAuthToken

from tests.surfaces.mcp.conftest import Process, await_address
from tests.surfaces.oauth.flow import CALLBACK, EMAIL, PASSWORD, decide, read_answer
from tests.surfaces.oauth.publisher import Publisher

pytestmark = [pytest.mark.anyio, pytest.mark.slow]


class Memory:
    """Where the client keeps what it was given."""

    def __init__(self) -> None:
        self.tokens: OAuthToken | None = None
        self.client: OAuthClientInformationFull | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info


class Browser:
    """Opens the page, fills it in, and is sent back to the program."""

    def __init__(self, base: str) -> None:
        self.base = base
        self.pages: list[str] = []
        self.brought: dict[str, str] = {}

    async def open(self, url: str) -> None:
        with httpx2.Client(base_url=self.base, follow_redirects=True) as http:
            page = http.get(url)
            self.pages.append(page.text)
            self.brought = read_answer(decide(http, page, origin=self.base))

    async def come_back(self) -> AuthorizationCodeResult:
        return AuthorizationCodeResult.model_validate(self.brought)


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., str]]:
    """A server that requires signing in, with one account: its address."""
    started: list[Process] = []

    def start(**environment: str) -> str:
        process = Process(
            *(sys.executable, "-m", "taskpilot", "serve", "--data-dir", str(tmp_path / "data"), "--port", "0"),
            *("--auth", "required"),
            stdin=None,
            stdout=None,
            env={**os.environ, **environment},
        )
        started.append(process)
        address = await_address(process).rstrip("/")
        with httpx2.Client(base_url=address) as http:
            made = http.post("/api/auth/signup", json={"email": EMAIL, "password": PASSWORD})
            assert made.status_code == 201, made.text
        return address

    yield start
    for process in started:
        process.close()


def introduce(resource: str, memory: Memory, browser: Browser, **options: Any) -> OAuthClientProvider:
    about = OAuthClientMetadata.model_validate({"client_name": "Journey", "redirect_uris": [CALLBACK]})
    return OAuthClientProvider(resource, about, memory, browser.open, browser.come_back, **options)


async def create_task(resource: str, provider: OAuthClientProvider, title: str) -> Any:
    async with (
        httpx2.AsyncClient(auth=provider) as http,
        Client(streamable_http_client(resource, http_client=http)) as client,
    ):
        names = {tool.name for tool in (await client.list_tools()).tools}
        assert "task_create" in names
        return (await client.call_tool("task_create", {"title": title})).structured_content


async def knock(resource: str, token: str) -> int:
    async with httpx2.AsyncClient() as http:
        answer = await http.post(resource, json={}, headers={"Authorization": f"Bearer {token}"})
        return answer.status_code


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
async def test_discovery_registration_consent_work_refresh_and_goodbye(start, host):
    base = start().replace("127.0.0.1", host)
    resource, memory, browser = f"{base}/mcp", Memory(), Browser(base)
    provider = introduce(resource, memory, browser)

    made = await create_task(resource, provider, "Asked for by a stranger")
    assert made["tasks"][0]["title"] == "Asked for by a stranger"
    assert "Journey asks to use your TaskPilot" in browser.pages[0]
    assert browser.brought["iss"] == base
    first = memory.tokens
    assert first is not None
    assert memory.client is not None
    assert (first.scope, first.expires_in) == ("tasks:read tasks:write agents:run", 900)

    # A quarter of an hour later: new tokens, and nobody is asked again.
    provider.context.token_expiry_time = 1.0
    await create_task(resource, provider, "After a while")
    second = memory.tokens
    assert second is not None
    assert second.refresh_token != first.refresh_token
    assert len(browser.pages) == 1

    # The same token opens no other door.
    assert await knock(resource, second.access_token) != 401
    for other in (f"{base}/mcp/simple", f"{base}/", f"{base}/api/tasks"):
        assert await knock(other, second.access_token) == 401

    # Given back, it is worth nothing.
    async with httpx2.AsyncClient() as http:
        metadata = (await http.get(f"{base}/.well-known/oauth-authorization-server")).json()
        gone = {"token": second.refresh_token, "client_id": memory.client.client_id}
        gone["client_secret"] = memory.client.client_secret
        assert (await http.post(metadata["revocation_endpoint"], data=gone)).status_code == 200
    for token in (first.access_token, second.access_token):
        assert await knock(resource, token) == 401

    # What it did is the person's, and says who did it.
    with httpx2.Client(base_url=base) as http:
        session = http.post("/api/auth/signin", json={"email": EMAIL, "password": PASSWORD}).json()
        token = session["token"]
        listed = http.get("/api/tasks", headers={"Authorization": f"Bearer {token}"}).json()
    assert {"Asked for by a stranger", "After a while"} <= {task["title"] for task in listed["tasks"]}


async def test_a_program_that_publishes_who_it_is_need_not_register(start, tmp_path):
    with Publisher(tmp_path).running() as publisher:
        url = publisher.publish()
        base = start(TASKPILOT_REMOTE_HOSTS=publisher.host, SSL_CERT_FILE=str(publisher.certificate))
        resource, memory, browser = f"{base}/mcp", Memory(), Browser(base)
        provider = introduce(resource, memory, browser, client_metadata_url=url)
        made = await create_task(resource, provider, "By a published program")
        assert made["tasks"][0]["title"] == "By a published program"
        assert publisher.asked == ["/client.json"]
    assert f"published by {publisher.host}" in browser.pages[0]
    assert memory.client is not None
    assert memory.client.client_id == url
    assert memory.client.client_secret is None
    # The document is not needed to go on.
    provider.context.token_expiry_time = 1.0
    await create_task(resource, provider, "Its host is gone")


async def test_every_contract_is_a_resource_of_its_own(start):
    base = start()
    for name in ("/mcp/native", "/mcp/simple", "/mcp/todo"):
        memory, browser = Memory(), Browser(base)
        provider = introduce(base + name, memory, browser)
        async with (
            httpx2.AsyncClient(auth=provider) as http,
            Client(streamable_http_client(base + name, http_client=http)) as client,
        ):
            assert (await client.list_tools()).tools
        assert memory.tokens is not None
        assert await knock(f"{base}/mcp", memory.tokens.access_token) == 401
