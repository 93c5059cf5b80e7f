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

REFERENCE = Path(__file__).parent / "reference"
NOTE = "<!-- Made by docs/generate.py. Change the source, not this page. -->\n\n"


def pages() -> dict[str, str]:
    made = {"settings.md": settings_page(), "commands.md": commands_page(), "errors.md": errors_page()}
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


def errors_page() -> str:
    lines = [
        "# Errors",
        "",
        "An error says what happened, then what to do next. Nothing was changed unless it says otherwise.",
        "",
        "| kind | means | MCP | exit code |",
        "|---|---|---|---|",
    ]
    meanings = {
        "invalid": "the values given cannot be accepted",
        "not_found": "there is no such thing, or it is not yours",
        "conflict": "the values are fine, the current state forbids them: a stale version, a circle, a used key",
        "forbidden": "this caller may not do this",
        "unavailable": "the store cannot do it now: busy, away, damaged, disk full",
    }
    for kind, code in EXIT.items():
        lines.append(f"| `{kind}` | {meanings[kind]} | result with `isError` | {code} |")
    lines += [
        "| usage | unknown tool, command or option | −32602 | 2 |",
        "| bug | our fault; the log has it under the id given | −32603 | 1 |",
        "",
        "In MCP the parts of an error are in the result's `_meta` under `taskpilot/error`: `kind`, `message`, `hint`.",
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
