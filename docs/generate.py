"""Write the reference from the product itself: `python docs/generate.py`, or `--check` to see whether it is current."""

from __future__ import annotations

import json
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

from taskpilot import contracts, settings
from taskpilot.domain import errors
from taskpilot.surfaces.cli.errors import EXIT
from taskpilot.surfaces.cli.main import build
from taskpilot.surfaces.rest.application import build_rest
from taskpilot.surfaces.rest.description import ERRORS
from taskpilot.surfaces.rest.errors import STATUS

REFERENCE = Path(__file__).parent / "reference"
NOTE = "<!-- Made by docs/generate.py. Change the source, not this page. -->\n\n"


def pages() -> dict[str, str]:
    made = {
        "settings.md": settings_page(),
        "commands.md": commands_page(),
        "errors.md": errors_page(),
        "rest.md": rest_page(),
    }
    for name in contracts.names():
        made[f"tools-{name}.md"] = tools_page(name)
    return made


def settings_page() -> str:
    lines = [
        "# Settings",
        "",
        "A flag wins over the environment, the environment over the file, the file over the default.",
        "The file is `config.toml` in your configuration folder (`taskpilot config path` says where);",
        "`TASKPILOT_CONFIG` names another.",
        "",
        "| setting | environment | default | what it is |",
        "|---|---|---|---|",
    ]
    for item in fields(settings.Settings):
        if item.name == "sources":
            continue
        default = (
            "your data folder" if item.name == "data_dir" else f"`{item.default}`" if item.default != "" else "none"
        )
        choices = settings.CHOICES.get(item.name)
        about = item.metadata["about"] + (f" One of: {', '.join(choices)}." if choices else "")
        lines.append(f"| `{item.name}` | `{settings.PREFIX}{item.name.upper()}` | {default} | {about} |")
    return "\n".join(lines) + "\n"


def commands_page() -> str:
    root: Any = build()
    lines = [
        "# Commands",
        "",
        "Every command also takes `--data-dir DIR`, `--database-url URL`, `--json` and `--help`.",
        "",
    ]
    for name in root.list_commands(None):
        lines += _command(f"taskpilot {name}", root.get_command(None, name))
    return "\n".join(lines).rstrip() + "\n"


EVERYWHERE = {"data_dir", "database_url", "json", "help"}


def _command(path: str, found: Any) -> list[str]:
    arguments = " ".join(_argument(each) for each in found.params if each.param_type_name == "argument")
    lines = [f"## `{path} {arguments}`".replace(" `", "`") if not arguments else f"## `{path} {arguments}`", ""]
    lines += [" ".join((found.help or "").split("\n\n")[0].split()), ""]
    options = [each for each in found.params if each.param_type_name == "option" and each.name not in EVERYWHERE]
    if options:
        lines += ["| option | what it does |", "|---|---|"]
        lines += [
            f"| `{', '.join([*each.opts, *each.secondary_opts])}` | {(each.help or '').replace('|', '/')} |"
            for each in options
            if not each.hidden
        ]
        lines.append("")
    for name, child in getattr(found, "commands", {}).items():
        lines += _command(f"{path} {name}", child)
    return lines


def _argument(each: Any) -> str:
    name = f"{each.name.upper()}{'…' if each.nargs == -1 else ''}"
    return name if each.required else f"[{name}]"


MCP = {"unauthenticated": "HTTP 401"}


def errors_page() -> str:
    lines = [
        "# Errors",
        "",
        "An error says what happened, then what to do next. Nothing was changed unless it says otherwise.",
        "",
        "| kind | means | MCP | REST | exit code |",
        "|---|---|---|---|---|",
    ]
    meanings = {
        "invalid": "the values given cannot be accepted",
        "not_found": "there is no such thing, or it is not yours",
        "conflict": "the values are fine, the current state forbids them: a stale version, a circle, a used key",
        "forbidden": "this caller may not do this",
        "unauthenticated": "who asks is not known, or no longer: no token, a wrong one, one that ran out",
        "unavailable": "the store cannot do it now: busy, away, damaged, disk full",
    }
    for kind, code in EXIT.items():
        lines.append(
            f"| `{kind}` | {meanings[kind]} | {MCP.get(kind, 'result with `isError`')} | {STATUS[kind]} | {code} |"
        )
    lines += [
        "| usage | unknown tool, command or option | −32602 | 400, 404, 405 | 2 |",
        "| bug | our fault; the log has it under the id given | −32603 | 500 | 1 |",
        "",
        "In MCP the parts of an error are in the result's `_meta` under `taskpilot/error`: `kind`, `message`, `hint`.",
        "In REST they are a problem (RFC 9457) with `error`, `message` and `details` besides. A title that is empty or",
        "too long is 400, a full disk 507; a token that does not reach far enough is 403 with `insufficient_scope`.",
        'On the command line, `--json` prints them on standard error as `{"error": {…}}`.',
        "",
        "```",
        *(line for line in (errors.__doc__ or "").split("\n")[2:-4]),
        "```",
    ]
    return "\n".join(lines) + "\n"


def tools_page(name: str) -> str:
    found = contracts.load(name)
    lines = [f"# Tools of `{name}`", "", found.instructions, ""]
    for tool in found.tools:
        hints = [
            word
            for word, holds in (
                ("only looks", tool.read_only),
                ("destructive", tool.destructive),
                ("safe to repeat", tool.idempotent),
            )
            if holds
        ]
        lines += [f"## `{tool.name}`", "", tool.description + (f" ({', '.join(hints)})" if hints else ""), ""]
        arguments = tool.args.model_json_schema()
        if arguments.get("properties"):
            lines += ["| argument | type | |", "|---|---|---|"]
            for argument, schema in arguments["properties"].items():
                needed = "required" if argument in arguments.get("required", ()) else ""
                about = "; ".join(part for part in (needed, schema.get("description", "")) if part)
                lines.append(f"| `{argument}` | {_type(schema)} | {about} |")
            lines.append("")
        lines += ["Answer:", "", "```json", json.dumps(tool.output_schema, ensure_ascii=False), "```", ""]
    return "\n".join(lines).rstrip() + "\n"


def rest_page() -> str:
    """Every operation with what it takes and shows; the description itself says the rest."""
    described = build_rest(None, None, settings.Settings(auth="required")).openapi()  # type: ignore[arg-type]
    schemas = described["components"]["schemas"]
    lines = ["# REST API", "", described["info"]["description"].strip(), ""]
    lines += ["All of it is in `/api/openapi.json` (OpenAPI 3.1), and can be tried at `/api/docs`.", ""]
    lines += ["| status | means |", "|---|---|"]
    lines += [f"| {status} | {says} |" for status, (_, says, _) in ERRORS.items()]
    for tag in described["tags"]:
        lines += ["", f"## {tag['name']}", "", tag["description"]]
        for path, methods in described["paths"].items():
            for method, operation in methods.items():
                if tag["name"] in operation["tags"]:
                    lines += ["", *_operation(f"{method.upper()} {path}", operation, schemas)]
    return "\n".join(lines) + "\n"


def _operation(name: str, operation: dict[str, Any], schemas: dict[str, Any]) -> list[str]:
    lines = [f"### `{name}`", "", operation["description"]]
    body = next(iter(operation.get("requestBody", {}).get("content", {}).values()), {}).get("schema", {})
    given = [(each["name"], each["in"], each["required"], each["schema"]) for each in operation.get("parameters", ())]
    for shape in [_resolve(part, schemas) for part in body.get("anyOf", [body])]:
        needed = shape.get("required", ())
        given += [(each, "body", each in needed, schema) for each, schema in shape.get("properties", {}).items()]
    if given:
        lines += ["", "| given | in | type | |", "|---|---|---|---|"]
        for field, place, required, schema in given:
            kind = _type(_resolve(schema, schemas)).replace("|", "\\|")
            lines.append(f"| `{field}` | {place} | {kind} | {'required' if required else ''} |")
    success = next(answer for status, answer in operation["responses"].items() if status.startswith("2"))
    shown = next(iter(success.get("content", {}).values()), {}).get("schema", {})
    if model := shown.get("$ref", "").rpartition("/")[2]:
        lines += ["", f"Answer: {', '.join(f'`{field}`' for field in schemas[model].get('properties', {}))}"]
    return lines


def _resolve(schema: dict[str, Any], schemas: dict[str, Any]) -> dict[str, Any]:
    return schemas[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema


def _type(schema: dict[str, Any]) -> str:
    if "enum" in schema:
        return " / ".join(str(value) for value in schema["enum"])
    if "anyOf" in schema:
        return next(_type(branch) for branch in schema["anyOf"] if branch.get("type") != "null")
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {}))}"
    return str(schema.get("type", "object"))


def stale() -> list[str]:
    """Pages that do not say what the product does now."""
    wanted = pages()
    there = {path.name for path in REFERENCE.glob("*.md")}
    changed = [name for name, text in wanted.items() if name in there and _read(name) != NOTE + text]
    return sorted({*changed, *(set(wanted) ^ there)})


def _read(name: str) -> str:
    return (REFERENCE / name).read_text(encoding="utf-8")


def main() -> None:
    if "--check" in sys.argv:
        sys.exit(f"Out of date: {', '.join(stale())}. Run python docs/generate.py." if stale() else 0)
    REFERENCE.mkdir(exist_ok=True)
    for name in {path.name for path in REFERENCE.glob("*.md")} - set(pages()):
        (REFERENCE / name).unlink()
    for name, text in pages().items():
        (REFERENCE / name).write_text(NOTE + text, encoding="utf-8")


if __name__ == "__main__":
    main()
