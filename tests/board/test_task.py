"""The task, beside the board and on a page of its own: every property, its subtasks, its history."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect


def add(api, title, **fields):
    made = api.post("/api/tasks", json={"title": title, **fields})
    assert made.status_code == 201, made.text
    return made.json()["id"]


def read(api, task):
    return api.get(f"/api/tasks/{task}").json()


def saw(page: Page, words):
    """The toast says that it is done, so the server has it."""
    expect(page.get_by_text(words).last).to_be_visible()


def choose(page: Page, name, value):
    page.get_by_role("button", name=re.compile(f"^{name}:")).click()
    page.get_by_role("menuitemcheckbox", name=value, exact=True).click()
    expect(page.get_by_role("button", name=f"{name}: {value}")).to_be_visible()


def find(page: Page, opener, words, option):
    page.get_by_role("button", name=opener).click()
    page.get_by_role("combobox").last.fill(words)
    page.get_by_role("option", name=option).click()


def test_what_a_task_is_like_is_changed_in_the_panel(page, api, shoot, check_accessibility):
    task = add(api, "Pay the rent", description="By **bank**.")
    page.goto(f"/board?task={task}")
    panel = page.get_by_role("complementary", name=f"Task TP-{task}")
    expect(panel.get_by_label("Title")).to_have_value("Pay the rent")

    title = panel.get_by_label("Title")
    title.fill("Pay the rent twice")
    title.press("Enter")
    saw(page, "title saved")
    choose(page, "Status", "In review")
    choose(page, "Priority", "Critical")
    choose(page, "Energy", "Deep")
    find(page, re.compile("^Estimate:"), "45min", "45min")
    find(page, re.compile("^Project:"), "Home", "New project “Home”")
    expect(page.get_by_role("button", name="Project: Home")).to_be_visible()
    find(page, "Add a tag", "money", "New tag “money”")
    page.keyboard.press("Escape")
    expect(panel.get_by_role("list", name="Tags")).to_contain_text("money")
    find(page, re.compile("^Repeats:"), "every month", "Every month")
    expect(page.get_by_role("button", name="Repeats: every month")).to_be_visible()
    panel.get_by_label("Add an acceptance command").fill("make check")
    panel.get_by_label("Add an acceptance command").press("Enter")
    saw(page, "Added make check")
    panel.get_by_label("Progress", exact=True).focus()
    page.keyboard.press("ArrowRight")
    saw(page, "Progress: 5 %")
    shoot(page, "task-panel")
    check_accessibility(page)

    found = read(api, task)
    assert found["title"] == "Pay the rent twice"
    assert (found["state"], found["priority"], found["energy"]) == ("review", "critical", "deep")
    assert (found["time_estimate"], found["project"], found["tags"]) == ("45min", "Home", ["money"])
    assert (found["recurrence"], found["acceptance"], found["progress"]) == ("FREQ=MONTHLY", ["make check"], 5)


def test_dates_are_said_in_words_or_chosen(page, api, shoot):
    task = add(api, "Call the bank")
    page.goto(f"/board?task={task}")
    page.get_by_role("button", name="Due: none").click()
    due = page.get_by_role("dialog", name="Due")
    due.get_by_label("Due in words").fill("24 dec 5pm")
    expect(due.get_by_role("status")).to_contain_text("24 December")
    shoot(page, "task-due")
    due.get_by_label("Due in words").press("Enter")
    expect(page.get_by_role("button", name=re.compile("^Due: 24 Dec"))).to_be_visible()
    saw(page, "Due: 24 Dec")
    assert read(api, task)["due_date"].endswith("-12-24T16:00:00Z")

    page.get_by_role("button", name="Start: none").click()
    start = page.get_by_role("dialog", name="Start")
    start.get_by_label("Day").fill("2030-01-02")
    start.get_by_label("Time").fill("08:30")
    start.get_by_role("button", name="Set").click()
    saw(page, "Start: 2 Jan 2030")
    assert read(api, task)["scheduled_start"] == "2030-01-02T07:30:00Z"

    page.get_by_role("button", name=re.compile("^Due: 24 Dec")).click()
    page.get_by_role("button", name="Clear").click()
    saw(page, "Due: none")
    assert read(api, task)["due_date"] is None


def test_a_task_waits_for_another_and_its_card_is_locked(page, api):
    first, second = add(api, "Buy paint"), add(api, "Paint the wall")
    page.goto(f"/board?task={second}")
    find(page, "Add a blocker", "paint", f"TP-{first} Buy paint")
    blockers = page.get_by_role("list", name="Blocked by")
    expect(blockers).to_contain_text("Buy paint")
    saw(page, f"Waits for TP-{first}")
    assert read(api, second)["blocked_by"] == [first]
    main = page.get_by_role("main")
    expect(main.get_by_role("img", name="Waits for 1 task")).to_be_visible()

    blockers.get_by_role("link", name="Buy paint").click()
    expect(page.get_by_role("complementary", name=f"Task TP-{first}")).to_be_visible()
    expect(page.get_by_role("list", name="Blocks")).to_contain_text("Paint the wall")
    page.go_back()
    page.get_by_role("button", name=f"No longer blocked by TP-{first}").click()
    saw(page, f"No longer waits for TP-{first}")
    assert read(api, second)["blocked_by"] == []


def test_subtasks_are_added_ticked_and_opened(page, api, shoot, check_accessibility):
    task = add(api, "Move house")
    page.goto(f"/task/{task}")
    steps = page.get_by_role("region", name="Subtasks")
    box = steps.get_by_label("Add a subtask")
    box.fill("Pack")
    box.press("Enter")
    expect(steps.get_by_role("link", name="Pack")).to_be_visible()
    box.fill("Carry")
    box.press("Enter")
    expect(steps.get_by_role("link", name="Carry")).to_be_visible()
    steps.get_by_role("checkbox", name=re.compile("Pack is done")).check()
    expect(steps).to_contain_text("1/2")
    saw(page, "is done")
    shoot(page, "task-page")
    check_accessibility(page)
    found = api.get(f"/api/tasks/{task}/subtasks").json()["tasks"]
    assert sorted((each["title"], each["state"]) for each in found) == [("Carry", "todo"), ("Pack", "done")]

    steps.get_by_role("link", name="Carry").click()
    expect(page.get_by_label("Title")).to_have_value("Carry")
    page.get_by_role("navigation", name="Part of").get_by_role("link").click()
    expect(page).to_have_url(re.compile(f"/task/{task}$"))


def test_a_task_list_in_the_text_is_ticked_and_becomes_subtasks(page, api):
    task = add(api, "Shop", description="For Sunday\n\n- [ ] milk\n- [ ] bread")
    page.goto(f"/task/{task}")
    text = page.get_by_role("region", name="Description")
    text.get_by_role("checkbox", name="milk").check()
    saw(page, "description saved")
    assert "- [x] milk" in read(api, task)["description"]
    text.get_by_role("button", name="Make subtasks").click()
    expect(page.get_by_role("region", name="Subtasks")).to_contain_text("1/2")
    assert read(api, task)["description"] == "For Sunday"
    page.get_by_role("listitem").filter(has_text="2 subtasks").get_by_role("button", name="Undo").click()
    expect(text.get_by_role("checkbox", name="milk")).to_be_checked()
    assert api.get(f"/api/tasks/{task}/subtasks").json()["tasks"] == []


def test_the_activity_tells_every_change_and_takes_one_back(page, api, shoot, check_accessibility):
    task = add(api, "Write the letter")
    api.patch(f"/api/tasks/{task}", json={"priority": "high"})
    api.patch(f"/api/tasks/{task}", json={"state": "done"})
    page.goto(f"/board?task={task}")
    activity = page.get_by_role("tabpanel", name="Activity")
    expect(activity).to_contain_text("created it")
    expect(activity).to_contain_text("set priority to High")
    expect(activity).to_contain_text("completed it")
    shoot(page, "task-activity")
    check_accessibility(page)
    activity.get_by_role("button", name=re.compile("Undo: .* set priority to High")).click()
    expect(page.get_by_role("button", name="Priority: Medium")).to_be_visible()
    expect(activity).to_contain_text("took a change back")
    found = read(api, task)
    assert (found["priority"], found["state"]) == ("medium", "done")


def test_files_and_links_are_kept_with_the_task(page, api, check_accessibility):
    task = add(api, "Fix the form")
    page.goto(f"/task/{task}")
    page.get_by_role("tab", name="Files").click()
    page.get_by_label("Add a file").fill("src/form.ts")
    page.get_by_label("Add a file").press("Enter")
    expect(page.get_by_role("list", name="Files")).to_contain_text("src/form.ts")
    saw(page, "Added src/form.ts")
    check_accessibility(page)
    page.get_by_role("tab", name="Links").click()
    page.get_by_label("Add a link").fill("javascript:alert(1)")
    page.get_by_label("Add a link").press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("not the address of a page")
    page.get_by_label("Add a link").fill("https://github.com/acme/shop/issues/7")
    page.get_by_label("Add a link").press("Enter")
    expect(page.get_by_role("link", name="acme/shop/issues/7")).to_have_attribute("rel", "noreferrer noopener")
    saw(page, "Link added")
    check_accessibility(page)
    page.get_by_role("tab", name="Runs").click()
    expect(page.get_by_role("tabpanel")).to_contain_text("No agent has worked on it yet.")
    found = read(api, task)
    assert found["connected_files"] == ["src/form.ts"]
    assert [each["key"] for each in found["external_refs"]] == ["acme/shop/issues/7"]


def test_who_holds_a_task_is_told_and_it_can_be_released(page, api):
    task = add(api, "Deploy")
    api.post(f"/api/tasks/{task}/claim", json={}).raise_for_status()
    page.goto(f"/board?task={task}")
    page.get_by_role("button", name="Release").click()
    expect(page.get_by_role("button", name="Release")).to_have_count(0)
    assert api.get(f"/api/tasks/{task}/claim").json()["claim"] is None


def test_a_task_that_is_gone_says_so_and_comes_back(page, api, watch, shoot, check_accessibility):
    watch.allow("404")
    task = add(api, "Keep me")
    page.goto(f"/board?task={task}")
    page.get_by_role("button", name="More", exact=True).click()
    page.get_by_role("menuitem", name="Delete").click()
    expect(page.get_by_role("complementary")).to_have_count(0)
    saw(page, f"TP-{task} deleted")
    page.goto(f"/task/{task}")
    expect(page.get_by_role("heading", name=f"TP-{task} is in the bin")).to_be_visible()
    shoot(page, "task-gone")
    check_accessibility(page)
    page.get_by_role("button", name="Bring it back").click()
    expect(page.get_by_label("Title")).to_have_value("Keep me")
    page.goto("/task/4711")
    expect(page.get_by_role("heading", name="There is no TP-4711")).to_be_visible()


def test_the_panel_is_sized_copied_closed_and_opened_with_the_keyboard(page, api):
    task = add(api, "Read a book", tags=["calm"])
    page.goto(f"/board?task={task}")
    edge = page.get_by_role("separator", name="Width of the task panel")
    before = int(edge.get_attribute("aria-valuenow"))
    edge.focus()
    page.keyboard.press("ArrowLeft")
    expect(edge).to_have_attribute("aria-valuenow", str(before + 24))
    page.reload()
    expect(edge).to_have_attribute("aria-valuenow", str(before + 24))
    page.get_by_role("button", name=f"Copy the link of TP-{task}").click()
    assert page.evaluate("navigator.clipboard.readText()").endswith(f"/task/{task}")
    page.get_by_role("button", name="More", exact=True).press("Enter")
    page.get_by_role("menuitem", name="Copy as Markdown").press("Enter")
    saw(page, "Copied as Markdown")
    assert page.evaluate("navigator.clipboard.readText()").startswith(f"# TP-{task} Read a book\n")
    edge.focus()
    page.mouse.move(0, 0)
    expect(page.get_by_role("tooltip")).to_have_count(0)  # an open tip takes the first Escape for itself
    page.keyboard.press("Escape")
    expect(page.get_by_role("complementary")).to_have_count(0)
    page.keyboard.press("Enter")
    expect(page.get_by_role("complementary", name=f"Task TP-{task}")).to_be_visible()


def test_a_task_fills_a_phone(phone, api, shoot, check_accessibility):
    task = add(api, "Walk the dog", description="- [ ] leash", priority="high", tags=["outside"])
    phone.goto(f"/board?task={task}")
    panel = phone.get_by_role("complementary", name=f"Task TP-{task}")
    expect(panel.get_by_label("Title")).to_have_value("Walk the dog")
    assert panel.bounding_box()["width"] == phone.viewport_size["width"]
    shoot(phone, "task-phone")
    check_accessibility(phone)
    panel.get_by_role("button", name="Close").tap()
    expect(panel).to_have_count(0)
