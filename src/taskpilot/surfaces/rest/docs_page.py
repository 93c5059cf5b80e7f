"""`/api/docs`: the description for people, with everything it needs from this server. It works offline."""

from __future__ import annotations

from pathlib import Path

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, Response

ASSETS = Path(__file__).with_name("assets")
FILES = {
    "docs.js": ("docs.js", "text/javascript"),
    "docs.css": ("docs.css", "text/css"),
    "swagger-ui-bundle.js": ("swagger-ui/swagger-ui-bundle.js", "text/javascript"),
    "swagger-ui.css": ("swagger-ui/swagger-ui.css", "text/css"),
    "LICENSE": ("swagger-ui/LICENSE", "text/plain"),
    "NOTICE": ("swagger-ui/NOTICE", "text/plain"),
}
PAGE_HEADERS = {
    "Content-Security-Policy": (
        # Swagger UI's icons are data. Nothing comes from elsewhere.
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-cache",
}
FILE_HEADERS = {"Cache-Control": "public, max-age=86400"}

router = APIRouter(include_in_schema=False)


@router.get("/api/docs")
async def show_docs() -> Response:
    return FileResponse(ASSETS / "docs.html", media_type="text/html", headers=PAGE_HEADERS)


@router.get("/api/docs/{file}")
async def show_docs_file(file: str) -> Response:
    if file not in FILES:
        raise HTTPException(404, "There is no such file")
    path, media = FILES[file]
    return FileResponse(ASSETS / path, media_type=media, headers=FILE_HEADERS)
