"""The stage itself: the page opens, and what must not go unnoticed does not."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect


def test_the_page_opens_and_breaks_no_rule(page, shoot):
    answer = page.goto("/")
    assert answer.headers["content-security-policy"].startswith("default-src 'none'; script-src 'self'")
    expect(page).to_have_title("TaskPilot")
    shoot(page, "stage")


def test_scripts_in_the_page_itself_never_run_and_are_noticed(page, watch):
    page.goto("/")
    page.evaluate(
        """() => {
            const script = document.createElement("script");
            script.textContent = "window.ran = true";
            document.head.append(script);
        }"""
    )
    assert page.evaluate("window.ran") is None
    assert any("Content Security Policy" in said for said in watch.complaints)
    watch.allow("Content Security Policy")


@pytest.mark.parametrize("place", ["sqlite", "postgres"])
def test_a_server_comes_back_where_it_was_with_what_it_had(open_server, request, place):
    server = open_server(database=request.getfixturevalue("postgres_url") if place == "postgres" else "")
    server.client().post("/api/tasks", json={"title": "Stay"}).raise_for_status()
    address = server.address
    server.stop()
    server.start()
    assert server.address == address
    assert [task["title"] for task in server.client().get("/api/tasks").json()["tasks"]] == ["Stay"]


def test_people_sign_up_where_they_have_to(open_server):
    server = open_server(auth="required")
    assert server.client().get("/api/board").status_code == 401
    assert server.sign_up().get("/api/board").json()["me"]["name"] == "Ann"
