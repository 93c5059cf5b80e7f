"""The whole board with the keyboard alone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect


@pytest.fixture
def board(page, api):
    """Four to do and one in progress: TP-1 to TP-5."""
    for title in ("One", "Two", "Three", "Four"):
        assert api.post("/api/tasks", json={"title": title}).status_code == 201
    assert api.post("/api/tasks", json={"title": "Five", "state": "in_progress"}).status_code == 201
    page.goto("/board")
    expect(page.get_by_role("article")).to_have_count(5)
    return page


def card(page: Page, id: int) -> Locator:
    return page.get_by_role("article", name=re.compile(rf"^TP-{id} "))


def column(page: Page, name: str) -> Locator:
    return page.get_by_role("region", name=re.compile(rf"^{name}, "))


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def test_one_goes_about_with_letters_or_arrows(board, shoot, check_accessibility):
    press(board, "j")
    expect(card(board, 1)).to_be_focused()
    press(board, "j", "ArrowDown")
    expect(card(board, 3)).to_be_focused()
    press(board, "k")
    expect(card(board, 2)).to_be_focused()
    press(board, "l")
    expect(card(board, 5)).to_be_focused()
    press(board, "ArrowLeft", "ArrowUp")
    expect(card(board, 1)).to_be_focused()
    shoot(board, "board-focus")
    check_accessibility(board)


def test_move_to_moves_and_the_neighbour_gets_the_focus(board, api):
    press(board, "j", "j", "m")
    expect(board.get_by_role("dialog", name="Move to…")).to_be_visible()
    board.keyboard.type("review")
    press(board, "Enter")
    expect(column(board, "In review").get_by_role("article")).to_have_count(1)
    expect(card(board, 3)).to_be_focused()
    press(board, "e")
    expect(column(board, "Done").get_by_role("article")).to_have_count(1)
    expect(card(board, 4)).to_be_focused()
    press(board, "Delete")
    expect(board.get_by_text("TP-4 deleted")).to_be_visible()
    expect(card(board, 1)).to_be_focused()
    assert [api.get(f"/api/tasks/{id}").json()["state"] for id in (2, 3)] == ["review", "done"]
    press(board, "u")
    expect(card(board, 4)).to_be_visible()


def test_alt_and_arrows_do_what_dragging_does(board, api):
    press(board, "j", "Alt+ArrowDown")
    said = board.get_by_role("status").filter(has_text="moved to")
    expect(said).to_have_text("TP-1 moved to Todo, position 2 of 4.")
    expect(card(board, 1)).to_be_focused()
    press(board, "Alt+ArrowDown", "Alt+ArrowUp", "Alt+ArrowRight")
    expect(said).to_have_text("TP-1 moved to In progress, position 2 of 2.")
    expect(card(board, 1)).to_be_focused()
    press(board, "Alt+ArrowUp")
    expect(said).to_have_text("TP-1 moved to In progress, position 1 of 2.")
    expect(column(board, "In progress").get_by_role("article").first).to_have_accessible_name(re.compile("^TP-1 "))
    press(board, "Alt+ArrowLeft")
    expect(said).to_have_text("TP-1 moved to Todo, position 1 of 4.")
    expect(card(board, 1)).to_be_focused()
    board.reload()
    expect(column(board, "Todo").get_by_role("article").first).to_have_accessible_name(re.compile("^TP-1 "))


def test_three_are_chosen_and_moved_together(board, api, shoot, check_accessibility):
    press(board, "j", "x", "j", "x", "j", "x")
    bar = board.get_by_role("toolbar", name="Chosen tasks")
    expect(bar).to_contain_text("3 chosen")
    shoot(board, "board-chosen")
    check_accessibility(board)
    press(board, "m")
    board.keyboard.type("in prog")
    press(board, "Enter")
    expect(column(board, "In progress").get_by_role("article")).to_have_count(4)
    expect(board.get_by_text("3 tasks moved to In progress")).to_be_visible()
    board.get_by_role("button", name="Undo").click()
    expect(column(board, "Todo").get_by_role("article")).to_have_count(4)
    assert {api.get(f"/api/tasks/{id}").json()["state"] for id in (1, 2, 3)} == {"todo"}
    press(board, "Escape")
    expect(bar).to_have_count(0)


def test_shift_and_arrows_choose_a_row_of_cards(board):
    press(board, "j", "Shift+ArrowDown", "Shift+J")
    expect(board.get_by_role("toolbar", name="Chosen tasks")).to_contain_text("3 chosen")
    board.get_by_role("button", name="Complete", exact=True).click()
    expect(column(board, "Done").get_by_role("article")).to_have_count(3)


def test_enter_opens_and_a_button_keeps_its_own_enter(board):
    press(board, "j")
    board.get_by_role("button", name="Add to Todo").focus()
    press(board, "Enter")
    expect(board.get_by_role("textbox", name="New task in Todo")).to_be_focused()
    press(board, "Escape")
    card(board, 2).focus()
    press(board, "Enter")
    expect(board).to_have_url(re.compile("task=2"))


def test_a_long_column_is_walked_to_its_end_without_losing_the_focus(board, api):
    tasks = [{"title": f"More {number}"} for number in range(60)]
    assert api.post("/api/tasks/bulk", json={"create": tasks}).is_success
    expect(board.get_by_role("region", name="Todo, 64 tasks")).to_be_visible()
    for _ in range(40):
        press(board, "j")
    expect(board.get_by_role("article", name=re.compile("More 35,"))).to_be_focused()
    expect(board.get_by_role("article", name=re.compile("More 35,"))).to_be_in_viewport()
