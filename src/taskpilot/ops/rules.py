"""What one can do with the rules of a workspace."""

from __future__ import annotations

from dataclasses import replace

from taskpilot.domain import rule
from taskpilot.domain.errors import Conflict
from taskpilot.domain.operation import reads, writes
from taskpilot.domain.rule import RULES_MOST, Rule, RuleKind
from taskpilot.domain.version import expect
from taskpilot.store.work import Work


@reads
def list_all(work: Work, workspace_id: int) -> list[Rule]:
    """A workspace's rules, oldest first."""
    return work.rules.all(work.workspaces.get(workspace_id).id)


@reads(quick=True)
def get(work: Work, workspace_id: int, rule_id: int) -> Rule:
    """One rule of a workspace."""
    found = work.rules.find(rule_id)
    if found is None or found.workspace != workspace_id:
        raise rule.unknown(rule_id)
    return found


@writes
def add(work: Work, workspace_id: int, kind: RuleKind | str, content: str) -> Rule:
    """One more rule. Safe to repeat: the same words make one rule."""
    kind, content = rule.parse_kind(kind), rule.parse_content(content)
    rules = list_all(work, workspace_id)
    twin = next((each for each in rules if each.kind is kind and each.content == content), None)
    if twin is not None:
        return twin
    if len(rules) >= RULES_MOST:
        raise rule.too_many()
    made = work.rules.add(
        Rule(
            id=0,
            owner=work.caller.user,
            workspace=workspace_id,
            kind=kind,
            content=content,
            created_at=work.now,
            updated_at=work.now,
        )
    )
    work.record("rule.created", None, made)
    return made


@writes
def update(work: Work, workspace_id: int, kind: RuleKind | str, content: str) -> Rule:
    """Make this the one rule of its kind, in place of all there were. Safe to repeat."""
    kind, content = rule.parse_kind(kind), rule.parse_content(content)
    mine = [each for each in list_all(work, workspace_id) if each.kind is kind]
    if not mine:
        return add(work, workspace_id, kind, content)
    kept, *others = mine
    for other in others:
        _store(work, "rule.deleted", other, replace(other, deleted_at=work.now))
    return _store(work, "rule.updated", kept, replace(kept, content=content))


@writes
def remove(work: Work, workspace_id: int, kind: RuleKind | str, content: str) -> Rule:
    """Take away the rule with these words, or with these words as its first line."""
    kind, content = rule.parse_kind(kind), rule.parse_content(content)
    mine = [each for each in list_all(work, workspace_id) if each.kind is kind]
    found = next((each for each in mine if each.says(content)), None)
    if found is None:
        raise rule.missing(kind, mine)
    return _store(work, "rule.deleted", found, replace(found, deleted_at=work.now))


@writes
def rewrite(work: Work, workspace_id: int, rule_id: int, content: str, *, version: int | None = None) -> Rule:
    """Give one rule other words. `version` refuses a change made on an old view."""
    before, content = get(work, workspace_id, rule_id), rule.parse_content(content)
    expect(f"Rule {before.id}", before.version, version)
    twins = [each for each in list_all(work, workspace_id) if each.kind is before.kind and each.content == content]
    if any(each.id != before.id for each in twins):
        raise Conflict(f"There is a {before.kind.value} rule with these words already.", hint="Remove one of the two.")
    return _store(work, "rule.updated", before, replace(before, content=content))


@writes
def delete(work: Work, workspace_id: int, rule_id: int, *, version: int | None = None) -> Rule:
    """Take away one rule."""
    found = get(work, workspace_id, rule_id)
    expect(f"Rule {found.id}", found.version, version)
    return _store(work, "rule.deleted", found, replace(found, deleted_at=work.now))


def _store(work: Work, kind: str, before: Rule, after: Rule) -> Rule:
    if after == before:
        return before
    after = work.rules.save(replace(after, version=before.version + 1, updated_at=work.now))
    work.record(kind, before, after)
    return after
