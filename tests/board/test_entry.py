"""Coming in: signing up, in and out, the first run, and nothing of anybody else's."""

from __future__ import annotations

import re
from collections import defaultdict

import httpx2
import pytest
from playwright.sync_api import expect

from tests.board.conftest import PHONE
from tests.board.server import PASSWORD

MCP = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-06-18"}
REFUSED = r"status of 401"
"""A browser tells its console of every refusal; being refused is what these journeys are about."""

EAVESDROP = """
const ask = window.fetch;
window.fetch = async (...asked) => {
  const answer = await ask(...asked);
  const name = crypto.randomUUID();
  const copy = answer.clone().body?.pipeThrough(new TextDecoderStream()).getReader();
  const read = async () => {
    for (let piece = await copy?.read(); piece && !piece.done; piece = await copy.read()) keep(name, piece.value);
  };
  read().catch(() => undefined);
  return answer;
};
"""
"""Hands over every piece of every answer the page gets, streams too."""
PLACES = (
    *("/list", "/calendar", "/inbox", "/day", "/runs", "/workspaces", "/workspaces/1", "/insights", "/chat", "/task/1"),
    *("/settings/bin", "/settings/tokens", "/settings/sessions", "/settings/limits", "/board?task=2"),
)


@pytest.fixture
def house(open_server):
    """A server where people sign in."""
    return open_server(auth="required")


def sign_in(page, email="ann@example.com", password=PASSWORD):
    page.get_by_label("Email", exact=True).fill(email)
    page.get_by_label("Password", exact=True).fill(password)
    page.get_by_role("button", name="Sign in", exact=True).click()


def ask(server, method, params, session=""):
    headers = MCP | ({"Mcp-Session-Id": session} if session else {})
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    return httpx2.post(f"{server.address}/mcp", json=body, headers=headers, timeout=10)


def call_as_an_assistant(server):
    client = {"name": "claude-code", "version": "1"}
    hello = ask(server, "initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client})
    called = ask(server, "tools/call", {"name": "task_list", "arguments": {}}, hello.headers["mcp-session-id"])
    assert called.status_code == 200, called.text


def test_signing_up_leads_to_the_first_run_and_signing_out_to_the_door(
    house, open_page, watch, shoot, check_accessibility
):
    watch.allow(REFUSED)
    page = open_page(house)
    page.goto("/")
    expect(page.get_by_role("heading", name="Sign in to TaskPilot")).to_be_visible()
    shoot(page, "entry-signin")
    check_accessibility(page)

    page.get_by_role("link", name="Sign up").click()
    expect(page).to_have_url(re.compile("/signup$"))
    page.get_by_label("Email", exact=True).fill("ann@example.com")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Name").fill("Ann")
    shoot(page, "entry-signup")
    check_accessibility(page)
    page.get_by_role("button", name="Sign up", exact=True).click()
    expect(page.get_by_role("heading", name="Welcome, Ann")).to_be_visible()
    expect(page).to_have_url(re.compile("/welcome$"))

    page.reload()
    expect(page.get_by_role("heading", name="Welcome, Ann")).to_be_visible()

    page.goto("/settings")
    page.get_by_role("navigation", name="Settings").get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="Sign in to TaskPilot")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="Sign in to TaskPilot")).to_be_visible()


def test_a_wrong_password_is_told_and_the_page_asked_for_comes_after_the_right_one(house, open_page, watch, shoot):
    watch.allow(REFUSED)
    house.sign_up().post("/api/tasks", json={"title": "Ann's own"})
    page = open_page(house)
    page.goto("/list?sort=due")
    sign_in(page, password="not the password")
    expect(page.get_by_role("alert")).to_contain_text("The email or the password is not right.")
    expect(page.get_by_label("Email", exact=True)).to_have_value("ann@example.com")
    shoot(page, "entry-refused")
    sign_in(page)
    expect(page.get_by_role("navigation", name="Pages").first).to_be_visible()
    expect(page).to_have_url(re.compile(r"/list\?sort=due$"))


def test_a_short_password_and_a_taken_email_are_told_in_place(house, open_page, watch):
    watch.allow(REFUSED, "status of 409", "status of 422")
    house.sign_up()
    page = open_page(house)
    page.goto("/signup")
    page.get_by_label("Email", exact=True).fill("ann@example.com")
    page.get_by_label("Password", exact=True).fill("short")
    page.get_by_role("button", name="Sign up", exact=True).click()
    expect(page.get_by_label("Password", exact=True)).to_be_focused()
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign up", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text(re.compile("already|account", re.IGNORECASE))


def test_too_many_tries_are_told_when_to_try_again(open_server, open_page, watch):
    watch.allow(REFUSED, "status of 429")
    house = open_server(auth="required", TASKPILOT_SIGN_IN_LIMIT="2")
    page = open_page(house)
    page.goto("/signin")
    for _ in range(3):
        sign_in(page, password="a guess")
        expect(page.get_by_role("alert")).to_be_visible()
        expect(page.get_by_role("button", name="Sign in", exact=True)).to_be_enabled()
    expect(page.get_by_role("alert")).to_contain_text(re.compile(r"Try again in \d+ seconds?"))


def test_the_second_person_is_sent_nothing_of_the_first_one_s(house, open_page, watch):
    watch.allow(REFUSED)
    secret = "Ann's surprise for Bob 7f3a9c"
    ann = house.sign_up()
    task = ann.post("/api/tasks", json={"title": secret, "description": secret, "tags": ["surprise7f3a9c"]}).json()
    ann.post("/api/projects", json={"name": "Project 7f3a9c"})
    ann.post("/api/workspaces", json={"path": "/srv/7f3a9c"})
    ann.delete(f"/api/tasks/{task['id']}")
    ann.post("/api/tasks", json={"title": secret})
    house.sign_up("bob@example.com", name="Bob").post("/api/tasks", json={"title": "Bob's own"})

    page = open_page(house)
    heard = defaultdict(str)

    def keep(answer, piece):
        heard[answer] += piece

    page.expose_function("keep", keep)
    page.add_init_script(EAVESDROP)
    page.goto("/board")
    sign_in(page, "bob@example.com")
    expect(page.get_by_text("Bob's own").first).to_be_visible()
    watch.allow("status of 404")
    for place in PLACES:
        with page.expect_response("**/api/board"), page.expect_response("**/api/events*"):
            page.goto(place)
        expect(page.get_by_role("main")).to_be_visible()
        ann.patch("/api/tasks/2", json={"title": f"{secret}, again at {place}"})
    expect(page.get_by_text("Bob's own").first).to_be_visible()

    assert len(heard) > 2 * len(PLACES)
    assert sum("Bob's own" in text for text in heard.values()) >= len(PLACES)
    assert any(text.startswith(("event:", "id:", "retry:", ":")) for text in heard.values()), "the stream, too"
    assert not [text for text in heard.values() if "7f3a9c" in text or "ann@example.com" in text]
    assert "7f3a9c" not in page.content()


def test_the_first_run_teaches_and_its_light_goes_on_when_an_assistant_calls(page, server, shoot, check_accessibility):
    page.goto("/")
    expect(page).to_have_url(re.compile("/welcome$"))
    expect(page.get_by_text("Waiting for the first call…")).to_be_visible()
    page.get_by_role("tab", name="Claude Code").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tabpanel", name="Claude Desktop")).to_contain_text('"command": "taskpilot"')
    page.get_by_role("tab", name="Claude Code").click()
    page.get_by_role("button", name=re.compile("Copy: Claude Code, In a terminal")).click()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == f"claude mcp add --scope user --transport http taskpilot {server.address}/mcp"
    shoot(page, "welcome")
    check_accessibility(page)

    page.get_by_role("button", name="Add three tasks to learn with").click()
    expect(page.get_by_text("They are on the board")).to_be_visible()
    call_as_an_assistant(server)
    expect(page.get_by_text("Connected: claude-code")).to_be_visible()
    shoot(page, "welcome-connected")
    check_accessibility(page)
    titles = [task["title"] for task in server.client().get("/api/tasks").json()["tasks"]]
    assert sorted(titles) == [
        "Ask your assistant to add a task",
        "Complete me: press e",
        "Move me to In progress: press m",
    ]


def test_the_door_and_the_first_run_fit_a_phone(house, open_page, watch, shoot, check_accessibility):
    watch.allow(REFUSED)
    house.sign_up()
    phone = open_page(house, **PHONE)
    phone.goto("/signin")
    expect(phone.get_by_role("heading", name="Sign in to TaskPilot")).to_be_visible()
    shoot(phone, "entry-phone")
    sign_in(phone)
    expect(phone.get_by_role("heading", name="Welcome, Ann")).to_be_visible()
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    shoot(phone, "welcome-phone")
    check_accessibility(phone)
