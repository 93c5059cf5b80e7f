"""Small text files that other people own too: replaced whole or not at all, and TOML written into by hand.

The standard library reads TOML but does not write it, and a writer would lose comments anyway. So lines
are put into the text, and the result is read back: unless it says exactly what was meant, nothing is written.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from taskpilot.domain.errors import Invalid, Unavailable

_HEADER = re.compile(r"\s*\[")


def read(path: Path) -> str:
    """The text; "" for a file that is not there."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return ""
    except UnicodeDecodeError:
        raise Invalid(f"{path} is not a text file.", hint="Nothing was changed. Look at it first.") from None
    except OSError as error:
        raise Unavailable(f"{path} cannot be read: {error.strerror}.", hint="Check its permissions.") from None


def replace(path: Path, text: str, *, keep_old: bool = False) -> None:
    """All or nothing, through links, with the permissions it had."""
    target = Path(os.path.realpath(path))
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        if keep_old and target.exists():
            shutil.copy2(target, target.with_name(target.name + ".bak"))
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            if target.exists():
                shutil.copymode(target, name)
            os.replace(name, target)
        except BaseException:
            os.unlink(name)
            raise
    except OSError as error:
        raise Unavailable(f"{path} cannot be written: {error.strerror}.", hint="Check its folder.") from None


def write_toml(value: Any) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(write_toml(item) for item in value) + "]"  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, bool | int):
        return str(value).lower()
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")


def write_table(header: str, values: Mapping[str, Any]) -> str:
    return "\n".join([f"[{header}]", *(f"{name} = {write_toml(value)}" for name, value in values.items())]) + "\n"


def set_top(text: str, name: str, value: Any | None) -> str:
    """A top-level value, in its own line; None takes the line away."""
    expected = tomllib.loads(text)
    expected.pop(name, None)
    if value is not None:
        expected[name] = value
    lines = text.splitlines()
    end = next((place for place, line in enumerate(lines) if _HEADER.match(line)), len(lines))
    at = next((place for place in range(end) if re.match(rf"\s*{re.escape(name)}\s*=", lines[place])), None)
    new = [] if value is None else [f"{name} = {write_toml(value)}"]
    if at is None:
        lines[end:end] = new
    else:
        lines[at : at + 1] = new
    return _verify(lines, expected)


def set_table(text: str, table: str, name: str, values: Mapping[str, Any]) -> str:
    """All of `[table.name]`, where it stands or at the end."""
    expected = tomllib.loads(text)
    expected.setdefault(table, {})[name] = dict(values)
    header = f"{table}.{name}"
    lines = text.splitlines()
    start = next((at for at, line in enumerate(lines) if line.split("#")[0].strip() == f"[{header}]"), None)
    new = write_table(header, values).splitlines()
    if start is None:
        lines += [*([""] if lines and lines[-1].strip() else []), *new]
    else:
        end = next((at for at in range(start + 1, len(lines)) if _HEADER.match(lines[at])), len(lines))
        while end > start + 1 and (not lines[end - 1].strip() or lines[end - 1].lstrip().startswith("#")):
            end -= 1  # blank lines and comments before the next table belong to that one
        lines[start:end] = new
    return _verify(lines, expected)


def _verify(lines: list[str], expected: dict[str, Any]) -> str:
    text = "\n".join(lines) + "\n" if lines else ""
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        found = None
    if found != expected:
        raise Invalid(
            "The file is written in a way that cannot be changed safely.",
            hint="Nothing was changed. Put the lines in by hand.",
        )
    return text
