"""`/api/workspaces/{id}/rules`: what a workspace asks of those who work in it."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, StringConstraints
from starlette.responses import Response

from taskpilot.domain.operation import writes
from taskpilot.domain.rule import CONTENT_MOST
from taskpilot.ops import rules
from taskpilot.store.work import Work
from taskpilot.surfaces.rest.asking import create, expected_version, reply, run, tag
from taskpilot.surfaces.rest.group_shapes import Kind, RuleOut, cut, show_rule
from taskpilot.surfaces.rest.people import Paging
from taskpilot.surfaces.rest.types import VISIBLE, Body, IdempotencyKey, IfMatch, Number

Content = Annotated[str, StringConstraints(min_length=1, max_length=CONTENT_MOST, pattern=VISIBLE)]

router = APIRouter(prefix="/api/workspaces/{workspace_id}/rules", tags=["rules"])


class NewRule(Body):
    kind: Kind = "custom"
    content: Content


class RuleChanges(Body):
    content: Content


class RulesOut(BaseModel):
    rules: list[RuleOut]
    total: int


@router.get("", response_model=RulesOut)
async def list_rules(request: Request, workspace_id: Number, page: Annotated[Paging, Query()]) -> Response:
    """A workspace's rules, oldest first."""
    found = await run(request, rules.list_all, workspace_id)
    return reply({"rules": [show_rule(rule) for rule in cut(found, page)], "total": len(found)})


@router.post("", status_code=201, response_model=RuleOut)
async def create_rule(
    request: Request,
    workspace_id: Number,
    body: NewRule,
    key: IdempotencyKey = None,  # noqa: ARG001
) -> Response:
    """Add a rule. The same words make one rule, however often they are sent."""

    @writes
    def make(work: Work) -> dict[str, Any]:
        return show_rule(rules.add(work, workspace_id, body.kind, body.content))

    where = f"/api/workspaces/{workspace_id}/rules"
    return await create(request, make, asked=body.model_dump(), location=lambda made: f"{where}/{made['id']}")


@router.get("/{rule_id}", response_model=RuleOut)
async def get_rule(request: Request, workspace_id: Number, rule_id: Number) -> Response:
    """One rule."""
    rule = await run(request, rules.get, workspace_id, rule_id)
    return reply(show_rule(rule), headers=tag(rule.version))


@router.patch("/{rule_id}", response_model=RuleOut)
async def update_rule(
    request: Request, workspace_id: Number, rule_id: Number, body: RuleChanges, if_match: IfMatch = None
) -> Response:
    """Give a rule other words."""
    version = expected_version(if_match)
    rule = await run(request, rules.rewrite, workspace_id, rule_id, body.content, version=version)
    return reply(show_rule(rule), headers=tag(rule.version))


@router.delete("/{rule_id}", status_code=204)
async def delete_rule(request: Request, workspace_id: Number, rule_id: Number, if_match: IfMatch = None) -> Response:
    """Take a rule away."""
    await run(request, rules.delete, workspace_id, rule_id, version=expected_version(if_match))
    return Response(status_code=204)
