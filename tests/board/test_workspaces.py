"""Workspaces: a real folder with its rules, files and audit findings."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect


@pytest.fixture
def shop(tmp_path):
    """A folder as people have them."""
    folder = tmp_path / "shop"
    folder.mkdir()
    (folder / "till.py").write_text("total = 0\n")
    return folder


@pytest.fixture
def workspace(api, shop):
    """The folder's workspace, with a task that names a file that is there and one that is not."""
    made = api.post("/api/workspaces", json={"path": str(shop)}).json()
    said = {"workspace_id": made["id"], "description": "Add it up to the last cent, please."}
    files = ["till.py", "receipts.py"]
    api.post("/api/tasks", json={"title": "Count the till", "connected_files": files, **said}).raise_for_status()
    api.post("/api/tasks", json={"title": "Sweep", "workspace_id": made["id"], "priority": "high"}).raise_for_status()
    return made


def test_a_folder_is_opened_and_renamed_on_the_page(page, api, shop, shoot, check_accessibility):
    page.goto("/workspaces")
    expect(page.get_by_role("heading", name="No workspaces yet")).to_be_visible()
    shoot(page, "workspaces-none")
    page.get_by_role("button", name="Open a folder").click()
    page.get_by_role("textbox", name="Folder").fill(str(shop))
    page.get_by_role("button", name="Open it").click()
    expect(page.get_by_role("heading", name="shop")).to_be_visible()
    page.get_by_role("button", name="Rename").click()
    page.get_by_label("Name of the workspace").fill("Corner shop")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Corner shop")).to_be_visible()
    expect(page.get_by_text("Renamed to Corner shop")).to_be_visible()
    assert api.get("/api/workspaces/1").json()["name"] == "Corner shop"
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("heading", name="shop", exact=True)).to_be_visible()

    page.get_by_role("main").get_by_role("link", name="Workspaces").click()
    expect(page.get_by_role("link", name=re.compile("shop"))).to_contain_text(str(shop))
    shoot(page, "workspaces")
    check_accessibility(page)


def test_rules_are_written_changed_deleted_and_brought_back(page, api, workspace, shoot, check_accessibility):
    page.goto(f"/workspaces/{workspace['id']}")
    page.get_by_role("tab", name="Rules").click()
    page.get_by_role("button", name="Begin with five").click()
    expect(page.get_by_role("region", name="Git")).to_contain_text("One change, one commit")
    form = page.get_by_role("form", name="New rule")
    form.get_by_label("New rule").fill("Never **round** down. <img src=x onerror=alert(1)>")
    form.get_by_label("Kind").select_option("More")
    form.get_by_role("button", name="Add the rule").click()
    custom = page.get_by_role("region", name="More")
    expect(custom.locator("strong")).to_have_text("round")
    expect(custom).to_contain_text("<img src=x onerror=alert(1)>")
    shoot(page, "workspace-rules")
    check_accessibility(page)

    custom.get_by_role("button", name=re.compile("Edit: Never")).click()
    custom.get_by_label("Rule").fill("Never round at all.")
    custom.get_by_role("button", name="Save").click()
    expect(custom).to_contain_text("Never round at all.")
    custom.get_by_role("button", name=re.compile("Delete: Never")).click()
    expect(custom).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(custom).to_contain_text("Never round at all.")
    rules = api.get(f"/api/workspaces/{workspace['id']}/rules").json()["rules"]
    assert [rule["content"] for rule in rules if rule["kind"] == "custom"] == ["Never round at all."]


def test_the_audit_finds_what_is_wrong_and_puts_right_what_it_can(
    page, api, workspace, shop, shoot, check_accessibility
):
    page.goto(f"/workspaces/{workspace['id']}?view=files")
    expect(page.get_by_text("receipts.py")).to_be_visible()
    page.get_by_role("tab", name="Audit").click()
    grave = page.get_by_role("region", name="Stands in the way")
    expect(grave).to_contain_text("The connected file receipts.py is not there.")
    expect(page.get_by_role("region", name="Needs a decision")).to_contain_text("Sweep")
    expect(page.get_by_role("region", name="Could be better")).to_contain_text("It has no description to work from.")
    shoot(page, "workspace-audit")
    check_accessibility(page)
    page.get_by_role("button", name="Put 1 right").click()
    expect(grave).to_have_count(0)
    assert api.get("/api/tasks/1").json()["connected_files"] == ["till.py"]
    page.get_by_role("button", name="Undo").click()
    expect(grave).to_contain_text("receipts.py")
    assert api.get("/api/tasks/1").json()["connected_files"] == ["till.py", "receipts.py"]


def test_a_workspace_shows_what_goes_on_in_it_and_leads_to_its_tasks(page, api, workspace, shoot, check_accessibility):
    api.post("/api/tasks", json={"title": "Elsewhere"})
    api.post(f"/api/workspaces/{workspace['id']}/sessions")
    page.goto(f"/workspaces/{workspace['id']}")
    expect(page.get_by_role("region", name="Most urgent")).to_contain_text("Sweep")
    shoot(page, "workspace")
    check_accessibility(page)
    page.get_by_role("tab", name="Activity").click()
    expect(page.get_by_role("region", name="Sessions")).to_contain_text("open")
    expect(page.get_by_role("region", name="Latest")).to_contain_text("created TP-1 Count the till")
    shoot(page, "workspace-activity")
    check_accessibility(page)
    page.get_by_role("tab", name="Overview").click()
    page.get_by_role("link", name="Its tasks on the board").click()
    expect(page.get_by_text("Count the till")).to_be_visible()
    expect(page.get_by_text("Elsewhere")).to_have_count(0)


def test_a_workspace_that_is_not_there_is_told(page, watch):
    watch.allow("status of 404")
    page.goto("/workspaces/99")
    expect(page.get_by_role("alert")).to_contain_text("This workspace could not be loaded")


def test_a_workspace_fits_a_phone(phone, workspace, shoot, check_accessibility):
    phone.goto(f"/workspaces/{workspace['id']}?view=audit")
    expect(phone.get_by_text("The connected file receipts.py is not there.")).to_be_visible()
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    shoot(phone, "workspace-phone")
    check_accessibility(phone)
