"""The page at `/`: that the server runs, and how to connect an assistant to it."""

from __future__ import annotations

from html import escape
from pathlib import Path
from string import Template

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from taskpilot import __version__

PAGE = Template(Path(__file__).with_name("index.html").read_text(encoding="utf-8"))
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-cache",
}


async def show_home(request: Request) -> Response:
    """Addresses on the page are the ones the visitor used, so that copying them works."""
    address = str(request.base_url).rstrip("/")
    return HTMLResponse(PAGE.substitute(address=escape(address), version=escape(__version__)), headers=HEADERS)
