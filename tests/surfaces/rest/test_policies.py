from __future__ import annotations

import pytest

from taskpilot.domain.policy import CAPS, DOINGS, SANDBOX
from taskpilot.surfaces.rest.policies import CapsOut, PolicyChanges, PolicyOut

WORKSPACE = "/srv/shop"


@pytest.fixture
def policy(client):
    made = client.post("/api/workspaces", json={"path": WORKSPACE}).json()
    return f"/api/workspaces/{made['id']}/policy"


def test_the_usual_holds_until_somebody_says_otherwise(client, policy):
    usual = client.get(policy).json()
    assert usual["allow"] == ["read", "search", "think", "edit", "move"]
    assert usual["caps"]["seconds"] == 3_600
    assert set(usual) == set(PolicyOut.model_fields)
    changed = client.patch(
        policy,
        json={
            "allow": ["read"],
            "deny": ["delete"],
            "caps": {"turns": 5},
            "base": "main",
            "copies": [".env", "config/*.local"],
            "setup": ["make setup"],
            "environment": ["NODE_ENV", "AWS_*"],
            "sandbox": "off",
            "network": False,
            "most_runs": 1,
        },
    ).json()
    assert changed["caps"] == usual["caps"] | {"turns": 5}
    assert (changed["copies"], changed["network"], changed["base"]) == ([".env", "config/*.local"], False, "main")
    assert client.get(policy).json() == changed
    assert client.patch(policy, json={}).json() == changed
    assert client.patch(policy, json={"base": "", "setup": []}).json() == changed | {"base": "", "setup": []}


def test_the_description_knows_all_that_a_policy_has():
    schema = PolicyChanges.model_json_schema()
    assert schema["properties"]["allow"]["items"]["enum"] == [*DOINGS]
    assert schema["properties"]["sandbox"]["enum"] == [*SANDBOX]
    assert tuple(CapsOut.model_fields) == CAPS
    assert set(PolicyChanges.model_fields) == set(PolicyOut.model_fields) - {"workspace_id"}


@pytest.mark.parametrize(
    "body",
    [
        {"allow": ["fly"]},
        {"allow": "read"},
        {"caps": {"turns": 1.5}},
        {"caps": {"turns": True}},
        {"caps": {"beer": 1}},
        {"base": "a..b"},
        {"copies": ["/etc/passwd"]},
        {"copies": ["../up"]},
        {"copies": ["~/x"]},
        {"copies": ["\u200b/etc"]},
        {"setup": ["say 'hi"]},
        {"environment": ["A=1"]},
        {"environment": ["*"]},
        {"sandbox": "maybe"},
        {"network": "no"},
        {"most_runs": 101},
        {"id": 5},
    ],
)
def test_what_makes_no_sense_is_refused_and_changes_nothing(client, policy, body):
    before = client.get(policy).json()
    assert client.patch(policy, json={"network": False, **body}).status_code == 422
    assert client.get(policy).json() == before
