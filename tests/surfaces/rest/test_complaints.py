"""Errors that say what to correct, in words."""

from __future__ import annotations

import pytest


@pytest.fixture
def place(tmp_path):
    return str(tmp_path / "taskpilot.db")


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        ({"title": "   "}, 400, "title cannot be empty."),
        ({"title": ""}, 400, "title cannot be empty."),
        ({"title": "x" * 501}, 400, "title must have at most 500 characters."),
        ({"titel": "x"}, 400, "title is missing; titel is not known here."),
        ({"title": "x", "progress": 101}, 422, "progress must be at most 100."),
        ({"title": "x", "completed": "yes"}, 422, "completed must be true or false."),
        ({"title": "x", "energy": "huge"}, 422, "energy must be one of 'light', 'medium' or 'deep'."),
        ([], 422, "body must be an object."),
    ],
)
def test_a_broken_value_is_told_in_words(client, body, status, said):
    answer = client.post("/api/tasks", json=body)
    assert (answer.status_code, answer.json()["message"]) == (status, said)
    assert answer.json()["error"] == "invalid"


def test_broken_json_is_told_as_such(client):
    answer = client.post("/api/tasks", content=b"{", headers={"Content-Type": "application/json"})
    assert (answer.status_code, answer.json()["message"]) == (400, "The body is not valid JSON.")
