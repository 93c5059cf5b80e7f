"""The tools of a contract: `tools/list` and `tools/call`."""

from __future__ import annotations

import json
from contextlib import suppress
from functools import cache
from typing import Any

from mcp.shared.exceptions import MCPError
from mcp.shared.inbound import X_MCP_HEADER_KEY
from mcp_types import CallToolRequestParams, InputRequiredResult, PaginatedRequestParams

from taskpilot.app import App
from taskpilot.domain.caller import Caller
from taskpilot.domain.calls import BUG, OK
from taskpilot.domain.errors import Conflict, OutOfScope, TaskPilotError
from taskpilot.domain.operation import Access, reads, scope_of
from taskpilot.domain.scopes import Scope
from taskpilot.store.work import Work
from taskpilot.surfaces.mcp.callers import CallerOf, Context, name_tool
from taskpilot.surfaces.mcp.content import Wire, answer
from taskpilot.surfaces.mcp.errors import refuse, reject, report_bug, translating
from taskpilot.surfaces.mcp.patience import bide
from taskpilot.surfaces.mcp.progress import Progress
from taskpilot.surfaces.mcp.questions import Consent, ask, can_ask, offer
from taskpilot.toolkit import Choice, Contract, Reply, Tool

DECLINED = "Nothing was changed: it was not confirmed."


class Tools:
    """Handlers for one contract's tools."""

    def __init__(self, app: App, contract: Contract, caller_of: CallerOf) -> None:
        self._app = app
        self._contract = contract
        self._tools = contract.by_name
        self._caller_of = caller_of
        self._listings: dict[frozenset[Scope], Wire] = {}

    async def list(self, context: Context, params: PaginatedRequestParams) -> Wire:
        """What the caller may use: the rest is not there for them."""
        if params.cursor is not None:
            raise reject(f"Unknown cursor: {params.cursor}. All tools are on the first page.")
        with translating("tools/list"):
            scopes = (await self._caller_of(context)).scopes
        listing = self._listings.get(scopes)
        if listing is None:  # when first asked for: the schemas take longer than all the rest of the greeting
            tools = [describe(tool) for tool in self._contract.tools if tool.scope in scopes]
            listing = self._listings[scopes] = {"tools": tools, "resultType": "complete"}
        return listing

    async def call(self, context: Context, params: CallToolRequestParams) -> Wire | InputRequiredResult:
        tool = self._tools.get(params.name)
        if tool is None:
            raise reject(f"Unknown tool: {params.name}")
        with translating(params.name):
            caller = name_tool(await self._caller_of(context), tool.name)
        try:
            answered = await self._answer(context, params, tool, caller)
        except TaskPilotError as error:
            self._app.note(caller, error.kind)
            tell = self._contract.refuse
            return refuse(error) if tell is None else answer(tell(tool.name, error))
        except MCPError:
            raise
        except Exception as error:
            self._app.note(caller, BUG)
            raise report_bug(error, f"{self._contract.name}.{tool.name}") from None
        if tool.access.read_only:  # of writes and errands the application knows best whether they changed something
            self._app.note(caller, OK)
        return answered

    async def _answer(
        self, context: Context, params: CallToolRequestParams, tool: Tool, caller: Caller
    ) -> Wire | InputRequiredResult:
        if tool.scope not in caller.scopes:
            raise OutOfScope(tool.scope)
        args = tool.parse(params.arguments or {})
        if tool.confirm is not None and can_ask(context):
            stopped = await self._confirm(context, params, tool, caller, args)
            if stopped is not None:
                return stopped
        if tool.wait is not None:
            await bide(self._app, context, tool, caller, args)
        if tool.choose is not None and can_ask(context):
            asked = await self._offer(context, params, tool, caller, args)
            if asked is not None:
                return asked
        if tool.access is Access.ERRAND:
            return answer(await self._send(context, tool, caller, args))
        return answer(await self._app.call(caller, tool, args))

    def find_schema(self, name: str) -> Wire | None:
        """What the transport checks headers against."""
        return find_header_schema(self._tools[name]) if name in self._tools else None

    async def _confirm(
        self, context: Context, params: CallToolRequestParams, tool: Tool, caller: Caller, args: Any
    ) -> Wire | InputRequiredResult | None:
        """None once the call may go ahead."""
        question = await self._app.call(caller, pose, tool, args)
        if question is None:
            return None
        consent = await ask(context, params, question)
        if isinstance(consent, InputRequiredResult):
            return consent
        return None if consent is Consent.GIVEN else answer(decline(tool))

    async def _offer(
        self, context: Context, params: CallToolRequestParams, tool: Tool, caller: Caller, args: Any
    ) -> InputRequiredResult | None:
        """None once the person had a chance to choose. If somebody else was faster, the answer will tell."""
        choice = await self._app.call(caller, present, tool, args)
        if choice is None or scope_of(choice.settle) not in caller.scopes:
            return None
        chosen = await offer(context, params, choice.question, choice.options)
        if isinstance(chosen, InputRequiredResult):
            return chosen
        if chosen is not None:
            with suppress(Conflict):
                await self._app.call(caller, choice.settle, choice.subject, chosen)
        return None

    async def _send(self, context: Context, tool: Tool, caller: Caller, args: Any) -> Reply:
        progress = Progress(context)
        try:
            reply = await self._app.send(caller, tool, args, tell=progress.tell)
            await progress.finish()
        finally:
            progress.stop()
        return reply


@reads
def pose(work: Work, tool: Tool, args: Any) -> str | None:
    """What to ask before this call."""
    return tool.confirm(work, args) if tool.confirm else None


@reads
def present(work: Work, tool: Tool, args: Any) -> Choice | None:
    """What to let a person choose."""
    return tool.choose(work, args) if tool.choose else None


def decline(tool: Tool) -> Reply:
    """Clients insist on data from a tool that promises some, unless the call failed."""
    return tool.declined or Reply(DECLINED, is_error=tool.output is not None)


def describe(tool: Tool) -> Wire:
    """A tool as `tools/list` shows it."""
    read_only = tool.read_only
    told: Wire = {
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "inputSchema": tool.input_schema,
        "outputSchema": tool.output_schema,
        "annotations": {
            "readOnlyHint": read_only,
            "destructiveHint": tool.destructive,
            "idempotentHint": tool.idempotent or read_only,
            "openWorldHint": tool.open_world,
        },
        "_meta": dict(tool.meta),
    }
    return {key: value for key, value in told.items() if value}


@cache
def find_header_schema(tool: Tool) -> Wire | None:
    """The input schema if an argument of it must be repeated in an HTTP header; else there is nothing to check."""
    return tool.input_schema if f'"{X_MCP_HEADER_KEY}"' in json.dumps(tool.input_schema) else None
