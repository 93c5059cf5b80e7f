"""What a browser complains about while nobody looks. A test in which it does fails."""

from __future__ import annotations

import re

from playwright.sync_api import ConsoleMessage, Error, Page


class Watch:
    def __init__(self) -> None:
        self._allowed: list[re.Pattern[str]] = []
        self._heard: list[str] = []

    def allow(self, *patterns: str) -> None:
        """Complaints that a test brings about on purpose, such as a refused password."""
        self._allowed += [re.compile(pattern) for pattern in patterns]

    def follow(self, page: Page) -> None:
        page.on("console", self._hear)
        page.on("pageerror", self._catch)

    @property
    def complaints(self) -> list[str]:
        return [said for said in self._heard if not any(pattern.search(said) for pattern in self._allowed)]

    def _hear(self, message: ConsoleMessage) -> None:
        """What breaks the content security policy is told here, too."""
        if message.type == "error":
            self._heard.append(f"{message.text} ({message.location.get('url', '')})")

    def _catch(self, error: Error) -> None:
        self._heard.append(f"uncaught: {error}")
