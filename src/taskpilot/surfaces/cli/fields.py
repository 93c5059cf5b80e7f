"""The fields of a task as options, the same for `add` and `edit`."""

from __future__ import annotations

import os.path
from dataclasses import dataclass
from typing import Annotated, Any, cast

import typer

from taskpilot.domain.errors import Invalid
from taskpilot.domain.fields import TaskFields
from taskpilot.domain.task import Energy, Priority, Status

CLEARABLE = {
    "description": "description",
    "notes": "notes",
    "project": "project",
    "tag": "tags",
    "due": "due_date",
    "start": "scheduled_start",
    "remind": "remind_at",
    "recurrence": "recurrence",
    "estimate": "time_estimate",
    "parent": "parent",
    "blocked-by": "blocked_by",
    "file": "connected_files",
    "ref": "external_refs",
    "accept": "acceptance",
    "workspace": "workspace",
}
"""Option → field, for `edit --clear`."""

Words = list[str] | None


def _offer(*words: str) -> Any:
    return lambda: list(words)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fields:
    description: Annotated[str | None, typer.Option("--description", "-d", help="What it is about.")] = None
    notes: Annotated[str | None, typer.Option("--notes", help="What was found out on the way.")] = None
    status: Annotated[
        str | None, typer.Option("--status", help=", ".join(Status) + ".", autocompletion=_offer(*Status))
    ] = None
    priority: Annotated[
        str | None,
        typer.Option(
            "--priority",
            "-p",
            help="someday, low, medium, high, critical, or 1 to 5.",
            autocompletion=_offer(*(each.word for each in Priority)),
        ),
    ] = None
    project: Annotated[str | None, typer.Option("--project", help="Made on first use.")] = None
    tag: Annotated[Words, typer.Option("--tag", "-t", help="Repeat for more than one.")] = None
    due: Annotated[str | None, typer.Option("--due", help='A date, or "fri 5pm", "in 3 days".')] = None
    start: Annotated[str | None, typer.Option("--start", help="Not to be begun before this date.")] = None
    remind: Annotated[str | None, typer.Option("--remind", help="When to be reminded.")] = None
    recurrence: Annotated[str | None, typer.Option("--recurrence", help="A rule such as FREQ=WEEKLY;BYDAY=MO.")] = None
    energy: Annotated[
        str | None, typer.Option("--energy", help=", ".join(Energy) + ".", autocompletion=_offer(*Energy))
    ] = None
    estimate: Annotated[str | None, typer.Option("--estimate", help='How long it takes, such as "2h".')] = None
    progress: Annotated[int | None, typer.Option("--progress", help="0 to 100.")] = None
    parent: Annotated[str | None, typer.Option("--parent", metavar="ID", help="The task it is a part of.")] = None
    blocked_by: Annotated[Words, typer.Option("--blocked-by", metavar="ID", help="A task it waits on.")] = None
    file: Annotated[Words, typer.Option("--file", help="A file it touches, inside its workspace.")] = None
    ref: Annotated[
        Words, typer.Option("--ref", metavar='"SYSTEM KEY URL"', help="The same task in another system.")
    ] = None
    accept: Annotated[
        Words, typer.Option("--accept", metavar='"COMMAND"', help="Must succeed before an agent's work counts as done.")
    ] = None
    workspace: Annotated[str | None, typer.Option("--workspace", help="A folder, or a workspace's number.")] = None

    def given(self) -> TaskFields:
        """Only what was said."""
        values: dict[str, Any] = {
            "description": self.description,
            "notes": self.notes,
            "status": self.status,
            "priority": self.priority,
            "project": self.project,
            "tags": self.tag or None,
            "due_date": self.due,
            "scheduled_start": self.start,
            "remind_at": self.remind,
            "recurrence": self.recurrence,
            "energy": self.energy,
            "time_estimate": self.estimate,
            "progress": self.progress,
            "parent": self.parent,
            "blocked_by": self.blocked_by or None,
            "connected_files": self.file or None,
            "external_refs": [_read_reference(each) for each in self.ref] if self.ref else None,
            "acceptance": self.accept or None,
            "workspace": None if self.workspace is None else read_workspace(self.workspace),
        }
        return cast(TaskFields, {name: value for name, value in values.items() if value is not None})


def read_cleared(words: list[str]) -> TaskFields:
    """Fields to empty, named by their option or by their own name."""
    cleared: dict[str, Any] = {}
    for word in words:
        field = CLEARABLE.get(word.lower().lstrip("-"), word.lower().replace("-", "_"))
        if field not in CLEARABLE.values():
            raise Invalid(f"{word!r} cannot be cleared.", hint=f"Choose from: {', '.join(CLEARABLE)}.")
        cleared[field] = None
    return cast(TaskFields, cleared)


def read_workspace(word: str) -> int | str:
    return int(word) if word.isascii() and word.isdigit() else os.path.abspath(os.path.expanduser(word))


def _read_reference(text: str) -> list[str]:
    parts = text.split(maxsplit=2)
    if len(parts) < 2:
        raise Invalid(f"{text!r} is not a reference.", hint='Write "jira TP-7 https://example.org/TP-7".')
    return [*parts, ""][:3]
