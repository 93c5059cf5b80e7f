"""What a folder's git files say: where it came from, and which branch it is on. Git itself is not needed."""

from __future__ import annotations

import re
from configparser import ConfigParser, Error
from pathlib import Path
from urllib.parse import urlsplit

MOST_BYTES = 1_000_000
_SHORT = re.compile(r"(?:[^@/\s]+@)?([^:/\s]+):(?!//)(.+)")
_SAME = {"ssh.github.com": "github.com", "www.github.com": "github.com"}
GITHUB = "github.com"
API = "api.github.com"


def find_repository(folder: str, api: str) -> str:
    """`owner/name` of the remote that the API at `api` serves: origin first; empty if there is none."""
    wanted = GITHUB if urlsplit(api).hostname == API else ""
    for url in _remote_urls(folder):
        host, path = _split(url)
        name = path.strip("/").removesuffix(".git")
        if name.count("/") == 1 and (not wanted or host == wanted):
            return name
    return ""


def find_branch(folder: str) -> str:
    """The branch that is checked out; empty if there is none."""
    git = _git_folder(folder)
    head = _read(git / "HEAD").strip() if git else ""
    return head.removeprefix("ref: refs/heads/") if head.startswith("ref: refs/heads/") else ""


def _remote_urls(folder: str) -> list[str]:
    git = _git_folder(folder)
    if git is None:
        return []
    shared = _read(git / "commondir").strip()  # a worktree keeps its configuration with the repository
    config = ConfigParser(strict=False, interpolation=None, allow_no_value=True)
    try:
        config.read_string(_unindent(_read((git / shared if shared else git) / "config")))
    except Error:
        return []
    found = {
        name.removeprefix('remote "').removesuffix('"'): config.get(name, "url", fallback="") or ""
        for name in config.sections()
        if name.startswith('remote "')
    }
    return [found[name] for name in sorted(found, key=lambda name: (name != "origin", name)) if found[name]]


def _git_folder(folder: str) -> Path | None:
    place = Path(folder, ".git")
    if place.is_dir():
        return place
    leads = _read(place).strip()
    return Path(folder, leads.removeprefix("gitdir:").strip()) if leads.startswith("gitdir:") else None


def _read(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(MOST_BYTES).decode("utf-8", errors="replace")
    except (OSError, ValueError):
        return ""


def _unindent(config: str) -> str:
    """Git indents its values, which to the parser would continue the line before."""
    return "\n".join(line.strip() for line in config.splitlines())


def _split(url: str) -> tuple[str, str]:
    short = _SHORT.fullmatch(url)
    if short and "://" not in url:
        host, path = short[1], short[2]
    else:
        try:
            parts = urlsplit(url)
            host, path = parts.hostname or "", parts.path
        except ValueError:
            host, path = "", ""
    return _SAME.get(host.lower(), host.lower()), path
