"""What asks for you is in one place, and can be answered there, by mouse or by keyboard."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.board.shop import open_shop

SLOW = 30_000


def rows(page):
    return page.get_by_role("main").get_by_role("link")


def badge(page, number):
    return page.get_by_role("link", name=re.compile(rf"Inbox.*\b{number} waiting for you"))


def test_nothing_needs_you(page, shoot, check_accessibility):
    page.goto("/inbox")
    expect(page.get_by_role("heading", name="Nothing needs you.")).to_be_visible()
    shoot(page, "inbox-empty")
    check_accessibility(page)


def test_what_is_to_review_and_what_is_late_is_settled_in_place(page, api, shoot, check_accessibility):
    api.post("/api/tasks", json={"title": "Look at this", "state": "review"})
    api.post("/api/tasks", json={"title": "And at this", "state": "review"})
    api.post("/api/tasks", json={"title": "Pay rent", "due_date": "2020-01-31"})
    api.post("/api/tasks", json={"title": "Call home", "due_date": "2020-02-01", "priority": "high"})
    api.post("/api/tasks", json={"title": "Not yet", "due_date": "2100-01-01"})
    page.goto("/inbox")
    expect(rows(page)).to_have_count(4)
    expect(badge(page, 4)).to_be_visible()
    shoot(page, "inbox")
    check_accessibility(page)

    page.get_by_role("button", name="Approve").first.click()
    expect(rows(page)).to_have_count(3)
    expect(page.get_by_text("TP-1 is approved and done")).to_be_visible()
    assert api.get("/api/tasks/1").json()["state"] == "done"
    page.get_by_role("button", name="Undo").click()
    expect(rows(page)).to_have_count(4)

    page.get_by_role("button", name="Tomorrow").first.click()
    expect(rows(page)).to_have_count(3)
    expect(badge(page, 3)).to_be_visible()
    expect(page.get_by_role("link", name=re.compile("Pay rent"))).to_have_count(0)


def test_the_keyboard_is_enough(page, api):
    api.post("/api/tasks", json={"title": "Look at this", "state": "review"})
    api.post("/api/tasks", json={"title": "Pay rent", "due_date": "2020-01-31"})
    page.goto("/inbox")
    expect(rows(page)).to_have_count(2)
    page.keyboard.press("j")
    expect(page.get_by_role("link", name=re.compile("Pay rent"))).to_be_focused()
    page.keyboard.press("k")
    expect(page.get_by_role("link", name=re.compile("Look at this"))).to_be_focused()
    page.keyboard.press("2")
    expect(rows(page)).to_have_count(1)
    expect(page.get_by_text("TP-1 goes back to Todo")).to_be_visible()
    assert api.get("/api/tasks/1").json()["state"] == "todo"
    page.keyboard.press("1")
    expect(page.get_by_role("heading", name="Nothing needs you.")).to_be_visible()
    expect(page.get_by_text("TP-2 is done")).to_be_visible()
    assert api.get("/api/tasks/2").json()["state"] == "done"


def test_a_question_of_a_run_and_one_of_the_chat_are_answered(
    open_page, open_server, tmp_path, shoot, check_accessibility
):
    shop = open_shop(tmp_path, open_server)
    page = open_page(shop.server)
    shop.add("Keep me")
    asked = shop.api.post("/api/chat", json={"message": "delete task 1"})
    assert asked.json()["pending"], asked.text
    run = shop.start({"ask": "make paint", "kind": "execute"}, task=shop.add())
    page.goto("/inbox")
    question = page.get_by_role("link", name=re.compile("make paint"))
    expect(question).to_be_visible(timeout=SLOW)
    expect(page.get_by_role("link", name=re.compile("delete task #1"))).to_be_visible()
    expect(badge(page, 2)).to_be_visible()
    shoot(page, "inbox-questions")
    check_accessibility(page)

    page.get_by_role("button", name="Allow once").click()
    expect(question).to_have_count(0)
    page.get_by_role("button", name="No", exact=True).click()
    expect(page.get_by_role("link", name=re.compile("delete task #1"))).to_have_count(0)
    assert shop.api.get("/api/tasks/1").status_code == 200
    (answered,) = shop.api.get(f"/api/runs/{run}/questions").json()["questions"]
    assert (answered["open"], answered["answer"]) == (False, "allow_once")


def test_on_a_phone_the_answers_are_under_the_question(phone, api, shoot, check_accessibility):
    api.post(
        "/api/tasks",
        json={"title": "A rather long title that fits no phone's line", "state": "review"},
    )
    api.post("/api/tasks", json={"title": "Pay rent", "due_date": "2020-01-31"})
    phone.goto("/inbox")
    expect(phone.get_by_role("button", name="Approve")).to_be_visible()
    shoot(phone, "inbox-phone")
    check_accessibility(phone)
    phone.get_by_role("button", name="Today").tap()
    expect(phone.get_by_role("link", name=re.compile("Pay rent"))).to_have_count(0)
