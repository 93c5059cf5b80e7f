"""What every contract must keep, so that the next one needs no new test."""

from __future__ import annotations

import contextlib
import json
import os
import re
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from taskpilot import contracts
from taskpilot.app import App
from taskpilot.domain.caller import local
from taskpilot.domain.errors import Invalid, NotFound
from taskpilot.domain.operation import access_of
from taskpilot.surfaces.mcp.content import describe_resource
from taskpilot.surfaces.mcp.prompts import VARIABLE, describe_prompt
from taskpilot.surfaces.mcp.tools import describe
from taskpilot.toolkit import Suggestion

SNAPSHOTS = Path(__file__).parent / "snapshots"
ALL = [contracts.load(name) for name in contracts.names()]
each = pytest.mark.parametrize("contract", ALL, ids=lambda contract: contract.name)


def show(app: App, contract):
    """All that a client of a new store is shown, part by part; a part the contract does not have is left out."""
    wire = {"tools": [describe(tool) for tool in contract.tools]}
    if contract.library is not None:
        shelf = app.run(local(contract.name), contract.library.shelve)
        wire["resources"] = [describe_resource(entry) for entry in shelf]
        wire["templates"] = [describe_resource(entry) for entry in contract.library.templates]
    if contract.prompts:
        wire["prompts"] = [describe_prompt(prompt) for prompt in contract.prompts]
    return wire


@each
def test_the_wire_is_pinned(app: App, contract):
    wire = show(app, contract)
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
        if tool.output_schema is not None:
            Draft202012Validator.check_schema(tool.output_schema)
            assert tool.output_schema["type"] == "object"


@each
def test_no_tool_that_only_looks_is_destructive(contract):
    assert not [tool.name for tool in contract.tools if tool.access.read_only and tool.destructive]


@each
def test_what_is_read_only_looks(contract):
    library = contract.library
    looks = [prompt.render for prompt in contract.prompts]
    looks += [library.shelve, library.read] if library else []
    looks += [contract.complete] if contract.complete else []
    assert [look for look in looks if not access_of(look).read_only] == []


@each
def test_everything_listed_can_be_read(app: App, contract):
    if contract.library is None:
        return
    caller = local(contract.name)
    for entry in app.run(caller, contract.library.shelve):
        documents = app.run(caller, contract.library.read, entry.uri)
        assert documents, entry.uri
        assert all(document.uri for document in documents)


NONSENSE = (
    "",
    "x",
    "9",
    "9" * 19,
    "9" * 5000,
    "-1",
    "0",
    "../../etc/passwd",
    "%00",
    "\x00",
    "%FF",
    "\u202e7",
    "²",
    "{id}",
)


@each
def test_a_uri_that_leads_nowhere_is_not_found_and_no_bug(app: App, contract):
    if contract.library is None:
        return
    caller = local(contract.name)
    shelf = app.run(caller, contract.library.shelve)
    patterns = {entry.uri for entry in (*shelf, *contract.library.templates)}
    nowhere = {re.sub(r"\{[^}]*\}", lambda _, word=word: word, pattern) for pattern in patterns for word in NONSENSE}
    nowhere |= {pattern + word for pattern in patterns for word in NONSENSE} | set(NONSENSE)
    for uri in nowhere - {entry.uri for entry in shelf}:
        with contextlib.suppress(NotFound, Invalid):
            app.run(caller, contract.library.read, uri)


@each
def test_every_argument_can_be_completed(app: App, contract):
    if contract.complete is None:
        return
    asked = [(prompt.name, argument.name) for prompt in contract.prompts for argument in prompt.arguments]
    for template in contract.library.templates if contract.library else ():
        asked += [(template.uri, name) for name in VARIABLE.findall(template.uri)]
    for of, argument in asked:
        for begun in NONSENSE:
            suggestion = Suggestion(of=of, argument=argument, begun=begun, others={})
            found = app.run(local(contract.name), contract.complete, suggestion)
            assert all(isinstance(each, str) for each in found)
