"""Our tools as a toolset of pydantic-ai, run exactly where MCP runs them.

Here stands the lock: a call that needs a person's yes is not run unless the product itself has let it through.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import uuid4

from pydantic_ai import ToolReturn
from pydantic_ai.exceptions import ApprovalRequired, ToolFailed
from pydantic_ai.tools import RunContext, ToolDefinition
from pydantic_ai.toolsets import AbstractToolset, ToolsetTool
from pydantic_core import SchemaValidator, core_schema

from taskpilot.agents.chat import approval, errors, memory, sentences
from taskpilot.app import App
from taskpilot.contracts import todo
from taskpilot.contracts.native import CONTRACT as NATIVE
from taskpilot.domain.caller import Caller
from taskpilot.domain.calls import BUG, OK
from taskpilot.domain.conversation import Call, Context
from taskpilot.domain.errors import TaskPilotError
from taskpilot.domain.operation import Access
from taskpilot.toolkit import Reply, Tool

TRIES = 3
"""Calls of one tool that may be malformed before the model is given up."""
ANY_OBJECT = SchemaValidator(core_schema.dict_schema(core_schema.str_schema(), core_schema.any_schema()))
"""What the arguments are is for the tool to say, in its own words."""
NOT_NEEDED = ("task_delete", "task_board")
"""Of the native tools: delete_task does the one, and the other is a picture."""
STOPPED = "Stopped before it was known how this ended."

log = logging.getLogger(__name__)


@dataclass
class Desk:
    """Where one answer is worked out: for whom, with what, and what has been done so far."""

    app: App
    caller: Caller
    tools: Mapping[str, Tool]
    context: Context
    calls: list[Call] = field(default_factory=list[Call])
    talkative: bool = False
    """Whether there is no model that would tell what was found, and what could not be done."""
    news: list[str] = field(default_factory=list[str])
    """What was done and has not been told yet, in words."""


def choose_tools(which: str, caller: Caller) -> dict[str, Tool]:
    """The todo contract's, and unless they are to be all, the native ones that they lack; what the caller may use."""
    tools = list(todo.CONTRACT.tools)
    if which == "native":
        tools += [tool for tool in NATIVE.tools if tool.name not in NOT_NEEDED]
    return {tool.name: tool for tool in tools if tool.scope in caller.scopes}


class OurTools(AbstractToolset[Desk]):
    """For one answer: what the desk has does not change while it is worked out."""

    def __init__(self, tools: Mapping[str, Tool]) -> None:
        self._tools = {name: self._describe(tool) for name, tool in tools.items()}

    @property
    def id(self) -> str:
        return "taskpilot"

    async def get_tools(self, ctx: RunContext[Desk]) -> dict[str, ToolsetTool[Desk]]:  # noqa: ARG002
        return self._tools

    def _describe(self, tool: Tool) -> ToolsetTool[Desk]:
        described = ToolDefinition(
            name=tool.name,
            description=tool.description,
            parameters_json_schema=tool.input_schema,
            sequential=True,  # in the order the model says them: "add milk, then show my list"
        )
        return ToolsetTool(toolset=self, tool_def=described, max_retries=TRIES, args_validator=ANY_OBJECT)

    async def call_tool(
        self,
        name: str,
        tool_args: dict[str, Any],
        ctx: RunContext[Desk],
        tool: ToolsetTool[Desk],  # noqa: ARG002
    ) -> ToolReturn[str]:
        desk, ours = ctx.deps, ctx.deps.tools[name]
        caller = replace(desk.caller, tool=name)
        place = len(desk.calls)
        desk.calls.append(Call(name, tool_args, ok=False, text=STOPPED))
        try:
            reply = await perform(desk.app, caller, ours, tool_args, approved=ctx.tool_call_approved)
        except ApprovalRequired:
            del desk.calls[place]
            raise
        desk.calls[place] = Call(name, tool_args, ok=not reply.is_error, text=reply.text)
        said = reply.text if reply.is_error else sentences.tell(name, tool_args, reply.text, reply.data)
        if desk.talkative or not (reply.is_error or ours.read_only):
            desk.news.append(said)
        if reply.is_error:
            raise ToolFailed(reply.text)
        desk.context = memory.follow(desk.context, name, tool_args, reply.data)
        return ToolReturn(reply.text)


async def perform(app: App, caller: Caller, tool: Tool, arguments: dict[str, Any], *, approved: bool) -> Reply:
    """Run one call; raises ApprovalRequired where a person has to agree first and did not."""
    try:
        errors.check_title(tool, arguments)
        args = tool.parse(arguments)
        if approval.needs_yes(tool, arguments) and not approved:
            matter = await app.call(caller, approval.pose, tool, args, arguments)
            raise ApprovalRequired(metadata={"what": matter.what, "question": matter.question})
        if tool.access is Access.ERRAND:
            reply = await app.send(caller, tool, args)
        else:
            reply = await app.call(caller, tool, args)
    except TaskPilotError as error:
        app.note(caller, error.kind)
        return errors.refuse(tool, error)
    except ApprovalRequired:
        raise
    except Exception as error:
        incident = uuid4().hex[:12]
        app.note(caller, BUG)
        log.error("bug %s in chat.%s", incident, tool.name, exc_info=error, extra={"incident": incident})
        return Reply(errors.BUG.format(incident=incident), is_error=True)
    if tool.access.read_only:
        app.note(caller, OK)
    return reply
