"""Moving house: everything you own into a file, and out of one."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Annotated, Any

import typer

from taskpilot.domain.errors import Conflict, Invalid, NotFound, Unavailable
from taskpilot.ops import transfer
from taskpilot.surfaces.cli.output import print_json, say, write_out
from taskpilot.surfaces.cli.session import Session


def export_all(
    session: Session,
    file: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="Where to; otherwise here, by date; - prints it.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
) -> None:
    """Write everything you own into one JSON file, to keep or to import elsewhere."""
    if file is not None and str(file) == "-":
        for piece in session.run(transfer.write_out):
            write_out(piece.decode())
        return
    path = (file or Path(f"taskpilot-{datetime.now():%Y%m%d-%H%M%S}.json")).absolute()
    if path.exists() and not force:
        raise Conflict(f"{path} exists already.", hint="Choose another name, or replace it with --force.")
    if not path.parent.is_dir():
        raise NotFound(f"There is no folder {path.parent}.", hint="Make it first, or choose another.")
    _write(path, session.run(transfer.write_out))
    if session.json:
        print_json({"file": str(path)})
    else:
        say(f"Wrote everything to {path}", f"To take it in elsewhere: taskpilot import {path.name}")


def import_all(
    session: Session,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file made by taskpilot export.")],
) -> None:
    """Add everything in a file to what you own: all of it, or nothing. Undo takes it back."""
    imported = asdict(session.run(transfer.take_in, transfer.read(_read(file))))
    if session.json:
        return print_json(imported)
    named = [f"{number} {name if number > 1 else name[:-1]}" for name, number in imported.items() if number]
    return say(f"Imported {', '.join(named)}." if named else "There was nothing new in it.")


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
        return json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise NotFound(f"There is no file {file}.", hint="Name a file made by taskpilot export.") from None
    except OSError as error:
        raise Unavailable(f"{file} cannot be read: {error.strerror}.", hint="Check the file.") from None
    except (ValueError, RecursionError):
        raise Invalid(f"{file} is no JSON.", hint="Name a file made by taskpilot export.") from None
