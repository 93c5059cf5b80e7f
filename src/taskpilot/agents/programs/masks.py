"""Secrets taken out of what an agent says, before any of it is stored."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, cast
from urllib.parse import quote, urlsplit

from taskpilot.domain import payload

SHORTEST = 8
"""What is shorter is too likely to be a word."""

_SECRET_ENDING = re.compile(r"_(?:KEY|PAT|PASS|PWD|AUTH)$", re.I)


class Mask:
    """Knows some secrets by value, and the rest by how they look.

    Works line by line: each line of a secret that has many is a secret too.
    """

    def __init__(self, secrets: Iterable[str]) -> None:
        forms = {form for secret in secrets for form in _spell(secret) if len(form) >= SHORTEST}
        longest_first = sorted(forms, key=lambda form: (-len(form), form))
        self._known = re.compile("|".join(map(re.escape, longest_first))) if forms else None

    @classmethod
    def of(cls, env: Mapping[str, str], *more: str) -> Mask:
        """The values in an environment that are called secrets or look like them, and `more`."""
        return cls([*more, *(secret for name, value in env.items() for secret in _find_secrets(name, value))])

    def mask(self, text: str) -> str:
        known = self._known.sub(payload.MASK, text) if self._known else text
        return cast("str", payload.mask(known))

    def mask_data(self, value: Any) -> Any:
        """The same for all texts in JSON, and for what it calls a secret."""
        return self._mask_known(payload.mask(value, names=True)) if self._known else payload.mask(value, names=True)

    def _mask_known(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.mask(value)
        if isinstance(value, dict):
            items = cast("dict[str, Any]", value).items()
            return {self.mask(key): self._mask_known(item) for key, item in items}
        if isinstance(value, list):
            return [self._mask_known(item) for item in cast("list[Any]", value)]
        return value


def _find_secrets(name: str, value: str) -> Iterator[str]:
    if payload.mask({name: value}, names=True)[name] == payload.MASK or _SECRET_ENDING.search(name):
        yield value
    elif "://" in value:
        yield _find_password(value)


def _find_password(address: str) -> str:
    try:
        return urlsplit(address).password or ""
    except ValueError:
        return ""


def _spell(secret: str) -> Iterator[str]:
    """The ways in which a secret turns up in a log."""
    for line in {secret, *secret.splitlines()}:
        plain = line.strip()
        yield plain
        yield json.dumps(plain)[1:-1]
        yield quote(plain, safe="", errors="replace")
        if len(plain) >= 2 * SHORTEST:
            whole = plain.encode("utf-8", "replace")
            yield base64.b64encode(whole[: len(whole) // 3 * 3]).decode()  # what may follow changes only the end
