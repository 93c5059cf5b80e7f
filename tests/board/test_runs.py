"""Agents at work: sent off from the board, followed live, answered, stopped; what they changed and proved is seen."""

from __future__ import annotations

import re
import sys

import pytest
from playwright.sync_api import expect

from tests.board.conftest import PHONE
from tests.board.shop import open_shop, script

SLOW = 30_000
"""For a worker to be there."""


@pytest.fixture
def shop(tmp_path, open_server):
    return open_shop(tmp_path, open_server)


@pytest.fixture
def page(open_page, shop):
    return open_page(shop.server)


def log_of(page):
    return page.get_by_role("log", name=re.compile("Log of run"))


def test_an_agent_is_sent_off_from_the_board_asks_and_shows_what_it_did(page, shop, shoot, check_accessibility):
    shop.add(acceptance=["test -f wall.py"])
    page.goto("/board")
    page.get_by_role("article", name=re.compile("Paint the walls")).focus()
    page.keyboard.press("a")
    dialog = page.get_by_role("dialog", name="Start a run on TP-1")
    dialog.get_by_role("textbox", name="Instructions").fill(
        script(
            {"say": "I look at the walls first."},
            {"run": ["echo", "two coats"]},
            {"edit": "wall.py", "content": "white = 1\ncoats = 2\n"},
            {"ask": "make paint", "kind": "execute"},
            {"usage": [1_200, 300, 0.25]},
            {"say": "Painted **white**."},
        )
    )
    shoot(page, "runs-start")
    check_accessibility(page)
    dialog.get_by_role("button", name="Start").click()
    page.get_by_role("button", name="Open").click()

    expect(log_of(page)).to_contain_text("echo two coats", timeout=SLOW)
    question = log_of(page).get_by_role("group", name=re.compile("Question"))
    expect(question).to_contain_text("make paint")
    expect(page.get_by_role("link", name=re.compile("Inbox.*1 waiting for you"))).to_be_visible()
    shoot(page, "runs-question")
    check_accessibility(page)
    question.get_by_role("button", name="Allow once").click()
    expect(page.get_by_role("status").filter(has_text="Ready")).to_be_visible(timeout=SLOW)
    expect(page.get_by_text("1.5K tokens · $0.25")).to_be_visible()

    page.get_by_role("tab", name="Diff").click()
    expect(page.get_by_role("region", name="Changes")).to_contain_text("white = 1")
    expect(page.get_by_role("navigation", name="Changed files")).to_contain_text("wall.py")
    shoot(page, "runs-diff")
    check_accessibility(page)
    page.get_by_role("tab", name="Result").click()
    expect(page.get_by_role("heading", name="What it said")).to_be_visible()
    expect(page.get_by_role("listitem").filter(has_text="test -f wall.py")).to_contain_text("passed")
    shoot(page, "runs-result")
    check_accessibility(page)


def test_a_run_is_told_more_and_goes_on_in_its_session(page, shop):
    run = shop.start({"say": "First."})
    page.goto(f"/runs/{run}")
    expect(page.get_by_role("status").filter(has_text="Ready")).to_be_visible(timeout=SLOW)
    box = page.get_by_role("textbox", name=re.compile("Follow up"))
    box.fill(script({"recall": True}))
    box.press("Enter")
    expect(box).to_have_value("")
    expect(log_of(page)).to_contain_text(re.compile("turn.*2"), timeout=SLOW)


def test_a_run_that_hangs_is_stopped(page, shop, shoot, check_accessibility):
    shop.start_command("true", task=shop.add("Sweep the floor"))
    shop.start({"run": ["echo", "begun"]}, {"hang": True})
    page.goto("/runs")
    expect(page.get_by_role("heading", name=re.compile("Live"))).to_be_visible()
    expect(page.get_by_role("link", name=re.compile("Running.*Paint the walls"))).to_be_visible(timeout=SLOW)
    shoot(page, "runs-list")
    check_accessibility(page)
    page.get_by_role("link", name=re.compile("Paint the walls")).click()
    expect(log_of(page)).to_contain_text("echo begun", timeout=SLOW)
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("status").filter(has_text="Stopped")).to_be_visible(timeout=SLOW)
    expect(page.get_by_role("button", name="Stop")).to_have_count(0)

    page.goto("/runs")
    page.get_by_role("combobox", name="State").select_option("Stopped")
    expect(page.get_by_role("link", name=re.compile("Paint the walls"))).to_be_visible()
    expect(page.get_by_role("link", name=re.compile("Sweep the floor"))).to_have_count(0)


def test_a_long_log_follows_its_end_until_one_scrolls_and_can_be_searched(page, shop, shoot):
    printing = "for n in range(20000): print(f'line {n} of the log' + (' needle' if n in (40, 16000) else ''))"
    run = shop.start_command(sys.executable, "-c", printing)
    page.goto(f"/runs/{run}")
    log = log_of(page)
    expect(log).to_contain_text("line 19999 of the log", timeout=SLOW)
    expect(log.locator("[data-index]").nth(100)).to_have_count(0)

    log.hover()
    page.mouse.wheel(0, -3_000)
    follow = page.get_by_role("button", name="Follow", exact=True)
    expect(follow).to_be_visible()
    follow.click()
    expect(log).to_contain_text("line 19999 of the log")

    page.keyboard.press("Control+f")
    search = page.get_by_role("textbox", name="Search the log")
    expect(search).to_be_focused()
    page.keyboard.type("needle")
    expect(page.get_by_text("1/2")).to_be_visible()
    expect(log.get_by_text("line 40 of the log")).to_be_in_viewport()
    search.press("Enter")
    expect(page.get_by_text("2/2")).to_be_visible()
    expect(log.get_by_text("line 16000 of the log")).to_be_in_viewport()
    shoot(page, "runs-search")
    search.fill("")
    page.get_by_role("button", name="Errors").click()
    expect(log).not_to_contain_text("line 40")


def test_a_task_without_a_repository_is_given_one_where_the_run_is_started(page, shop, watch):
    shop.api.post("/api/tasks", json={"title": "Homeless"})
    page.goto("/board")
    page.get_by_role("article", name=re.compile("Homeless")).focus()
    page.keyboard.press("a")
    dialog = page.get_by_role("dialog", name="Start a run on TP-1")
    dialog.get_by_role("combobox", name="Agent").select_option("Command")
    dialog.get_by_role("textbox", name="Command").fill("echo 'hello there'")
    dialog.get_by_role("combobox", name="Workspace").select_option("shop")
    dialog.get_by_text("Branches and limits").click()
    dialog.get_by_role("textbox", name="Work on").fill("not..a branch")
    watch.allow("422")
    dialog.get_by_role("button", name="Start").click()
    expect(dialog.get_by_role("alert")).to_contain_text("branch")
    dialog.get_by_role("textbox", name="Work on").fill("")
    dialog.get_by_role("button", name="Start").click()
    page.get_by_role("button", name="Open").click()
    expect(log_of(page)).to_contain_text("hello there", timeout=SLOW)
    expect(page.get_by_role("status").filter(has_text="Completed")).to_be_visible(timeout=SLOW)


def test_a_run_is_followed_on_a_phone(open_page, shop, shoot, check_accessibility):
    run = shop.start({"say": "I look first."}, {"edit": "wall.py", "content": "white = 1\n"})
    phone = open_page(shop.server, **PHONE)
    phone.goto(f"/runs/{run}")
    expect(log_of(phone)).to_contain_text("added wall.py", timeout=SLOW)
    expect(phone.get_by_role("status").filter(has_text="Ready")).to_be_visible(timeout=SLOW)
    shoot(phone, "runs-phone")
    check_accessibility(phone)
    phone.get_by_role("tab", name="Diff").click()
    expect(phone.get_by_role("region", name="Changes")).to_contain_text("white = 1")
    shoot(phone, "runs-phone-diff")
