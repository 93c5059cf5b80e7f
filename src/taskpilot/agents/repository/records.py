"""What is kept beside a worktree, so that another process finds it again.

    <root>/run-7/
        shop/            the worktree, named after its repository
        .worktree.json   this record
        .lock            held by the process that works there
        .exclude         what is never committed from it
        .config          its settings when it was made
        .hooks/          its hooks

All but the worktree itself lies outside of what an agent may write. Git reads copies of it in its own directory of
the worktree, and is told where its directories are instead of asking the worktree: what an agent leaves there cannot
lead our git elsewhere.
"""

from __future__ import annotations

import json
import os
import stat
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from taskpilot.agents.repository import disk, git

RECORD = ".worktree.json"
LOCK = ".lock"
EXCLUDE = ".exclude"
CONFIG = ".config"
HOOKS = ".hooks"


@dataclass(frozen=True, slots=True)
class Worktree:
    path: Path
    repository: Path
    branch: str
    base: str
    base_commit: str
    git_dir: Path
    """What all worktrees of the repository share: whoever works in one must be able to write here."""
    run: int = 0
    own_dir: Path = Path()
    """What git keeps of this worktree alone, in `git_dir`."""

    @property
    def place(self) -> Path:
        return self.path.parent


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    worktree: Worktree
    ready: bool = False
    """Made whole; else something to clear away."""
    fresh: bool = False
    """The branch was made for this run."""
    start: str = ""
    """Where the branch stood when the worktree was made."""
    saved: str = ""
    """The commit that holds what was there when the worktree was removed."""
    rebased_from: tuple[str, ...] = ()
    """Tips before each rebase: what may be overwritten where it was pushed."""


_NOTES = ("ready", "fresh", "start", "saved")


def ask(worktree: Worktree, *args: str, index: Path | None = None, **options: Any) -> git.Ran:
    return git.probe(*args, cwd=worktree.path, env=lead(worktree, index), **options)


def run(worktree: Worktree, *args: str, index: Path | None = None, **options: Any) -> str:
    """What git says in a worktree."""
    return git.run(*args, cwd=worktree.path, env={**lead(worktree, index), **options.pop("env", {})}, **options)


def lead(worktree: Worktree, index: Path | None = None) -> dict[str, str]:
    where = {
        "GIT_DIR": str(worktree.own_dir),
        "GIT_COMMON_DIR": str(worktree.git_dir),
        "GIT_WORK_TREE": str(worktree.path),
    }
    return {**where, "GIT_INDEX_FILE": str(index)} if index else where


def read(place: Path) -> Record | None:
    try:
        plain = json.loads((place / RECORD).read_text())
        kept = plain["worktree"]
        worktree = Worktree(
            path=Path(kept["path"]),
            repository=Path(kept["repository"]),
            branch=kept["branch"],
            base=kept["base"],
            base_commit=kept["base_commit"],
            git_dir=Path(kept["git_dir"]),
            run=kept["run"],
            own_dir=Path(kept["own_dir"]),
        )
        notes = {name: plain[name] for name in _NOTES}
        return Record(worktree=worktree, rebased_from=tuple(plain["rebased_from"]), **notes)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def write(record: Record) -> None:
    """At once or not at all."""
    worktree = record.worktree
    plain = {
        "worktree": {name: _plain(getattr(worktree, name)) for name in Worktree.__dataclass_fields__},
        "rebased_from": record.rebased_from,
        **{name: getattr(record, name) for name in _NOTES},
    }
    put(worktree.place / RECORD, json.dumps(plain, indent=2) + "\n")


def update(worktree: Worktree, **changes: Any) -> Worktree:
    """Change the record of a worktree; fields of the worktree and of the record alike."""
    record = read(worktree.place) or Record(worktree=worktree, ready=True)
    own = {name: changes.pop(name) for name in list(changes) if name in Worktree.__dataclass_fields__}
    record = replace(record, worktree=replace(record.worktree, **own), **changes)
    write(record)
    return record.worktree


def put(path: Path, text: str, mode: int = 0o600) -> None:
    part = path.with_name(f"{path.name}.part")
    handle = os.open(part, os.O_CREAT | os.O_TRUNC | os.O_WRONLY | getattr(os, "O_NOFOLLOW", 0), mode)
    with os.fdopen(handle, "w", errors="surrogateescape") as file:
        file.write(text)
    os.chmod(part, mode)
    os.replace(part, path)


def configure(worktree: Worktree) -> None:
    """Give the worktree its own settings anew, from what lies beside it: an agent could have changed them.

    What is as it should be is left alone: replacing it would take it out of the sandbox's read-only mounts.
    """
    place, own = worktree.place, worktree.own_dir
    if os.path.realpath(own / _read(own / "commondir").strip()) != str(worktree.git_dir):
        put(own / "commondir", f"{worktree.git_dir}\n", mode=0o644)
    settings = f"{_read(place / CONFIG)}[core]\n"
    if (place / EXCLUDE).exists():
        (own / "info").mkdir(exist_ok=True)
        _renew(own / "info" / "exclude", _read(place / EXCLUDE), 0o644)
        settings += f"\texcludesFile = {_quote(own / 'info' / 'exclude')}\n"
    if (place / HOOKS).is_dir():
        (own / "hooks").mkdir(exist_ok=True)
        wanted = {path.name: _read(path) for path in (place / HOOKS).iterdir()}
        for stray in {path.name for path in (own / "hooks").iterdir()} - wanted.keys():
            disk.drop(own / "hooks" / stray)
        for name, text in wanted.items():
            _renew(own / "hooks" / name, text, 0o700)
        settings += f"\thooksPath = {_quote(own / 'hooks')}\n"
    _renew(own / "config.worktree", settings, 0o644)


def _renew(path: Path, text: str, mode: int) -> None:
    if path.is_symlink() or _read(path) != text or stat.S_IMODE(path.stat().st_mode) != mode:
        put(path, text, mode)


def _read(path: Path) -> str:
    try:
        return path.read_text(errors="surrogateescape")
    except OSError:
        return ""


def _quote(path: Path) -> str:
    escaped = str(path).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, Path) else value
