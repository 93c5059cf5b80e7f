"""Writing in a task: Markdown, what must not run, and that nothing typed is ever lost."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.board.test_task import add, read, saw

HARM = """# Title

Some **bold** words and `code`.

<script>window.ran = true</script>
<img src=x onerror="window.ran = true">

[a link](javascript:window.ran=true) and [a page](https://example.com)

| a | b |
|---|---|
| 1 | 2 |
"""


def test_markdown_is_shown_and_nothing_in_it_runs(page, api, shoot, check_accessibility):
    task = add(api, '<img src=x onerror="window.ran = true">', description=HARM, notes=HARM)
    page.goto(f"/task/{task}")
    text = page.get_by_role("region", name="Description")
    expect(text.get_by_role("heading", name="Title")).to_be_visible()
    expect(text.get_by_role("table")).to_be_visible()
    expect(text).to_contain_text("<script>window.ran = true</script>")
    expect(text.get_by_role("link", name="a page")).to_have_attribute("href", "https://example.com")
    expect(text.get_by_role("link", name="a link")).to_have_count(0)
    hrefs = page.eval_on_selector_all("a", "links => links.map(link => link.getAttribute('href') ?? '')")
    assert not [href for href in hrefs if "javascript" in href.lower()]
    expect(page.get_by_label("Title", exact=True)).to_have_value('<img src=x onerror="window.ran = true">')
    assert page.locator("main img").count() == 0
    assert page.evaluate("window.ran") is None
    shoot(page, "task-markdown")
    check_accessibility(page)


def test_a_description_is_written_with_the_slash_menu_and_lists_that_go_on(page, api, shoot):
    task = add(api, "Plan the party")
    page.goto(f"/board?task={task}")
    region = page.get_by_role("region", name="Description")
    region.get_by_text("Add a description…").click()
    box = region.get_by_role("textbox", name="Description")
    expect(box).to_be_focused()
    page.keyboard.type("Saturday\n/task")
    expect(page.get_by_role("listbox", name="Insert").get_by_role("option")).to_have_text(["Task list"])
    shoot(page, "task-slash")
    page.keyboard.press("Enter")
    page.keyboard.type("cake\ncandles")
    page.keyboard.press("Control+Enter")
    expect(region.get_by_role("checkbox", name="candles")).to_be_visible()
    expect(region.get_by_role("button", name="Edit description")).to_be_focused()
    saw(page, "description saved")
    assert read(api, task)["description"] == "Saturday\n- [ ] cake\n- [ ] candles"

    page.keyboard.press("Enter")
    expect(box).to_be_focused()
    page.keyboard.type("nonsense")
    page.keyboard.press("Escape")
    expect(box).to_have_count(0)
    expect(region).not_to_contain_text("nonsense")
    assert read(api, task)["description"].endswith("candles")


def test_leaving_a_text_saves_it_and_undo_takes_it_back(page, api):
    task = add(api, "Letter", notes="Old")
    page.goto(f"/task/{task}")
    region = page.get_by_role("region", name="Notes")
    region.get_by_text("Old").click()
    region.get_by_role("textbox", name="Notes").fill("New")
    page.get_by_label("Add a subtask").focus()
    saw(page, "notes saved")
    assert read(api, task)["notes"] == "New"
    page.get_by_role("button", name="Undo", exact=True).first.click()
    expect(region).to_contain_text("Old")


@pytest.mark.parametrize("answer", ["Keep mine", "Take theirs"])
def test_what_somebody_else_writes_meanwhile_is_offered_beside_it(page, api, shoot, check_accessibility, answer):
    task = add(api, "Speech", description="Dear all")
    page.goto(f"/board?task={task}")
    region = page.get_by_role("region", name="Description")
    region.get_by_text("Dear all").click()
    box = region.get_by_role("textbox", name="Description")
    box.fill("Dear friends")
    api.patch(f"/api/tasks/{task}", json={"priority": "high"}).raise_for_status()
    expect(page.get_by_role("button", name="Priority: High")).to_be_visible()
    expect(box).to_have_value("Dear friends")
    api.patch(f"/api/tasks/{task}", json={"description": "Hello everyone"}).raise_for_status()
    expect(region.get_by_role("status")).to_contain_text("changed this while you were editing")
    expect(box).to_have_value("Dear friends")
    region.get_by_role("button", name="Show both").click()
    expect(region).to_contain_text("Hello everyone")
    shoot(page, "task-conflict")
    check_accessibility(page)
    region.get_by_role("button", name=answer).click()
    if answer == "Keep mine":
        box.press("Control+Enter")
        saw(page, "description saved")
    expect(region).to_contain_text("Dear friends" if answer == "Keep mine" else "Hello everyone")
    assert read(api, task)["description"] == ("Dear friends" if answer == "Keep mine" else "Hello everyone")


def test_another_field_changed_meanwhile_does_not_stand_in_the_way(page, api):
    task = add(api, "Tidy up")
    page.goto(f"/task/{task}")
    title = page.get_by_label("Title", exact=True)
    title.fill("Tidy up everything")
    api.patch(f"/api/tasks/{task}", json={"energy": "deep"}).raise_for_status()
    expect(page.get_by_role("button", name="Energy: Deep")).to_be_visible()
    title.press("Enter")
    saw(page, "title saved")
    found = read(api, task)
    assert (found["title"], found["energy"]) == ("Tidy up everything", "deep")


def test_what_is_typed_survives_a_reload(page, api):
    task = add(api, "Poem")
    page.goto(f"/task/{task}")
    region = page.get_by_role("region", name="Description")
    region.get_by_role("button", name="Edit description").press("Enter")
    region.get_by_role("textbox", name="Description").fill("Roses are red")
    page.reload()
    expect(region.get_by_role("textbox", name="Description")).to_have_value("Roses are red")
    region.get_by_role("button", name="Save").click()
    saw(page, "description saved")
    assert read(api, task)["description"] == "Roses are red"
    page.reload()
    expect(region).to_contain_text("Roses are red")
    expect(region.get_by_role("textbox", name="Description")).to_have_count(0)


def test_what_is_typed_survives_a_restart_of_the_server(page, server, api, watch):
    watch.allow(
        "ERR_CONNECTION_REFUSED", "ERR_INCOMPLETE_CHUNKED_ENCODING", "ERR_EMPTY_RESPONSE", "ERR_CONNECTION_RESET"
    )
    task = add(api, "Report", description="Draft")
    page.goto(f"/board?task={task}")
    region = page.get_by_role("region", name="Description")
    region.get_by_text("Draft").click()
    box = region.get_by_role("textbox", name="Description")
    box.fill("Draft, second")
    server.stop()
    box.press_sequentially(" version")
    box.press("Control+Enter")
    expect(region.get_by_role("status")).to_contain_text(re.compile("Not saved yet"))
    expect(region).to_contain_text("Draft, second version")
    server.start()
    saw(page, "description saved")
    expect(region.get_by_role("status")).to_have_count(0)
    assert server.client().get(f"/api/tasks/{task}").json()["description"] == "Draft, second version"
