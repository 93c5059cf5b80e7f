"""The board: cards in their columns, moved with the mouse, as the server has them."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

NODES_MOST = 1_500


@pytest.fixture
def add(api):
    """A task, through the API: its number."""

    def add(title, **fields):
        made = api.post("/api/tasks", json={"title": title, **fields})
        assert made.status_code == 201, made.text
        return made.json()["id"]

    return add


def card(page: Page, id: int) -> Locator:
    return page.get_by_role("article", name=re.compile(rf"^TP-{id} "))


def column(page: Page, name: str) -> Locator:
    return page.get_by_role("region", name=re.compile(rf"^{name}, "))


def drag(page: Page, source: Locator, target: Locator, *, lower: bool = True) -> None:
    """With a real mouse, to the upper or the lower half of a target."""
    start, end = source.bounding_box(), target.bounding_box()
    assert start is not None
    assert end is not None
    x, y = end["x"] + end["width"] / 2, end["y"] + end["height"] * (0.8 if lower else 0.2)
    page.mouse.move(start["x"] + 40, start["y"] + start["height"] - 8)
    page.mouse.down()
    page.mouse.move(start["x"] + 60, start["y"] + start["height"], steps=4)
    page.mouse.move(x, y, steps=8)
    page.mouse.move(x + 2, y, steps=2)
    page.mouse.up()


def read_keys(where: Locator) -> list[str]:
    return [
        name.split(" ")[0] for each in where.get_by_role("article").all() if (name := each.get_attribute("aria-label"))
    ]


def test_cards_stand_in_their_columns_with_what_matters_on_them(page, api, add, shoot, check_accessibility):
    home = api.post("/api/projects", json={"name": "Home", "colour": "#2f9e6e"}).json()["id"]
    rent = add("Pay the rent", priority="high", due_date="2020-01-01", tags=["a", "b", "c", "d"], project_id=home)
    paint = add("Paint the fence", state="in_progress", energy="deep", time_estimate="30min")
    prime = add("Prime the wood", parent_id=paint)
    add("Buy primer", parent_id=paint, state="done")
    api.patch(f"/api/tasks/{rent}", json={"blocked_by": [prime]})
    api.post(f"/api/tasks/{paint}/claim", json={})

    page.goto("/board")
    todo, doing = column(page, "Todo"), column(page, "In progress")
    expect(todo.get_by_role("article")).to_have_count(2)
    expect(card(page, rent)).to_contain_text("+1")
    expect(card(page, rent).get_by_role("img", name="Waits for 1 task")).to_be_visible()
    expect(card(page, rent).get_by_role("img", name="Late:")).to_be_visible()
    expect(card(page, rent)).to_have_accessible_name(re.compile("Todo, high priority, late, was due 1 Jan 2020"))
    expect(doing.get_by_role("article", name=re.compile("held by"))).to_contain_text("1/2")
    expect(card(page, paint)).to_contain_text("Deep · 30min")
    expect(page.get_by_role("button", name="Unfold Blocked, 0 tasks")).to_be_visible()
    shoot(page, "board")
    check_accessibility(page)


def test_a_card_is_dragged_to_another_column_and_back_by_undo(page, api, add):
    first, second, third = add("One"), add("Two"), add("Three", state="in_progress")
    page.goto("/board")
    drag(page, card(page, first), card(page, third))
    doing = column(page, "In progress")
    expect(doing.get_by_role("article")).to_have_count(2)
    assert read_keys(doing) == [f"TP-{third}", f"TP-{first}"]
    expect(page.get_by_text(f"TP-{first} moved to In progress", exact=True)).to_be_visible()
    assert api.get(f"/api/tasks/{first}").json()["state"] == "in_progress"

    page.reload()
    expect(doing.get_by_role("article")).to_have_count(2)
    assert read_keys(doing) == [f"TP-{third}", f"TP-{first}"]

    drag(page, card(page, second), card(page, third), lower=False)
    expect(doing.get_by_role("article")).to_have_count(3)
    assert read_keys(doing)[0] == f"TP-{second}"
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("Undone")).to_be_visible()
    expect(column(page, "Todo").get_by_role("article")).to_have_count(1)
    assert api.get(f"/api/tasks/{second}").json()["state"] == "todo"


def test_a_card_is_dragged_to_a_place_in_its_column(page, api, add):
    ids = [add(title) for title in ("One", "Two", "Three", "Four")]
    page.goto("/board")
    drag(page, card(page, ids[3]), card(page, ids[0]))
    wanted = [f"TP-{ids[number]}" for number in (0, 3, 1, 2)]
    expect(column(page, "Todo").get_by_role("article").nth(1)).to_have_accessible_name(re.compile("Four"))
    assert read_keys(column(page, "Todo")) == wanted
    expect(card(page, ids[3])).to_be_focused()

    page.reload()
    expect(column(page, "Todo").get_by_role("article")).to_have_count(4)
    assert read_keys(column(page, "Todo")) == wanted
    assert ids[0] < api.get(f"/api/tasks/{ids[3]}").json()["rank"] < ids[1]


def test_a_folded_column_takes_what_is_dropped_on_it(page, api, add):
    one, _ = add("One"), add("Two")
    page.goto("/board")
    drag(page, card(page, one), page.get_by_role("button", name="Unfold Blocked, 0 tasks"), lower=False)
    expect(column(page, "Blocked").get_by_role("article")).to_have_count(1)
    assert api.get(f"/api/tasks/{one}").json()["state"] == "blocked"


def test_columns_fold_and_unfold_and_stay_so(page, add):
    add("One")
    page.goto("/board")
    page.get_by_role("button", name="Unfold Backlog").click()
    expect(page.get_by_role("button", name="Add to Backlog")).to_be_visible()
    page.get_by_role("button", name="Todo: sort and fold").click()
    page.get_by_role("menuitem", name="Fold this column").click()
    expect(page.get_by_role("button", name="Unfold Todo, 1 task")).to_be_visible()
    page.reload()
    expect(page.get_by_role("button", name="Unfold Todo, 1 task")).to_be_visible()
    expect(page.get_by_role("button", name="Add to Backlog")).to_be_visible()


def test_a_task_is_added_into_a_column(page, api, add):
    add("One", state="review")
    page.goto("/board")
    page.get_by_role("button", name="Add to In review").click()
    box = page.get_by_role("textbox", name="New task in In review")
    box.fill("Read the contract !high #law")
    box.press("Enter")
    review = column(page, "In review")
    expect(review.get_by_role("article").first).to_have_accessible_name(
        re.compile("Read the contract, In review, high priority")
    )
    expect(box).to_have_value("")
    box.press("Escape")
    expect(page.get_by_role("button", name="Add to In review")).to_be_focused()
    made = api.get("/api/tasks/2").json()
    assert (made["title"], made["state"], made["tags"]) == ("Read the contract", "review", ["law"])


def test_the_board_is_sorted_and_a_drop_then_changes_the_status_alone(page, api, add):
    low, high = add("Low", priority="low"), add("High", priority="high")
    other = add("Other", state="in_progress")
    page.goto("/board")
    page.get_by_role("button", name="Todo: sort and fold").click()
    page.get_by_role("menuitemcheckbox", name="Priority").click()
    expect(page).to_have_url(re.compile("sort=priority"))
    expect(column(page, "Todo").get_by_role("article").first).to_have_accessible_name(re.compile("High"))
    drag(page, card(page, high), card(page, other))
    expect(column(page, "In progress").get_by_role("article").first).to_have_accessible_name(re.compile("High"))
    assert api.get(f"/api/tasks/{high}").json()["rank"] is None
    assert read_keys(column(page, "Todo")) == [f"TP-{low}"]


def test_a_limit_shows_beside_the_count_and_warns_when_it_is_reached(page, api, add, shoot):
    home = api.post("/api/projects", json={"name": "Home"}).json()["id"]
    assert api.put("/api/limits", json={"kind": "project", "name": "Home", "most": 2}).is_success
    one = add("One", state="in_progress", project_id=home)
    two = add("Two", project_id=home)
    add("Elsewhere", state="in_progress")
    page.goto("/board")
    expect(column(page, "In progress").get_by_role("article")).to_have_count(2)
    page.get_by_role("link", name=re.compile("Home")).click()
    expect(column(page, "In progress")).to_contain_text("1/2 in progress, of 2 at once")
    drag(page, card(page, two), card(page, one))
    expect(column(page, "In progress")).to_contain_text("2/2 in progress, the limit is reached")
    shoot(page, "board-limit")


def test_what_a_task_says_never_becomes_markup(page, add):
    add("<img src=x onerror=alert(1)>", tags=["<b>bold</b>"])
    page.goto("/board")
    expect(page.get_by_text("<img src=x onerror=alert(1)>", exact=True)).to_be_visible()
    expect(page.get_by_text("<b>bold</b>", exact=True)).to_be_visible()
    expect(page.locator("article img, article b")).to_have_count(0)


def test_everything_is_in_the_menu_of_a_card(page, api, add, check_accessibility):
    one, two = add("One"), add("Two")
    page.goto("/board")
    card(page, one).hover()
    page.get_by_role("button", name=f"More for TP-{one}").click()
    check_accessibility(page)
    page.get_by_role("menuitem", name="Move to…").click()
    page.get_by_role("menuitemcheckbox", name="In review").click()
    expect(column(page, "In review").get_by_role("article")).to_have_count(1)
    card(page, two).hover()
    page.get_by_role("button", name=f"Complete TP-{two}").click()
    expect(column(page, "Done").get_by_role("article")).to_have_count(1)
    card(page, one).hover()
    page.get_by_role("button", name=f"More for TP-{one}").click()
    page.get_by_role("menuitem", name="Delete").click()
    expect(page.get_by_text(f"TP-{one} deleted")).to_be_visible()
    expect(card(page, one)).to_have_count(0)
    page.get_by_role("listitem").filter(has_text=f"TP-{one} deleted").get_by_role("button", name="Undo").click()
    expect(card(page, one)).to_be_visible()
    assert api.get(f"/api/tasks/{two}").json()["state"] == "done"


def test_two_thousand_tasks_are_no_burden(page, api, add, shoot):
    states = ("backlog", "todo", "in_progress", "blocked", "review")
    for start in range(0, 2_000, 500):
        tasks = [
            {
                "title": f"Task number {number}",
                "state": states[number % 5],
                "tags": ["one", "two"],
                "due_date": "2030-01-01",
            }
            for number in range(start, start + 500)
        ]
        assert api.post("/api/tasks/bulk", json={"create": tasks}).is_success
    page.goto("/board")
    expect(column(page, "Todo").get_by_role("article").first).to_be_visible()
    expect(page.get_by_role("region", name="Todo, 400 tasks")).to_be_visible()
    assert page.evaluate("document.querySelectorAll('*').length") < NODES_MOST
    shoot(page, "board-2000")
    todo = column(page, "Todo")
    todo.get_by_role("article").first.hover()
    page.mouse.wheel(0, 100_000)
    expect(todo.get_by_role("article", name=re.compile("Task number 1996"))).to_be_visible()
    assert page.evaluate("document.querySelectorAll('*').length") < NODES_MOST


def test_a_board_without_tasks_says_how_to_begin(page, add, check_accessibility):
    page.goto("/board")
    expect(page.get_by_role("heading", name="Nothing to do yet")).to_be_visible()
    expect(page.get_by_role("link", name="Connect an assistant")).to_have_attribute("href", "/welcome")
    check_accessibility(page)
    page.get_by_role("button", name="Add a task").click()
    page.keyboard.type("Begin")
    page.keyboard.press("Enter")
    expect(card(page, 1)).to_be_visible()
    page.goto("/board?q=nothing-like-it")
    page.get_by_role("button", name="Clear the filter").click()
    expect(card(page, 1)).to_be_visible()


def test_a_phone_shows_one_column_at_a_time(phone, api, add, shoot, check_accessibility):
    one = add("Pay the rent", due_date="2030-01-01", tags=["home"])
    add("Paint the fence", state="in_progress")
    phone.goto("/board")
    expect(card(phone, one)).to_be_in_viewport()
    expect(phone.get_by_role("button", name="Todo 1")).to_have_attribute("aria-pressed", "true")
    shoot(phone, "board-phone")
    check_accessibility(phone)
    phone.get_by_role("button", name=f"More for TP-{one}").tap()
    phone.get_by_role("menuitem", name="Move to…").tap()
    phone.get_by_role("menuitemcheckbox", name="In progress").tap()
    expect(phone.get_by_role("button", name="In progress 2")).to_be_visible()
    phone.get_by_role("button", name="In progress 2").tap()
    expect(card(phone, one)).to_be_in_viewport()
    expect(phone.get_by_role("button", name="In progress 2")).to_have_attribute("aria-pressed", "true")
    assert api.get(f"/api/tasks/{one}").json()["state"] == "in_progress"
