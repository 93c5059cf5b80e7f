"""Fixtures for what the product's contracts never do, straight on the SDK's server.

Contracts ask a person yes or no; they do not fill in forms, borrow the client's model, read its folders or
write to its log. The suite checks that the transport carries all of that, so it is here, on the same transport.
"""

from __future__ import annotations

import asyncio
import warnings
from collections.abc import Awaitable, Callable
from typing import Any

import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp.shared.message import ServerMessageMetadata

Params = types.CallToolRequestParams
Said = types.CallToolResult | types.InputRequiredResult
Fixture = Callable[[Any, Params], Awaitable[Said]]

FIXTURES: dict[str, Fixture] = {}
NAME = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
COLOUR = {"type": "object", "properties": {"color": {"type": "string"}}, "required": ["color"]}
CONTEXT = {"type": "object", "properties": {"context": {"type": "string"}}, "required": ["context"]}
ACCOUNT = {
    "type": "object",
    "properties": {
        "username": {"type": "string", "description": "User's response"},
        "email": {"type": "string", "description": "User's email address"},
    },
    "required": ["username", "email"],
}
DEFAULTS = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "default": "John Doe"},
        "age": {"type": "integer", "default": 30},
        "score": {"type": "number", "default": 95.5},
        "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
        "verified": {"type": "boolean", "default": True},
    },
}
OPTIONS = ["option1", "option2", "option3"]
TITLED = [{"const": f"value{number}", "title": f"Option {number}"} for number in (1, 2, 3)]
LEGACY = {"enum": ["opt1", "opt2", "opt3"], "enumNames": ["Option One", "Option Two", "Option Three"]}
CHOICES = {
    "type": "object",
    "properties": {
        "untitledSingle": {"type": "string", "enum": OPTIONS},
        "titledSingle": {"type": "string", "oneOf": TITLED},
        "legacyEnum": {"type": "string", **LEGACY},
        "untitledMulti": {"type": "array", "items": {"type": "string", "enum": OPTIONS}},
        "titledMulti": {"type": "array", "items": {"anyOf": TITLED}},
    },
}
ROOTS = types.ListRootsRequest()
CAPITAL, GREETING = "What is the capital of France?", "Generate a greeting"


def extend(server: Server[Any]) -> None:
    """Put the fixtures beside the contract's own tools and prompts."""
    wrap(server, "tools/list", list_tools)
    wrap(server, "tools/call", call_tool)
    wrap(server, "prompts/get", get_prompt)
    server.add_request_handler("logging/setLevel", types.SetLevelRequestParams, set_level)


def wrap(server: Server[Any], method: str, around: Callable[..., Awaitable[Any]]) -> None:
    entry = server.get_request_handler(method)
    assert entry is not None

    async def handle(context: Any, params: Any) -> Any:
        return await around(entry.handler, context, params)

    server.add_request_handler(method, entry.params_type, handle)


async def list_tools(listed: Fixture, context: Any, params: Any) -> dict[str, Any]:
    own: Any = await listed(context, params)
    told = {"description": "Talks with the client.", "inputSchema": {"type": "object"}}
    return {**own, "tools": [*own["tools"], *({"name": name, **told} for name in FIXTURES)]}


async def call_tool(called: Fixture, context: Any, params: Params) -> Any:
    return await FIXTURES.get(params.name, called)(context, params)


async def get_prompt(got: Fixture, context: Any, params: Any) -> Any:
    if params.name != "test_input_required_result_prompt":
        return await got(context, params)
    answer = (params.input_responses or {}).get("user_context")
    if answer is None:
        return need(user_context=form("What context should the prompt use?", CONTEXT))
    words = types.TextContent(text=f"Context: {answer.content}")
    return types.GetPromptResult(messages=[types.PromptMessage(role="user", content=words)])


async def set_level(_: Any, __: types.SetLevelRequestParams) -> types.EmptyResult:
    return types.EmptyResult()


def fixture(function: Fixture) -> Fixture:
    FIXTURES[f"test_{function.__name__}"] = function
    return function


def say(words: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(text=words)])


def need(state: str | None = None, **requests: Any) -> types.InputRequiredResult:
    return types.InputRequiredResult(input_requests=requests, request_state=state)


def form(message: str, schema: dict[str, Any]) -> types.ElicitRequest:
    return types.ElicitRequest(params=types.ElicitRequestFormParams(message=message, requested_schema=schema))


def sample(words: str, tokens: int) -> types.CreateMessageRequest:
    messages = [types.SamplingMessage(role="user", content=types.TextContent(text=words))]
    return types.CreateMessageRequest(params=types.CreateMessageRequestParams(messages=messages, max_tokens=tokens))


@fixture
async def tool_with_logging(context: Any, _: Params) -> Said:
    for words in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            await context.session.send_log_message("info", words, related_request_id=context.request_id)
        await asyncio.sleep(0.05)
    return say("Logged.")


FIXTURES["test_logging_tool"] = tool_with_logging


@fixture
async def sampling(context: Any, params: Params) -> Said:
    request = sample((params.arguments or {})["prompt"], 100)
    metadata = ServerMessageMetadata(related_request_id=context.request_id)
    answer = await context.session.send_request(request, types.CreateMessageResult, metadata=metadata)
    return say(f"LLM response: {answer.content.text}")


async def elicit(context: Any, message: str, schema: dict[str, Any]) -> Said:
    answer = await context.session.elicit_form(message, schema, context.request_id)
    return say(f"Elicitation completed: action={answer.action}, content={answer.content}")


@fixture
async def elicitation(context: Any, params: Params) -> Said:
    return await elicit(context, (params.arguments or {})["message"], ACCOUNT)


@fixture
async def elicitation_sep1034_defaults(context: Any, _: Params) -> Said:
    return await elicit(context, "Please review", DEFAULTS)


@fixture
async def elicitation_sep1330_enums(context: Any, _: Params) -> Said:
    return await elicit(context, "Please choose", CHOICES)


@fixture
async def missing_capability(context: Any, _: Params) -> Said:
    offered = context.session.client_capabilities
    if offered is None or offered.sampling is None:
        lacking = {"requiredCapabilities": {"sampling": {}}}
        raise MCPError(types.MISSING_REQUIRED_CLIENT_CAPABILITY, "This needs sampling.", lacking)
    return say("Sampling is offered.")


@fixture
async def input_required_result_elicitation(_: Any, params: Params) -> Said:
    answer = (params.input_responses or {}).get("user_name")
    if not isinstance(answer, types.ElicitResult) or "name" not in (answer.content or {}):
        return need(user_name=form("What is your name?", NAME))
    return say(f"Hello, {(answer.content or {})['name']}!")


@fixture
async def input_required_result_sampling(_: Any, params: Params) -> Said:
    answer: Any = (params.input_responses or {}).get("capital_question")
    return say(answer.content.text) if answer else need(capital_question=sample(CAPITAL, 100))


@fixture
async def input_required_result_list_roots(_: Any, params: Params) -> Said:
    answer: Any = (params.input_responses or {}).get("client_roots")
    return say(str([str(root.uri) for root in answer.roots])) if answer else need(client_roots=ROOTS)


@fixture
async def input_required_result_multiple_inputs(_: Any, params: Params) -> Said:
    asked = {"user_name": form("What is your name?", NAME), "greeting": sample(GREETING, 50), "client_roots": ROOTS}
    if set(asked) <= set(params.input_responses or {}) and params.request_state == "all":
        return say("Everything was answered.")
    return need("all", **asked)


@fixture
async def input_required_result_multi_round(_: Any, params: Params) -> Said:
    answered = set(params.input_responses or {})
    if params.request_state == "two" and "step2" in answered:
        return say("Both steps are done.")
    if params.request_state == "one" and "step1" in answered:
        return need("two", step2=form("Step 2: What is your favorite color?", COLOUR))
    return need("one", step1=form("Step 1: What is your name?", NAME))


@fixture
async def input_required_result_capabilities(context: Any, params: Params) -> Said:
    offered = context.session.client_capabilities
    asked: dict[str, Any] = {}
    if offered and offered.sampling is not None:
        asked["greeting"] = sample(GREETING, 50)
    if offered and offered.elicitation is not None:
        asked["user_name"] = form("What is your name?", NAME)
    return need(**asked) if asked and not params.input_responses else say("Nothing more to ask.")
