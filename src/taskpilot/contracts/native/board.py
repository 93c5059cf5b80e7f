"""A board that a host can show inside the conversation (MCP Apps)."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from typing import Any

from taskpilot.contracts.native import answers, arguments, lists, shapes
from taskpilot.domain.errors import NotFound
from taskpilot.domain.operation import reads
from taskpilot.domain.selection import Selection, Sort
from taskpilot.domain.task import Status, Task
from taskpilot.ops import tasks
from taskpilot.store.work import Work
from taskpilot.toolkit import Document, Library, Reply, Resource, budget, tool
from taskpilot.toolkit.budget import Columns

EXTENSION = "io.modelcontextprotocol/ui"
MIME = "text/html;profile=mcp-app"
PAGE = "ui://taskpilot/board.html"
OPEN_MOST = 80
DONE_MOST = 20
TEXT_MOST = 20


@tool(tasks.list_page, title="Show the board", output=shapes.Many, meta={"ui": {"resourceUri": PAGE}})
def task_board(work: Work, args: arguments.Board) -> Reply:
    """Show the person a board; task_list is for you."""
    found = tasks.list_page(work, Selection(project=args.project), limit=OPEN_MOST)
    done = tasks.list_page(
        work, Selection(statuses=(Status.DONE,), project=args.project), sort=Sort.UPDATED, limit=DONE_MOST
    )
    note = f"The {OPEN_MOST} most important are shown." if found.cursor else ""

    def build(rows: Sequence[Task], columns: Columns, left_out: str) -> Reply:
        said = f"{note} {left_out}".strip()
        reply = lists.write(rows, columns, said)
        text = answers.lines([task for task in rows if task.status.open][:TEXT_MOST]) or "No open tasks."
        return Reply(f"{text}\n{left_out}" if left_out else text, reply.data)

    return budget.fit_rows((*found.items, *done.items), lists.LEVELS, build, args.max_tokens)


@reads(quick=True)
def shelve(_: Work) -> Sequence[Resource]:
    return (Resource(uri=PAGE, name="board", title="Task board", description="See and move tasks.", mime=MIME),)


@reads(quick=True)
def read(_: Work, uri: str) -> Sequence[Document]:
    if uri != PAGE:
        raise NotFound(f"Resource not found: {uri}")
    page = files("taskpilot.contracts.native").joinpath("board.html").read_text(encoding="utf-8")
    # The page talks to its host only; it needs nothing from any network.
    sandbox: dict[str, Any] = {"ui": {"csp": {"connectDomains": [], "resourceDomains": []}, "prefersBorder": True}}
    return (Document(uri=PAGE, text=page, mime=MIME, name="board", title="Task board", meta=sandbox),)


LIBRARY = Library(shelve=shelve, read=read)
