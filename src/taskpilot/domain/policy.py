"""How agents are to work in a workspace: what they may do unasked, how much they may use, what they find there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, cast

from taskpilot.domain import text
from taskpilot.domain.errors import Invalid
from taskpilot.domain.run import parse_branch
from taskpilot.domain.task import parse_commands

LIST_MOST = 50
NAME_MOST = 200
CAP_MOST = 10**15
RUNS_MOST = 100
DOINGS = ("read", "edit", "delete", "move", "search", "execute", "think", "fetch", "other")
"""What a permission can be for, as the Agent Client Protocol names it."""
_LISTS = ("allow", "deny", "copies", "setup", "cleanup", "environment")
SANDBOX = ("auto", "on", "off")


@dataclass(frozen=True, slots=True, kw_only=True)
class Caps:
    """How much a run may use before it rests and asks. 0: as much as it likes."""

    seconds: int = 3_600
    """From the start of a turn, by the clock on the wall."""
    idle_seconds: int = 600
    """Without a sign of life."""
    turns: int = 50
    tokens: int = 5_000_000
    cost_micros: int = 20_000_000
    """In millionths of a dollar."""


CAPS = tuple(item.name for item in fields(Caps))


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    id: int = 0
    """The workspace's."""
    allow: tuple[str, ...] = ("read", "search", "think", "edit", "move")
    """Done without asking; what is in neither list is asked."""
    deny: tuple[str, ...] = ()
    caps: Caps = field(default_factory=Caps)
    base: str = ""
    """The branch to start from; empty: the one that is checked out."""
    copies: tuple[str, ...] = ()
    """Files that git does not know, such as .env, to be copied into each worktree."""
    setup: tuple[str, ...] = ()
    """Commands to run in a new worktree."""
    cleanup: tuple[str, ...] = ()
    """Commands to run when a turn is over."""
    environment: tuple[str, ...] = ()
    """Names of variables of the worker that agents may see, beside the usual."""
    sandbox: str = "auto"
    network: bool = True
    most_runs: int = 4
    """At a time."""

    @property
    def workspace(self) -> int:
        return self.id

    def answer(self, doing: str) -> bool | None:
        """Whether something may be done; None: that has to be asked."""
        return False if doing in self.deny else True if doing in self.allow else None

    def let(self, doing: str) -> Policy:
        """The same, with this allowed from now on."""
        return self if doing in self.allow else replace(self, allow=(*self.allow, doing))


def change(policy: Policy, given: Mapping[str, Any]) -> Policy:
    """With other values; unknown names and wrong values are refused."""
    known = {item.name for item in fields(Policy)} - {"id"}
    unknown = sorted(set(given) - known)
    if unknown:
        raise Invalid(
            f"A policy has no {text.shorten(text.clean_line(unknown[0]), 40)!r}.",
            hint=f"It has: {', '.join(sorted(known))}.",
        )
    return replace(policy, **{name: _READ[name](value, policy) for name, value in given.items()})


def change_caps(caps: Caps, given: Any) -> Caps:
    """With other limits; what is not named stays."""
    if not isinstance(given, Mapping):
        raise Invalid("Caps must be named.", hint=f"For example {CAPS[0]}: 600. There are: {', '.join(CAPS)}.")
    values = cast("Mapping[str, Any]", given)
    for name, value in values.items():
        if name not in CAPS:
            raise Invalid(
                f"There is no cap {text.shorten(text.clean_line(name), 40)!r}.", hint=f"Choose: {', '.join(CAPS)}."
            )
        _whole(name, value, CAP_MOST)
    return replace(caps, **values)


def dump(policy: Policy) -> dict[str, Any]:
    """As much of it as differs from the usual, as JSON can carry it."""
    usual = asdict(Policy())
    return {name: value for name, value in asdict(policy).items() if name != "id" and value != usual[name]}


def load(workspace: int, plain: Mapping[str, Any]) -> Policy:
    values = {name: tuple(value) if name in _LISTS else value for name, value in plain.items() if name != "caps"}
    return replace(Policy(id=workspace, caps=Caps(**plain.get("caps", {}))), **values)


def _whole(name: str, value: Any, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
        raise Invalid(f"{name} must be a whole number.", hint=f"Choose 0 to {most}.")
    return value


def _words(name: str, value: Any) -> list[str]:
    items = cast("list[Any] | tuple[Any, ...]", value) if isinstance(value, list | tuple) else None
    if items is None or len(items) > LIST_MOST or not all(isinstance(item, str) for item in items):
        raise Invalid(f"{name} must be a list of at most {LIST_MOST} texts.", hint='For example ["make setup"].')
    return list(items)


def _doings(name: str, value: Any) -> tuple[str, ...]:
    words = tuple(dict.fromkeys(_words(name, value)))
    wrong = [word for word in words if word not in DOINGS]
    if wrong:
        raise Invalid(f"{name} cannot be {text.shorten(wrong[0], 40)!r}.", hint=f"Choose from: {', '.join(DOINGS)}.")
    return words


def _patterns(value: Any) -> tuple[str, ...]:
    paths = tuple(dict.fromkeys(text.line(item, "A file to copy", NAME_MOST) for item in _words("copies", value)))
    for path in paths:
        if path.startswith(("/", "~")) or ".." in path.split("/"):
            raise Invalid(f"{path!r} leaves the repository.", hint="Give a path inside it, such as .env.")
    return paths


def _variables(value: Any) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(_words("environment", value)))
    wrong = [name for name in names if not name.removesuffix("*").replace("_", "a").isalnum() or not name.isascii()]
    if wrong:
        raise Invalid(f"{text.shorten(wrong[0], 40)!r} is not the name of a variable.", hint="Names, never values.")
    return names


def _one_of(name: str, value: Any, choices: tuple[str, ...]) -> str:
    if value not in choices:
        raise Invalid(f"{name} cannot be {value!r}.", hint=f"Choose one of: {', '.join(choices)}.")
    return value


def _switch(name: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise Invalid(f"{name} is either true or false.", hint="Choose one.")
    return value


_READ: dict[str, Callable[[Any, Policy], Any]] = {
    "allow": lambda value, _: _doings("allow", value),
    "deny": lambda value, _: _doings("deny", value),
    "caps": lambda value, policy: change_caps(policy.caps, value),
    "base": lambda value, _: parse_branch(value) if value else "",
    "copies": lambda value, _: _patterns(value),
    "setup": lambda value, _: parse_commands(_words("setup", value)),
    "cleanup": lambda value, _: parse_commands(_words("cleanup", value)),
    "environment": lambda value, _: _variables(value),
    "sandbox": lambda value, _: _one_of("sandbox", value, SANDBOX),
    "network": lambda value, _: _switch("network", value),
    "most_runs": lambda value, _: _whole("most_runs", value, RUNS_MOST),
}
