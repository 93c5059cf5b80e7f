"""Days and what stands on them, seen and moved."""

from __future__ import annotations

import re
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import expect

MAY = "/calendar?day=2030-05-10"


@pytest.fixture
def tasks(api):
    """One due at nine in Berlin, one scheduled, one that repeats, one without a date."""
    made = [
        {"title": "Pay rent", "due_date": "2030-05-10T07:00:00Z"},
        {"title": "Write the report", "scheduled_start": "2030-05-14"},
        {"title": "Water the plants", "due_date": "2030-05-21", "recurrence": "FREQ=WEEKLY"},
        {"title": "Someday soon"},
    ]
    return {task["title"]: api.post("/api/tasks", json=task).json()["id"] for task in made}


def day(page, name):
    return page.get_by_role("gridcell", name=re.compile(rf"\b{name}\b"))


def test_a_month_shows_what_is_due_and_what_is_scheduled(page, api, tasks, shoot, check_accessibility):
    for number in range(9):
        api.post("/api/tasks", json={"title": f"Parcel {number}", "due_date": "2030-05-23"})
    page.goto(MAY)
    expect(page.get_by_role("grid", name="May 2030")).to_be_visible()
    expect(day(page, "10 May").get_by_role("button", name="Pay rent, due at 09:00")).to_be_visible()
    expect(day(page, "14 May").get_by_role("button", name="Write the report, scheduled")).to_be_visible()
    expect(day(page, "21 May").get_by_role("button", name="Water the plants, due, repeats")).to_be_visible()
    expect(
        page.get_by_role("list", name="Tasks without a date").get_by_role("button", name="Someday soon")
    ).to_be_visible()
    expect(page.get_by_role("columnheader").first).to_have_text("Mon")
    shoot(page, "calendar-month")
    check_accessibility(page)
    day(page, "23 May").get_by_role("button", name=re.compile(r"^\+\d more$")).click()
    rows = page.get_by_role("dialog").get_by_role("button", name=re.compile("^Parcel"))
    expect(rows).to_have_count(9)
    shoot(page, "calendar-day")
    check_accessibility(page)
    rows.first.click()
    expect(page).to_have_url(re.compile(r"task=\d+"))


def test_what_is_late_and_what_is_today_can_be_told(page, api):
    api.post("/api/tasks", json={"title": "Forgotten", "due_date": "2020-02-03"})
    page.goto("/calendar?day=2020-02-03")
    expect(page.get_by_role("button", name="Forgotten, due, late")).to_be_visible()
    page.keyboard.press(".")
    now = datetime.now(ZoneInfo("Europe/Berlin"))
    expect(page.get_by_role("grid", name=f"{now:%B %Y}")).to_be_visible()
    expect(page.locator('[aria-current="date"]')).to_have_accessible_name(re.compile(f"^Today, .*{now.day} {now:%B}"))


def test_a_task_dragged_to_another_day_keeps_its_time_and_can_come_back(page, api, tasks):
    page.goto(MAY)
    page.get_by_role("button", name="Pay rent, due at 09:00").drag_to(day(page, "13 May"))
    expect(day(page, "13 May").get_by_role("button", name="Pay rent, due at 09:00")).to_be_visible()
    expect(page.get_by_text(f"TP-{tasks['Pay rent']} is due 13 May 2030 09:00")).to_be_visible()
    assert api.get(f"/api/tasks/{tasks['Pay rent']}").json()["due_date"] == "2030-05-13T07:00:00Z"
    page.get_by_role("button", name="Undo").click()
    expect(day(page, "10 May").get_by_role("button", name="Pay rent, due at 09:00")).to_be_visible()


def test_dragging_moves_the_start_of_what_is_scheduled_and_dates_what_has_none(page, api, tasks):
    page.goto(MAY)
    page.get_by_role("button", name="Write the report, scheduled").drag_to(day(page, "16 May"))
    expect(day(page, "16 May").get_by_role("button", name="Write the report, scheduled")).to_be_visible()
    page.get_by_role("button", name="Someday soon, no date").drag_to(day(page, "17 May"))
    expect(day(page, "17 May").get_by_role("button", name="Someday soon, due")).to_be_visible()
    expect(page.get_by_text("Every open task has a date.")).to_be_visible()
    expect(page.get_by_text("is due 17 May 2030")).to_be_visible()
    report, someday = (api.get(f"/api/tasks/{tasks[title]}").json() for title in ("Write the report", "Someday soon"))
    assert (report["scheduled_start"], report["due_date"]) == ("2030-05-16", None)
    assert someday["due_date"] == "2030-05-17"


def test_the_keyboard_alone_finds_a_day_and_moves_a_task(page, api, tasks):
    page.goto(MAY)
    day(page, "10 May").focus()
    for key in ("ArrowDown", "ArrowLeft", "ArrowUp", "ArrowRight"):
        page.keyboard.press(key)
    expect(day(page, "10 May")).to_be_focused()
    page.keyboard.press("Enter")
    listed = page.get_by_role("dialog")
    expect(listed.get_by_role("button", name="Pay rent, due at 09:00")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("menuitem", name="Move to another day…")).to_be_focused()
    page.keyboard.press("Enter")
    box = listed.get_by_label("Another day")
    expect(box).to_be_focused()
    box.fill("2030-05-30")
    box.press("Enter")
    expect(day(page, "30 May").get_by_role("button", name="Pay rent, due at 09:00")).to_be_visible()
    expect(page.get_by_text("is due 30 May 2030 09:00")).to_be_visible()
    assert api.get(f"/api/tasks/{tasks['Pay rent']}").json()["due_date"] == "2030-05-30T07:00:00Z"


def test_months_and_weeks_are_walked_through(page, tasks, shoot, check_accessibility):
    page.goto(MAY)
    expect(page.get_by_role("grid", name="May 2030")).to_be_visible()
    page.keyboard.press("n")
    expect(page.get_by_role("grid", name="June 2030")).to_be_visible()
    page.keyboard.press("p")
    expect(page.get_by_role("grid", name="May 2030")).to_be_visible()
    page.get_by_role("radio", name="Week").click()
    expect(page.get_by_role("grid", name=re.compile("6 ?– ?12 May 2030"))).to_be_visible()
    expect(page.get_by_role("gridcell")).to_have_count(7)
    page.get_by_role("button", name="Next week").click()
    expect(page.get_by_role("button", name="Write the report, scheduled")).to_be_visible()
    shoot(page, "calendar-week")
    check_accessibility(page)
    page.reload()
    expect(page.get_by_role("button", name="Write the report, scheduled")).to_be_visible()


def test_an_empty_day_takes_a_new_task(page, api, tasks):
    page.goto(MAY)
    day(page, "16 May").click()
    box = page.get_by_role("textbox", name="Quick add")
    expect(box).to_be_focused()
    box.press_sequentially("Book the train")
    page.keyboard.press("Enter")
    expect(day(page, "16 May").get_by_role("button", name="Book the train, due")).to_be_visible()
    day(page, "17 May").click()
    expect(box).to_have_value(" due:2030-05-17")
    page.keyboard.press("Escape")
    expect(box).to_have_value("")


def test_what_others_date_appears(page, api, tasks):
    page.goto(MAY)
    expect(day(page, "20 May")).to_have_accessible_name(re.compile("nothing"))
    api.patch(f"/api/tasks/{tasks['Someday soon']}", json={"due_date": "2030-05-20"})
    expect(day(page, "20 May")).to_have_accessible_name(re.compile("1 task"), timeout=1_000)


def test_a_phone_shows_an_agenda(phone, api, tasks, shoot, check_accessibility):
    phone.goto(MAY)
    agenda = phone.get_by_role("list", name="May 2030")
    expect(agenda.get_by_role("heading", name="Friday 10 May")).to_be_visible()
    expect(agenda.get_by_role("button", name="Pay rent, due at 09:00")).to_be_visible()
    expect(agenda.get_by_role("heading", name="No date · 1")).to_be_visible()
    shoot(phone, "calendar-phone")
    check_accessibility(phone)
    phone.get_by_role("button", name=f"More for TP-{tasks['Pay rent']}").tap()
    phone.get_by_role("menuitem", name="A week later").tap()
    expect(agenda.get_by_role("heading", name="Friday 17 May")).to_be_visible()
    expect(phone.get_by_text("is due 17 May 2030 09:00")).to_be_visible()
    assert api.get(f"/api/tasks/{tasks['Pay rent']}").json()["due_date"] == "2030-05-17T07:00:00Z"
