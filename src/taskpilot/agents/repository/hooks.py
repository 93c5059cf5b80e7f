"""Hooks of a worktree: a push is refused once its run has lost its claim; the repository's own hooks go on working."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

from taskpilot.agents.repository import disk, git, records, repositories
from taskpilot.agents.repository.records import Worktree
from taskpilot.agents.repository.repositories import Repository

REFUSED = "taskpilot: "
"""How each line of a refusal begins."""

_CHECK = """\
#!/bin/sh
# Written by TaskPilot for run {run}: it may push only while it holds its task.
if ! said=$({check} 2>&1 </dev/null); then
    printf '%s\\n' "${{said:-This run may not push.}}" | sed 's/^/{refused}/' >&2
    exit 1
fi
{own}
"""
_DELEGATE = """\
#!/bin/sh
{own}
"""


def lift(worktree: Worktree) -> None:
    """Let pushes from this worktree through again: nobody works there any more."""
    install(worktree, ("true",))


def install(worktree: Worktree, argv: Sequence[str]) -> None:
    """Have `argv` asked before every push from this worktree. Safe to repeat; the last one counts.

    The repository's hooks are looked for in its own folder, never in the worktree, where an agent could change them.
    """
    source = Repository(worktree.repository, worktree.git_dir, bare=worktree.repository == worktree.git_dir)
    with repositories.taking_turns(source):
        repositories.allow_worktree_settings(source)
    theirs = find_folder(worktree)
    check = _CHECK.format(
        run=worktree.run, check=shlex.join(argv), refused=REFUSED, own=_hand_over(theirs / "pre-push")
    )
    wanted = {name: _DELEGATE.format(own=_hand_over(theirs / name)) for name in _list_hooks(theirs)}
    with git.telling(worktree.place):
        _write(worktree.place / records.HOOKS, {**wanted, "pre-push": check})
        records.configure(worktree)


def find_folder(worktree: Worktree) -> Path:
    """Where the repository itself has its hooks."""
    said = git.run("rev-parse", "--git-path", "hooks", cwd=worktree.repository, hooks=True).rstrip("\n")
    return Path(os.path.normpath(worktree.repository / os.path.expanduser(said)))


def _write(folder: Path, scripts: Mapping[str, str]) -> None:
    folder.mkdir(mode=0o700, exist_ok=True)
    for stale in {path.name for path in folder.iterdir()} - scripts.keys():
        disk.drop(folder / stale)
    for name, script in scripts.items():
        records.put(folder / name, script, mode=0o700)


def _list_hooks(folder: Path) -> set[str]:
    try:
        return {
            path.name for path in folder.iterdir() if path.is_file() and os.access(path, os.X_OK) and not path.suffix
        }
    except OSError:
        return set()


def _hand_over(hook: Path) -> str:
    """With the same arguments and input, and under its own name, by which some find their other files."""
    quoted = shlex.quote(str(hook))
    return f'[ -x {quoted} ] || exit 0\nexec {quoted} "$@"'
