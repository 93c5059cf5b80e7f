"""Talking to the tasks: what is said happens on the board, and nothing is deleted without a yes."""

from __future__ import annotations

import re

from playwright.sync_api import expect

FIRST = 30_000
"""The assistant is loaded when it is first talked to."""


def say(page, text):
    box = page.get_by_role("textbox", name="Message")
    box.fill(text)
    box.press("Enter")


def heard(page):
    return page.get_by_role("log", name="Conversation")


def test_what_is_said_becomes_a_task_on_the_board(page, api, shoot, check_accessibility):
    api.post("/api/tasks", json={"title": "Water the plants"})
    page.goto("/chat")
    expect(page.get_by_role("button", name="What should I do next?")).to_be_visible()
    shoot(page, "chat-empty")
    check_accessibility(page)

    say(page, "add buy milk tomorrow")
    expect(heard(page)).to_contain_text("I've added 'Buy milk'", timeout=FIRST)
    expect(page).to_have_url(re.compile(r"/chat/\d+$"))
    line = page.get_by_role("link", name="TP-2 Buy milk")
    expect(line).to_be_visible()
    expect(page.get_by_text("rules on this server answer")).to_be_visible()

    page.reload()
    expect(heard(page)).to_contain_text("add buy milk tomorrow")
    expect(heard(page)).to_contain_text("I've added 'Buy milk'")
    page.get_by_role("link", name="Board", exact=True).click()
    expect(page.get_by_role("article", name=re.compile("Buy milk"))).to_be_visible()


def test_an_example_can_be_clicked(page, api):
    api.post("/api/tasks", json={"title": "Water the plants"})
    page.goto("/chat")
    page.get_by_role("button", name="What should I do next?").click()
    expect(heard(page)).to_contain_text("Water the plants", timeout=FIRST)


def test_deleting_asks_and_no_keeps_and_yes_deletes(page, api, shoot, check_accessibility):
    api.post("/api/tasks", json={"title": "Buy milk"})
    page.goto("/chat")
    say(page, "delete task 1")
    card = page.get_by_role("group", name="Waits for your answer")
    expect(card).to_contain_text("Buy milk", timeout=FIRST)
    expect(page.get_by_role("link", name=re.compile("Inbox.*1 waiting for you"))).to_be_visible()
    shoot(page, "chat-confirm")
    check_accessibility(page)
    card.get_by_role("button", name="No").click()
    expect(card).to_have_count(0)
    assert api.get("/api/tasks/1").status_code == 200

    say(page, "delete task 1")
    card.get_by_role("button", name="Yes").click()
    expect(card).to_have_count(0)
    expect(heard(page)).to_contain_text("deleted task #1")
    assert api.get("/api/tasks/1").status_code == 404


def test_a_conversation_is_renamed_and_deleted_for_good(page, api):
    number = api.post("/api/chat", json={"message": "what next"}).json()["conversation_id"]
    page.goto(f"/chat/{number}")
    shelf = page.get_by_role("navigation", name="Conversations")
    shelf.get_by_role("button", name="More for what next").click()
    page.get_by_role("menuitem", name="Rename").click()
    shelf.get_by_role("textbox", name="Title").fill("My morning")
    shelf.get_by_role("textbox", name="Title").press("Enter")
    expect(shelf.get_by_role("link", name=re.compile("My morning"))).to_be_visible()

    shelf.get_by_role("button", name="More for My morning").click()
    page.get_by_role("menuitem", name="Delete").click()
    question = page.get_by_role("alertdialog", name="Delete My morning for good?")
    question.get_by_role("button", name="Keep").click()
    expect(shelf.get_by_role("link", name=re.compile("My morning"))).to_be_visible()
    shelf.get_by_role("button", name="More for My morning").click()
    page.get_by_role("menuitem", name="Delete").click()
    question.get_by_role("button", name="Delete").click()
    expect(shelf.get_by_role("link")).to_have_count(0)
    expect(page).to_have_url(re.compile("/chat$"))
    assert api.get("/api/conversations").json()["conversations"] == []


def test_a_draft_is_kept_and_a_server_that_is_away_is_said_and_tried_again(page, server, api, watch):
    api.post("/api/tasks", json={"title": "Water the plants"})
    page.goto("/chat")
    box = page.get_by_role("textbox", name="Message")
    box.fill("what next")
    page.reload()
    expect(box).to_have_value("what next")

    server.stop()
    watch.allow("ERR_CONNECTION", "Failed to fetch", "ERR_INCOMPLETE", "ERR_EMPTY")
    box.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("cannot be reached")
    server.start()
    page.get_by_role("button", name="Try again").click()
    expect(heard(page)).to_contain_text("Water the plants", timeout=FIRST)


def test_on_a_phone_the_conversations_are_one_tap_away(phone, api, shoot, check_accessibility):
    api.post("/api/chat", json={"message": "add buy milk tomorrow"})
    phone.goto("/chat")
    phone.get_by_role("button", name="Earlier").click()
    phone.get_by_role("link", name=re.compile("add buy milk")).click()
    expect(heard(phone)).to_contain_text("Buy milk")
    shoot(phone, "chat-phone")
    check_accessibility(phone)
