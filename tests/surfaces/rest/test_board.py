"""`/api/board` as the page meets it."""

from __future__ import annotations

import pytest

from taskpilot.ops import tasks

KEYS = [
    *("event_id", "tasks", "left_out", "projects", "workspaces", "tags", "claims", "runs", "questions", "limits"),
    *("me", "settings"),
]


@pytest.fixture
def make(client):
    return lambda title, **fields: client.post("/api/tasks", json={"title": title, **fields}).json()


def test_one_answer_has_all_that_a_page_begins_with(client, make):
    task = make("Walls", project="House", tags=["stone"], priority="high", rank=2)
    client.put("/api/limits", json={"kind": "project", "name": "House", "most": 2})
    board = client.get("/api/board").json()
    assert list(board) == KEYS
    assert board["tasks"] == [
        {
            "id": 1,
            "title": "Walls",
            "state": "todo",
            "created": task["created_at"],
            "updated": task["updated_at"],
            "version": 1,
            "rank": 2.0,
            "project_id": 1,
            "priority": "high",
            "tags": ["stone"],
        }
    ]
    assert board["projects"] == client.get("/api/projects").json()["projects"]
    assert board["limits"] == client.get("/api/limits").json()["limits"]
    assert board["me"] == client.get("/api/me").json()
    assert board["settings"] == client.get("/api/me/settings").json()
    assert (board["tags"], board["left_out"], board["questions"]) == (["stone"], 0, 0)


def test_the_event_stream_goes_on_where_the_board_ends(client, make):
    make("Before")
    last = client.get("/api/board").json()["event_id"]
    make("After")
    told = client.get("/api/events?wait=0", headers={"Last-Event-ID": str(last)}).text
    assert ("After" in told, "Before" in told) == (True, False)


def test_claims_and_runs_are_shown_in_brief(client, add, tmp_path):
    add(workspace=str(tmp_path))
    add("Roof")
    assert client.post("/api/tasks/1/runs", json={"agent": "codex"}).status_code == 201
    claim = client.post("/api/tasks/2/claim", json={}).json()
    board = client.get("/api/board").json()
    assert [each["task_id"] for each in board["claims"]] == [2], claim
    assert board["runs"] == [
        {
            "id": 1,
            "task_id": 1,
            "agent": "codex",
            "state": "pending",
            "stopping": False,
            "question_id": None,
            "started_at": None,
        }
    ]


def test_some_cards_alone(app, client, make, stranger):
    make("a")
    make("b")
    theirs = app.run(stranger, tasks.create, [{"title": "Theirs"}]).tasks[0].id
    client.delete("/api/tasks/2")
    found = client.get(f"/api/board/cards?ids={theirs},2,1").json()
    assert ([card["title"] for card in found["tasks"]], found["gone"]) == (["a"], [theirs, 2])
    assert found["event_id"] == client.get("/api/board").json()["event_id"]


@pytest.mark.parametrize(
    "query",
    [
        "?limit=0",
        "?limit=20001",
        "?limit=x",
        "?workspace_id=0",
        "?colour=red",
        "/cards",
        "/cards?ids=",
        "/cards?ids=0",
        "/cards?ids=1,,2",
        "/cards?ids=a",
        "/cards?ids=" + ",".join(["1"] * 201),
        "/cards?ids=1&limit=2",
    ],
)
def test_what_means_nothing_is_refused(client, query):
    assert client.get(f"/api/board{query}").status_code == 422


def test_a_workspace_that_is_not_there_is_not_found(client):
    assert client.get("/api/board?workspace_id=9").status_code == 404
