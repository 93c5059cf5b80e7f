"""Jotting a task down in one line, and seeing what was understood."""

from __future__ import annotations

import re

from playwright.sync_api import expect

SENTENCE = "Pay rent tomorrow 9am #home !high every month ~30min"


def test_a_line_shows_what_it_means_while_it_is_typed_and_becomes_that(page, api, shoot, check_accessibility):
    api.post("/api/tasks", json={"title": "Here already"})
    page.goto("/board")
    expect(page.get_by_role("article")).to_have_count(1)
    page.keyboard.press("q")
    box = page.get_by_role("textbox", name="Quick add")
    expect(box).to_be_focused()
    box.press_sequentially(SENTENCE)
    understood = page.get_by_role("status").filter(has_text="Pay rent")
    for said in ("due: ", "09:00", "tag: home", "priority: high", "recurrence: every month", "estimate: 30min"):
        expect(understood).to_contain_text(said)
    shoot(page, "quick-add")
    check_accessibility(page)
    box.press("Enter")
    expect(page.get_by_role("article", name=re.compile("Pay rent"))).to_be_visible()
    expect(box).to_have_value("")
    (task,) = api.get("/api/tasks", params={"q": "rent"}).json()["tasks"]
    assert (task["title"], task["tags"], task["priority"]) == ("Pay rent", ["home"], "high")
    assert (task["recurrence"], task["time_estimate"]) == ("FREQ=MONTHLY", "30min")
    assert task["due_date"].endswith(":00:00Z")


def test_adding_can_be_undone(page, api):
    api.post("/api/tasks", json={"title": "Here already"})
    page.goto("/board")
    expect(page.get_by_role("article")).to_have_count(1)
    page.keyboard.press("c")
    page.get_by_role("textbox", name="Quick add").fill("A slip of the finger")
    page.keyboard.press("Enter")
    expect(page.get_by_role("article", name=re.compile("A slip"))).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("article", name=re.compile("A slip"))).to_have_count(0)
    assert [task["title"] for task in api.get("/api/tasks").json()["tasks"]] == ["Here already"]


def test_a_line_without_a_title_says_so_and_is_kept(page, api, watch):
    watch.allow("422")
    api.post("/api/tasks", json={"title": "Here already"})
    page.goto("/board")
    box = page.get_by_role("textbox", name="Quick add")
    box.fill("#home !high")
    expect(page.get_by_text("It needs a title, too.")).to_be_visible()
    box.press("Enter")
    expect(page.get_by_role("listitem").filter(has_text="title")).to_be_visible()
    expect(box).to_have_value("#home !high")
    assert api.get("/api/tasks").json()["total"] == 1


def test_what_was_typed_survives_a_reload(page, api):
    api.post("/api/tasks", json={"title": "Here already"})
    page.goto("/board")
    page.get_by_role("textbox", name="Quick add").fill("Half a thou")
    page.reload()
    expect(page.get_by_role("textbox", name="Quick add")).to_have_value("Half a thou")
