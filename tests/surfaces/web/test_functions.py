from __future__ import annotations

from starlette.applications import Starlette
from starlette.routing import Route
from starlette.testclient import TestClient

from taskpilot.surfaces.web.functions import offer_functions


def test_the_list_can_be_handed_to_a_chat_model_as_it_is():
    functions = [{"type": "function", "function": {"name": "x", "description": "é", "parameters": {"type": "object"}}}]
    client = TestClient(Starlette(routes=[Route("/api/chat/tools", offer_functions(functions))]))
    response = client.get("/api/chat/tools")
    assert (response.status_code, response.headers["content-type"]) == (200, "application/json")
    assert response.json() == functions
    assert client.post("/api/chat/tools").status_code == 405
