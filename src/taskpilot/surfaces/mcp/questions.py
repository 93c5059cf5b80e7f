"""Asking a person before something is done, in both eras of the protocol.

Until 2025-11-25 the server asks while the call waits. In 2026-07-28 the call ends with the question, and
the client makes it again with the answer. Callers of `ask` need not know which.
"""

from __future__ import annotations

import hashlib
import json
from enum import Enum
from typing import Any

from mcp.shared.exceptions import MCPError
from mcp_types import CallToolRequestParams, ElicitRequest, ElicitRequestFormParams, ElicitResult, InputRequiredResult
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError

from taskpilot.surfaces.mcp.callers import Context
from taskpilot.surfaces.mcp.errors import reject

KEY = "confirm"
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
    form = ElicitRequestFormParams(message=question, requested_schema=FORM)
    if is_modern(context):
        state = seal(params, question)
        given = (params.input_responses or {}).get(KEY)
        if params.request_state not in (None, state):
            raise reject("This answers another question. Call the tool again to be asked.")
        if given is None or params.request_state is None:
            return InputRequiredResult(input_requests={KEY: ElicitRequest(params=form)}, request_state=state)
        return read(given)
    try:
        return read(await context.session.elicit_form(question, form.requested_schema, context.request_id))
    except (MCPError, ValidationError):  # the client could not ask after all: nobody has agreed
        return Consent.WITHHELD


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
