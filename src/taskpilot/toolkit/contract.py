"""What a contract is: the tools, resources and prompts one kind of client expects."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from taskpilot.domain.errors import TaskPilotError
from taskpilot.domain.events import Event
from taskpilot.store.work import Work
from taskpilot.toolkit.content import PLAIN, Annotations, Document, Extra, Reply
from taskpilot.toolkit.tools import Tool


@dataclass(frozen=True, slots=True, kw_only=True)
class Resource:
    """One entry of `resources/list`."""

    uri: str
    name: str
    title: str = ""
    description: str = ""
    mime: str = "application/json"
    annotations: Annotations = PLAIN
    meta: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """One entry of `resources/templates/list`."""

    uri: str
    name: str
    title: str = ""
    description: str = ""
    mime: str = "application/json"
    annotations: Annotations = PLAIN
    meta: Mapping[str, Any] | None = None


@dataclass(frozen=True, kw_only=True)
class Library:
    """The resources of a contract. `shelve` and `read` are operations marked @reads."""

    shelve: Callable[[Work], Sequence[Resource]]
    """Everything that is listed, in a stable order."""
    read: Callable[[Work, str], Sequence[Document]]
    """One resource; NotFound for a URI that leads nowhere."""
    templates: tuple[Template, ...] = ()
    touched: Callable[[Event], Iterable[str]] = lambda _: ()
    """URIs whose content an event may have changed: their subscribers are told. `x://*` stands for all of `x://`."""
    reshelved: Callable[[Event], bool] = lambda _: False
    """Whether an event changed what `shelve` lists."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptArgument:
    name: str
    description: str = ""
    required: bool = False


@dataclass(frozen=True, kw_only=True)
class Prompt:
    """`render` is an operation marked @reads; it gives the text of one user message, or the parts of several."""

    name: str
    title: str
    description: str
    render: Callable[[Work, Mapping[str, str]], str | Sequence[str | Extra]]
    arguments: tuple[PromptArgument, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Suggestion:
    """What a client asks to complete: an argument of a prompt, or a variable of a template."""

    of: str
    """The prompt's name, or the template's URI."""
    argument: str
    begun: str
    others: Mapping[str, str]


@dataclass(frozen=True)
class Contract:
    name: str
    title: str
    instructions: str
    tools: tuple[Tool, ...]
    library: Library | None = None
    prompts: tuple[Prompt, ...] = ()
    complete: Callable[[Work, Suggestion], Sequence[str]] | None = None
    """An operation marked @reads: what could follow, best first."""
    refuse: Callable[[str, TaskPilotError], Reply] | None = None
    """How this contract tells a failed call of a tool, where it fixes that."""
    extensions: Mapping[str, Mapping[str, Any]] = field(default_factory=dict[str, Mapping[str, Any]])
    """Protocol extensions it makes use of, with their settings."""
    server_name: str = "taskpilot"
    server_version: str = ""
    """Ours, unless the contract fixes one."""

    @cached_property
    def by_name(self) -> dict[str, Tool]:
        return {tool.name: tool for tool in self.tools}
