"""Worktrees of runs on this machine, and where the work in them goes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, TypeVar

import typer

from taskpilot.domain import text
from taskpilot.surfaces.cli.errors import Misused
from taskpilot.surfaces.cli.output import print_json, say
from taskpilot.surfaces.cli.session import Session

T = TypeVar("T")
UNITS = ("bytes", "KB", "MB", "GB", "TB")
STEP = 1_000

RunId = Annotated[int, typer.Argument(metavar="RUN", help="The number that starting it gave.")]


def rebase_run(
    session: Session,
    run: RunId,
    onto: Annotated[str, typer.Option("--onto", metavar="BRANCH", help="Otherwise the one it started from.")] = "",
) -> None:
    """Put a run's commits on top of a branch. Conflicts leave everything as it was."""
    from taskpilot.agents import errands

    _land(session, errands.rebase, run, onto)


def merge_run(
    session: Session,
    run: RunId,
    into: Annotated[str, typer.Option("--into", metavar="BRANCH", help="Otherwise the one it started from.")] = "",
) -> None:
    """Bring a run's commits into a branch. Conflicts leave everything as it was."""
    from taskpilot.agents import errands

    _land(session, errands.merge, run, into)


def push_run(
    session: Session,
    run: RunId,
    remote: Annotated[str, typer.Option("--remote", help="Otherwise origin.")] = "",
) -> None:
    """Push a run's branch."""
    from taskpilot.agents import errands

    _land(session, errands.push, run, remote)


def show_worktrees(
    session: Session,
    remove: Annotated[int | None, typer.Option("--remove", metavar="RUN", help="Remove this run's.")] = None,
    discard: Annotated[bool, typer.Option("--discard", help="With --remove: save nothing first.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before --discard.")] = False,
) -> None:
    """List the worktrees of runs on this machine, with the disk they take; or remove one.

    What was not pushed or committed is saved to a ref of the repository before a worktree is removed.
    """
    if discard and remove is None:
        raise Misused("--discard goes with --remove.", hint="Name the run whose worktree is to go.")
    if remove is not None:
        return _remove(session, remove, discard=discard, yes=yes)
    from taskpilot.agents import errands

    found = _send(session, errands.list_worktrees)
    if session.json:
        return print_json(
            [
                {"run": kept.run, "path": str(kept.path), "branch": kept.branch, "bytes": kept.bytes}
                | {"unpushed": kept.unpushed, "dirty": kept.dirty, "live": kept.live, "problem": kept.problem}
                for kept in found
            ]
        )
    for kept in found:
        said = [f"{kept.unpushed} not pushed"] if kept.unpushed else []
        said += ["not all committed"] if kept.dirty else []
        said += ["in use"] if kept.live else []
        said += [text.clean_line(kept.problem)] if kept.problem else []
        say(f"run {kept.run}  {write_size(kept.bytes)}  {kept.branch}  {kept.path}", *(f"  {each}" for each in said))
    return say(f"{write_size(sum(kept.bytes for kept in found))} in all." if found else "No run has a worktree here.")


def write_size(size: float) -> str:
    place = 0
    while size >= STEP and place < len(UNITS) - 1:
        size, place = size / STEP, place + 1
    return f"{size:.0f} {UNITS[place]}" if place == 0 else f"{size:.1f} {UNITS[place]}"


def _remove(session: Session, run: int, *, discard: bool, yes: bool) -> None:
    from taskpilot.agents import errands

    if discard:
        session.confirm(f"Remove the worktree of run {run} with all that is nowhere else?", yes=yes)
    saved = _send(session, errands.remove_worktree, run, discard=discard)
    if session.json:
        return print_json({"run": run, "bytes": saved.bytes, "ref": saved.ref, "commit": saved.commit})
    kept = f"What was nowhere else is in {saved.ref}." if saved.ref else "Its branch stays."
    return say(f"Removed the worktree of run {run}: {write_size(saved.bytes)} freed. {kept}")


def _land(session: Session, errand: Callable[..., Any], run: int, target: str) -> None:
    landed = _send(session, errand, run, target)
    if session.json:
        print_json({"run": run, "text": landed.text, "commit": landed.commit})
    else:
        say(landed.text)


def _send(
    session: Session, errand: Callable[[Any, Any], T], run: int = 0, target: str = "", *, discard: bool = False
) -> T:
    import asyncio

    from taskpilot.agents.errands import Asked

    asked = Asked(data_dir=session.settings.data_dir, run=run, target=target, discard=discard)
    return asyncio.run(session.app.send(session.caller, errand, asked))
