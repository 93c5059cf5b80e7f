"""What every contract must keep, so that the next one needs no new test."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from taskpilot import contracts
from taskpilot.surfaces.mcp.server import describe

SNAPSHOTS = Path(__file__).parent / "snapshots"
ALL = [contracts.load(name) for name in contracts.names()]
each = pytest.mark.parametrize("contract", ALL, ids=lambda contract: contract.name)


@each
def test_the_wire_is_pinned(contract):
    wire = [describe(tool) for tool in contract.tools]
    pinned = SNAPSHOTS / f"{contract.name}.json"
    if os.environ.get("UPDATE_SNAPSHOTS"):
        pinned.write_text(json.dumps(wire, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    assert wire == json.loads(pinned.read_text(encoding="utf-8"))


@each
def test_every_tool_is_described_once(contract):
    assert len(contract.by_name) == len(contract.tools)
    for tool in contract.tools:
        assert tool.description, tool.name
        assert tool.title, tool.name


@each
def test_every_schema_is_one(contract):
    for tool in contract.tools:
        Draft202012Validator.check_schema(tool.input_schema)
        Draft202012Validator.check_schema(tool.output_schema)
        assert tool.output_schema["type"] == "object"


@each
def test_no_tool_that_only_looks_is_destructive(contract):
    assert not [tool.name for tool in contract.tools if tool.access.read_only and tool.destructive]
