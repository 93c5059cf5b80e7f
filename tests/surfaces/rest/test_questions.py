from __future__ import annotations

import pytest

from taskpilot.ops import policies
from tests.contracts.stage import seat


@pytest.fixture
def sat(app, add, tmp_path):
    return seat(app, add(workspace=str(tmp_path)).id)


def test_a_question_is_answered_once_and_for_all(app, client, sat, do):
    asked = sat.ask("May it run make?", kind="execute")
    assert [each["id"] for each in client.get("/api/questions").json()["questions"]] == [asked.id]
    shown = client.get(f"/api/questions/{asked.id}").json()
    assert (shown["open"], shown["asking"], shown["data"]) == (True, "permission", {"kind": "execute"})
    answered = client.post(f"/api/questions/{asked.id}/answer", json={"answer": "Allow_Always"}).json()
    assert (answered["open"], answered["answer"], answered["answered_by"]) == (False, "allow_always", "dev-user")
    assert "execute" in do(policies.get, 1).allow
    again = client.post(f"/api/questions/{asked.id}/answer", json={"answer": "deny"})
    assert again.status_code == 409
    assert "was answered by dev-user: allow_always" in again.json()["message"]
    assert client.get("/api/questions").json() == {"questions": []}
    assert [each["id"] for each in client.get(f"/api/runs/{sat.run}/questions").json()["questions"]] == [asked.id]


def test_what_is_no_answer_is_refused_and_the_choices_are_named(client, sat):
    asked = sat.ask()
    refused = client.post(f"/api/questions/{asked.id}/answer", json={"answer": "perhaps"})
    assert refused.status_code == 409
    assert "allow_once, allow_always, deny" in refused.json()["detail"]
    for body in ({}, {"answer": ""}, {"answer": 1}, {"answer": "deny", "why": "so"}, {"answer": "x" * 201}):
        assert client.post(f"/api/questions/{asked.id}/answer", json=body).status_code == 422
    assert client.get(f"/api/questions/{asked.id}").json()["open"] is True
    assert client.get("/api/questions/99").status_code == 404
    assert client.get("/api/questions", params={"limit": 0}).status_code == 422
