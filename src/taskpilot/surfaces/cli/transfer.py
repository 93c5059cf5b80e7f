"""Moving house: everything you own, or a plan, into a file, and out of one."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Annotated, Any

import typer

from taskpilot.domain.errors import Conflict, Invalid, NotFound, Unavailable
from taskpilot.ops import transfer
from taskpilot.surfaces.cli.errors import Misused
from taskpilot.surfaces.cli.output import print_json, say, write_out
from taskpilot.surfaces.cli.plans import Place, import_plan, write_plan
from taskpilot.surfaces.cli.session import Session

PLANS = (".md", ".markdown", ".txt")


class Format(StrEnum):
    JSON = "json"
    PLAN = "plan"


def export_all(
    session: Session,
    file: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="Where to; otherwise here, by date; - prints it.")
    ] = None,
    format: Annotated[
        Format | None,
        typer.Option("--format", help="json: everything. plan: tasks as a Markdown check list, as for FILE.md."),
    ] = None,
    project: Annotated[str | None, typer.Option("--project", help="Only of this project; for a plan.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
) -> None:
    """Write everything you own into one JSON file, to keep or to import elsewhere; or tasks as a Markdown plan."""
    kind = _tell_format(file, format)
    if project is not None and kind is not Format.PLAN:
        raise Misused("--project goes with --format plan.", hint="Everything goes into a JSON file.")
    pieces = write_plan(session, project) if kind is Format.PLAN else session.run(transfer.write_out)
    if file is not None and str(file) == "-":
        for piece in pieces:
            write_out(piece.decode())
        return
    ending = "md" if kind is Format.PLAN else "json"
    path = (file or Path(f"taskpilot-{datetime.now():%Y%m%d-%H%M%S}.{ending}")).absolute()
    if path.exists() and not force:
        raise Conflict(f"{path} exists already.", hint="Choose another name, or replace it with --force.")
    if not path.parent.is_dir():
        raise NotFound(f"There is no folder {path.parent}.", hint="Make it first, or choose another.")
    _write(path, pieces)
    if session.json:
        print_json({"file": str(path)})
    else:
        what = "the plan" if kind is Format.PLAN else "everything"
        say(f"Wrote {what} to {path}", f"To take it in elsewhere: taskpilot import {path.name}")


def import_all(
    session: Session,
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="Made by taskpilot export, or a Markdown plan: .md, .markdown, .txt.")
    ],
    place: Place,
    format: Annotated[Format | None, typer.Option("--format", help="What it is, if its name does not say.")] = None,
) -> None:
    """Add everything in a file to what you own: all of it, or nothing. Undo takes it back."""
    if _tell_format(file, format) is Format.PLAN:
        return import_plan(session, _read_text(file), place)
    if place != Place():
        raise Misused("--project, --parent and --dry-run go with a plan.", hint="Add --format plan if it is one.")
    imported = asdict(session.run(transfer.take_in, transfer.read(_read(file))))
    if session.json:
        return print_json(imported)
    named = [f"{number} {name if number > 1 else name[:-1]}" for name, number in imported.items() if number]
    return say(f"Imported {', '.join(named)}." if named else "There was nothing new in it.")


def _tell_format(file: Path | None, format: Format | None) -> Format:
    written = file is not None and file.suffix.lower() in PLANS
    return format or (Format.PLAN if written else Format.JSON)


def _write(path: Path, pieces: list[bytes]) -> None:
    """Whole or not at all, and for nobody else to read."""
    try:
        with NamedTemporaryFile(dir=path.parent, prefix=".export-", delete=False) as part:
            try:
                part.writelines(pieces)
                part.flush()
                os.fsync(part.fileno())
                os.replace(part.name, path)
            except BaseException:
                Path(part.name).unlink(missing_ok=True)
                raise
    except OSError as error:
        raise Unavailable(f"{path} cannot be written: {error.strerror}.", hint="Choose another place.") from None


def _read(file: Path) -> Any:
    try:
        return json.loads(_read_text(file))
    except (ValueError, RecursionError):
        raise Invalid(f"{file} is no JSON.", hint="Name a file made by taskpilot export.") from None


def _read_text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise NotFound(f"There is no file {file}.", hint="Name a file that is there.") from None
    except OSError as error:
        raise Unavailable(f"{file} cannot be read: {error.strerror}.", hint="Check the file.") from None
    except ValueError:
        raise Invalid(f"{file} is not text in UTF-8.", hint="Save it as UTF-8.") from None
