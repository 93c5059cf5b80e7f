from __future__ import annotations

from taskpilot.contracts.native import CONTRACT
from taskpilot.contracts.native.board import EXTENSION, MIME, PAGE, read, shelve
from taskpilot.domain.caller import local

ME = local("native", actor="assistant")


def test_the_board_is_a_page_that_hosts_can_render(app):
    (listed,) = app.run(ME, shelve)
    (page,) = app.run(ME, read, PAGE)
    assert (listed.uri, listed.mime, page.mime) == (PAGE, MIME, MIME)
    assert page.text.startswith("<!doctype html>")
    assert CONTRACT.by_name["task_board"].meta == {"ui": {"resourceUri": PAGE}}
    assert EXTENSION in CONTRACT.extensions


def test_the_page_needs_nothing_from_any_network(app):
    (page,) = app.run(ME, read, PAGE)
    assert "http" not in page.text
    assert "innerHTML" not in page.text
    assert page.meta["ui"]["csp"] == {"connectDomains": [], "resourceDomains": []}


def test_the_answer_is_readable_without_the_page(app, add):
    add("Walls", priority="high")
    tool = CONTRACT.by_name["task_board"]
    reply = app.run(ME, tool, tool.parse({}))
    assert reply.text == "1 Walls !high"
    assert reply.data["tasks"][0]["title"] == "Walls"


def test_an_empty_board_says_so(app):
    tool = CONTRACT.by_name["task_board"]
    assert app.run(ME, tool, tool.parse({"project": "Home"})).text == "No open tasks."
