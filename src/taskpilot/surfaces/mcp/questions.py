"""Asking a person before something is done, or what to do, in both eras of the protocol.

Until 2025-11-25 the server asks while the call waits. In 2026-07-28 the call ends with the question, and
the client makes it again with the answer. Callers of `ask` and `offer` need not know which.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from enum import Enum
from typing import Any

from mcp.shared.exceptions import MCPError
from mcp_types import CallToolRequestParams, ElicitRequest, ElicitRequestFormParams, ElicitResult, InputRequiredResult
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError

from taskpilot.surfaces.mcp.callers import Context
from taskpilot.surfaces.mcp.errors import reject

KEY = "confirm"
ANSWER = "answer"
FORM = {
    "type": "object",
    "properties": {KEY: {"type": "boolean", "title": "Yes, go ahead", "default": True}},
}


class Consent(Enum):
    GIVEN = "given"
    WITHHELD = "withheld"


def can_ask(context: Context) -> bool:
    """Whether the client shows forms to a person. One that names no kind of question means forms."""
    capabilities = context.session.client_capabilities
    offered = capabilities.elicitation if capabilities else None
    if offered is None or (offered.form is None and offered.url is not None):
        return False
    return is_modern(context) or context.session.can_send_request


async def ask(context: Context, params: CallToolRequestParams, question: str) -> Consent | InputRequiredResult:
    """The person's answer, or the question as the result that this call must end with."""
    given = await put(context, params, KEY, question, FORM)
    return given if isinstance(given, InputRequiredResult) else read(given)


async def offer(
    context: Context, params: CallToolRequestParams, question: str, options: Mapping[str, str]
) -> str | InputRequiredResult | None:
    """What the person chose, None if they did not, or the question as the result that this call must end with."""
    choice = {"type": "string", "title": "Answer", "enum": list(options), "enumNames": list(options.values())}
    form = {"type": "object", "properties": {ANSWER: choice}, "required": [ANSWER]}
    given = await put(context, params, ANSWER, question, form)
    if isinstance(given, InputRequiredResult):
        return given
    chosen = (given.content or {}).get(ANSWER) if isinstance(given, ElicitResult) and given.action == "accept" else None
    return chosen if isinstance(chosen, str) and chosen in options else None


async def put(context: Context, params: CallToolRequestParams, key: str, question: str, form: dict[str, Any]) -> Any:
    """What the client brought back; None where it could not ask after all."""
    if not is_modern(context):
        try:
            return await context.session.elicit_form(question, form, context.request_id)
        except (MCPError, ValidationError):
            return None
    state = seal(params, question)
    given = (params.input_responses or {}).get(key)
    if params.request_state not in (None, state):
        raise reject("This answers another question. Call the tool again to be asked.")
    if given is None or params.request_state is None:
        asked = ElicitRequest(params=ElicitRequestFormParams(message=question, requested_schema=form))
        return InputRequiredResult(input_requests={key: asked}, request_state=state)
    return given


def read(given: Any) -> Consent:
    """Accepting is agreeing, unless the form says no."""
    agreed = isinstance(given, ElicitResult) and given.action == "accept" and (given.content or {}).get(KEY, True)
    return Consent.GIVEN if agreed else Consent.WITHHELD


def seal(params: CallToolRequestParams, question: str) -> str:
    """What was asked about. An answer to another question, or to this one about other arguments, is none."""
    asked = json.dumps([params.name, params.arguments, question], sort_keys=True)
    return hashlib.sha256(asked.encode()).hexdigest()


def is_modern(context: Context) -> bool:
    return context.protocol_version in MODERN_PROTOCOL_VERSIONS
