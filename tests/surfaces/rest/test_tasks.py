"""`/api/tasks` as its clients meet it."""

from __future__ import annotations

import pytest

from taskpilot.access.secrets import hash_secret
from taskpilot.domain.caller import Caller
from taskpilot.domain.scopes import Scope
from taskpilot.domain.token import write_token
from taskpilot.ops import tasks, tokens, users

EVERYTHING = {
    "title": "Roof",
    "description": "d",
    "notes": "n",
    "priority": "urgent",
    "progress": 20,
    "energy": "deep",
    "time_estimate": "2hr",
    "project": "House",
    "tags": ["#b", "a"],
    "connected_files": ["src/a.py", ".github/workflows/x.yml"],
    "external_refs": [{"system": "github", "key": "7", "url": "https://example.org/7"}],
    "due_date": "2026-02-01",
    "scheduled_start": "2026-01-20T08:00:00+02:00",
    "remind_at": "2026-01-31T09:00:00",
    "recurrence": "RRULE:FREQ=WEEKLY;BYDAY=MO",
}


@pytest.fixture
def make(client):
    def make(title="Walls", **fields):
        response = client.post("/api/tasks", json={"title": title, **fields})
        assert response.status_code == 201, response.text
        return response.json()

    return make


@pytest.fixture
def theirs(app, stranger, open_client):
    """A client of somebody else, and a task of theirs."""
    caller = Caller(stranger.user, stranger.actor, "cli", scopes=frozenset(Scope))
    token = app.run(caller, tokens.create, "laptop", hash_secret("s" * 43), frozenset({Scope.READ, Scope.WRITE}))
    return open_client(write_token(token.id, "s" * 43))


def test_a_task_from_its_creation_to_its_end(client, app, me):
    made = client.post("/api/tasks", json={"title": " Buy   milk ", "description": "2 litres"})
    task = made.json()
    assert (made.status_code, made.headers["location"], made.headers["etag"]) == (201, "/api/tasks/1", '"1"')
    assert (task["title"], task["status"], task["priority"], task["completed"]) == ("Buy milk", "todo", "medium", False)
    assert task["user_id"] == app.run(me, users.me).uuid
    assert task["created_at"] == "2026-01-01T12:00:00Z"

    got = client.get("/api/tasks/TP-000001")
    assert (got.json(), got.headers["etag"]) == (task, '"1"')
    listed = client.get("/api/tasks").json()
    assert listed == {"tasks": [task], "total": 1, "limit": 100, "offset": 0, "next_cursor": None}

    changed = client.put("/api/tasks/1", json={"title": "Buy oat milk"})
    assert (changed.status_code, changed.json()["title"], changed.json()["description"]) == (
        200,
        "Buy oat milk",
        "2 litres",
    )
    done = client.patch("/api/tasks/1/complete").json()
    assert (done["completed"], done["is_complete"], done["status"], done["progress"]) == (True, True, "done", 100)
    assert client.patch("/api/tasks/1/complete").json()["completed"] is False
    assert client.delete("/api/tasks/1").status_code == 204
    assert client.get("/api/tasks/1").status_code == 404
    assert client.delete("/api/tasks/1").status_code == 404


def test_every_field_is_kept_and_shown(client, make):
    parent, blocker = make("House"), make("Walls")
    task = make(**EVERYTHING, state="review", parent_id="TP-1", blocked_by=[blocker["id"]])
    assert task == client.get(f"/api/tasks/{task['id']}").json()
    expected = EVERYTHING | {
        "priority": "critical",
        "tags": ["a", "b"],
        "scheduled_start": "2026-01-20T06:00:00Z",
        "remind_at": "2026-01-31T09:00:00Z",
        "recurrence": "FREQ=WEEKLY;BYDAY=MO",
        "status": "review",
        "state": "review",
        "parent_id": parent["id"],
        "blocked_by": [blocker["id"]],
        "project_id": 1,
        "version": 1,
    }
    assert {name: task[name] for name in expected} == expected


def test_writing_back_what_was_read_changes_nothing(client, make):
    make("House")
    task = make(**EVERYTHING, state="blocked", parent_id=1)
    writable = {*EVERYTHING, "status", "state", "completed", "is_complete", "project_id", "parent_id", "blocked_by"}
    again = client.put(f"/api/tasks/{task['id']}", json={name: task[name] for name in writable})
    assert again.json() == task


@pytest.mark.parametrize(
    ("state", "word"), [("backlog", "todo"), ("dropped", "todo"), ("blocked", "in_progress"), ("review", "review")]
)
def test_a_coarser_word_keeps_the_exact_state(client, make, state, word):
    task = make(state=state)
    assert task["status"] == word
    assert client.patch("/api/tasks/1", json={"status": word}).json() == task


@pytest.mark.parametrize(
    ("was", "said", "state"),
    [
        ("backlog", {"status": "in_progress"}, "in_progress"),
        ("backlog", {"status": "in_progress", "state": "backlog", "completed": False}, "in_progress"),
        ("todo", {"status": "todo", "state": "blocked"}, "blocked"),
        ("todo", {"status": "todo", "state": "todo", "completed": True, "is_complete": False}, "done"),
        ("todo", {"status": "in_progress", "state": "blocked"}, "blocked"),
        ("done", {"status": "done", "completed": False}, "todo"),
        ("done", {"status": "in_progress", "completed": False}, "in_progress"),
        ("dropped", {"completed": False}, "dropped"),
        ("dropped", {"state": "todo"}, "todo"),
    ],
)
def test_of_several_words_the_one_that_differs_counts(client, make, was, said, state):
    make(state=was)
    assert client.patch("/api/tasks/1", json=said).json()["state"] == state


def test_a_reopened_task_has_the_state_it_had(client, make):
    make(state="blocked")
    client.patch("/api/tasks/1", json={"is_complete": True})
    assert client.patch("/api/tasks/1", json={"is_complete": False}).json()["state"] == "blocked"


def test_words_that_contradict_each_other_change_nothing(client, make):
    task = make(project="House")
    for said in ({"status": "review", "completed": True}, {"status": "done", "state": "review"}):
        assert client.patch("/api/tasks/1", json={"title": "x", **said}).status_code == 409
    assert client.patch("/api/tasks/1", json={"project_id": None, "project": "Garden"}).status_code == 409
    assert client.get("/api/tasks/1").json() == task
    assert [project["name"] for project in client.get("/api/projects").json()["projects"]] == ["House"]


def test_a_project_is_named_by_number_or_by_name(client, make):
    make(project="House"), make(project="Garden")
    assert client.patch("/api/tasks/1", json={"project_id": 2}).json()["project"] == "Garden"
    moved = client.patch("/api/tasks/1", json={"project_id": 2, "project": "House"}).json()
    assert (moved["project_id"], moved["project"]) == (1, "House")
    assert client.patch("/api/tasks/1", json={"project_id": None}).json()["project"] is None
    assert client.patch("/api/tasks/1", json={"project_id": 99}).status_code == 404


def test_null_empties_a_field(client, make):
    make("House")
    make(**EVERYTHING, parent_id=1)
    names = ("description", "notes", "project", "parent_id", "due_date", "remind_at", "recurrence", "time_estimate")
    task = client.patch("/api/tasks/2", json=dict.fromkeys(names)).json()
    assert [task[name] for name in names] == ["", "", None, None, None, None, "", ""]


def test_a_change_made_on_an_old_view_is_refused(client, make):
    make()
    assert client.patch("/api/tasks/1", json={"notes": "a"}, headers={"If-Match": '"1"'}).headers["etag"] == '"2"'
    old = {"If-Match": '"1"'}
    assert client.patch("/api/tasks/1", json={"notes": "b"}, headers=old).status_code == 409
    assert client.patch("/api/tasks/1/complete", headers=old).status_code == 409
    assert client.delete("/api/tasks/1", headers=old).status_code == 409
    assert client.put("/api/tasks/1", json={"notes": "c"}, headers={"If-Match": "*"}).status_code == 200
    assert client.put("/api/tasks/1", json={"notes": "d"}, headers={"If-Match": "x"}).status_code == 422
    assert client.get("/api/tasks/1").json()["notes"] == "c"


def test_a_create_with_a_key_is_safe_to_repeat(client):
    key = {"Idempotency-Key": "k1"}
    first = client.post("/api/tasks", json={"title": "Milk"}, headers=key)
    again = client.post("/api/tasks", json={"title": "Milk"}, headers=key)
    assert (again.status_code, again.json(), again.headers["idempotency-replayed"]) == (201, first.json(), "true")
    assert client.post("/api/tasks", json={"title": "Bread"}, headers=key).status_code == 409
    assert client.get("/api/tasks").json()["total"] == 1


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 400),
        ({"title": ""}, 400),
        ({"title": " \u200b\u202e "}, 400),
        ({"title": "x" * 501}, 400),
        ({"title": 5}, 400),
        ({"title": "x", "description": "x" * 100_001}, 422),
        ({"title": "x", "colour": "red"}, 422),
        ({"title": "x", "id": 7}, 422),
        ({"title": "x", "status": "blocked"}, 422),
        ({"title": "x", "state": "Todo"}, 422),
        ({"title": "x", "priority": 6}, 422),
        ({"title": "x", "priority": True}, 422),
        ({"title": "x", "priority": "5"}, 422),
        ({"title": "x", "progress": 101}, 422),
        ({"title": "x", "progress": "5"}, 422),
        ({"title": "x", "completed": "yes"}, 422),
        ({"title": "x", "due_date": "tomorrow"}, 422),
        ({"title": "x", "due_date": "2026-02-30"}, 422),
        ({"title": "x", "due_date": 5}, 422),
        ({"title": "x", "tags": ["#"]}, 422),
        ({"title": "x", "tags": "home"}, 422),
        ({"title": "x", "connected_files": ["/etc/passwd"]}, 422),
        ({"title": "x", "connected_files": ["a/../../b"]}, 422),
        ({"title": "x", "connected_files": [".\u200b./b"]}, 422),
        ({"title": "x", "connected_files": ["C:/b"]}, 422),
        ({"title": "x", "external_refs": [["a", "b", "c"]]}, 422),
        ({"title": "x", "recurrence": "FREQ=SECONDLY"}, 422),
        ({"title": "x", "recurrence": "every day"}, 422),
        ({"title": "x", "recurrence": "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"}, 409),
        ({"title": "x", "blocked_by": ["x"]}, 422),
        ({"title": "x", "blocked_by": [404]}, 404),
        ({"title": "x", "parent_id": 404}, 404),
        ({"title": "x", "workspace_id": 404}, 404),
        ({"title": "x", "project_id": 404}, 404),
        ({"title": "x", "project_id": 2**63}, 422),
        ([], 422),
        ("x", 422),
    ],
)
def test_bad_input_is_refused_and_makes_nothing(client, body, status):
    refused = client.post("/api/tasks", json=body)
    assert refused.status_code == status, refused.text
    assert refused.headers["content-type"] == "application/problem+json"
    assert client.get("/api/tasks").json()["total"] == 0


def test_broken_json_is_a_bad_request(client):
    assert client.post("/api/tasks", content=b"{", headers={"Content-Type": "application/json"}).status_code == 400


def test_a_change_of_nothing_is_refused(client, make):
    make()
    assert client.patch("/api/tasks/1", json={}).status_code == 422
    assert client.patch("/api/tasks/1", json={"title": None}).status_code == 400


def test_a_done_task_keeps_its_progress(client, make):
    make(completed=True)
    assert client.patch("/api/tasks/1", json={"progress": 50}).status_code == 409


def test_hidden_characters_are_taken_out(make):
    task = make("a\u202eb\u0000c", notes="x\u0000y\u200bz")
    assert (task["title"], task["notes"]) == ("abc", "xyz")


@pytest.mark.parametrize("path", ["/api/tasks/x", "/api/tasks/0", "/api/tasks/-1", "/api/tasks/1.5", "/api/tasks/TP-"])
def test_what_is_no_id_is_no_task(client, path):
    for method in ("GET", "PUT", "PATCH", "DELETE"):
        assert client.request(method, path, json={"title": "x"}).status_code in (404, 422)


def test_a_strangers_task_is_as_good_as_missing(client, theirs, make):
    mine = make("Mine", project="House")
    missing = theirs.get("/api/tasks/999")
    for method, path, body in [
        ("GET", "/api/tasks/1", None),
        ("PUT", "/api/tasks/1", {"title": "x"}),
        ("PATCH", "/api/tasks/1", {"title": "x"}),
        ("PATCH", "/api/tasks/1/complete", None),
        ("DELETE", "/api/tasks/1", None),
    ]:
        refused = theirs.request(method, path, json=body)
        assert refused.status_code == 404
        assert refused.json() == missing.json() | {
            name: text.replace("999", "1") for name, text in missing.json().items() if isinstance(text, str)
        }
    for said in ({"parent_id": 1}, {"blocked_by": [1]}, {"project_id": 1}):
        assert theirs.post("/api/tasks", json={"title": "x", **said}).status_code == 404
    assert theirs.get("/api/tasks").json()["tasks"] == []
    assert theirs.get("/api/tasks?project_id=1&parent_id=1").json()["total"] == 0
    assert client.get("/api/tasks/1").json() == mine


def test_each_write_tells_who_and_which_route(client, app, me, make):
    make()
    client.patch("/api/tasks/1", json={"notes": "n"})
    with app.database.reading() as db:
        rows = db.all("SELECT kind, door, tool FROM event ORDER BY id")
    assert [(row["kind"], row["door"], row["tool"]) for row in rows] == [
        ("task.created", "rest", "POST /api/tasks"),
        ("task.updated", "rest", "PATCH /api/tasks/{task_id}"),
    ]
    assert app.run(me, tasks.get, 1).notes == "n"


def test_a_task_keeps_the_place_a_person_gave_it(client, make):
    assert make()["rank"] is None
    assert make("Roof", rank=0.5)["rank"] == 0.5
    moved = client.patch("/api/tasks/1", json={"rank": -3}).json()
    assert (moved["rank"], moved["version"]) == (-3.0, 2)
    assert client.get("/api/tasks/1/history").json()["events"][0]["what"] == "#1 moved it on the board"
    both = client.put("/api/tasks/1", json={"rank": 7, "state": "review"}).json()
    assert (both["rank"], both["state"]) == (7.0, "review")
    assert client.get("/api/tasks/1/history").json()["events"][0]["what"] == "#1 status: todo → review"
    client.post("/api/tasks/1/undo")
    assert client.get("/api/tasks/1").json()["rank"] == -3.0
    bulk = client.post(
        "/api/tasks/bulk", json={"update": [{"id": 1, "rank": None}], "create": [{"title": "x", "rank": 9}]}
    )
    assert [bulk.json()[part][0]["rank"] for part in ("updated", "created")] == [None, 9.0]


@pytest.mark.parametrize("rank", ['"1"', "true", "NaN", "Infinity", "-Infinity", "1e400", "9007199254740993", "[1]"])
def test_a_rank_is_a_number_or_nothing(client, make, rank):
    make()
    sent = client.patch("/api/tasks/1", content=f'{{"rank": {rank}}}', headers={"Content-Type": "application/json"})
    assert sent.status_code in (400, 422)
    assert client.get("/api/tasks/1").json()["version"] == 1
