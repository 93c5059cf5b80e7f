"""The palette reaches everything, and the help sheet shows every key."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

PAGES = {
    "b": "board",
    "l": "list",
    "c": "calendar",
    "r": "runs",
    "i": "inbox",
    "d": "day",
    "w": "workspaces",
    "n": "insights",
    "s": "settings",
    "a": "chat",  # last: one can write there at once, and keys are letters then
}


@pytest.fixture
def board(page, api):
    api.post("/api/tasks", json={"title": "Paint the fence"})
    page.goto("/board")
    expect(page.get_by_role("article")).to_have_count(1)
    return page


def test_everything_is_reached_from_the_palette(board, shoot, check_accessibility):
    board.keyboard.press("Control+k")
    box = board.get_by_role("combobox")
    expect(box).to_be_focused()
    shoot(board, "palette")
    check_accessibility(board)
    box.fill("insi")
    board.keyboard.press("Enter")
    expect(board).to_have_url(re.compile("/insights$"))


def test_a_task_is_found_and_opened(board):
    board.keyboard.press("/")
    board.get_by_role("combobox").fill("fence")
    board.get_by_role("option", name=re.compile("Paint the fence")).click()
    expect(board).to_have_url(re.compile(r"task=1"))


def test_values_of_a_task_are_chosen_with_the_keyboard(board, api):
    board.get_by_role("article").focus()
    board.keyboard.press("p")
    board.get_by_role("combobox").fill("crit")
    board.keyboard.press("Enter")
    expect(board.get_by_role("article", name=re.compile("critical", re.I))).to_be_visible()
    board.get_by_role("article").focus()
    board.keyboard.press("d")
    board.get_by_role("combobox").fill("24 december")
    board.get_by_role("option", name=re.compile("24 Dec")).click()
    expect(board.get_by_role("article", name=re.compile("24 Dec"))).to_be_visible()
    board.get_by_role("article").focus()
    board.keyboard.press("t")
    board.get_by_role("combobox").fill("garden")
    board.get_by_role("option", name=re.compile("garden")).click()
    expect(board.get_by_role("article")).to_contain_text("garden")
    task = api.get("/api/tasks/1").json()
    assert (task["priority"], task["tags"], task["due_date"][5:10]) == ("critical", ["garden"], "12-24")


def test_every_page_has_a_key(board):
    for key, name in PAGES.items():
        board.keyboard.press("g")
        board.keyboard.press(key)
        expect(board).to_have_url(re.compile(f"/{name}$"))


def test_the_help_sheet_shows_every_key(board, shoot, check_accessibility):
    board.keyboard.press("?")
    sheet = board.get_by_role("dialog", name="Keys")
    for said in ("Move to…", "Priority…", "Due date…", "Tags…", "Start a run…", "Complete, or open again", "New task"):
        expect(sheet.get_by_text(said, exact=True)).to_be_visible()
    shoot(board, "help")
    check_accessibility(board)
    board.keyboard.press("Escape")
    expect(sheet).to_be_hidden()


def test_my_last_change_is_undone_with_one_key(board, api):
    board.get_by_role("article").focus()
    board.keyboard.press("e")
    expect(board.get_by_role("listitem").filter(has_text="TP-1 is done")).to_be_visible()
    board.keyboard.press("u")
    expect(board.get_by_role("listitem").filter(has_text="Undone")).to_be_visible()
    assert api.get("/api/tasks/1").json()["state"] == "todo"
