"""What anyone may ask for where signing in is required. The gate reads this list, and so do the tests."""

from __future__ import annotations

import re

from taskpilot.surfaces.web.pages import FILES, PAGES

GET = frozenset({"GET", "HEAD"})
POST = frozenset({"POST"})
BOTH = GET | POST

PUBLIC: tuple[tuple[frozenset[str], str], ...] = (
    (GET, "/"),  # the board's page; `POST /` is MCP, and not public
    *((GET, page) for page in PAGES),
    *((GET, file) for file in FILES),
    (GET, "/assets/{file}"),
    (GET, "/livez"),
    (GET, "/readyz"),
    (GET, "/api/openapi.json"),
    (GET, "/api/docs"),
    (GET, "/api/docs/{file}"),
    (POST, "/api/auth/signup"),
    (POST, "/api/auth/signin"),
    (POST, "/api/auth/refresh"),
    (GET, "/.well-known/{path}"),
    (BOTH, "/oauth/{path}"),
)
"""Methods and path; `{file}` and `{part}` are one part of a path, `{path}` all the rest of it."""

TRIES = frozenset({"/api/auth/signup", "/api/auth/signin", "/api/auth/refresh", "/api/auth/password"})
"""Where a secret can be guessed: fewer tries a minute. So are all posts to `/oauth/`."""


def _compile(path: str) -> str:
    return re.sub(r"\\\{(file|part)\\\}", "[^/]+", re.escape(path)).replace(r"\{path\}", ".+")


_EXACT = {(method, path) for methods, path in PUBLIC if "{" not in path for method in methods}
_OPEN = [(methods, re.compile(_compile(path))) for methods, path in PUBLIC if "{" in path]
_CLIMBING = {"", ".", ".."}


def is_public(method: str, path: str) -> bool:
    """Only paths written straight: whoever serves files must never be led elsewhere by somebody unknown."""
    if (method, path) in _EXACT:
        return True
    if not path.isprintable() or "\\" in path or not _CLIMBING.isdisjoint(path.split("/")[1:]):
        return False
    return any(method in methods and pattern.fullmatch(path) for methods, pattern in _OPEN)


def is_try(method: str, path: str) -> bool:
    return method == "POST" and (path in TRIES or path.startswith("/oauth/"))
