"""What anybody does, through whichever door, is on the page at once."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import httpx2
import pytest
from playwright.sync_api import expect

WITHIN = 1_000
MCP = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-06-18"}


@pytest.fixture
def board(page, api):
    api.post("/api/tasks", json={"title": "First"})
    page.goto("/board")
    expect(page.get_by_role("article")).to_have_count(1)
    return page


def card(page, title):
    return page.get_by_role("article", name=re.compile(title))


def ask(server, method, params, session=""):
    headers = MCP | ({"Mcp-Session-Id": session} if session else {})
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    return httpx2.post(f"{server.address}/mcp", json=body, headers=headers, timeout=10)


def test_a_change_through_rest_shows_within_a_second(board, api):
    api.post("/api/tasks", json={"title": "From a program"})
    expect(card(board, "From a program")).to_be_visible(timeout=WITHIN)
    api.patch("/api/tasks/1", json={"title": "Renamed", "state": "in_progress"})
    expect(card(board, "Renamed, In progress")).to_be_visible(timeout=WITHIN)
    api.delete("/api/tasks/1")
    expect(card(board, "Renamed")).to_have_count(0, timeout=WITHIN)


def test_an_assistant_s_task_shows_within_a_second(board, server):
    client = {"name": "claude-code", "version": "1"}
    hello = ask(server, "initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client})
    session = hello.headers.get("mcp-session-id", "")
    arguments = {"name": "task_create", "arguments": {"tasks": [{"title": "From an assistant"}]}}
    assert ask(server, "tools/call", arguments, session).status_code == 200
    expect(card(board, "From an assistant")).to_be_visible(timeout=WITHIN)


def test_the_command_line_s_task_shows_within_a_second(board, server):
    environment = {**os.environ, "TASKPILOT_DATA_DIR": str(server.folder)}
    command = [sys.executable, "-m", "taskpilot", "add", "From the terminal"]
    subprocess.run(command, env=environment, check=True, capture_output=True)
    expect(card(board, "From the terminal")).to_be_visible(timeout=WITHIN)


def test_another_tab_s_change_shows_without_a_flash(board, open_page):
    other = board.context.new_page()
    other.goto("/board")
    board.evaluate(
        """() => {
            window.emptied = false;
            new MutationObserver(() => { window.emptied ||= !document.querySelector("main article"); })
              .observe(document.querySelector("main"), {childList: true, subtree: true});
        }"""
    )
    other.get_by_role("article").focus()
    other.keyboard.press("p")
    other.get_by_role("combobox").fill("high")
    other.keyboard.press("Enter")
    expect(card(board, "high priority")).to_be_visible(timeout=WITHIN)
    assert board.evaluate("window.emptied") is False


def test_nothing_is_lost_while_the_server_restarts(board, server, watch):
    watch.allow("ERR_", "Failed to load resource", "Failed to fetch")
    box = board.get_by_role("textbox", name="Quick add")
    box.press_sequentially("Typed before the server ")
    server.stop()
    box.press_sequentially("went away")
    expect(board.get_by_text("Not connected. Trying again…")).to_be_visible()
    expect(card(board, "First")).to_be_visible()
    server.start()
    server.client().post("/api/tasks", json={"title": "While it was away"})
    expect(card(board, "While it was away")).to_be_visible()
    expect(board.get_by_text("Not connected. Trying again…")).to_be_hidden()
    expect(box).to_have_value("Typed before the server went away")
    box.press("Enter")
    expect(card(board, "Typed before the server went away")).to_be_visible()


def test_a_change_that_cannot_be_saved_is_put_back_and_says_why(board, server, watch):
    watch.allow("ERR_", "Failed to load resource", "Failed to fetch")
    server.stop()
    board.get_by_role("article").focus()
    board.keyboard.press("e")
    expect(board.get_by_text("TaskPilot cannot be reached just now.")).to_be_visible()
    expect(card(board, "First, Todo")).to_be_visible()
