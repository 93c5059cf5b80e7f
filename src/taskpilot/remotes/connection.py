"""From what was configured to something that can be talked to."""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, cast

from taskpilot.app import Errand
from taskpilot.domain.caller import LOCAL_USER
from taskpilot.domain.errors import Invalid
from taskpilot.domain.remote import HIDDEN, Remote
from taskpilot.domain.system import SYSTEMS, System, check_config, check_url, scope_of
from taskpilot.folder import is_open
from taskpilot.ops import remotes
from taskpilot.remotes.adapter import Adapter
from taskpilot.remotes.asana import Asana
from taskpilot.remotes.custom import Custom
from taskpilot.remotes.github import GitHub
from taskpilot.remotes.jira import Jira
from taskpilot.remotes.linear import Linear
from taskpilot.remotes.repository import find_repository
from taskpilot.remotes.trello import Trello

ADAPTERS: Mapping[str, type[Adapter]] = {
    "github": GitHub,
    "jira": Jira,
    "linear": Linear,
    "asana": Asana,
    "trello": Trello,
    "custom": Custom,
}
CONFIG_MOST = 20_000


@dataclass(frozen=True, slots=True)
class Setup:
    """Everything needed to reach a place, stored or not."""

    folder: str
    system: System
    values: Mapping[str, str]
    secrets: Mapping[str, str] = field(repr=False)
    stored: Remote | None
    sealed: str = field(default="", repr=False)
    """The secrets as they are stored; empty if they are new."""
    lent: bool = False
    """The token is the server's own, from its settings: used, never stored."""

    @property
    def scope(self) -> str:
        return scope_of(self.system, self.values)

    @property
    def target(self) -> str:
        return self.values[self.system.target]

    @property
    def is_new(self) -> bool:
        """Whether anything in it is not stored yet."""
        fresh = bool(self.secrets) and not self.sealed and not self.lent
        return self.stored is None or fresh or dict(self.stored.config) != dict(self.values)

    @property
    def shown(self) -> dict[str, str]:
        """The configuration as it may be told: that there is a secret, not which."""
        return {**self.values, **dict.fromkeys(self.secrets, HIDDEN)}


def read_config(given: str | None) -> dict[str, Any]:
    """The JSON text of a configuration."""
    if given is None or not given.strip():
        return {}
    if len(given) > CONFIG_MOST:
        raise Invalid(f"The config is longer than {CONFIG_MOST} characters.", hint="Give only what changes.")
    try:
        found = json.loads(given)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise Invalid("The config is not a JSON object.", hint='Write {"name": "value"}.')
    return cast("dict[str, Any]", found)


def prepare(errand: Errand, folder: str, name: str, given: Mapping[str, Any]) -> Setup:
    """What is stored, changed by what is given, completed by settings and the folder's git files."""
    system = SYSTEMS[name]
    changes = check_config(system, given)
    known = errand.run(remotes.find, folder, name)
    values = {**(known.remote.config if known else {}), **changes}
    if name == "github":
        values = _fill_github(errand, folder, values)
    missing = [option for option in system.needs if not values.get(option)]
    if missing:
        raise Invalid(
            f"{system.title} needs {', '.join(missing)}.",
            hint=f'Give config as JSON: {{"{missing[0]}": "…"}}. Options: {", ".join(system.options)}.',
        )
    plain = {option: value for option, value in values.items() if option not in system.secrets}
    # The token of one place is never tried at another: it would be given away.
    scope = scope_of(system, plain)
    if known is None or known.remote.scope != scope:
        known = errand.run(remotes.find, folder, name, scope=scope)
    sealed = known.secrets if known else ""
    fresh = {option: changes[option] for option in system.secrets if option in changes}
    kept = errand.vault.open(sealed)
    secrets = {**kept, **fresh}
    setup = Setup(folder, system, plain, secrets, known.remote if known else None, sealed if secrets == kept else "")
    return setup if secrets else _lend(errand, setup)


def store(errand: Errand, setup: Setup) -> Remote:
    sealed = setup.sealed or ("" if setup.lent else errand.vault.seal(setup.secrets))
    return errand.run(remotes.connect, setup.folder, setup.system.name, setup.scope, setup.values, sealed)


@contextmanager
def reached(errand: Errand, setup: Setup) -> Generator[Adapter]:
    """The place itself. Nothing is asked of it yet."""
    needed = [name for name in setup.system.secrets if not setup.secrets.get(name)]
    if needed and setup.system.name != "custom":
        raise Invalid(
            f"{setup.system.title} needs {' and '.join(needed)}.",
            hint=f'Connect first, with config {{"{needed[0]}": "…"}}.',
        )
    adapter = ADAPTERS[setup.system.name]({**setup.values, **setup.secrets}, errand.reach)
    try:
        yield adapter
    finally:
        adapter.client.close()


def _fill_github(errand: Errand, folder: str, values: dict[str, str]) -> dict[str, str]:
    url = values.get("url") or check_url(errand.reach.github_url)
    repository = values.get("repository") or (find_repository(folder, url) if is_open(errand, folder) else "")
    return {**values, "url": url, **({"repository": repository} if repository else {})}


def _lend(errand: Errand, setup: Setup) -> Setup:
    """The server's own GitHub token: for this machine's user, and only where the server itself would go."""
    reach = errand.reach
    at_home = setup.values.get("url") == reach.github_url and errand.caller.user == LOCAL_USER
    if setup.system.name != "github" or not at_home or not reach.github_token:
        return setup
    return Setup(setup.folder, setup.system, setup.values, {"token": reach.github_token}, setup.stored, lent=True)
