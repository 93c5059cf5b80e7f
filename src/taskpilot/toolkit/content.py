"""What a reply or a resource can carry besides words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Audience = Literal["user", "assistant"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotations:
    """Hints to the client: for whom, how important from 0 to 1, and how fresh."""

    audience: tuple[Audience, ...] = ()
    priority: float | None = None
    last_modified: str = ""


PLAIN = Annotations()


@dataclass(frozen=True, slots=True, kw_only=True)
class Image:
    data: bytes
    mime: str = "image/png"
    annotations: Annotations = PLAIN


@dataclass(frozen=True, slots=True, kw_only=True)
class Audio:
    data: bytes
    mime: str = "audio/wav"
    annotations: Annotations = PLAIN


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A resource the client may read if it wants to."""

    uri: str
    name: str
    title: str = ""
    description: str = ""
    mime: str = ""
    annotations: Annotations = PLAIN


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A resource's content: text, or bytes."""

    uri: str
    text: str | None = None
    blob: bytes | None = None
    mime: str = "text/plain"
    name: str = ""
    title: str = ""
    annotations: Annotations = PLAIN
    meta: Mapping[str, Any] | None = None


Extra = Image | Audio | Link | Document


@dataclass(frozen=True, slots=True)
class Reply:
    """What a tool says: a few words for the model, data for the program, and what else helps."""

    text: str
    data: Mapping[str, Any] | None = None
    """Becomes `structuredContent`; None where a contract promises text alone."""
    is_error: bool = False
    extras: tuple[Extra, ...] = ()
