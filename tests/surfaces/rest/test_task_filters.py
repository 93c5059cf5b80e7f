"""Lists of tasks: filters, orders and pages."""

from __future__ import annotations

import pytest


@pytest.fixture
def make(client, clock):
    def make(title, **fields):
        clock.forward(minutes=1)
        response = client.post("/api/tasks", json={"title": title, **fields})
        assert response.status_code == 201, response.text
        return response.json()

    return make


@pytest.fixture
def titles(client):
    def titles(query=""):
        response = client.get(f"/api/tasks?{query}")
        assert response.status_code == 200, response.text
        found = response.json()
        assert found["total"] == len(found["tasks"]), "the total is right"
        return "".join(task["title"] for task in found["tasks"])

    return titles


@pytest.fixture
def house(make):
    """Seven tasks, each of them different."""
    make("a", state="backlog", priority="low", due_date="2026-01-05", tags=["home"])
    make("b", project="House", priority="high", due_date="2026-01-03T10:00:00Z", notes="Größe prüfen")
    make("c", state="in_progress", priority="high", parent_id=1)
    make("d", state="blocked", blocked_by=[2], tags=["home", "roof"])
    make("e", state="review", project="House", description="concrete foundations")
    make("f", state="done", project="House", tags=["roof"])
    make("g", state="dropped", priority="high")


@pytest.mark.usefixtures("house")
@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", "abcdef"),
        ("status=todo", "ab"),
        ("status=in_progress", "cd"),
        ("status=review&status=done", "ef"),
        ("state=backlog", "a"),
        ("state=dropped", "g"),
        ("state=backlog&state=dropped&status=todo", "ag"),
        ("state=backlog&status=done", ""),
        ("completed=true", "f"),
        ("completed=false", "abcde"),
        ("completed=false&state=dropped", "g"),
        ("completed=true&status=todo", ""),
        ("priority=high", "bc"),
        ("priority=4", "bc"),
        ("status=todo&priority=high", "b"),
        ("priority=urgent", ""),
        ("project=House", "bef"),
        ("project_id=1", "bef"),
        ("project_id=1&completed=false", "be"),
        ("project_id=2", ""),
        ("tag=roof", "df"),
        ("tag=roof&completed=false", "d"),
        ("tag=ro", ""),
        ("workspace_id=1", ""),
        ("parent_id=1", "c"),
        ("parent_id=TP-1", "c"),
        ("due_before=2026-01-04", "b"),
        ("due_after=2026-01-04", "a"),
        ("due_after=2026-01-03T10:00:00Z&due_before=2026-01-05T12:00:00Z", "ab"),
        ("ready=true", "abce"),
        ("ready=false", "d"),
        ("q=found", "e"),
        ("q=grosse", ""),
        ("q=gr%C3%B6%C3%9Fe", "b"),
        ("q=concrete%20missing", ""),
        ("q=%22%27*--", ""),
        ("sort=-created", "fedcba"),
        ("sort=-priority", "bcdefa"),
        ("sort=priority", "afedcb"),
        ("sort=due", "bacdef"),
        ("sort=-due&completed=false", "edcab"),
    ],
)
def test_a_filter_shows_what_fits(titles, query, expected):
    assert titles(query) == expected


@pytest.mark.usefixtures("house")
def test_the_latest_change_comes_first_or_last(client, clock, titles):
    clock.forward(minutes=5)
    client.patch("/api/tasks/3", json={"notes": "n"})
    assert titles("sort=-updated") == "cfedba"
    assert titles("sort=updated") == "abdefc"


@pytest.mark.usefixtures("house")
@pytest.mark.parametrize("sort", ["created", "-created", "updated", "-updated", "due", "-due", "priority", "-priority"])
def test_pages_by_cursor_and_by_number_show_everything_once(client, titles, sort):
    whole = titles(f"sort={sort}")
    by_cursor, cursor = "", None
    for _ in range(3):
        more = f"&cursor={cursor}" if cursor else ""
        page = client.get(f"/api/tasks?sort={sort}&limit=2{more}").json()
        assert page["total"] == 6
        by_cursor += "".join(task["title"] for task in page["tasks"])
        cursor = page["next_cursor"]
    assert (by_cursor, cursor) == (whole, None)
    by_number = ""
    for offset in (0, 2, 4, 6):
        page = client.get(f"/api/tasks?sort={sort}&limit=2&offset={offset}").json()
        assert (page["total"], page["limit"], page["offset"]) == (6, 2, offset)
        by_number += "".join(task["title"] for task in page["tasks"])
    assert by_number == whole


@pytest.mark.usefixtures("house")
def test_a_cursor_belongs_to_its_order(client):
    cursor = client.get("/api/tasks?limit=2").json()["next_cursor"]
    assert client.get(f"/api/tasks?limit=2&sort=-updated&cursor={cursor}").status_code == 409
    assert client.get("/api/tasks?cursor=abc").status_code == 409


@pytest.mark.usefixtures("house")
def test_the_total_follows_every_change(client):
    def count(query):
        return client.get(f"/api/tasks?limit=1&{query}").json()["total"]

    assert [count(""), count(""), count("tag=home"), count("completed=false")] == [6, 6, 2, 5]
    client.patch("/api/tasks/1", json={"completed": True, "tags": []})
    assert [count(""), count("tag=home"), count("completed=false"), count("q=found")] == [6, 1, 4, 1]
    client.delete("/api/tasks/1")
    assert [count(""), count("tag=home"), count("completed=false")] == [4, 1, 3]
    client.post("/api/undo", json={})
    assert [count(""), count("tag=home"), count("completed=false")] == [6, 1, 4]


@pytest.mark.parametrize(
    "query",
    [
        "limit=0",
        "limit=1001",
        "limit=x",
        "offset=-1",
        "status=blocked",
        "state=x",
        "completed=1",
        "completed=yes",
        "ready=",
        "priority=6",
        "priority=High",
        "project_id=0",
        "project_id=x",
        "parent_id=x",
        "due_before=tomorrow",
        "due_after=2026-02-30",
        "q=",
        "q=%20",
        "sort=title",
        "cursor=!",
        "unknown=1",
    ],
)
def test_a_filter_that_cannot_be_read_is_refused(client, query):
    refused = client.get(f"/api/tasks?{query}")
    assert refused.status_code == 422, refused.text
    assert refused.json()["details"][0]["where"][0] == "query"


@pytest.mark.parametrize("nasty", ["%00", "'%20OR%201=1--", "%22%3B%20DROP%20TABLE%20task", "%F0%9F%94%A5*", "(NEAR"])
@pytest.mark.parametrize("name", ["q", "tag", "project"])
def test_odd_text_finds_nothing_and_breaks_nothing(client, make, name, nasty):
    make("a")
    answer = client.get(f"/api/tasks?{name}=x{nasty}")
    assert (answer.status_code, answer.json()["total"]) == (200, 0)
    assert client.get("/api/tasks").json()["total"] == 1
