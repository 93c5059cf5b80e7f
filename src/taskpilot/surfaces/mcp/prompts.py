"""The prompts of a contract, and what a client may offer while its user types."""

from __future__ import annotations

import re
from collections.abc import Mapping

from mcp_types import (
    CompleteRequestParams,
    GetPromptRequestParams,
    PaginatedRequestParams,
    PromptReference,
    ResourceTemplateReference,
)

from taskpilot.app import App
from taskpilot.surfaces.mcp.callers import CallerOf, Context
from taskpilot.surfaces.mcp.content import Wire, show
from taskpilot.surfaces.mcp.errors import reject, translating
from taskpilot.surfaces.mcp.pages import only
from taskpilot.toolkit import Contract, Prompt, Suggestion

MOST_SUGGESTIONS = 100  # the protocol's own limit
VARIABLE = re.compile(r"\{[+#./;?&]?([^{}*:]+)[^{}]*\}")


class Prompts:
    """Handlers for one contract's prompts, and for completion."""

    def __init__(self, app: App, contract: Contract, caller_of: CallerOf) -> None:
        self._app = app
        self._contract = contract
        self._caller_of = caller_of
        self._prompts = {prompt.name: prompt for prompt in contract.prompts}

    async def list(self, _: Context, params: PaginatedRequestParams) -> Wire:
        prompts = only(self._contract.prompts, params.cursor)
        return {"prompts": [describe_prompt(prompt) for prompt in prompts], "resultType": "complete"}

    async def get(self, context: Context, params: GetPromptRequestParams) -> Wire:
        prompt = self._find(params.name)
        arguments = params.arguments or {}
        check_arguments(prompt, arguments)
        with translating(f"prompt {prompt.name}"):
            rendered = await self._app.call(await self._caller_of(context), prompt.render, arguments)
        parts = (rendered,) if isinstance(rendered, str) else rendered
        return {
            "description": prompt.description,
            "messages": [{"role": "user", "content": show(part)} for part in parts],
            "resultType": "complete",
        }

    async def complete(self, context: Context, params: CompleteRequestParams) -> Wire:
        assert self._contract.complete is not None
        of, names = self._resolve(params.ref)
        if params.argument.name not in names:
            raise reject(f"Unknown argument: {params.argument.name}. Arguments: {', '.join(names) or 'none'}.")
        others = (params.context.arguments if params.context else None) or {}
        asked = Suggestion(of=of, argument=params.argument.name, begun=params.argument.value, others=others)
        with translating(f"completion of {of}"):
            found = await self._app.call(await self._caller_of(context), self._contract.complete, asked)
        completion: Wire = {
            "values": list(found[:MOST_SUGGESTIONS]),
            "total": len(found),
            "hasMore": len(found) > MOST_SUGGESTIONS,
        }
        return {"completion": completion, "resultType": "complete"}

    def _find(self, name: str) -> Prompt:
        if name not in self._prompts:
            raise reject(f"Unknown prompt: {name}")
        return self._prompts[name]

    def _resolve(self, reference: PromptReference | ResourceTemplateReference) -> tuple[str, list[str]]:
        """What is completed, and the names of its arguments."""
        if isinstance(reference, PromptReference):
            prompt = self._find(reference.name)
            return prompt.name, [argument.name for argument in prompt.arguments]
        templates = self._contract.library.templates if self._contract.library else ()
        if not any(template.uri == reference.uri for template in templates):
            raise reject(f"Unknown resource template: {reference.uri}")
        return reference.uri, [name for names in VARIABLE.findall(reference.uri) for name in names.split(",")]


def describe_prompt(prompt: Prompt) -> Wire:
    """A prompt as `prompts/list` shows it."""
    arguments: list[Wire] = [
        {"name": argument.name, "description": argument.description, "required": argument.required}
        for argument in prompt.arguments
    ]
    told: Wire = {"name": prompt.name, "title": prompt.title, "description": prompt.description}
    return {**told, "arguments": arguments} if arguments else told


def check_arguments(prompt: Prompt, given: Mapping[str, str]) -> None:
    """Every broken one is named."""
    known = {argument.name for argument in prompt.arguments}
    required = [argument.name for argument in prompt.arguments if argument.required]
    problems = [f"{name}: missing" for name in required if not given.get(name)]
    problems += [f"{name}: unknown" for name in given if name not in known]
    if problems:
        raise reject(f"The prompt {prompt.name} cannot be made. {'; '.join(problems)}.")
