from __future__ import annotations

from dataclasses import replace

import pytest

from taskpilot.domain.scopes import Scope
from taskpilot.ops import tasks, workbench, workspaces
from tests.surfaces.rest.bearers import give_token


@pytest.fixture
def shop(client):
    return client.post("/api/workspaces", json={"path": "/srv/shop"}).json()


@pytest.fixture
def theirs(app, open_client):
    return open_client(give_token(app))


def test_the_life_of_a_workspace(client, add, do, clock):
    made = client.post("/api/workspaces", json={"path": "/srv/x/../shop/", "name": "The shop"})
    assert (made.status_code, made.headers["etag"]) == (201, '"1"')
    path = made.headers["location"]
    shown = made.json()
    assert shown == {
        "id": shown["id"],
        "path": "/srv/shop",
        "name": "The shop",
        "requirements": "",
        "tech_stack": "",
        "open_tasks": 0,
        "created_at": "2026-01-01T12:00:00Z",
        "updated_at": "2026-01-01T12:00:00Z",
        "initialised_at": None,
        "version": 1,
    }
    task = add("Till", workspace=shown["id"], connected_files=["src/till.py"], priority="high")
    do(tasks.complete, add("Door", workspace=shown["id"], connected_files=["src/till.py", "door.py"]).id)
    clock.forward(minutes=5)
    session = client.post(f"{path}/sessions").json()
    outline = client.get(path)
    assert outline.headers["etag"] == '"1"'
    assert outline.json() == shown | {
        "open_tasks": 1,
        "total": 2,
        "completed": 1,
        "completion_rate": 50.0,
        "by_status": {"backlog": 0, "todo": 1, "in_progress": 0, "blocked": 0, "review": 0, "done": 1, "dropped": 0},
        "by_priority": {"someday": 0, "low": 0, "medium": 0, "high": 1, "critical": 0},
        "session": session,
        "tasks": [{"id": task.id, "title": "Till", "status": "todo", "state": "todo", "priority": "high"}],
    }
    assert client.get(f"{path}/files").json() == {
        "files": [
            {"path": "door.py", "task_ids": [task.id + 1]},
            {"path": "src/till.py", "task_ids": [task.id, task.id + 1]},
        ],
        "total": 2,
    }
    events = client.get(f"{path}/events", params={"limit": 2}).json()["events"]
    assert [(event["kind"], event["workspace"]) for event in events] == [
        ("session.started", shown["id"]),
        ("task.completed", shown["id"]),
    ]
    renamed = client.patch(path, json={"name": "Store"}, headers={"If-Match": '"1"'})
    assert (renamed.json()["name"], renamed.headers["etag"]) == ("Store", '"2"')
    assert client.patch(path, json={"name": "Old"}, headers={"If-Match": '"1"'}).status_code == 409
    listed = client.get("/api/workspaces").json()
    assert [(each["name"], each["open_tasks"]) for each in listed["workspaces"]] == [("Store", 1)]
    assert listed["total"] == 1


def test_a_workspace_is_set_up_once(client, shop, do):
    path = f"/api/workspaces/{shop['id']}"
    done = client.post(f"{path}/setup", json={"requirements": ["Build a\ntill", "- Paint"], "tech_stack": "Python"})
    assert (done.status_code, done.headers["etag"]) == (200, '"2"')
    assert [task["title"] for task in done.json()["tasks"]] == ["Build a till", "Paint"]
    assert (done.json()["tech_stack"], done.json()["initialised_at"]) == ("Python", "2026-01-01T12:00:00Z")
    assert client.get(f"{path}/rules").json()["total"] == 5
    assert client.post(f"{path}/setup", json={"requirements": ["More"]}).json() == done.json()
    for body in ({"requirements": [""]}, {"requirements": ["x"] * 101}, {"requirements": "x"}, {"name": "x"}):
        assert client.post(f"{path}/setup", json=body).status_code == 422
    assert do(workspaces.outline, shop["id"]).total == 2


def test_a_folder_is_one_workspace_however_often_it_is_opened(client, shop):
    again = client.post("/api/workspaces", json={"path": "/srv/shop/", "name": "Else"})
    assert (again.status_code, again.json()) == (201, shop)
    assert client.get("/api/workspaces").json()["total"] == 1


def test_a_repeated_create_answers_the_same(client):
    key = {"Idempotency-Key": "one"}
    first = client.post("/api/workspaces", json={"path": "/srv/shop"}, headers=key).json()
    assert client.post("/api/workspaces", json={"path": "/srv/shop"}, headers=key).json() == first
    assert client.post("/api/workspaces", json={"path": "/srv/else"}, headers=key).status_code == 409


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"path": "shop"},
        {"path": ""},
        {"path": "/srv/a\nb"},
        {"path": "/srv/\u202eshop"},
        {"path": "/srv/a\u0000b"},
        {"path": "/" + "x" * 1000},
        {"path": 5},
        {"path": "/srv/shop", "name": ""},
        {"path": "/srv/shop", "name": "x" * 101},
        {"path": "/srv/shop", "owner": 1},
    ],
)
def test_what_is_no_folder_is_refused(client, body):
    assert client.post("/api/workspaces", json=body).status_code == 422
    assert client.get("/api/workspaces").json()["total"] == 0


@pytest.mark.parametrize("path", ["/", "//", "/ ", "/a/ /", "/" + "long " * 199, "/\U0001f4c1/\u00e9"])
def test_any_whole_path_is_a_folder(client, path):
    made = client.post("/api/workspaces", json={"path": path})
    assert made.status_code == 201
    assert 1 <= len(made.json()["name"]) <= 100


@pytest.mark.parametrize("body", [{}, {"name": ""}, {"name": None}, {"name": "x", "path": "/etc"}, []])
def test_only_its_name_can_be_changed(client, shop, body):
    assert client.patch(f"/api/workspaces/{shop['id']}", json=body).status_code == 422
    assert client.get("/api/workspaces").json()["workspaces"] == [shop]


def test_an_audit_finds_what_is_not_in_order_and_repairs_what_is_safe(client, add, do, tmp_path):
    here = client.post("/api/workspaces", json={"path": str(tmp_path)}).json()["id"]
    (tmp_path / "there.py").touch()
    task = add("Till", description="Long enough to be one.", workspace=here, connected_files=["there.py", "gone.py"])
    found = client.get(f"/api/workspaces/{here}/audit").json()
    assert found == {
        "score": 95,
        "tasks_checked": 1,
        "findings": [
            {
                "kind": "missing_file",
                "task_id": task.id,
                "title": "Till",
                "message": "The connected file gone.py is not there.",
                "others": [],
                "paths": ["gone.py"],
                "fixable": True,
            }
        ],
        "fixed": [],
        "files_checked": True,
    }
    assert client.get(f"/api/workspaces/{here}/audit", params={"scope": "tasks"}).json()["findings"] == []
    repaired = client.post(f"/api/workspaces/{here}/audit", json={}).json()
    assert (repaired["score"], repaired["findings"]) == (100, [])
    assert [fix["finding"]["kind"] for fix in repaired["fixed"]] == ["missing_file"]
    assert do(tasks.get, task.id).connected_files == ("there.py",)


def test_an_audit_is_asked_for_in_known_words(client, shop):
    path = f"/api/workspaces/{shop['id']}/audit"
    assert client.get(path, params={"scope": "x"}).status_code == 422
    assert client.post(path, json={"scope": "x"}).status_code == 422
    assert client.post(path, json={"fix": True}).status_code == 422


def test_whoever_signed_in_has_the_server_look_only_where_it_was_told_to(app, theirs, stranger, tmp_path):
    here = theirs.post("/api/workspaces", json={"path": str(tmp_path)}).json()["id"]
    app.run(stranger, tasks.create, [{"title": "Spy", "workspace": here, "connected_files": ["gone.py"]}])
    path, files = f"/api/workspaces/{here}/audit", {"scope": "files"}
    found = theirs.get(path, params=files).json()
    assert (found["files_checked"], found["findings"]) == (False, [])
    assert theirs.post(path, json=files).json()["fixed"] == []
    app.reach = replace(app.reach, roots=(str(tmp_path),))
    found = theirs.get(path, params=files).json()
    assert (found["files_checked"], len(found["findings"])) == (True, 1)


def test_a_strangers_workspace_is_as_missing(client, theirs, shop, do):
    do(workbench.set_up, "/srv/shop", requirements="Till")
    before = client.get(f"/api/workspaces/{shop['id']}").json()
    for number in (shop["id"], 9223372036854775807):
        path = f"/api/workspaces/{number}"
        answers = [
            theirs.get(path),
            theirs.patch(path, json={"name": "Mine"}),
            *(theirs.get(f"{path}/{part}") for part in ("files", "events", "audit", "rules", "sessions")),
            theirs.post(f"{path}/audit", json={}),
            theirs.post(f"{path}/rules", json={"content": "Mine"}),
            theirs.post(f"{path}/sessions"),
            theirs.post(f"{path}/setup", json={}),
        ]
        assert {answer.status_code for answer in answers} == {404}
    assert theirs.get("/api/workspaces").json() == {"workspaces": [], "total": 0}
    assert theirs.post("/api/workspaces", json={"path": "/srv/shop"}).json()["id"] != shop["id"]
    assert client.get(f"/api/workspaces/{shop['id']}").json() == before


def test_who_may_only_read_changes_nothing(app, open_client, client, shop):
    reader, path = open_client(give_token(app, 1, Scope.READ)), f"/api/workspaces/{shop['id']}"
    for part in ("", "/files", "/events", "/audit", "/rules", "/sessions"):
        assert reader.get(path + part).status_code == 200
    refused = [
        reader.post("/api/workspaces", json={"path": "/srv/x"}),
        reader.patch(path, json={"name": "x"}),
        reader.post(f"{path}/audit", json={}),
        reader.post(f"{path}/rules", json={"content": "x"}),
        reader.post(f"{path}/sessions"),
        reader.post(f"{path}/setup", json={}),
    ]
    assert {answer.status_code for answer in refused} == {403}
    assert client.get("/api/workspaces").json()["workspaces"] == [shop]
