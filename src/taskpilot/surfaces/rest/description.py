"""The API's description: what FastAPI reads from the routes, completed with what holds for all of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Json = dict[str, Any]

OPEN = frozenset({"/api/auth/signup", "/api/auth/signin", "/api/auth/refresh"})
"""Where nobody can be signed in yet."""
SUMMARY = "Tasks, projects and everything around them, for programs."
ABOUT = """\
**Signing in.** A server that requires it wants `Authorization: Bearer …` with every request: the `token` that
signing in gives (good for a quarter of an hour, then refresh it), or a personal access token that you made for a
program. A server on your own machine takes you for its local user without any.

**Errors** are problems as RFC 9457 has them, with `error`, `message` and `details` besides. What belongs to
somebody else is as good as missing: 404.

**Changes.** A thing with a `version` comes with an `ETag`. Send it back as `If-Match`, and a change that was made on
an old view is refused with 409. Send an `Idempotency-Key` with a create, and repeating it makes nothing twice.

**Limits.** Where signing in is required, `RateLimit-*` headers say how many requests are left, and a 429 says in
`Retry-After` how many seconds to wait.
"""
TAGS = {
    "tasks": "What there is to do.",
    "board": "All that a board shows, in one answer.",
    "agents": "Many agents on one list: who holds what, and how much at once.",
    "runs": "Coding agents at work: in worktrees of their own, within bounds, live.",
    "plans": "Whole plans: trees of tasks, and Markdown check lists.",
    "bin": "What was deleted, for thirty days.",
    "bulk": "Many tasks in one go: all of it happens, or nothing.",
    "projects": "Named heaps of tasks.",
    "tags": "Labels on tasks.",
    "stats": "How it is going.",
    "workspaces": "Folders and repositories that tasks belong to.",
    "rules": "What a workspace asks of those who work in it.",
    "sessions": "Spells of work in a workspace.",
    "events": "What happens, as it happens.",
    "auth": "Signing up, in and out.",
    "tokens": "What programs show instead of a password.",
    "profile": "The account itself.",
    "data": "Everything a user owns, out and in again.",
    "admin": "For whoever runs the server.",
    "audit": "Who did what, from where, and whether it worked.",
    "chat": "Tasks in plain language: the assistant, and what was said to it.",
}
PROBLEM: Json = {
    "type": "object",
    "title": "Problem",
    "description": "What went wrong, then what to do next (RFC 9457).",
    "required": ["type", "title", "status", "detail", "error", "message"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string", "description": "The kind of failure, in words."},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "What happened, and what to do next."},
        "error": {"type": "string", "description": "The kind of failure, for programs."},
        "message": {"type": "string", "description": "What happened."},
        "details": {"description": "Each value that was refused, where one can name it: `where` and `what`."},
    },
}
HEADERS: Json = {
    "ETag": {
        "required": True,
        "description": "The version of what is shown; `If-Match` takes it.",
        "schema": {"type": "string", "pattern": '^"[0-9]+"$'},
    },
    "Location": {"required": True, "description": "Where the new thing is.", "schema": {"type": "string"}},
    "Idempotency-Replayed": {
        "description": "`true` when this is the kept answer of an earlier request with the same key.",
        "schema": {"const": "true", "type": "string"},
    },
    "RateLimit-Limit": {"description": "Requests a minute.", "schema": {"type": "integer"}},
    "RateLimit-Remaining": {"description": "How many are left.", "schema": {"type": "integer"}},
    "RateLimit-Reset": {"description": "Seconds until all are back.", "schema": {"type": "integer"}},
    "Retry-After": {"required": True, "description": "Seconds to wait.", "schema": {"type": "integer"}},
    "WWW-Authenticate": {"required": True, "description": "How to sign in.", "schema": {"type": "string"}},
}
LIMITS = ("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset")
ERRORS: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "400": ("BadRequest", "The request cannot be read, or a title is missing or too long.", ()),
    "401": ("Unauthorized", "Who asks is not known.", ("WWW-Authenticate",)),
    "403": ("Forbidden", "This is not allowed, or not with this token (`insufficient_scope`).", ()),
    "404": ("NotFound", "There is no such thing, or it is not yours.", ()),
    "409": ("Conflict", "The state of things forbids it: an old version, a name that is taken, a circle.", ()),
    "413": ("TooLong", "The request is longer than this server reads.", ()),
    "422": ("Invalid", "A value cannot be accepted.", ()),
    "429": ("TooOften", "Too many requests.", ("Retry-After",)),
    "503": ("Unavailable", "The store cannot answer now.", ("Retry-After",)),
    "507": ("Full", "Nothing more can be stored.", ("Retry-After",)),
}
"""Every way any operation can fail: its name among the components, what it means, and the headers it has."""
SUCCESS = {"200": "What was asked for.", "201": "What was made.", "204": "Done; there is nothing to show."}
UNSAID = "Successful Response"
FOREIGN = ("HTTPValidationError", "ValidationError")
"""What FastAPI would answer with, and we never do."""


def complete(description: Json, *, sign_in_required: bool) -> Json:
    """Say once, for every operation: how to sign in, how it can fail, which headers an answer has."""
    components: Json = description.setdefault("components", {})
    schemas: Json = components.setdefault("schemas", {})
    for name in FOREIGN:
        schemas.pop(name, None)
    schemas["Problem"] = PROBLEM
    components["headers"] = HEADERS
    components["responses"] = {name: _failure(says, headers) for name, says, headers in ERRORS.values()}
    components["securitySchemes"] = {
        "bearer": {
            "type": "http",
            "scheme": "bearer",
            "description": "A personal access token (`tp_…`), or the `token` that signing in gives.",
        }
    }
    # A server on one's own machine lets its user in without; a token that is shown is checked there too.
    description["security"] = [{"bearer": []}] if sign_in_required else [{"bearer": []}, {}]
    used = {tag for _, operation in operations(description) for tag in operation.get("tags", ())}
    description["tags"] = [{"name": name, "description": about} for name, about in TAGS.items() if name in used]
    for path, operation in operations(description):
        if path in OPEN:
            operation["security"] = []
        operation["summary"] = operation["operationId"].replace("_", " ").capitalize()
        for parameter in operation.get("parameters", ()):
            parameter["schema"] = _without_null(parameter["schema"])
        operation["responses"] = _complete_answers(operation, schemas)
    return description


def operations(description: Json) -> Iterator[tuple[str, Json]]:
    for path, methods in description["paths"].items():
        for operation in methods.values():
            yield path, operation


def _complete_answers(operation: Json, schemas: Json) -> Json:
    answers: Json = operation["responses"]
    keyed = any(each["name"] == "Idempotency-Key" for each in operation.get("parameters", ()))
    for status, answer in answers.items():
        if not status.startswith("2"):
            continue
        named: list[str] = [*LIMITS]
        if status == "201" and _shows(answer, schemas, "id"):
            named.append("Location")
        if keyed:
            named.append("Idempotency-Replayed")
        if _shows(answer, schemas, "version"):
            named.append("ETag")
        answer["headers"] = {name: _header(name) for name in named} | answer.get("headers", {})
        if answer["description"] == UNSAID:
            answer["description"] = SUCCESS.get(status, UNSAID)
    failures = {status: {"$ref": f"#/components/responses/{name}"} for status, (name, _, _) in ERRORS.items()}
    return dict(sorted((answers | failures).items()))


def _without_null(schema: Json) -> Json:
    """A parameter is given or not: neither a header nor an address can say null."""
    choices = [each for each in schema.get("anyOf", ()) if each != {"type": "null"}]
    if not choices:
        return schema
    others = {name: value for name, value in schema.items() if name != "anyOf"}
    return (choices[0] | others) if len(choices) == 1 else {"anyOf": choices} | others


def _shows(answer: Json, schemas: Json, name: str) -> bool:
    """Whether one single thing is shown that has a number of that name."""
    for content in answer.get("content", {}).values():
        shown = content.get("schema", {})
        while "$ref" in shown:
            shown = schemas[shown["$ref"].rpartition("/")[2]]
        found = shown.get("properties", {}).get(name, {})
        if found.get("type") == "integer" and "const" not in found:
            return True
    return False


def _failure(says: str, headers: tuple[str, ...]) -> Json:
    return {
        "description": says,
        "headers": {name: _header(name) for name in (*headers, *LIMITS)},
        "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }


def _header(name: str) -> Json:
    return {"$ref": f"#/components/headers/{name}"}
