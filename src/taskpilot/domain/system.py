"""The kinds of remotes there are, and what their configuration may say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

from taskpilot.domain import text
from taskpilot.domain.errors import Invalid
from taskpilot.domain.task import PROSE_MOST, TITLE_MOST

VALUE_MOST = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class System:
    """A kind of remote: what its configuration must and may say, and how much of a task it can keep."""

    name: str
    title: str
    target: str
    """The configuration value that names what is synced there: a repository, a project, a board."""
    needs: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()
    secrets: tuple[str, ...] = ("token",)
    url: str = ""
    title_most: int = TITLE_MOST
    description_most: int = PROSE_MOST
    tells_dropped: bool = False
    """Whether it knows work that was given up from work that was done."""

    @property
    def options(self) -> tuple[str, ...]:
        return (*self.needs, *self.takes, *self.secrets)


SYSTEMS: Mapping[str, System] = MappingProxyType(
    {
        system.name: system
        for system in (
            System(
                name="github",
                title="GitHub",
                target="repository",
                needs=("repository",),
                takes=("url", "base"),
                url="https://api.github.com",
                title_most=256,
                description_most=65_000,
                tells_dropped=True,
            ),
            System(
                name="jira",
                title="Jira",
                target="project",
                needs=("url", "project"),
                takes=("email", "issue_type"),
                title_most=255,
                description_most=32_000,
            ),
            System(
                name="linear",
                title="Linear",
                target="team",
                needs=("team",),
                takes=("url",),
                url="https://api.linear.app/graphql",
                title_most=255,
                tells_dropped=True,
            ),
            System(
                name="asana",
                title="Asana",
                target="project",
                needs=("project",),
                takes=("url",),
                url="https://app.asana.com/api/1.0",
                description_most=60_000,
            ),
            System(
                name="trello",
                title="Trello",
                target="board",
                needs=("board",),
                takes=("list", "url"),
                secrets=("key", "token"),
                url="https://api.trello.com/1",
                description_most=16_000,
            ),
            System(
                name="custom",
                title="The endpoint",
                target="url",
                needs=("url",),
                takes=("header",),
                tells_dropped=True,
            ),
        )
    }
)


def check_config(system: System, given: Mapping[str, Any]) -> dict[str, str]:
    """Configuration values as they are kept; unknown names are refused."""
    unknown = sorted(set(given) - set(system.options))
    if unknown:
        named = ", ".join(text.shorten(text.clean_line(name), 40) for name in unknown)
        raise Invalid(f"{system.title} has no option {named}.", hint=f"Options: {', '.join(system.options)}.")
    wrong = [name for name, value in given.items() if not isinstance(value, str)]
    if wrong:
        raise Invalid(f"Must be text: {', '.join(wrong)}.", hint='Write {"name": "value"}.')
    values = {name: text.line(value, f"The option {name}", VALUE_MOST) for name, value in given.items()}
    garbled = [name for name in system.secrets if not _is_printable(values.get(name, ""))]
    if garbled:
        raise Invalid(
            f"Cannot be used as {' and '.join(garbled)}: it has spaces or strange letters.", hint="Copy it again."
        )
    if "url" in values:
        values["url"] = check_url(values["url"])
    return values


def _is_printable(value: str) -> bool:
    return value.isascii() and value.isprintable() and " " not in value


def check_url(given: str) -> str:
    """The address of a service in one spelling. Nothing secret belongs in it: addresses are shown and logged."""
    try:
        parts = urlsplit(given)
        _ = parts.port
    except ValueError:
        parts = urlsplit("")
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise Invalid("The option url is not a web address.", hint="It looks like https://example.com/api.")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise Invalid("The option url says more than an address.", hint="Give a secret as token, not in the url.")
    return given.rstrip("/")


def scope_of(system: System, values: Mapping[str, str]) -> str:
    """What makes a remote this place and no other. Another host is another place: it gets no token of the first."""
    host = urlsplit(values.get("url") or system.url).netloc
    target = values[system.target]
    return f"{target} {host}".lower() if target != values.get("url") else target
