"""How it went, in charts and in the tables behind them."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

CHARTS = ["Done per day", "Burn-up", "Open by status", "Streak", "By project", "By priority", "By status", "Cycle time"]
ZONE = {"tz": "Europe/Berlin"}


@pytest.fixture
def project(api):
    """Home: three done (one after it was started), two open. Beside it, one that is in no project."""
    project = api.post("/api/projects", json={"name": "Home"}).json()["id"]
    for number, priority in enumerate(["high", "high", "low", "medium", "critical"]):
        task = {"title": f"Task {number}", "priority": priority, "project_id": project}
        api.post("/api/tasks", json=task)
    api.post("/api/tasks", json={"title": "On its own", "state": "in_progress"})
    api.patch("/api/tasks/1", json={"state": "in_progress"})
    for task in (1, 2, 3):
        api.patch(f"/api/tasks/{task}", json={"state": "done"})
    return project


def table(page, title):
    """The numbers behind a chart, as the page shows them."""
    page.get_by_role("button", name=f"Table: {title}").click()
    shown = page.get_by_role("region", name=title, exact=True).get_by_role("table")
    rows = shown.get_by_role("row").all()
    return [[cell.strip() for cell in row.inner_text().split("\t")] for row in rows[1:]]


def test_every_chart_has_its_words_and_its_numbers_as_a_table(page, api, project, shoot, check_accessibility):
    page.goto("/insights")
    for title in CHARTS:
        expect(page.get_by_role("heading", name=title, exact=True)).to_be_visible()
    expect(page.get_by_role("group", name=re.compile("^Done per day. 3 tasks done in 30 days, 3"))).to_be_visible()
    expect(page.get_by_text("1 day in a row with something done.")).to_be_visible()
    shoot(page, "insights")
    check_accessibility(page)
    told = api.get("/api/insights", params=ZONE).json()
    today = told["days"][-1]
    assert table(page, "Done per day")[0][1] == str(today["completed"]) == "3"
    assert table(page, "Burn-up")[0][1:] == [str(today["created_total"]), str(today["completed_total"])] == ["6", "3"]
    assert table(page, "Open by status")[0][1:] == [*(str(number) for number in today["open"].values()), "3"]
    assert table(page, "By project") == [
        [each["name"] or "No project", str(each["open"]), str(each["completed"])] for each in told["by_project"]
    ]
    assert [row[1:] for row in table(page, "By priority")] == [
        [str(each["open"]), str(each["completed"])] for each in told["by_priority"]
    ]
    assert [row[1] for row in table(page, "By status")] == [str(number) for number in told["by_status"].values()]
    assert [row[1] for row in table(page, "Cycle time")] == [str(each["number"]) for each in told["cycle"]["buckets"]]
    shoot(page, "insights-tables")
    check_accessibility(page)


def test_a_task_completed_elsewhere_shows_at_once(page, api, project):
    page.goto("/insights")
    expect(page.get_by_text(re.compile("^3 tasks done in 30 days"))).to_be_visible()
    api.patch("/api/tasks/4", json={"state": "done"})
    expect(page.get_by_text(re.compile("^4 tasks done in 30 days, 4 of them today"))).to_be_visible(timeout=2_000)
    expect(page.get_by_role("row", name=re.compile("^dev-user person 4"))).to_be_visible()


def test_the_keyboard_reads_a_chart_day_by_day(page, project):
    page.goto("/insights?days=14")
    chart = page.get_by_role("group", name=re.compile("^Done per day"))
    chart.focus()
    page.keyboard.press("End")
    expect(chart.get_by_role("status")).to_contain_text("3 done")
    page.keyboard.press("ArrowLeft")
    expect(chart.get_by_role("status")).to_contain_text("0 done")
    page.keyboard.press("Escape")
    expect(chart.get_by_role("status")).to_be_empty()
    chart.hover()
    expect(chart.get_by_role("status")).to_contain_text("done")


def test_days_and_project_are_chosen_and_kept_in_the_address(page, api, project):
    page.goto("/insights")
    page.get_by_role("radio", name="90 days").click()
    expect(page.get_by_text(re.compile("^3 tasks done in 90 days"))).to_be_visible()
    page.get_by_role("combobox", name="Project").select_option("Home")
    expect(page.get_by_text("3 of 5 tasks are done.")).to_be_visible()
    expect(page).to_have_url(re.compile(rf"days=90&project={project}"))
    page.reload()
    expect(page.get_by_text("3 of 5 tasks are done.")).to_be_visible()


def test_before_the_first_task_it_says_how_to_begin(page, check_accessibility):
    page.goto("/insights")
    expect(page.get_by_role("heading", name="Nothing to show yet")).to_be_visible()
    check_accessibility(page)
    page.get_by_role("main").get_by_role("link", name="board").click()
    expect(page).to_have_url(re.compile("/board$"))


def test_a_phone_has_one_chart_below_the_other(phone, project, shoot, check_accessibility):
    phone.goto("/insights")
    expect(phone.get_by_role("heading", name="Done per day")).to_be_visible()
    shoot(phone, "insights-phone")
    check_accessibility(phone)
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    phone.get_by_role("heading", name="People and agents").scroll_into_view_if_needed()
    shoot(phone, "insights-phone-end")
