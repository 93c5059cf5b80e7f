"""A real repository to work in."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

CLEAN = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
WHO = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "init.defaultBranch=main")


def sh(folder: Path, *args: str) -> str:
    """Git as a user has it."""
    done = subprocess.run(
        ["git", *WHO, *args], cwd=folder, env=CLEAN, capture_output=True, text=True, errors="replace", check=False
    )
    assert done.returncode == 0, (args, done.stderr)
    return done.stdout.strip()


def write(folder: Path, files: dict[str, str | bytes]) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


def commit(folder: Path, files: dict[str, str | bytes], message: str = "Change") -> str:
    write(folder, files)
    sh(folder, "add", "-A")
    sh(folder, "commit", "-q", "--allow-empty", "-m", message)
    return sh(folder, "rev-parse", "HEAD")


def make(folder: Path, files: dict[str, str | bytes] | None = None) -> Path:
    folder.mkdir(parents=True)
    sh(folder, "init", "-q")
    commit(folder, files or {"a.txt": "one\ntwo\nthree\n", ".gitignore": ".env\nbuild/\n"}, "First")
    return folder


def add_remote(repository: Path, name: str = "origin") -> Path:
    """A bare repository beside it, which has all of it."""
    remote = repository.parent / f"{repository.name}-{name}.git"
    sh(repository.parent, "clone", "-q", "--bare", str(repository), str(remote))
    sh(repository, "remote", "add", name, str(remote))
    sh(repository, "fetch", "-q", name)
    return remote


def picture(repository: Path) -> dict[str, object]:
    """All that a user would notice having changed."""
    files = {
        str(path.relative_to(repository)): path.read_bytes()
        for path in sorted(repository.rglob("*"))
        if path.is_file() and ".git" not in path.relative_to(repository).parts
    }
    index = repository / ".git" / "index"
    return {
        "files": files,
        "refs": sh(repository, "for-each-ref"),
        "head": sh(repository, "rev-parse", "HEAD"),
        "status": sh(repository, "status", "--porcelain"),
        "index": index.read_bytes() if index.exists() else b"",
        "worktrees": sh(repository, "worktree", "list"),
        "stash": sh(repository, "stash", "list"),
    }


def allow() -> None:
    """A guard that is content."""
