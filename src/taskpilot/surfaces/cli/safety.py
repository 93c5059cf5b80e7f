"""Keeping tasks safe: copies, going back to one, and looking for damage."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from datetime import datetime
from itertools import chain, count
from pathlib import Path
from typing import Annotated

import typer

from taskpilot.domain.errors import Conflict, NotFound, Unavailable
from taskpilot.surfaces.cli.errors import EXIT
from taskpilot.surfaces.cli.output import print_json, say
from taskpilot.surfaces.cli.session import Session

Progress = Callable[[int, int], None]


def backup(
    session: Session,
    file: Annotated[Path | None, typer.Argument(metavar="[FILE]", help="Where to; otherwise here, by date.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
) -> None:
    """Copy everything into one file, while others go on working."""
    from taskpilot.store import backup as backups

    path = (file or _name(Path.cwd(), "taskpilot")).absolute()
    if path.exists() and not force:
        raise Conflict(f"{path} exists already.", hint="Choose another name, or replace it with --force.")
    if not path.parent.is_dir():
        raise NotFound(f"There is no folder {path.parent}.", hint="Make it first, or choose another.")
    _ = session.app  # brings the database up to date: a copy of an old one would not be restorable here
    fresh = path if not path.exists() else _name(path.parent, path.stem)
    with _bar("Copying") as progress:
        number = backups.write(session.database, fresh, progress)
    if fresh != path:
        fresh.replace(path)  # only now: until the new copy is whole, the old one is the best there is
    if session.json:
        print_json({"file": str(path), "tasks": number})
    else:
        say(f"Copied {_tasks(number)} to {path}", f"To go back to it: taskpilot restore {path}")


def restore(
    session: Session,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file made by taskpilot backup.")],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Replace everything with what a backup holds. Makes a copy of what is there first."""
    from taskpilot.store import backup as backups

    path = file.absolute()
    if not path.is_file():
        raise NotFound(f"There is no file {path}.", hint="Name a file made by taskpilot backup.")
    session.confirm(f"Replace all tasks with those in {path.name}? A copy of today's is kept.", yes=yes)
    kept = _name(session.settings.data_dir, "before-restore")
    safe = _keep(session, kept)
    with _bar("Restoring") as progress:
        number = backups.restore(session.database, path, progress)
    if session.json:
        print_json({"file": str(path), "tasks": number, "kept": str(kept) if safe else None})
    else:
        before = f"What was there before is in {kept}" if safe else "What was there before could not be read."
        say(f"Restored {_tasks(number)} from {path}", before)


def check(session: Session) -> None:
    """Look for damage in the database."""
    from taskpilot.store.check import inspect

    problems = inspect(session.database)
    if session.json:
        print_json({"healthy": not problems, "problems": problems})
    elif not problems:
        say("✓ The database is healthy.")
    else:
        for problem in problems:
            say(f"✗ {problem}")
        say("Restore the latest backup: taskpilot restore FILE")
    if problems:
        raise typer.Exit(EXIT["unavailable"])


def _keep(session: Session, path: Path) -> bool:
    """A copy before all is replaced. A database too damaged to copy is no reason not to restore a good one."""
    from taskpilot.store import backup as backups

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _ = session.app
        backups.write(session.database, path, lambda _done, _all: None)
    except Unavailable:
        return False
    return True


def _tasks(number: int) -> str:
    return f"{number} task{'' if number == 1 else 's'}"


def _name(folder: Path, what: str) -> Path:
    """By date, and never one that is taken: it may be the very copy that is restored."""
    stem = f"{what}-{datetime.now():%Y%m%d-%H%M%S}"
    names = chain([stem], (f"{stem}-{number}" for number in count(2)))
    return next(path for name in names if not (path := folder / f"{name}.db").exists())


@contextmanager
def _bar(title: str) -> Generator[Progress]:
    """A progress bar on stderr, for as long as it takes; nothing where nobody looks."""
    from rich.console import Console
    from rich.progress import Progress as Bars

    console = Console(stderr=True)
    with Bars(console=console, transient=True, disable=not console.is_terminal) as bars:
        task = bars.add_task(title, total=None)
        yield lambda done, everything: bars.update(task, completed=done, total=everything)
