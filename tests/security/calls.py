"""Everything that can be asked of a server, read from the server itself: routes, tools, resources, prompts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import quote

from starlette.routing import Route, WebSocketRoute

from taskpilot import contracts
from taskpilot.domain.operation import Access
from taskpilot.domain.scopes import Scope
from taskpilot.surfaces.mcp.prompts import VARIABLE
from taskpilot.surfaces.web.public import is_public
from tests.security.examples import Examples, Path, Schema
from tests.security.people import Person
from tests.security.world import Said, World

AT_ONCE = {"wait": 0}
"""Streams end at once where they can be told to."""
OWN: tuple[tuple[str, str, str], ...] = (
    (r"other_?id|blocked_?by|depends_on|parent", "second", "task_key"),
    (r"sessionId", "", "run"),
    (r"taskId", "run_task", "run_task"),
    (r"session_?id", "session", ""),
    (r"run(_?id)?", "run", ""),
    (r"question_?id", "question", ""),
    (r"conversation_?id", "conversation", ""),
    (r"project_?id", "project", ""),
    (r"workspace_?id|workspace", "workspace", "path"),
    (r"rule_?id", "rule", ""),
    (r"tag_?id", "tag", ""),
    (r"token_?id", "token", ""),
    (r"invitation_?id", "invitation", ""),
    (r"user_?id", "user", "user"),
    (r"change|event_?id", "event", ""),
    (r"task_?ids?|ids?", "task", "task"),
    (r"workspace_path|path|projectPath", "", "path"),
    (r"project", "", "project"),
    (r"tags?", "", "tag"),
    (r"branch(Name)?", "", "branch"),
    (r"rule_content", "", "rule"),
)
"""Which thing of one's own belongs under a name: as a number, as a text."""


@dataclass(frozen=True)
class Call:
    name: str
    schema: Schema
    """All it takes, in one object."""
    definitions: Schema
    send: Any
    """(world, token, arguments) -> Said."""
    changes: bool
    """Whether it could change anything."""
    scope: Scope | None = None
    """What a tool needs; a route does not tell."""

    def examples(self, person: Person) -> Examples:
        return Examples(self.definitions, partial(own, person, self.name))


def own(person: Person, call: str, name: str, schema: Schema) -> Any:
    """A person's own value for a name."""
    if name == "session_id" and "/auth/" in call:
        return person.numbers["login"]
    if name == "task_id" and call.endswith(" run_start"):  # an agent needs a folder to work in
        return person.numbers["second"]
    if name == "user_id" and schema.get("pattern"):
        return person.texts["uuid"]
    for pattern, number, text in OWN:
        if re.fullmatch(pattern, name):
            kind = schema.get("type", "string")
            wanted = [kind] if isinstance(kind, str) else kind
            if "integer" in wanted and number:
                return person.numbers[number]
            if "string" in wanted:
                return person.texts[text] if text else str(person.numbers[number])
    return None


def list_operations(world: World) -> Iterator[Call]:
    """Every operation of the REST API."""
    spec = world.gate.inside.rest.openapi()
    definitions = spec["components"]["schemas"]
    for path, item in spec["paths"].items():
        for method, operation in item.items():
            yield Call(
                f"{method.upper()} {path}",
                gather(operation),
                definitions,
                partial(send_rest, method.upper(), path),
                changes=method != "get",
            )


def gather(operation: Schema) -> Schema:
    """Parameters and body as one object."""
    parts: dict[str, Schema] = {}
    for place in ("path", "query", "header"):
        given = [each for each in operation.get("parameters", ()) if each["in"] == place]
        parts[place] = {
            "type": "object",
            "properties": {each["name"]: each["schema"] for each in given},
            "required": [each["name"] for each in given if each.get("required")],
        }
    content = operation.get("requestBody", {}).get("content", {})
    if "application/json" in content:
        parts["body"] = content["application/json"]["schema"]
    return {"type": "object", "properties": parts, "required": list(parts)}


def send_rest(method: str, path: str, world: World, token: str, given: dict[str, Any]) -> Said:
    spec = world.gate.inside.rest.openapi()["paths"][path][method.lower()]
    takes = {each["name"] for each in spec.get("parameters", ())}
    where = path.format(**{name: quote(str(value), safe="") for name, value in given["path"].items()})
    query = {**given["query"], **{name: value for name, value in AT_ONCE.items() if name in takes}}
    headers = {name: str(value) for name, value in given["header"].items()}
    options = {"json": given["body"]} if "body" in given else {}
    return world.ask(token, method, where, params=query, headers=headers, **options)


def list_tools() -> Iterator[Call]:
    """Every tool of every contract."""
    for name in contracts.names():
        for tool in contracts.load(name).tools:
            yield Call(
                f"{name} {tool.name}",
                {**tool.input_schema, "properties": tool.input_schema.get("properties", {})},
                tool.input_schema.get("$defs", {}),
                partial(send_tool, name, tool.name),
                changes=tool.access in (Access.WRITE, Access.ERRAND) and not tool.read_only,
                scope=tool.scope,
            )


def send_tool(contract: str, tool: str, world: World, token: str, arguments: dict[str, Any]) -> Said:
    return world.speak(token, contract, "tools/call", tool, name=tool, arguments=arguments)


def list_templates() -> Iterator[Call]:
    """Every resource template of every contract, its variables as arguments."""
    for name in contracts.names():
        library = contracts.load(name).library
        for template in library.templates if library else ():
            variables = [each for names in VARIABLE.findall(template.uri) for each in names.split(",")]
            yield Call(
                f"{name} {template.uri}",
                {
                    "type": "object",
                    "properties": {each: {"type": "string"} for each in variables},
                    "required": variables,
                },
                {},
                partial(send_template, name, template.uri),
                changes=False,
                scope=Scope.READ,
            )


def send_template(contract: str, template: str, world: World, token: str, given: dict[str, Any]) -> Said:
    uri = VARIABLE.sub(lambda found: quote(str(given[found[1]]), safe=""), template)
    return world.speak(token, contract, "resources/read", uri, uri=uri)


def list_prompts() -> Iterator[Call]:
    """Every prompt of every contract."""
    for name in contracts.names():
        for prompt in contracts.load(name).prompts:
            yield Call(
                f"{name} prompt {prompt.name}",
                {
                    "type": "object",
                    "properties": {each.name: {"type": "string"} for each in prompt.arguments},
                    "required": [each.name for each in prompt.arguments if each.required],
                },
                {},
                partial(send_prompt, name, prompt.name),
                changes=False,
                scope=Scope.READ,
            )


def send_prompt(contract: str, prompt: str, world: World, token: str, given: dict[str, Any]) -> Said:
    return world.speak(token, contract, "prompts/get", prompt, name=prompt, arguments=given)


def list_all(world: World) -> list[Call]:
    return [*list_operations(world), *list_tools(), *list_templates(), *list_prompts()]


def list_doors(world: World) -> list[tuple[str, str]]:
    """Method and path of every route there is, described or not; a WebSocket has the method `WS`."""
    web = world.gate.inside
    found: list[tuple[str, str]] = [(method, path) for path in web.shortcuts for method in ("GET", "POST", "DELETE")]
    for route in (*web.routes, *web.rest.routes):
        if isinstance(route, WebSocketRoute):
            found.append(("WS", route.path))
        else:
            assert isinstance(route, Route), f"{route} is of a kind that this does not know"
            found += [(method, route.path) for method in sorted(route.methods or ())]
    return found


def fill_path(path: str) -> str:
    return re.sub(r"\{[^}]*\}", "1", path)


def list_closed(world: World) -> list[tuple[str, str]]:
    """Those that need credentials."""
    return [
        (method, fill_path(path))
        for method, path in list_doors(world)
        if not is_public("GET" if method == "WS" else method, fill_path(path))
    ]


def describe_place(path: Path) -> str:
    return ".".join(map(str, path))
