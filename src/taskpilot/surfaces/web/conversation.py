"""The four methods that MCP at `/` knows, whatever form a request came in."""

from __future__ import annotations

import logging
from dataclasses import replace
from functools import cached_property
from typing import Any, cast
from uuid import uuid4

from taskpilot.app import App
from taskpilot.domain import text
from taskpilot.domain.caller import Caller
from taskpilot.domain.calls import BUG, OK
from taskpilot.domain.errors import TaskPilotError
from taskpilot.toolkit import Contract, Reply, Tool

Message = dict[str, Any]

INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
REVISION = "2025-06-18"
BATCH_MOST = 500
NAME_MOST = 80

log = logging.getLogger(__name__)


class Failure(Exception):
    """A request that gets an error, not a result."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class Conversation:
    """One contract; nothing is remembered from one request to the next."""

    def __init__(self, app: App, contract: Contract) -> None:
        self._app = app
        self._contract = contract

    async def answer(self, caller: Caller, message: Message) -> Message:
        """The result of one request; raises Failure."""
        method, params = message.get("method"), message.get("params", {})
        if not isinstance(method, str):
            raise Failure(INVALID_REQUEST, "method is missing, or not a string")
        if method not in ("initialize", "ping", "tools/list", "tools/call"):
            raise Failure(METHOD_NOT_FOUND, f"Method not found: {_cut(method)}")
        if not isinstance(params, dict):
            raise Failure(INVALID_PARAMS, "params must be an object")
        if method == "tools/call":
            return await self._call(caller, cast(Message, params))
        if method == "tools/list" and cast(Message, params).get("cursor") is not None:
            raise Failure(INVALID_PARAMS, "There is one page of tools, and no cursor to it")
        if method == "tools/list":
            return self._list(caller)
        return self._greeting if method == "initialize" else {}

    @cached_property
    def _greeting(self) -> Message:
        return {
            "protocolVersion": REVISION,
            "capabilities": {"tools": {}},
            "serverInfo": {"name": self._contract.server_name, "version": self._contract.server_version},
        }

    def _list(self, caller: Caller) -> Message:
        """What the caller may use: the rest is not there for them."""
        tools = [tool for tool in self._contract.tools if tool.scope in caller.scopes]
        return {
            "tools": [
                {"name": tool.name, "description": tool.description, "inputSchema": tool.input_schema} for tool in tools
            ]
        }

    async def _call(self, caller: Caller, params: Message) -> Message:
        name, arguments = params.get("name"), params.get("arguments", {})
        if not isinstance(name, str):
            raise Failure(INVALID_PARAMS, "The name of a tool is missing, or not a string")
        tool = self._contract.by_name.get(name)
        if tool is None:
            raise Failure(INVALID_PARAMS, f"Unknown tool: {_cut(name)}")
        if not isinstance(arguments, dict):
            raise Failure(INVALID_PARAMS, "arguments must be an object")
        caller = replace(caller, tool=name)
        try:
            return _show(await self._run(caller, tool, cast(Message, arguments)))
        except Exception as error:
            self._app.note(caller, BUG)
            incident = uuid4().hex[:12]
            log.error(
                "bug %s in %s.%s", incident, self._contract.name, name, exc_info=error, extra={"incident": incident}
            )
            raise Failure(
                INTERNAL_ERROR, f"Internal error {incident}. It is in the server's log under this id."
            ) from None

    async def _run(self, caller: Caller, tool: Tool, arguments: Message) -> Reply:
        try:
            reply = await self._app.call(caller, tool, tool.parse(arguments))
        except TaskPilotError as error:
            self._app.note(caller, error.kind)
            if self._contract.refuse is None:
                return Reply(str(error), is_error=True)
            return self._contract.refuse(tool.name, error)
        if tool.access.read_only:
            self._app.note(caller, OK)
        return reply


def _show(reply: Reply) -> Message:
    content = [{"type": "text", "text": reply.text}]
    return {"isError": True, "content": content} if reply.is_error else {"content": content}


def _cut(name: str) -> str:
    return text.shorten(text.clean_line(name), NAME_MOST)
