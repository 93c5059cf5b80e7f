"""My day: what today holds, what is best next, and what could be pulled into it."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import expect

from tests.board.conftest import PLACE


def day(ahead: int = 0) -> str:
    """As the browser of the tests has it."""
    return (datetime.now(ZoneInfo(PLACE["timezone_id"])) + timedelta(days=ahead)).date().isoformat()


@pytest.fixture
def seeded(api):
    tasks = [
        {"title": "Late letter", "due_date": day(-2), "priority": "critical"},
        {"title": "Due now", "due_date": day()},
        {"title": "Planned walk", "scheduled_start": day()},
        {"title": "Under way", "state": "in_progress"},
        {"title": "Due soon", "due_date": day(4)},
        {"title": "Important", "priority": "high"},
        {"title": "Some other time", "priority": "low"},
    ]
    made = [api.post("/api/tasks", json=task).raise_for_status().json() for task in tasks]
    return {task["title"]: task["id"] for task in made}


def row(page, title):
    return page.get_by_role("row", name=re.compile(rf"^TP-\d+ {title}$"))


def test_the_day_at_a_glance(page, seeded, shoot, check_accessibility):
    page.goto("/day")
    expect(page.get_by_role("heading", name=re.compile("^Good "))).to_be_visible()
    expect(page.get_by_text("1 overdue · 1 due today · 1 scheduled · 1 in progress")).to_be_visible()
    expect(page.get_by_role("grid").get_by_role("link")).to_have_text(
        ["Late letter", "Due now", "Planned walk", "Under way", "Important", "Due soon"]
    )
    for group in ("Overdue 1", "Due today 1", "Scheduled for today 1", "In progress 1", "Could be today 2"):
        expect(page.get_by_role("button", name=group)).to_be_visible()
    expect(page.get_by_role("region", name="Best next")).to_contain_text("Late letter")
    shoot(page, "day")
    check_accessibility(page)


def test_the_best_next_is_started_and_tasks_are_checked_off(page, api, seeded):
    page.goto("/day")
    best = page.get_by_role("region", name="Best next")
    expect(best).to_contain_text("Late letter")
    best.get_by_role("button", name="Start").click()
    expect(page.get_by_role("region", name="Notices")).to_contain_text("moved to In progress")
    assert api.get(f"/api/tasks/{seeded['Late letter']}").json()["state"] == "in_progress"
    expect(best).not_to_contain_text("Late letter")

    row(page, "Due now").get_by_role("button", name=re.compile("Complete")).click()
    expect(page.get_by_role("button", name="Done today 1")).to_be_visible()
    expect(page.get_by_text(re.compile("1 done today$"))).to_be_visible()
    page.get_by_role("button", name="Undo").first.click()
    expect(page.get_by_role("button", name="Due today 1")).to_be_visible()


def test_something_is_pulled_into_today(page, api, seeded):
    page.goto("/day")
    page.get_by_role("button", name=f"Plan TP-{seeded['Due soon']} for today").click()
    expect(page.get_by_role("button", name="Scheduled for today 2")).to_be_visible()
    expect(page.get_by_role("region", name="Notices")).to_contain_text("is planned for today")
    assert api.get(f"/api/tasks/{seeded['Due soon']}").json()["scheduled_start"] == day()
    page.get_by_role("button", name="Undo").first.click()
    expect(page.get_by_role("button", name="Could be today 2")).to_be_visible()


def test_the_day_is_worked_with_the_keyboard_and_follows_what_others_do(page, api, seeded):
    page.goto("/day")
    expect(row(page, "Late letter")).to_be_visible()
    page.keyboard.press("j")
    page.keyboard.press("j")
    expect(row(page, "Due now")).to_be_focused()
    api.post("/api/tasks", json={"title": "Just came in", "due_date": day(), "priority": "critical"}).raise_for_status()
    expect(row(page, "Just came in")).to_be_visible()
    expect(row(page, "Due now")).to_be_focused()
    page.keyboard.press("e")
    expect(page.get_by_role("button", name="Done today 1")).to_be_visible()


def test_the_day_fits_a_phone(phone, seeded, shoot, check_accessibility):
    phone.goto("/day")
    expect(row(phone, "Late letter")).to_be_visible()
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    shoot(phone, "day-phone")
    check_accessibility(phone)


def test_a_free_day_says_how_to_fill_it(page, shoot, check_accessibility):
    page.goto("/day")
    expect(page.get_by_role("heading", name="A free day")).to_be_visible()
    shoot(page, "day-free")
    check_accessibility(page)
