"""The page at `/` and what it is made of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from taskpilot.app import App
from taskpilot.server import build
from taskpilot.settings import Settings
from taskpilot.surfaces.web import home

BASE = "http://localhost:8000"


@pytest.fixture
def place(tmp_path: Path) -> str:
    """The page has nothing to do with the database."""
    return str(tmp_path / "taskpilot.db")


@pytest.fixture
def client(app: App, tmp_path: Path) -> Iterator[TestClient]:
    """Of a server where everybody has to sign in, by somebody who has not."""
    with TestClient(build(Settings(data_dir=tmp_path, auth="required"), app, []), base_url=BASE) as client:
        yield client


def policy(headers) -> dict[str, list[str]]:
    rules = [rule.split() for rule in headers["content-security-policy"].split(";")]
    return {name: values for name, *values in rules}


def test_everybody_may_see_the_page(client):
    answer = client.get("/")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert f"{BASE}/mcp" in answer.text


def test_nothing_but_our_own_files_can_run_on_the_page(client):
    rules = policy(client.get("/").headers)
    assert rules["default-src"] == ["'none'"]
    assert rules["script-src"] == rules["style-src"] == rules["connect-src"] == ["'self'"]
    assert rules["frame-ancestors"] == rules["form-action"] == rules["base-uri"] == ["'none'"]
    page = client.get("/").text
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\bon[a-z]+=|\bstyle=|javascript:", page)


def test_everybody_may_have_what_the_page_is_made_of(client):
    page = client.get("/").text
    named = set(re.findall(r'(?:src|href)="/assets/([^"]+)"', page))
    scripts = [client.get(f"/assets/{name}").text for name in home.ASSETS if name.endswith(".js")]
    imported = {name for text in scripts for name in re.findall(r'from "\./([^"]+)"', text)}
    assert named | imported == set(home.ASSETS)
    for name, media in home.ASSETS.items():
        answer = client.get(f"/assets/{name}")
        assert answer.status_code == 200, name
        assert answer.headers["content-type"].startswith(media)
        assert answer.headers["x-content-type-options"] == "nosniff"


def test_every_element_the_script_asks_for_is_on_the_page(client):
    page, script = client.get("/").text, client.get("/assets/account.js").text
    asked = set(re.findall(r'(?:element|show|onSubmit|choose|fill)\("([a-z-]+)"', script))
    assert asked
    assert asked <= set(re.findall(r'id="([a-z-]+)"', page))


def test_the_script_never_writes_markup(client):
    for name in home.ASSETS:
        text = client.get(f"/assets/{name}").text
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|localStorage", text), name


@pytest.mark.parametrize("name", ["nope.js", "..%2fhome.py", "%2e%2e/home.py", "home.py", "account.js%00"])
def test_other_files_are_not_there(client, name):
    assert client.get(f"/assets/{name}").status_code in (401, 404)


def test_a_strange_host_never_reaches_the_page(client):
    assert client.get("/", headers={"Host": 'evil.example"><script>'}).status_code == 421


def test_the_page_names_the_address_people_use(app, tmp_path):
    settings = Settings(data_dir=tmp_path, public_url="https://tasks.example.com")
    with TestClient(build(settings, app, []), base_url="http://127.0.0.1:8000") as client:
        assert "https://tasks.example.com/mcp" in client.get("/").text
