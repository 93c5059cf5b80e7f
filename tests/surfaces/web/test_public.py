from __future__ import annotations

import pytest

from taskpilot.surfaces.web.pages import FILES, PAGES
from taskpilot.surfaces.web.public import PUBLIC, TRIES, is_public, is_try


def test_the_list_is_what_is_public():
    assert {(path, tuple(sorted(methods))) for methods, path in PUBLIC} == {
        ("/", ("GET", "HEAD")),
        *((page, ("GET", "HEAD")) for page in (*PAGES, *FILES)),
        ("/assets/{file}", ("GET", "HEAD")),
        ("/livez", ("GET", "HEAD")),
        ("/readyz", ("GET", "HEAD")),
        ("/api/openapi.json", ("GET", "HEAD")),
        ("/api/docs", ("GET", "HEAD")),
        ("/api/docs/{file}", ("GET", "HEAD")),
        ("/api/auth/signup", ("POST",)),
        ("/api/auth/signin", ("POST",)),
        ("/api/auth/refresh", ("POST",)),
        ("/.well-known/{path}", ("GET", "HEAD")),
        ("/oauth/{path}", ("GET", "HEAD", "POST")),
    }


@pytest.mark.parametrize(
    ("method", "path"),
    [
        (method, path.format(file="a-1.js", part="12", path="a/b"))
        for methods, path in PUBLIC
        for method in sorted(methods)
    ],
)
def test_what_is_listed_is_public(method, path):
    assert is_public(method, path)
    assert not is_public("DELETE", path)
    assert not is_public(method.lower(), path)
    assert not is_public(method, path + "/")
    assert not is_public(method, "/" + path)
    assert not is_public(method, path + "\n")
    assert not is_public(method, path + "/..")


@pytest.mark.parametrize("path", ["/mcp", "/api/tasks", "/api/auth/password", "/api/auth/signins", "/assets", "/x", ""])
def test_what_is_not_listed_is_not(path):
    assert not any(is_public(method, path) for method in ("GET", "HEAD", "POST"))


def test_posting_to_the_root_is_not_public():
    assert not is_public("POST", "/")


def test_tries_are_posts_where_a_secret_can_be_guessed():
    assert all(is_try("POST", path) for path in (*TRIES, "/oauth/token", "/oauth/consent"))
    assert not is_try("GET", "/oauth/authorize")
    assert not is_try("POST", "/api/tasks")
