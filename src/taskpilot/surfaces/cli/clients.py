"""The assistants we can introduce ourselves to: where each keeps its servers, and how it writes one down."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sys
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast

from taskpilot.domain.errors import Invalid
from taskpilot.surfaces.cli import textfile

SERVER = "taskpilot"
Entry = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Launch:
    """How an assistant reaches TaskPilot: a command it starts, or an address."""

    program: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    url: str = ""

    @property
    def args(self) -> list[str]:
        return [*self.program[1:], "mcp", *self.flags]


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    name: str
    title: str
    file: Callable[[], Path]
    """What --write changes."""
    kind: Literal["json", "toml"] = "json"
    key: str = "mcpServers"
    """The table of servers in that file."""
    typed: bool = False
    """Whether an entry says which type it is."""
    http: Mapping[str, str] | None
    """An entry with an address; None where the file takes only commands."""
    line: str = ""
    """One command that does it all: {program} {mcp} {flags} {json}."""
    http_line: str = ""
    traces: tuple[str, ...]
    """A program or a folder that tells it is installed."""
    also: tuple[Callable[[], Path], ...] = ()
    """Other files that may name us."""

    def entry(self, launch: Launch) -> Entry:
        if not launch.url:
            return {**({"type": "stdio"} if self.typed else {}), "command": launch.program[0], "args": launch.args}
        if self.http is None:
            raise Invalid(f"{self.title}'s file takes commands, not addresses.", hint="Leave --http out.")
        return {name: value.format(url=launch.url) for name, value in self.http.items()}

    def command_line(self, launch: Launch) -> str:
        """What to type instead of editing the file; "" where the client has no such command."""
        entry = {"name": SERVER, **self.entry(launch)}
        return (self.http_line if launch.url else self.line).format(
            url=shlex.quote(launch.url),
            program=shlex.join([*launch.program, "mcp"]),
            flags="".join(" " + shlex.quote(flag) for flag in launch.flags),
            dashes=" --" if launch.flags else "",
            json=shlex.quote(json.dumps(entry, ensure_ascii=False)),
        )

    def snippet(self, launch: Launch) -> str:
        """What to paste into the file."""
        entry = self.entry(launch)
        if self.kind == "toml":
            return textfile.write_table(f"{self.key}.{SERVER}", entry)
        return json.dumps({self.key: {SERVER: entry}}, indent=2, ensure_ascii=False) + "\n"

    def merge(self, text: str, launch: Launch) -> str:
        """The file's text with our entry in it, and everything else as it was."""
        entry = self.entry(launch)
        if self.kind == "toml":
            found = _servers(tomllib.loads(text), self.key)
            return text if found.get(SERVER) == entry else textfile.set_table(text, self.key, SERVER, entry)
        config: Any = json.loads(text) if text.strip() else {}
        servers = _servers(config, self.key)
        if servers.get(SERVER) == entry:
            return text
        config[self.key] = {**servers, SERVER: entry}
        return json.dumps(config, indent=_indent(text), ensure_ascii=False) + "\n"

    def write(self, launch: Launch) -> bool:
        """Put us into its file; False if we are there already. A file that cannot be read is left alone."""
        path = self.file()
        before = textfile.read(path)
        try:
            after = self.merge(before, launch)
        except ValueError as error:  # what both readers raise
            raise Invalid(
                f"{path} is not valid {self.kind.upper()}: {error}.",
                hint="Nothing was changed. Correct it, or paste the lines by hand (leave --write out).",
            ) from None
        if after == before:
            return False
        textfile.replace(path, after, keep_old=True)
        return True

    def is_here(self) -> bool:
        return any(shutil.which(trace) or Path(trace).expanduser().is_dir() for trace in self.traces)

    def is_connected(self) -> bool:
        return any(self._names_us(place()) for place in (self.file, *self.also))

    def _names_us(self, path: Path) -> bool:
        try:
            text = textfile.read(path)
            found: Any = tomllib.loads(text) if self.kind == "toml" else json.loads(text or "{}")
            return SERVER in _servers(found, self.key)
        except (ValueError, Invalid):
            return False


def _servers(config: Any, key: str) -> dict[str, Any]:
    found: Any = cast(dict[str, Any], config).get(key, {}) if isinstance(config, dict) else None
    if not isinstance(found, dict):
        raise ValueError(f"there is no table {key!r} where one belongs")
    return cast(dict[str, Any], found)


def _indent(text: str) -> int | str:
    """As the file has it."""
    line = next((line for line in text.splitlines() if line[:1] in (" ", "\t")), "  ")
    return line[: len(line) - len(line.lstrip())]


def _config_folder(app: str) -> Path:
    """Where desktop programs keep their settings on this system."""
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / app
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA") or Path.home() / "AppData" / "Roaming") / app
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / app


CLIENTS = {
    client.name: client
    for client in (
        Client(
            name="claude-code",
            title="Claude Code",
            file=lambda: Path.cwd() / ".mcp.json",
            typed=True,
            http={"type": "http", "url": "{url}"},
            line=f"claude mcp add --scope user {SERVER} -- {{program}}{{flags}}",
            http_line=f"claude mcp add --scope user --transport http {SERVER} {{url}}",
            traces=("claude", "~/.claude"),
            also=(lambda: Path.home() / ".claude.json",),
        ),
        Client(
            name="claude-desktop",
            title="Claude Desktop",
            file=lambda: _config_folder("Claude") / "claude_desktop_config.json",
            http=None,
            traces=(str(_config_folder("Claude")),),
        ),
        Client(
            name="cursor",
            title="Cursor",
            file=lambda: Path.home() / ".cursor" / "mcp.json",
            http={"url": "{url}"},
            traces=("cursor", "~/.cursor"),
        ),
        Client(
            name="vscode",
            title="VS Code",
            file=lambda: _config_folder("Code") / "User" / "mcp.json",
            key="servers",
            typed=True,
            http={"type": "http", "url": "{url}"},
            line="code --add-mcp {json}",
            http_line="code --add-mcp {json}",
            traces=("code", str(_config_folder("Code"))),
            also=(lambda: Path.cwd() / ".vscode" / "mcp.json",),
        ),
        Client(
            name="codex",
            title="Codex",
            file=lambda: Path(os.environ.get("CODEX_HOME") or Path.home() / ".codex") / "config.toml",
            kind="toml",
            key="mcp_servers",
            http={"url": "{url}"},
            line=f"codex mcp add {SERVER} -- {{program}}{{flags}}",
            http_line=f"codex mcp add {SERVER} --url {{url}}",
            traces=("codex", "~/.codex"),
        ),
        Client(
            name="gemini",
            title="Gemini CLI",
            file=lambda: Path.home() / ".gemini" / "settings.json",
            http={"httpUrl": "{url}"},
            line=f"gemini mcp add --scope user {SERVER} {{program}}{{dashes}}{{flags}}",
            http_line=f"gemini mcp add --scope user --transport http {SERVER} {{url}}",
            traces=("gemini", "~/.gemini"),
        ),
    )
}
