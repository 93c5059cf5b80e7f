"""The board as it was built: one page for every address, and what it is made of. Nobody's data is in any of it."""

from __future__ import annotations

import gzip
import hashlib
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from anyio.to_thread import run_sync
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from taskpilot.surfaces.web.compression import accepts_gzip
from taskpilot.surfaces.web.pages import FILES, PAGES

BUILD = Path(__file__).parent / "build"
ASSETS = "assets"
PAGE_HEADERS = {
    "Content-Security-Policy": (
        # The widgets place themselves with styles of their own; nothing but our own files ever runs.
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
        "font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
}
ASKED_AGAIN = "no-cache"
KEPT = "public, max-age=31536000, immutable"
"""For files whose name changes with what is in them."""
MEDIA = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".json": "application/json",
    ".woff2": "font/woff2",
    ".png": "image/png",
}
PACKED = frozenset({".woff2", ".png"})
"""Compressed as they are."""
_NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]*")


@dataclass(frozen=True, slots=True)
class Piece:
    """A file, ready to be sent."""

    body: bytes
    zipped: bytes | None
    media: str
    mark: str


def lay_board() -> list[Route]:
    """All of it but `/` itself, where MCP is spoken too."""
    return [
        *(Route(path, show_page) for path in PAGES),
        *(Route(path, show_file) for path in FILES),
        Route(f"/{ASSETS}/{{file}}", show_asset),
    ]


async def show_page(request: Request) -> Response:
    return await _send(request, BUILD / "index.html", ASKED_AGAIN, PAGE_HEADERS)


async def show_file(request: Request) -> Response:
    return await _send(request, BUILD / request.url.path.removeprefix("/"), ASKED_AGAIN)


async def show_asset(request: Request) -> Response:
    name: str = request.path_params["file"]
    if not _NAME.fullmatch(name):
        raise HTTPException(404)
    return await _send(request, BUILD / ASSETS / name, KEPT)


async def _send(request: Request, path: Path, keep: str, more: dict[str, str] | None = None) -> Response:
    piece = await run_sync(_find, path)
    if piece is None:
        raise HTTPException(404)
    headers = {"Cache-Control": keep, "ETag": piece.mark, **(more or {})}
    if piece.zipped is not None:
        headers["Vary"] = "Accept-Encoding"
    if _knows(request.headers.get("if-none-match", ""), piece.mark):
        return Response(status_code=304, headers=headers)
    body = piece.body
    if piece.zipped is not None and accepts_gzip(request.headers.get("accept-encoding", "")):
        body, headers["Content-Encoding"] = piece.zipped, "gzip"
    return Response(body, headers=headers, media_type=piece.media)


def _find(path: Path) -> Piece | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return _read(path, found.st_mtime_ns) if path.suffix in MEDIA else None


@lru_cache(maxsize=256)
def _read(path: Path, _: int) -> Piece:
    """Once for each version of a file: compressing takes far longer than sending."""
    body = path.read_bytes()
    zipped = None if path.suffix in PACKED else gzip.compress(body, 9, mtime=0)
    # Weak, because compressed or not it is the same file.
    return Piece(body, zipped, MEDIA[path.suffix], f'W/"{hashlib.sha256(body).hexdigest()[:20]}"')


def _knows(given: str, mark: str) -> bool:
    """Whether a browser has this very version."""
    return any(each.strip() in (mark, mark.removeprefix("W/"), "*") for each in given.split(","))
