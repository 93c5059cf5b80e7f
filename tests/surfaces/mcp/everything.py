"""A contract that has every part there is, over real tasks; run it to serve it in a process of its own.

`everything.py stdio|http DATA_DIR [DATABASE_URL]`
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from typing_extensions import TypedDict

from taskpilot import logs, server
from taskpilot.domain.errors import NotFound, TaskPilotError
from taskpilot.domain.events import Event
from taskpilot.domain.operation import reads
from taskpilot.domain.selection import Selection, Sort
from taskpilot.ops import tasks
from taskpilot.settings import Settings
from taskpilot.store.work import Work
from taskpilot.surfaces.mcp.relay import Handover
from taskpilot.surfaces.mcp.server import serve
from taskpilot.surfaces.mcp.stdio import serve_standard_streams
from taskpilot.surfaces.web.process import serve_web
from taskpilot.toolkit import (
    Annotations,
    Args,
    Audio,
    Contract,
    Document,
    Image,
    Library,
    Link,
    Prompt,
    PromptArgument,
    Reply,
    Resource,
    Suggestion,
    Template,
    errand,
    tool,
)

PIXEL = bytes.fromhex("89504e470d0a1a0a")
STAMP = Annotations(audience=("user",), priority=0.5, last_modified="2026-01-01T12:00:00Z")


class Title(TypedDict):
    id: int
    title: str


class TitleArgs(Args):
    title: str


class TaskArgs(Args):
    id: int


class RenameArgs(Args):
    id: int
    title: str


class StepArgs(Args):
    steps: int
    pause: float = 0.0


class NoArgs(Args):
    pass


@tool(tasks.create, title="Add", output=Title)
def add(work: Work, args: TitleArgs) -> Reply:
    """Add a task."""
    task = tasks.create(work, [{"title": args.title}]).tasks[0]
    return Reply(f"Added {task.title}.", {"id": task.id, "title": task.title})


@tool(tasks.update, title="Rename")
def rename(work: Work, args: RenameArgs) -> Reply:
    """Give a task another title."""
    tasks.update(work, args.id, {"title": args.title})
    return Reply("Renamed.")


def ask_first(work: Work, args: TaskArgs) -> str | None:
    title = work.tasks.get(args.id).title
    return None if title == "Rubbish" else f"Delete “{title}”?"


@tool(tasks.delete, title="Delete", destructive=True, confirm=ask_first)
def delete(work: Work, args: TaskArgs) -> Reply:
    """Delete a task, after asking."""
    tasks.delete(work, args.id)
    return Reply("Deleted.")


@tool(
    tasks.delete,
    title="Purge",
    output=Title,
    confirm=ask_first,
    declined=Reply("Kept.", {"id": 0, "title": ""}),
    meta={"category": "danger"},
)
def purge(work: Work, args: TaskArgs) -> Reply:
    """Delete a task, after asking; promises data."""
    return Reply("Gone.", {"id": tasks.delete(work, args.id)[0].id, "title": ""})


@errand(title="Walk", open_world=True)
def walk(trip: Any, args: StepArgs) -> Reply:
    """Add a task a step, and tell how far it is."""
    for step in range(1, args.steps + 1):
        trip.run(tasks.create, [{"title": f"Step {step}"}])
        trip.tell(step, args.steps, f"step {step}")
        time.sleep(args.pause)
    return Reply(f"{args.steps} steps.")


@tool(tasks.get, title="Show")
def show(_: Work, args: NoArgs) -> Reply:
    """One of each kind of content."""
    extras = (
        Image(data=PIXEL, annotations=STAMP),
        Audio(data=b"RIFF"),
        Link(uri="tasks://1", name="task", title="Task 1", mime="application/json", annotations=STAMP),
        Document(uri="tasks://note", text="hello", name="note", annotations=STAMP),
        Document(uri="tasks://raw", blob=PIXEL, mime="image/png", meta={"x": 1}),
    )
    return Reply("Look.", extras=extras)


def refuse(name: str, error: TaskPilotError) -> Reply:
    return Reply(f"{name} says no: {error.message}", {"kind": error.kind}, is_error=True)


@reads
def shelve(work: Work) -> Sequence[Resource]:
    found = work.tasks.slice(Selection(), Sort.OLDEST, None, 0)
    return [
        Resource(uri="tasks://all", name="all", title="All tasks", annotations=STAMP),
        *(Resource(uri=f"tasks://{task.id}", name=f"task-{task.id}", title=task.title) for task in found),
    ]


@reads
def read(work: Work, uri: str) -> Sequence[Document]:
    place = uri.removeprefix("tasks://")
    if place == "all":
        titles = [task.title for task in work.tasks.slice(Selection(), Sort.OLDEST, None, 0)]
        return [Document(uri=uri, text="\n".join(titles), name="all", annotations=STAMP)]
    if not place.isdecimal() or len(place) > 9:
        raise NotFound("There is no such thing.")
    return [Document(uri=uri, text=work.tasks.get(int(place)).title)]


def touched(event: Event) -> Iterable[str]:
    return ("tasks://all", f"tasks://{event.subject}", "tasks://a/b") if event.noun == "task" else ()


def reshelved(event: Event) -> bool:
    return event.kind in ("task.created", "task.deleted")


@reads
def greet(work: Work, arguments: Mapping[str, str]) -> str:
    return f"Hello {arguments['name']}, {arguments.get('mood', 'well')}."


@reads
def picture(work: Work, arguments: Mapping[str, str]) -> Sequence[Any]:
    return ["Look at this:", Image(data=PIXEL), Document(uri="tasks://note", text="hello")]


@reads
def complete(work: Work, asked: Suggestion) -> Sequence[str]:
    if asked.argument == "id":
        return [str(number) for number in range(1, 251) if str(number).startswith(asked.begun)]
    return [name for name in ("ada", "alan", "grace") if name.startswith(asked.begun)] + list(asked.others.values())


CONTRACT = Contract(
    name="everything",
    title="Everything",
    instructions="Use it all.",
    tools=(add, rename, delete, purge, walk, show),
    library=Library(
        shelve=shelve,
        read=read,
        templates=(Template(uri="tasks://{id}", name="task", title="One task"),),
        touched=touched,
        reshelved=reshelved,
    ),
    prompts=(
        Prompt(
            name="greet",
            title="Greet",
            description="A greeting.",
            render=greet,
            arguments=(PromptArgument(name="name", description="whom", required=True), PromptArgument(name="mood")),
        ),
        Prompt(name="picture", title="Picture", description="A picture.", render=picture),
    ),
    complete=complete,
    refuse=refuse,
    server_name="Everything Server",
    server_version="9.9",
)


def main(transport: str, data_dir: str, database_url: str = "") -> None:
    settings = Settings(data_dir=Path(data_dir), database_url=database_url, port=0)
    logs.configure(settings)
    with server.open_app(settings) as app:
        if transport == "stdio":
            asyncio.run(serve_standard_streams(serve(app, CONTRACT)))
        else:
            web = server.build(settings, app, [CONTRACT])
            serve_web(web, settings.host, 0, lambda address: server.greet(settings, address))


def take_over(data_dir: str, left: Handover) -> None:
    """Carry on where a relay had come to."""
    with server.open_app(Settings(data_dir=Path(data_dir))) as app:
        muted = frozenset([left.muted]) if left.muted is not None else frozenset()
        asyncio.run(serve_standard_streams(serve(app, CONTRACT), first=left.first, muted=muted))


if __name__ == "__main__":
    main(*sys.argv[1:])
