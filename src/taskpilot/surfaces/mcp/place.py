"""Which data folder and database a `taskpilot mcp` works on, told without loading the settings where it can be.

`taskpilot.settings` stays the authority. It takes 30 ms to import, which is more than all the rest of
a relay's start, so the common case (Linux, no settings file) is answered here; a test holds both to
the same answers.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

Flags = Mapping[str, str]


class Place:
    """A data folder, a database address where it is not SQLite in that folder, and whom to act for there."""

    def __init__(self, data_dir: str, database_url: str, token: str = "") -> None:
        self.data_dir = data_dir
        self.database_url = database_url
        self.token = token


def find(flags: Flags, environment: Mapping[str, str] = os.environ) -> Place:
    """The same values that `settings.load(flags, environment)` gives; raises what it raises."""
    return find_quickly(flags, environment) or find_carefully(flags, environment)


def find_carefully(flags: Flags, environment: Mapping[str, str]) -> Place:
    from taskpilot import settings

    found = settings.load(flags, environment)
    return Place(str(found.data_dir), found.database_url, found.token.reveal())


def find_quickly(flags: Flags, environment: Mapping[str, str]) -> Place | None:
    """None where more than the flags, the environment and the usual folders has to be asked."""
    if sys.platform != "linux" or "ANDROID_ROOT" in environment:
        return None
    config = environment.get("TASKPILOT_CONFIG")
    usual_config = os.path.join(usual_folder("XDG_CONFIG_HOME", "~/.config", environment), "config.toml")
    if os.path.lexists(os.path.expanduser(config) if config else usual_config):
        return None
    database_url = choose("database_url", flags, environment) or ""
    if database_url and not database_url.startswith(("postgresql://", "postgres://")):
        return None  # a mistake: let the settings say which
    data_dir = choose("data_dir", flags, environment)
    if data_dir is None:
        data_dir = usual_folder("XDG_DATA_HOME", "~/.local/share", environment)
    token = choose("token", flags, environment) or ""
    return Place(os.path.join(os.getcwd(), os.path.expanduser(data_dir)), database_url, token)


def choose(name: str, flags: Flags, environment: Mapping[str, str]) -> str | None:
    """A flag counts even when it is empty, a variable only when it is not."""
    given = flags.get(name)
    return given if given is not None else environment.get(f"TASKPILOT_{name.upper()}") or None


def usual_folder(variable: str, default: str, environment: Mapping[str, str]) -> str:
    named = environment.get(variable, "")
    return os.path.join(named if os.path.isabs(named) else os.path.expanduser(default), "taskpilot")
