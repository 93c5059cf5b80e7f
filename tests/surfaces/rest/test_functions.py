from __future__ import annotations

import pytest

from taskpilot.contracts.todo import FUNCTIONS


@pytest.fixture
def place(tmp_path):
    return str(tmp_path / "taskpilot.db")


def test_the_list_can_be_handed_to_a_chat_model_as_it_is(client):
    response = client.get("/api/chat/tools")
    assert (response.status_code, response.headers["content-type"]) == (200, "application/json")
    assert response.json() == FUNCTIONS
    assert {"type", "function"} == set(response.json()[0])
    assert client.post("/api/chat/tools").status_code == 405


def test_it_is_for_people_who_signed_in_where_that_is_required(open_client):
    assert open_client(auth="required").get("/api/chat/tools").status_code == 401
