"""Replies and resources in the protocol's words.

Plain mappings: the SDK checks and dumps results anyway, a model here would do it twice.
`resultType` belongs to 2026-07-28; for older clients the SDK drops it.
"""

from __future__ import annotations

from base64 import b64encode
from typing import Any

from taskpilot.toolkit import Annotations, Audio, Document, Image, Link, Reply, Resource, Template

Wire = dict[str, Any]


def answer(reply: Reply) -> Wire:
    """A tool's result."""
    content: list[Wire] = [{"type": "text", "text": reply.text}]
    if reply.extras:
        content += [show(extra) for extra in reply.extras]
    result: Wire = {"content": content, "isError": reply.is_error, "resultType": "complete"}
    if reply.data is not None:
        result["structuredContent"] = reply.data
    return result


def show(part: str | Image | Audio | Link | Document) -> Wire:
    """One block of a result's or a prompt's content."""
    match part:
        case str():
            return {"type": "text", "text": part}
        case Image() | Audio():
            kind = "image" if isinstance(part, Image) else "audio"
            return {"type": kind, "data": encode(part.data), "mimeType": part.mime, **annotate(part.annotations)}
        case Link():
            return {"type": "resource_link", **describe_resource(part)}
        case Document():
            return {"type": "resource", "resource": show_document(part), **annotate(part.annotations)}


def show_contents(document: Document) -> Wire:
    """What `resources/read` gives. It has no place for annotations: they stand in `_meta`."""
    shown, hints = show_document(document), annotate(document.annotations)
    return {**shown, "_meta": {**hints, **shown.get("_meta", {})}} if hints else shown


def show_document(document: Document) -> Wire:
    """A resource's content. The protocol has no place there for a name and a title: they stand in `_meta`."""
    named = {"name": document.name, "title": document.title}
    meta = {**{key: value for key, value in named.items() if value}, **(document.meta or {})}
    shown: Wire = {"uri": document.uri, "mimeType": document.mime}
    if document.blob is not None:
        shown["blob"] = encode(document.blob)
    else:
        shown["text"] = document.text or ""
    return {**shown, "_meta": meta} if meta else shown


def describe_resource(entry: Resource | Template | Link) -> Wire:
    """An entry of a list of resources, or a link to one."""
    told = {
        "uriTemplate" if isinstance(entry, Template) else "uri": entry.uri,
        "name": entry.name,
        "title": entry.title,
        "description": entry.description,
        "mimeType": entry.mime,
        **annotate(entry.annotations),
        "_meta": None if isinstance(entry, Link) else entry.meta,
    }
    return {key: value for key, value in told.items() if value}


def annotate(annotations: Annotations) -> Wire:
    """The member `annotations`, or none where there is nothing to say."""
    hints: Wire = {}
    if annotations.audience:
        hints["audience"] = list(annotations.audience)
    if annotations.priority is not None:
        hints["priority"] = annotations.priority
    if annotations.last_modified:
        hints["lastModified"] = annotations.last_modified
    return {"annotations": hints} if hints else {}


def encode(data: bytes) -> str:
    return b64encode(data).decode()
