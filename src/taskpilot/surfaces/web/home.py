"""The page at `/`: that the server runs, how to connect an assistant to it, and one's account."""

from __future__ import annotations

from html import escape
from pathlib import Path
from string import Template

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response

from taskpilot import __version__

FOLDER = Path(__file__).parent
PAGE = Template((FOLDER / "index.html").read_text(encoding="utf-8"))
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-cache",
}
ASSETS = {
    "home.css": "text/css",
    "account.js": "text/javascript",
    "copy.js": "text/javascript",
    "session.js": "text/javascript",
}


async def show_home(request: Request) -> Response:
    """Addresses on the page are the ones the visitor used, so that copying them works."""
    address: str = request.scope["base_url"]
    return HTMLResponse(PAGE.substitute(address=escape(address), version=escape(__version__)), headers=HEADERS)


async def show_asset(request: Request) -> Response:
    """What the page is made of. Asked for again with each visit, so that an upgrade is never half there."""
    name: str = request.path_params["file"]
    if name not in ASSETS:
        raise HTTPException(404)
    return FileResponse(FOLDER / "assets" / name, media_type=ASSETS[name], headers={"Cache-Control": "no-cache"})
