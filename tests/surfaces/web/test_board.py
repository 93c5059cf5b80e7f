"""The board's page at every address of it, and what it is made of."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from taskpilot.app import App
from taskpilot.ops import tasks
from taskpilot.server import build
from taskpilot.settings import Settings
from taskpilot.surfaces.web import board
from taskpilot.surfaces.web.compression import LEAST, accepts_gzip
from taskpilot.surfaces.web.pages import FILES, PAGES

BASE = "http://localhost:8000"
SOURCE = Path(__file__).parents[3] / "web" / "src" / "pages.ts"
ADDRESSES = ["/", *(page.replace("{part}", "12") for page in PAGES)]
PLAIN = {"Accept-Encoding": "identity"}


@pytest.fixture
def place(tmp_path: Path) -> str:
    """The page has nothing to do with the database."""
    return str(tmp_path / "taskpilot.db")


@pytest.fixture
def client(app: App, tmp_path: Path) -> Iterator[TestClient]:
    """Of a server where everybody has to sign in, by somebody who has not."""
    with TestClient(build(Settings(data_dir=tmp_path, auth="required"), app, []), base_url=BASE) as client:
        yield client


def named_in(page: str) -> set[str]:
    return set(re.findall(r'(?:src|href)="(/[^"]+)"', page))


def policy(headers) -> dict[str, list[str]]:
    rules = [rule.split() for rule in headers["content-security-policy"].split(";")]
    return {name: values for name, *values in rules}


@pytest.mark.parametrize("path", ADDRESSES)
def test_everybody_may_see_the_page_at_every_address_of_it(client, path):
    answer = client.get(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"
    assert answer.content == (board.BUILD / "index.html").read_bytes()
    assert client.head(path).status_code == 200


@pytest.mark.parametrize("path", ["/boards", "/board/", "/runs/1/2", "/runs/", "/task", "/index.html", "/.env"])
def test_what_is_no_page_is_not_shown_to_anybody(client, path):
    assert client.get(path).status_code == 401


def test_the_page_is_at_every_address_that_it_knows_itself():
    given = {re.sub(r":\w+", "{part}", path) for path in re.findall(r'"(/[a-z:/]*)"', SOURCE.read_text("utf-8"))}
    assert given
    assert given - {"/"} <= set(PAGES)


def test_nothing_of_anybodys_is_in_the_page(app, client, add, tmp_path):
    """It is the same to the letter for everybody, whatever there is; what it shows it asks for, with a token."""
    stranger = client.get("/").content
    add("My secret")
    with TestClient(build(Settings(data_dir=tmp_path), app, []), base_url=BASE) as local:
        assert local.get("/").content == local.get("/task/1").content == stranger
    assert client.get("/api/board").status_code == client.get("/api/tasks").status_code == 401


def test_nothing_but_our_own_files_can_run_on_the_page(client):
    rules = policy(client.get("/board").headers)
    assert rules == policy(client.get("/").headers)
    assert rules["default-src"] == rules["frame-ancestors"] == rules["form-action"] == rules["base-uri"] == ["'none'"]
    assert rules["script-src"] == rules["connect-src"] == rules["font-src"] == ["'self'"]
    assert "https:" not in " ".join(rules["img-src"])
    page = client.get("/").text
    assert not re.search(r"<script(?![^>]*\bsrc=)|\bon[a-z]+=|javascript:", page)
    assert all(name.startswith("/") for name in re.findall(r'(?:src|href)="([^"]+)"', page))


def test_everybody_may_have_what_the_page_is_made_of(client):
    named = named_in(client.get("/").text)
    assert named
    for name in named:
        answer = client.get(name)
        assert answer.status_code == 200, name
        assert answer.headers["x-content-type-options"] == "nosniff"


def test_every_file_of_the_build_is_served_with_its_own_type(client):
    files = [path for path in board.BUILD.rglob("*") if path.is_file()]
    assert {f"/{path.name}" for path in files if path.parent == board.BUILD} == {"/index.html", *FILES}
    for path in files:
        if path.name != "index.html":
            answer = client.get(f"/{path.relative_to(board.BUILD)}")
            assert (answer.status_code, answer.content) == (200, path.read_bytes()), path.name
            assert answer.headers["content-type"] == board.MEDIA[path.suffix]


def test_what_is_named_by_its_content_is_kept_for_good(client):
    asset = next(path for path in (board.BUILD / "assets").iterdir())
    assert client.get(f"/assets/{asset.name}").headers["cache-control"] == "public, max-age=31536000, immutable"
    for file in FILES:
        assert client.get(file).headers["cache-control"] == "no-cache"


def test_whoever_has_it_already_is_not_sent_it_again(client):
    for path in ("/", "/board", *named_in(client.get("/").text)):
        first = client.get(path)
        again = client.get(path, headers={"If-None-Match": first.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["cache-control"] == first.headers["cache-control"]
        assert client.get(path, headers={"If-None-Match": '"other"'}).status_code == 200


def test_text_is_sent_compressed_to_those_who_can_read_that(client):
    with client.stream("GET", "/", headers={"Accept-Encoding": "gzip, br"}) as answer:
        raw = b"".join(answer.iter_raw())
    assert (answer.headers["content-encoding"], answer.headers["vary"]) == ("gzip", "Accept-Encoding")
    plain = client.get("/", headers=PLAIN)
    assert "content-encoding" not in plain.headers
    assert gzip.decompress(raw) == plain.content


@pytest.mark.parametrize(
    "name",
    [
        "nope.js",
        "..%2findex.html",
        "%2e%2e/index.html",
        "%2e%2e%2f%2e%2e%2fboard.py",
        "index.js%00",
        "a/b.js",
    ],
)
def test_other_files_are_not_there(client, name):
    assert client.get(f"/assets/{name}").status_code in (401, 404)


def test_a_strange_host_never_reaches_the_page(client):
    assert client.get("/", headers={"Host": 'evil.example"><script>'}).status_code == 421


@pytest.mark.parametrize(
    ("accepted", "gzipped"),
    [
        ("gzip", True),
        ("gzip, deflate, br", True),
        ("br;q=1.0, GZIP;q=0.8", True),
        ("*", True),
        ("gzip;q=0", False),
        ("gzip; q=0.0, br", False),
        ("", False),
        ("br", False),
        ("xgzip", False),
    ],
)
def test_what_a_browser_can_read_is_believed(accepted, gzipped):
    assert accepts_gzip(accepted) is gzipped


@pytest.fixture
def local(app: App, tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(build(Settings(data_dir=tmp_path), app, []), base_url=BASE) as client:
        yield client


def test_the_whole_board_is_sent_compressed(local, do):
    do(tasks.create, [{"title": f"Task number {number}"} for number in range(50)])
    plain = local.get("/api/board", headers=PLAIN)
    assert len(plain.content) > LEAST
    assert "content-encoding" not in plain.headers
    with local.stream("GET", "/api/board", headers={"Accept-Encoding": "gzip"}) as answer:
        raw = b"".join(answer.iter_raw())
    assert answer.headers["content-encoding"] == "gzip"
    assert int(answer.headers["content-length"]) == len(raw) < len(plain.content) / 2
    assert "Accept-Encoding" in answer.headers["vary"]
    assert answer.headers["cache-control"] == "no-store"
    assert gzip.decompress(raw) == plain.content


@pytest.mark.parametrize("path", ["/api/board/cards?ids=1", "/api/tasks"])
def test_what_is_short_or_something_else_is_sent_as_it_is(local, path):
    assert "content-encoding" not in local.get(path, headers={"Accept-Encoding": "gzip"}).headers
