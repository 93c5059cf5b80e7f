from __future__ import annotations

import pytest

from taskpilot.domain.rule import RULES_MOST
from taskpilot.domain.scopes import Scope
from taskpilot.ops import rules
from tests.surfaces.rest.bearers import give_token


@pytest.fixture
def here(client):
    return client.post("/api/workspaces", json={"path": "/srv/shop"}).json()["id"]


@pytest.fixture
def path(here):
    return f"/api/workspaces/{here}/rules"


def test_the_life_of_a_rule(client, here, path):
    made = client.post(path, json={"kind": "git", "content": " Be kind\r\nto git "})
    assert (made.status_code, made.headers["etag"]) == (201, '"1"')
    shown = made.json()
    assert shown == {
        "id": shown["id"],
        "workspace_id": here,
        "kind": "git",
        "content": "Be kind\nto git",
        "created_at": "2026-01-01T12:00:00Z",
        "updated_at": "2026-01-01T12:00:00Z",
        "version": 1,
    }
    one = made.headers["location"]
    assert one == f"{path}/{shown['id']}"
    assert client.get(one).json() == shown
    changed = client.patch(one, json={"content": "Be bold"}, headers={"If-Match": '"1"'})
    assert (changed.json()["content"], changed.headers["etag"]) == ("Be bold", '"2"')
    assert client.get(path).json() == {"rules": [changed.json()], "total": 1}
    assert client.delete(one).status_code == 204
    assert client.get(one).status_code == 404
    assert client.delete(one).status_code == 404
    assert client.get(path).json() == {"rules": [], "total": 0}


def test_the_same_words_make_one_rule(client, path):
    first = client.post(path, json={"content": "Be kind"}).json()
    assert first["kind"] == "custom"
    assert client.post(path, json={"content": "Be kind"}).json() == first
    second = client.post(path, json={"content": "Be bold"}).json()
    assert client.patch(f"{path}/{second['id']}", json={"content": "Be kind"}).status_code == 409
    assert client.patch(f"{path}/{first['id']}", json={"content": "Be kind"}).json() == first


def test_an_old_view_changes_nothing(client, path):
    one = f"{path}/{client.post(path, json={'content': 'Be kind'}).json()['id']}"
    client.patch(one, json={"content": "Be bold"})
    assert client.patch(one, json={"content": "Be old"}, headers={"If-Match": '"1"'}).status_code == 409
    assert client.delete(one, headers={"If-Match": '"1"'}).status_code == 409
    assert client.get(one).json()["content"] == "Be bold"


def test_a_repeated_create_answers_the_same(client, path):
    key = {"Idempotency-Key": "one"}
    first = client.post(path, json={"content": "Be kind"}, headers=key).json()
    client.delete(f"{path}/{first['id']}")
    assert client.post(path, json={"content": "Be kind"}, headers=key).json() == first
    assert client.get(path).json()["total"] == 0


def test_there_are_not_endless_rules(client, here, path, do):
    for number in range(RULES_MOST):
        do(rules.add, here, "custom", f"Rule {number}")
    assert client.post(path, json={"content": "One more"}).status_code == 409
    part = client.get(path, params={"limit": 1, "offset": 199}).json()
    assert ([rule["content"] for rule in part["rules"]], part["total"]) == (["Rule 199"], 200)


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"content": ""},
        {"content": " \u200b "},
        {"content": "x" * 10_001},
        {"content": 5},
        {"kind": "style", "content": "x"},
        {"content": "x", "id": 1},
    ],
)
def test_what_is_no_rule_is_refused(client, path, body):
    kept = client.post(path, json={"content": "Be kind"}).json()
    assert client.post(path, json=body).status_code == 422
    assert client.patch(f"{path}/{kept['id']}", json=body).status_code == 422
    assert client.get(path).json() == {"rules": [kept], "total": 1}


def test_a_rule_of_another_workspace_or_of_a_stranger_is_as_missing(app, open_client, client, path):
    one = client.post(path, json={"content": "Be kind"}).json()
    other = client.post("/api/workspaces", json={"path": "/srv/other"}).json()["id"]
    theirs = open_client(give_token(app))
    mine = theirs.post("/api/workspaces", json={"path": "/srv/mine"}).json()["id"]
    for who, where in ((client, other), (theirs, mine), (theirs, one["workspace_id"])):
        wrong = f"/api/workspaces/{where}/rules/{one['id']}"
        answers = [who.get(wrong), who.patch(wrong, json={"content": "x"}), who.delete(wrong)]
        assert {answer.status_code for answer in answers} == {404}
    assert client.get(path).json()["rules"] == [one]


def test_who_may_only_read_changes_nothing(app, open_client, client, path):
    one = client.post(path, json={"content": "Be kind"}).json()
    reader = open_client(give_token(app, 1, Scope.READ))
    assert reader.get(f"{path}/{one['id']}").json() == one
    assert reader.patch(f"{path}/{one['id']}", json={"content": "x"}).status_code == 403
    assert reader.delete(f"{path}/{one['id']}").status_code == 403
    assert client.get(path).json()["rules"] == [one]
