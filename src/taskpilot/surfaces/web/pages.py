"""The addresses of the board. Each shows the same page, which finds out by itself what to show there."""

from __future__ import annotations

PAGES = (
    "/board",
    "/list",
    "/day",
    "/inbox",
    "/calendar",
    "/insights",
    "/runs",
    "/runs/{part}",
    "/chat",
    "/chat/{part}",
    "/workspaces",
    "/workspaces/{part}",
    "/settings",
    "/settings/{part}",
    "/task/{part}",
    "/signin",
    "/signup",
    "/welcome",
)
FILES = ("/icon.svg", "/boot.js")
"""What the page needs and what has no other name than this one. All the rest is in `/assets`."""
