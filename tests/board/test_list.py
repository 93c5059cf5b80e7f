"""The list: filter, sort, group, choose several, and the keyboard alone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

TASKS = [
    {"title": "Apples", "priority": "low", "tags": ["home"], "due_date": "2099-01-03"},
    {"title": "Bread", "priority": "high", "tags": ["home", "shop"], "due_date": "2099-01-01"},
    {"title": "Cheese", "priority": "medium", "state": "in_progress"},
    {"title": "Dates", "priority": "critical", "tags": ["shop"], "state": "review"},
    {"title": "Eggs", "priority": "medium", "due_date": "2020-01-01"},
    {"title": "Flour", "priority": "someday", "state": "done"},
]


@pytest.fixture
def seeded(api):
    """Ids by title."""
    made = [api.post("/api/tasks", json=task).raise_for_status().json() for task in TASKS]
    return {task["title"]: task["id"] for task in made}


def expect_titles(page, *wanted):
    expect(page.get_by_role("grid").get_by_role("link")).to_have_text(list(wanted))


def row(page, title):
    return page.get_by_role("row", name=re.compile(rf"^TP-\d+ {title}$"))


def box(page, title):
    return row(page, title).get_by_role("checkbox")


def test_a_filter_is_in_the_address_and_a_reload_shows_the_same(page, seeded, shoot, check_accessibility):
    page.goto("/list")
    expect_titles(page, "Cheese", "Dates", "Bread", "Eggs", "Apples")
    shoot(page, "list")
    check_accessibility(page)

    bar = page.get_by_role("group", name="Filter")
    bar.get_by_role("button", name="Tag").click()
    page.get_by_role("menuitemcheckbox", name="home").click()
    page.get_by_role("menuitemcheckbox", name="shop").click()
    shoot(page, "list-filter")
    page.keyboard.press("Escape")
    expect(bar.get_by_role("button", name="Tag: home, shop")).to_be_visible()
    bar.get_by_role("button", name="Priority", exact=True).click()
    page.get_by_role("menuitemcheckbox", name="High").click()
    page.keyboard.press("Escape")
    expect_titles(page, "Bread")
    expect(page).to_have_url(re.compile(r"/list\?tag=home&tag=shop&priority=high$"))

    page.reload()
    expect_titles(page, "Bread")
    expect(bar.get_by_role("button", name="Priority: High")).to_be_visible()
    check_accessibility(page)

    bar.get_by_role("button", name="Clear priority").click()
    expect_titles(page, "Dates", "Bread", "Apples")
    bar.get_by_role("textbox", name="Filter by words").fill("nothing like it")
    expect(page.get_by_role("heading", name="No task fits")).to_be_visible()
    page.get_by_role("button", name="Clear the filter").click()
    expect_titles(page, "Cheese", "Dates", "Bread", "Eggs", "Apples")
    expect(page).to_have_url(re.compile(r"/list$"))


def test_what_is_late_can_be_asked_for_and_what_is_done_is_shown_only_then(page, seeded):
    page.goto("/list")
    expect(row(page, "Cheese")).to_be_visible()
    page.get_by_role("button", name="Due", exact=True).first.click()
    page.get_by_role("menuitemcheckbox", name="Overdue").click()
    expect_titles(page, "Eggs")
    page.get_by_role("button", name="Clear due").click()
    expect(row(page, "Flour")).to_have_count(0)
    page.get_by_role("button", name="Done too").click()
    expect_titles(page, "Cheese", "Dates", "Bread", "Eggs", "Apples", "Flour")
    page.reload()
    expect(row(page, "Flour")).to_be_visible()
    page.goto("/list?state=done")
    expect_titles(page, "Flour")


def test_headings_sort_and_groups_open_and_close(page, seeded, shoot, check_accessibility):
    page.goto("/list?group=none")
    expect_titles(page, "Dates", "Bread", "Cheese", "Eggs", "Apples")
    headings = page.get_by_role("grid").get_by_role("columnheader")
    title = headings.filter(has_text="Title")
    title.get_by_role("button").click()
    expect_titles(page, "Apples", "Bread", "Cheese", "Dates", "Eggs")
    expect(title).to_have_attribute("aria-sort", "ascending")
    title.get_by_role("button").click()
    expect_titles(page, "Eggs", "Dates", "Cheese", "Bread", "Apples")
    expect(title).to_have_attribute("aria-sort", "descending")

    page.get_by_role("button", name="Sort: Title").click()
    page.get_by_role("menuitemcheckbox", name="Due date").click()
    expect_titles(page, "Eggs", "Bread", "Apples", "Cheese", "Dates")
    page.get_by_role("button", name="Group: Nothing").click()
    page.get_by_role("menuitemcheckbox", name="Priority").click()
    expect_titles(page, "Dates", "Bread", "Eggs", "Cheese", "Apples")
    shoot(page, "list-groups")
    check_accessibility(page)

    page.get_by_role("button", name="Medium 2").click()
    expect_titles(page, "Dates", "Bread", "Apples")
    page.reload()
    expect_titles(page, "Dates", "Bread", "Apples")
    expect(page.get_by_role("button", name="Medium 2")).to_have_attribute("aria-expanded", "false")


def test_several_are_chosen_changed_together_and_undone(page, api, seeded, shoot, check_accessibility):
    def look(title, field):
        return api.get(f"/api/tasks/{seeded[title]}").json()[field]

    page.goto("/list?group=none&sort=title")
    box(page, "Bread").click()
    box(page, "Dates").click(modifiers=["Shift"])
    bar = page.get_by_role("toolbar", name="Chosen tasks")
    expect(bar).to_contain_text("3 chosen")
    for title in ("Bread", "Cheese", "Dates"):
        expect(row(page, title)).to_have_attribute("aria-selected", "true")
    shoot(page, "list-chosen")
    check_accessibility(page)

    notices = page.get_by_role("region", name="Notices")
    bar.get_by_role("button", name="Priority…").click()
    page.get_by_role("option", name="Low").click()
    expect(notices).to_contain_text("Priority: Low")
    assert {look(title, "priority") for title in ("Bread", "Cheese", "Dates")} == {"low"}
    notices.get_by_role("button", name="Undo").click()
    expect(notices).to_contain_text("Undone")
    assert [look(title, "priority") for title in ("Bread", "Cheese", "Dates")] == ["high", "medium", "critical"]

    bar.get_by_role("button", name="Complete").click()
    expect_titles(page, "Apples", "Eggs")
    expect(bar).to_have_count(0)
    expect(notices).to_contain_text("3 tasks are done")
    assert look("Cheese", "state") == "done"
    notices.get_by_role("button", name="Undo").first.click()
    expect_titles(page, "Apples", "Bread", "Cheese", "Dates", "Eggs")
    assert [look(title, "state") for title in ("Bread", "Cheese", "Dates")] == ["todo", "in_progress", "review"]

    box(page, "Apples").click()
    box(page, "Eggs").click()
    expect(bar).to_contain_text("2 chosen")
    bar.get_by_role("button", name="Delete").click()
    expect_titles(page, "Bread", "Cheese", "Dates")
    expect(notices).to_contain_text("2 tasks deleted")
    assert api.get(f"/api/tasks/{seeded['Eggs']}").status_code == 404
    notices.get_by_role("listitem").filter(has_text="2 tasks deleted").get_by_role("button", name="Undo").click()
    expect_titles(page, "Apples", "Bread", "Cheese", "Dates", "Eggs")
    assert look("Eggs", "title") == "Eggs"


def test_the_list_is_worked_with_the_keyboard_alone(page, api, seeded):
    def look(title, field):
        return api.get(f"/api/tasks/{seeded[title]}").json()[field]

    page.goto("/list?group=none&sort=title")
    expect(row(page, "Apples")).to_be_visible()
    page.keyboard.press("j")
    expect(row(page, "Apples")).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("k")
    page.keyboard.press("j")
    expect(row(page, "Bread")).to_be_focused()
    page.keyboard.press("x")
    expect(row(page, "Bread")).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Shift+J")
    page.keyboard.press("Shift+ArrowDown")
    bar = page.get_by_role("toolbar", name="Chosen tasks")
    expect(bar).to_contain_text("3 chosen")
    page.keyboard.press("Shift+K")
    expect(bar).to_contain_text("2 chosen")

    page.keyboard.press("p")
    expect(page.get_by_role("dialog", name="Priority")).to_be_visible()
    page.keyboard.type("crit")
    page.keyboard.press("Enter")
    expect(page.get_by_role("region", name="Notices")).to_contain_text("Priority: Critical")
    assert [look(title, "priority") for title in ("Bread", "Cheese")] == ["critical", "critical"]
    page.keyboard.press("Escape")
    expect(bar).to_have_count(0)

    # What is completed leaves; the next one takes its place and the keyboard with it.
    expect(row(page, "Cheese")).to_be_focused()
    page.keyboard.press("e")
    expect_titles(page, "Apples", "Bread", "Dates", "Eggs")
    expect(row(page, "Dates")).to_be_focused()
    page.keyboard.press("m")
    expect(page.get_by_role("dialog", name="Move to…")).to_be_visible()
    page.keyboard.type("done")
    page.keyboard.press("Enter")
    expect_titles(page, "Apples", "Bread", "Eggs")
    expect(row(page, "Eggs")).to_be_focused()
    assert look("Dates", "state") == "done"

    page.keyboard.press("Control+A")
    expect(bar).to_contain_text("3 chosen")
    page.keyboard.press("Escape")
    page.keyboard.press("Home")
    expect(row(page, "Apples")).to_be_focused()
    # Tab goes into the row: its buttons are pressed like any other.
    page.keyboard.press("Tab")
    expect(box(page, "Apples")).to_be_focused()
    page.keyboard.press("Space")
    expect(row(page, "Apples")).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(rf"task={seeded['Bread']}\b"))


def test_rows_are_changed_in_place(page, api, seeded):
    page.goto("/list?group=none&sort=title")
    row(page, "Apples").get_by_role("button", name=re.compile("^Todo. Complete")).click()
    expect_titles(page, "Bread", "Cheese", "Dates", "Eggs")
    row(page, "Bread").get_by_role("button", name=re.compile("^Priority of")).click()
    page.get_by_role("option", name="Someday").click()
    expect(row(page, "Bread").get_by_role("button", name=re.compile("Someday$"))).to_be_visible()
    row(page, "Eggs").get_by_role("button", name=re.compile("^Due date of")).click()
    page.get_by_role("option", name="No due date").click()
    expect(row(page, "Eggs")).not_to_contain_text("2020")
    api.patch(f"/api/tasks/{seeded['Cheese']}", json={"title": "Cheddar"}).raise_for_status()
    expect_titles(page, "Bread", "Cheddar", "Dates", "Eggs")
    row(page, "Dates").get_by_role("link", name="Dates").click()
    expect(page).to_have_url(re.compile(rf"task={seeded['Dates']}\b"))


def test_two_thousand_tasks_are_a_few_rows_on_the_page(page, api):
    for start in range(0, 2_000, 100):
        tasks = [{"title": f"Task {number:04}"} for number in range(start, start + 100)]
        api.post("/api/tasks/bulk", json={"create": tasks}).raise_for_status()
    page.goto("/list?sort=title")
    expect(row(page, "Task 0000")).to_be_visible()
    expect(page.get_by_role("button", name="Todo 2000")).to_be_visible()
    assert page.evaluate("document.querySelectorAll('*').length") < 2_500
    page.keyboard.press("End")
    expect(row(page, "Task 1999")).to_be_focused()
    expect(row(page, "Task 0000")).to_have_count(0)
    page.keyboard.press("k")
    expect(row(page, "Task 1998")).to_be_focused()


def test_the_list_fits_a_phone(phone, seeded, shoot, check_accessibility):
    phone.goto("/list")
    expect(row(phone, "Eggs")).to_be_visible()
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    box(phone, "Eggs").tap()
    expect(phone.get_by_role("toolbar", name="Chosen tasks")).to_contain_text("1 chosen")
    shoot(phone, "list-phone")
    check_accessibility(phone)


def test_an_empty_list_says_what_to_do(page, shoot, check_accessibility):
    page.goto("/list")
    expect(page.get_by_role("heading", name="Nothing to do")).to_be_visible()
    expect(page.get_by_role("link", name="connect an assistant")).to_have_attribute("href", "/welcome")
    shoot(page, "list-empty")
    check_accessibility(page)
