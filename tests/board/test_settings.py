"""The settings: who one is, how things look, and what programs may do."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

import pytest
from playwright.sync_api import expect

from tests.board.conftest import PHONE
from tests.board.server import PASSWORD
from tests.surfaces.oauth import flow

REFUSED = r"status of 401"


@pytest.fixture
def house(open_server, watch):
    """A server where people sign in, with Ann on it."""
    watch.allow(REFUSED)
    house = open_server(auth="required")
    house.sign_up().post("/api/tasks", json={"title": "Water the plants"})
    return house


def enter(page, place, password=PASSWORD):
    page.goto(place)
    page.get_by_label("Email", exact=True).fill("ann@example.com")
    page.get_by_label("Password", exact=True).fill(password)
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("heading", name="Sign in to TaskPilot")).to_have_count(0)
    expect(page.get_by_role("main")).to_be_visible()


def test_a_token_is_made_copied_once_used_and_ended(house, open_page, shoot, check_accessibility):
    page = open_page(house)
    enter(page, "/settings/tokens")
    form = page.get_by_role("form", name="New token")
    form.get_by_label("Name").fill("my script")
    form.get_by_label("change tasks").uncheck()
    form.get_by_label("Good for").select_option("30 days")
    form.get_by_role("button", name="Make the token").click()
    expect(page.get_by_text("Copy my script now. It is not shown again.")).to_be_visible()
    expect(page.get_by_role("list", name="Tokens").get_by_text("May read tasks")).to_be_visible()
    shoot(page, "settings-tokens")
    check_accessibility(page)
    page.get_by_role("button", name="Copy: Token my script").click()
    expect(page.get_by_role("button", name="Copy: Token my script")).to_contain_text("Copied")
    token = page.evaluate("navigator.clipboard.readText()")
    assert token.startswith("tp_")

    program = house.client(token)
    assert [task["title"] for task in program.get("/api/tasks").json()["tasks"]] == ["Water the plants"]
    assert program.post("/api/tasks", json={"title": "No"}).status_code == 403

    page.reload()
    expect(page.get_by_role("list", name="Tokens").get_by_text("my script")).to_be_visible()
    assert token not in page.content()
    page.get_by_role("button", name="End: my script").click()
    assert program.get("/api/tasks").status_code == 200, "asked first"
    page.get_by_role("button", name="End: my script, yes").click()
    expect(page.get_by_role("list", name="Tokens")).to_have_count(0)
    assert program.get("/api/tasks").status_code == 401


def test_the_theme_is_kept_with_the_person(house, open_page, shoot, check_accessibility):
    page = open_page(house)
    enter(page, "/settings/appearance")
    expect(page.get_by_role("radio", name="As the system")).to_be_checked()
    shoot(page, "settings-appearance")
    check_accessibility(page)
    page.get_by_role("radio", name="Dark").click()
    expect(page.locator("html")).to_have_class(re.compile("dark"))
    page.get_by_role("radio", name="Sunday").click()
    page.get_by_role("button", name="Use this browser's: Europe/Berlin").click()
    expect(page.get_by_label("Time zone")).to_have_value("Europe/Berlin")
    page.reload()
    expect(page.locator("html")).to_have_class(re.compile("dark"))
    expect(page.get_by_role("radio", name="Dark")).to_be_checked()

    other = open_page(house)
    enter(other, "/settings/appearance")
    expect(other.locator("html")).to_have_class(re.compile("dark"))
    expect(other.get_by_role("radio", name="Sunday")).to_be_checked()
    expect(other.get_by_label("Time zone")).to_have_value("Europe/Berlin")


def test_an_unknown_time_zone_is_refused_in_words_and_put_back(page, watch):
    watch.allow("status of 4")
    page.goto("/settings/appearance")
    page.get_by_label("Time zone").fill("Middle/Earth")
    page.get_by_label("Time zone").press("Enter")
    expect(page.get_by_role("region", name=re.compile("Notices"))).to_contain_text("Middle/Earth")
    expect(page.get_by_label("Time zone")).to_have_value("UTC")


def test_the_password_changes_and_ends_the_other_logins(house, open_page, shoot, check_accessibility):
    page, other = open_page(house), open_page(house)
    enter(page, "/settings/profile")
    enter(other, "/board")
    expect(page.get_by_role("heading", name="Profile")).to_be_visible()
    shoot(page, "settings-profile")
    check_accessibility(page)
    page.get_by_label("Current password", exact=True).fill("not it")
    page.get_by_label("New password", exact=True).fill("a better one by far")
    page.get_by_role("button", name="Change the password").click()
    expect(page.get_by_role("alert").filter(has_text="The current password is not right.")).to_be_visible()
    page.get_by_label("Current password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Change the password").click()
    expect(page.get_by_text("Your password is changed")).to_be_visible()
    other.reload()
    expect(other.get_by_role("heading", name="Sign in to TaskPilot")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="Profile")).to_be_visible()


def test_an_app_that_was_let_in_is_shown_and_sent_away(house, open_page, shoot, check_accessibility):
    program = house.client()
    client_id = flow.register(program, client_name="Claude").json()["client_id"]
    asked = flow.open_page(program, flow.ask(program, client_id, resource=f"{house.address}/mcp"))
    code = flow.read_answer(flow.decide(program, asked, origin=house.address))["code"]
    token = flow.exchange(program, client_id, code).json()["access_token"]
    knock = {"headers": {"Authorization": f"Bearer {token}"}, "json": {}}
    assert program.post("/mcp", **knock).status_code != 401
    page = open_page(house)
    enter(page, "/settings/clients")
    app = page.get_by_role("list", name="Apps").get_by_role("listitem").filter(has_text="Claude")
    expect(app).to_contain_text("read tasks")
    shoot(page, "settings-apps")
    check_accessibility(page)
    app.get_by_role("button", name=re.compile("Disconnect")).click()
    app.get_by_role("button", name=re.compile("Disconnect")).click()
    expect(page.get_by_text("No app is connected")).to_be_visible()
    assert program.post("/mcp", **knock).status_code == 401


def test_somebody_signs_out_elsewhere(house, open_page, shoot, check_accessibility):
    page, other = open_page(house), open_page(house)
    enter(other, "/board")
    enter(page, "/settings/sessions")
    logins = page.get_by_role("list", name="Logins").get_by_role("listitem")
    expect(logins).to_have_count(3)  # the program that Ann signed up with is one
    expect(logins.filter(has_text="this page")).to_have_count(1)
    shoot(page, "settings-sessions")
    check_accessibility(page)
    page.get_by_role("button", name="Sign out everywhere else: all other places").click()
    page.get_by_role("button", name="Sign out everywhere else: all other places, yes").click()
    expect(logins).to_have_count(1)
    other.reload()
    expect(other.get_by_role("heading", name="Sign in to TaskPilot")).to_be_visible()


def test_data_is_taken_along_and_brought_back_and_the_account_deleted(
    house, open_page, tmp_path, watch, shoot, check_accessibility
):
    watch.allow("status of 4")
    page = open_page(house)
    enter(page, "/settings/data")
    shoot(page, "settings-data")
    check_accessibility(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download everything").click()
    kept = tmp_path / download.value.suggested_filename
    download.value.save_as(kept)
    assert [task["title"] for task in json.loads(kept.read_text())["tasks"]] == ["Water the plants"]

    page.get_by_label("File to import").set_input_files(kept)
    expect(page.get_by_text("Imported: 1 task")).to_be_visible()
    broken = tmp_path / "broken.json"
    broken.write_text("not json")
    page.get_by_label("File to import").set_input_files(broken)
    expect(page.get_by_role("alert").filter(has_text="broken.json was not imported")).to_be_visible()

    page.get_by_label("Your password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Delete my account").click()
    expect(page.get_by_role("heading", name="Sign in to TaskPilot")).to_be_visible()
    again = house.client().post("/api/auth/signin", json={"email": "ann@example.com", "password": PASSWORD})
    assert again.status_code == 401


def test_what_was_deleted_is_taken_out_of_the_bin(page, api, shoot, check_accessibility):
    task = api.post("/api/tasks", json={"title": "Thrown away too soon"}).json()
    api.delete(f"/api/tasks/{task['id']}")
    page.goto("/settings/bin")
    expect(page.get_by_text("Thrown away too soon")).to_be_visible()
    shoot(page, "settings-bin")
    check_accessibility(page)
    page.get_by_role("button", name="Restore TP-1 Thrown away too soon").click()
    expect(page.get_by_role("heading", name="The bin is empty")).to_be_visible()
    assert api.get(f"/api/tasks/{task['id']}").status_code == 200


def test_a_limit_is_set_and_taken_away_and_back(page, api, shoot, check_accessibility):
    api.post("/api/projects", json={"name": "Home"})
    page.goto("/settings/limits")
    form = page.get_by_role("form", name="New limit")
    form.get_by_label("At most").fill("2")
    form.get_by_role("button", name="Set the limit").click()
    rows = page.get_by_role("list", name="Limits")
    expect(rows).to_contain_text("Project Home")
    expect(rows).to_contain_text("At most 2 in progress")
    form.get_by_label("For").select_option("an agent")
    form.get_by_role("button", name="Set the limit").click()
    expect(rows).to_contain_text("Each agent")
    shoot(page, "settings-limits")
    check_accessibility(page)
    page.get_by_role("button", name="Take away: Project Home").click()
    expect(rows).not_to_contain_text("Project Home")
    page.get_by_role("button", name="Undo").click()
    expect(rows).to_contain_text("Project Home")
    assert {"kind": "project", "name": "Home", "most": 2} in api.get("/api/limits").json()["limits"]


def test_this_machine_s_own_user_is_told_why_there_is_no_account(page, shoot, check_accessibility):
    page.goto("/settings")
    expect(page.get_by_text("This server takes everybody on this machine for you")).to_be_visible()
    navigation = page.get_by_role("navigation", name="Settings")
    expect(navigation.get_by_role("link", name="Tokens")).to_be_visible()
    expect(navigation.get_by_role("link", name="Connected apps")).to_have_count(0)
    expect(navigation.get_by_role("button", name="Sign out")).to_have_count(0)
    page.get_by_label("Name").fill("Ann")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Profile saved")).to_be_visible()
    shoot(page, "settings-local")
    navigation.get_by_role("link", name="Connect your assistant").click()
    page.get_by_role("tab", name="Codex").click()
    expect(page.get_by_role("tabpanel", name="Codex")).to_contain_text("codex mcp add taskpilot --url")
    shoot(page, "settings-connect")
    check_accessibility(page)


def test_an_administrator_invites_somebody_with_a_link(house, open_page, shoot, check_accessibility):
    environment = {**os.environ, "TASKPILOT_DATA_DIR": str(house.folder)}
    command = [sys.executable, "-m", "taskpilot", "user", "promote", "ann@example.com"]
    subprocess.run(command, env=environment, check=True, capture_output=True)
    page = open_page(house)
    enter(page, "/settings/invitations")
    page.get_by_role("button", name="Make an invitation").click()
    expect(page.get_by_text("Send this link to whom you invite.")).to_be_visible()
    shoot(page, "settings-invitations")
    check_accessibility(page)
    page.get_by_role("button", name="Copy: Invitation").click()
    link = page.evaluate("navigator.clipboard.readText()")
    guest = open_page(house)
    guest.goto(link)
    expect(guest.get_by_label("Invitation")).not_to_have_value("")


def test_the_settings_fit_a_phone(house, open_page, shoot, check_accessibility):
    phone = open_page(house, **PHONE)
    enter(phone, "/settings/tokens")
    expect(phone.get_by_role("heading", name="Tokens", exact=True)).to_be_visible()
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    shoot(phone, "settings-phone")
    check_accessibility(phone)
    phone.get_by_role("combobox", name="Settings").select_option("Connected apps")
    expect(phone.get_by_role("heading", name="No app is connected")).to_be_visible()
