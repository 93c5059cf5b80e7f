"""The API's description says everything, and only what is so."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from taskpilot.settings import Settings
from taskpilot.surfaces.rest import docs_page
from taskpilot.surfaces.rest.application import ROUTERS, build_rest
from taskpilot.surfaces.rest.description import ERRORS, OPEN, TAGS
from taskpilot.surfaces.web.public import PUBLIC, is_public

DESCRIPTION = build_rest(None, None, Settings(auth="required")).openapi()  # type: ignore[arg-type]
OPERATIONS = [
    pytest.param(method, path, operation, id=operation["operationId"])
    for path, methods in DESCRIPTION["paths"].items()
    for method, operation in methods.items()
]
UNVERSIONED = {"change_user", "remove_user", "delete_me"}  # closing an account does not wait for the right version
every_operation = pytest.mark.parametrize(("method", "path", "operation"), OPERATIONS)


@pytest.fixture
def place(tmp_path: Path) -> str:
    """A description has nothing to do with the database."""
    return str(tmp_path / "taskpilot.db")


@pytest.fixture(autouse=True)
def vault() -> None:
    """Most tests here read the description and need no server: the one of the folder would open a store for each."""


def takes(operation: dict[str, Any], header: str) -> bool:
    return any(each["in"] == "header" and each["name"] == header for each in operation.get("parameters", ()))


def answers(operation: dict[str, Any]) -> dict[str, Any]:
    return {status: answer for status, answer in operation["responses"].items() if status.startswith("2")}


def references(part: Any) -> set[str]:
    if isinstance(part, dict):
        own = {part["$ref"]} if isinstance(part.get("$ref"), str) else set()
        return own.union(*(references(each) for each in part.values()))
    return set().union(*(references(each) for each in part)) if isinstance(part, list) else set()


def test_it_is_openapi_and_everybody_may_read_it(open_client):
    answer = open_client(auth="required").get("/api/openapi.json")
    assert answer.status_code == 200
    assert answer.json()["openapi"].startswith("3.1")
    assert answer.json() == json.loads(json.dumps(DESCRIPTION))


def test_every_reference_leads_somewhere():
    for reference in references(DESCRIPTION):
        part: Any = DESCRIPTION
        for name in reference.removeprefix("#/").split("/"):
            part = part[name]


def test_every_schema_is_one():
    for schema in DESCRIPTION["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)


def test_nothing_of_the_framework_shows():
    assert "HTTPValidationError" not in json.dumps(DESCRIPTION)


def test_every_name_is_used_once():
    names = [each.id for each in OPERATIONS]
    assert len(names) == len(set(names))


def test_every_route_is_described():
    routes = {
        (method.lower(), route.path)
        for router in ROUTERS
        if router is not docs_page.router
        for route in router.routes
        for method in getattr(route, "methods", None) or ()
    }
    assert routes == {(each.values[0], each.values[1]) for each in OPERATIONS}


@every_operation
def test_an_operation_says_what_it_is(method, path, operation):
    assert operation["summary"]
    assert operation["description"]
    assert re.fullmatch(r"[a-z]+(_[a-z]+)*", operation["operationId"])
    assert set(operation["tags"]) <= set(TAGS)
    for parameter in operation.get("parameters", ()):
        assert "schema" in parameter


@every_operation
def test_an_operation_says_how_it_answers(method, path, operation):
    assert answers(operation)
    for status, answer in answers(operation).items():
        if status == "204":
            assert "content" not in answer
        else:
            assert all(content.get("schema") for content in answer["content"].values()), status


@every_operation
def test_an_operation_says_how_it_can_fail(method, path, operation):
    assert set(ERRORS) <= set(operation["responses"])
    for status in ERRORS:
        name = operation["responses"][status]["$ref"].rpartition("/")[2]
        content = DESCRIPTION["components"]["responses"][name]["content"]
        assert content["application/problem+json"]["schema"]["$ref"].endswith("/Problem")


@every_operation
def test_signing_in_is_asked_for_wherever_it_is_needed(method, path, operation):
    public = is_public(method.upper(), path)
    assert operation.get("security", DESCRIPTION["security"]) == ([] if public else [{"bearer": []}])


def test_the_public_list_and_the_description_agree():
    assert {path for _, path in PUBLIC if path.startswith("/api/auth")} == OPEN


def test_a_local_server_asks_nobody_to_sign_in(client):
    described = client.get("/api/openapi.json").json()
    assert described["security"] == [{"bearer": []}, {}]


@every_operation
def test_every_create_can_be_repeated_safely(method, path, operation):
    if "201" in operation["responses"] and path not in OPEN:
        assert takes(operation, "Idempotency-Key")
        assert "Idempotency-Replayed" in operation["responses"]["201"]["headers"]


@every_operation
def test_every_change_of_a_versioned_thing_takes_its_etag(method, path, operation):
    shown = DESCRIPTION["paths"][path].get("get", {})
    versioned = any("ETag" in answer["headers"] for answer in answers(shown).values()) if shown else False
    if versioned and method in ("put", "patch", "delete") and operation["operationId"] not in UNVERSIONED:
        assert takes(operation, "If-Match")


def test_problems_look_as_described(client):
    validator = Draft202012Validator(DESCRIPTION["components"]["schemas"]["Problem"])
    for answer in (
        client.get("/api/tasks/999999"),
        client.get("/api/nothing"),
        client.post("/api/tasks", json={"title": ""}),
        client.post("/api/tasks", content="{", headers={"Content-Type": "application/json"}),
        client.post("/api/chat/tools"),
        client.get("/api/tasks/1", headers={"Authorization": "Bearer nobody"}),
        client.get("/api/tasks/1", headers={"Origin": "https://evil.example"}),
    ):
        assert answer.headers["content-type"] == "application/problem+json", answer.text
        validator.validate(answer.json())
        assert answer.json()["status"] == answer.status_code


def test_a_path_names_all_its_methods(client):
    answer = client.request("OPTIONS", "/api/tasks/1")
    assert answer.status_code == 405
    assert answer.headers["allow"] == "DELETE, GET, PATCH, PUT"


def test_the_docs_page_is_public_and_needs_nobody_else(open_client):
    client = open_client(auth="required")
    page = client.get("/api/docs")
    assert page.status_code == 200
    assert "'unsafe-inline'" not in page.headers["content-security-policy"]
    assert "http" not in page.text + client.get("/api/docs/docs.js").text
    for name in re.findall(r'(?:src|href)="docs/([^"]+)"', page.text):
        answer = client.get(f"/api/docs/{name}")
        assert answer.status_code == 200, name
        assert "max-age" in answer.headers["cache-control"]


@pytest.mark.parametrize("name", ["docs.html", "..%2fapplication.py", "swagger-ui", "swagger-ui.css.map"])
def test_the_docs_page_has_no_other_files(client, name):
    assert client.get(f"/api/docs/{name}").status_code == 404


def test_what_we_ship_of_others_comes_with_its_licence():
    folder = docs_page.ASSETS / "swagger-ui"
    assert "Apache License" in (folder / "LICENSE").read_text()
    assert {path.name for path in folder.iterdir()} >= {"LICENSE", "NOTICE", "swagger-ui-bundle.js", "swagger-ui.css"}
