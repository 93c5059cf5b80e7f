from __future__ import annotations

import json

import pytest
from jsonschema import validate

from taskpilot.app import Errand
from taskpilot.contracts.native.workspace import workspace
from taskpilot.domain.caller import local
from taskpilot.domain.errors import Invalid, NotFound
from taskpilot.ops import tasks

BUDGET = 450


@pytest.fixture
def call(app, tmp_path):
    root = tmp_path / "shop"
    root.mkdir()

    def call(action="status", /, path=str(root), **arguments):
        args = workspace.parse({"action": action, "path": path, **arguments})
        reply = workspace(Errand(app, local("native", "assistant")), args)
        validate(reply.data, workspace.output_schema)
        return reply

    return call


def test_it_costs_few_bytes():
    told = workspace.description + json.dumps(workspace.input_schema, separators=(",", ":"))
    assert len(told.encode()) <= BUDGET


def test_a_workspace_lives_its_life(call, do):
    made = call("init", name="Shop", requirements="Build the login page\nPaint", tech_stack="Python")
    assert made.text.startswith("Workspace 1 is set up.\nShop: 2 open, 0 done\ncoding: ")
    assert made.data["next"] == 1
    assert call("start").data["session"] == 1
    assert "custom: Be kind" in call("rule", kind="custom", text="Be kind").data["rules"]
    assert "custom: Be bold" in call("rule", kind="custom", text="Be bold", how="update").data["rules"]
    assert "custom: Be bold" not in call("rule", kind="custom", text="Be bold", how="remove").data["rules"]
    do(tasks.update, 1, {"connected_files": ["gone.py"], "blocked_by": [2]})
    focus = call("focus", task_id="TP-1")
    assert (focus.data["missing"], [row["id"] for row in focus.data["blockers"]]) == (["gone.py"], [2])
    assert [row["kind"] for row in call("audit").data["findings"]] == ["missing_file", "undescribed"]
    assert call("audit", fix=True).text.startswith("Score 95: 1 findings, 1 fixed")
    assert call(path="").data["open"] == 2


def test_errors_say_what_to_do_next(call):
    with pytest.raises(NotFound, match="There is no workspace yet"):
        call(path="")
    with pytest.raises(NotFound, match="not a workspace yet"):
        call()
    call("init")
    with pytest.raises(Invalid, match="Give task_id"):
        call("focus")
    with pytest.raises(Invalid, match="no rule type"):
        call("rule", kind="style", text="x")
