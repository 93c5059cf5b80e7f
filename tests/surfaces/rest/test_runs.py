from __future__ import annotations

import pytest

from taskpilot.domain.question import Asking
from taskpilot.domain.scopes import Scope
from taskpilot.ops import policies, tasks
from tests.contracts.stage import seat, take
from tests.surfaces.rest.bearers import give_token

RUNS = "/api/runs"


@pytest.fixture
def task(add, tmp_path):
    return add(workspace=str(tmp_path), acceptance=["make test"])


def begin(client, task, **body):
    answer = client.post(f"/api/tasks/{task.id}/runs", json={"agent": "claudecode", **body})
    assert answer.status_code == 201, answer.text
    return answer


def test_an_agent_is_sent_off_and_the_run_is_where_the_answer_says(client, task):
    body = {"instructions": "Build.", "branch": "walls", "base": "main", "config": {"caps": {"turns": 3}, "way": "acp"}}
    answer = begin(client, task, **body)
    made = answer.json()
    assert (made["state"], made["agent"], made["branch"], made["base"]) == ("pending", "claudecode", "walls", "main")
    assert made["config"] == {"caps": {"turns": 3}, "way": "acp"}
    assert made["instructions"] == "Build."
    assert made["proof"] == {
        "accepted": False,
        "head": "",
        "checks": [made["proof"]["checks"][0] | {"command": "make test", "passed": None, "stale": False}],
    }
    assert answer.headers["etag"] == f'"{made["version"]}"'
    assert client.get(answer.headers["location"]).json() == made
    listed = client.get(RUNS, params={"state": ["pending", "failed"], "agent": "claudecode"}).json()
    assert ([run["id"] for run in listed["runs"]], listed["total"]) == ([made["id"]], 1)
    assert client.get(RUNS, params={"state": "failed"}).json() == {"runs": [], "total": 0}


def test_a_command_has_its_argv_and_nobody_else_has(client, task):
    ran = begin(client, task, agent="command", config={"command": ["make", "lint"]}).json()
    assert ran["config"] == {"command": ["make", "lint"]}
    for body in (
        {"agent": "command"},
        {"agent": "command", "config": {"command": []}},
        {"agent": "command", "config": {"command": "make lint"}},
        {"agent": "command", "config": {"command": ["a\0b"]}},
        {"agent": "codex", "config": {"command": ["make"]}},
        {"agent": "hand"},
        {"agent": "codex", "config": {"caps": {"turns": -1}}},
        {"agent": "codex", "config": {"caps": {"beer": 1}}},
        {"agent": "codex", "branch": "../up"},
        {"agent": "codex", "branch": "a.lock"},
        {"agent": "codex", "base": "-x"},
        {"agent": "codex", "why": "not"},
        {},
    ):
        refused = client.post(f"/api/tasks/{task.id}/runs", json=body)
        assert refused.status_code == 422, (body, refused.text)
    assert client.get(RUNS).json()["total"] == 1


def test_a_second_run_and_a_task_without_a_repository_are_conflicts(client, task, add):
    begin(client, task)
    assert client.post(f"/api/tasks/{task.id}/runs", json={"agent": "codex"}).status_code == 409
    bare = client.post(f"/api/tasks/{add('Bare').id}/runs", json={"agent": "codex"})
    assert bare.status_code == 409
    assert "needs a repository" in bare.json()["message"]
    assert client.post("/api/tasks/999/runs", json={"agent": "codex"}).status_code == 404


def test_with_a_key_starting_is_safe_to_repeat(client, task):
    headers = {"Idempotency-Key": "once"}
    first, again = (
        client.post(f"/api/tasks/{task.id}/runs", json={"agent": "codex"}, headers=headers) for _ in range(2)
    )
    assert first.json() == again.json()
    assert again.headers["idempotency-replayed"] == "true"


def test_a_run_says_what_it_asks_and_what_keeps_it_waiting(app, client, task, add, do, open_client, tmp_path):
    sat = seat(app, task.id)
    asked = sat.ask("May it run make?", kind="execute")
    shown = client.get(f"{RUNS}/{sat.run}").json()
    assert shown["question"]["id"] == asked.id
    assert [option["id"] for option in shown["question"]["options"]] == ["allow_once", "allow_always", "deny"]
    assert client.get(RUNS).json()["runs"][0]["question"]["text"] == "May it run make?"
    do(policies.change, task.workspace, {"most_runs": 1})
    waits = begin(client, add("Roof", workspace=str(tmp_path))).json()
    assert "at most 1" in waits["obstacle"]
    do(policies.change, task.workspace, {"most_runs": 0})
    limited = open_client(runs_per_user=1)
    assert limited.get(f"{RUNS}/{waits['id']}").json()["obstacle"] == "You have 1 of at most 1 runs"


def test_an_agent_is_told_more_stopped_and_replaced(app, client, task):
    sat = seat(app, task.id)
    told = client.post(f"{RUNS}/{sat.run}/instructions", json={"instructions": "Windows, too."})
    assert told.status_code == 200
    assert client.post(f"{RUNS}/{sat.run}/handover", json={"agent": "codex"}).status_code == 409
    stopping = client.post(f"{RUNS}/{sat.run}/stop").json()
    assert (stopping["state"], stopping["stopping"]) == ("in_progress", True)
    sat.finish(ok=False)
    assert client.post(f"{RUNS}/{sat.run}/stop").json()["state"] == "cancelled"
    after = client.post(f"{RUNS}/{sat.run}/handover", json={"agent": "codex", "instructions": "Go on."})
    assert after.status_code == 201
    assert after.json()["branch"] == stopping["branch"]
    assert after.json()["instructions"].startswith("Go on.\n\nTask ")
    assert after.headers["location"] == f"{RUNS}/{after.json()['id']}"
    for body in ({"instructions": ""}, {"instructions": " \u200b"}, {"instructions": 5}, {}):
        assert client.post(f"{RUNS}/{sat.run}/instructions", json=body).status_code == 422
    assert client.post(f"{RUNS}/{sat.run}/handover", json={"agent": "command"}).status_code == 422


def test_what_a_run_changed_is_json_or_a_patch(app, client, task):
    sat = seat(app, task.id)
    empty = client.get(f"{RUNS}/{sat.run}/diff").json()
    assert empty == {"run_id": sat.run, "head": "", "patch": "", "added": 0, "removed": 0, "files": []}
    sat.keep("c0ffee", ["a.py"])
    assert client.get(f"{RUNS}/{sat.run}/diff").json()["files"] == ["a.py"]
    patch = client.get(f"{RUNS}/{sat.run}/diff", headers={"Accept": "text/x-diff"})
    assert patch.text == "diff of c0ffee"
    assert patch.headers["content-type"].startswith("text/x-diff")


def test_a_report_sums_a_run_up_with_its_proof(app, client, task, clock):
    sat = seat(app, task.id)
    sat.say("Built.")
    sat.keep("c0ffee")
    sat.prove("make test", code=1, head="c0ffee", tail="2 failed")
    clock.forward(seconds=30)
    sat.finish(error="", result={"summary": "Built."})
    report = client.get(f"{RUNS}/{sat.run}/report").json()
    assert (report["title"], report["seconds"], report["added"], report["removed"]) == ("Walls", 30.0, 3, 1)
    assert report["run"]["result"] == {"summary": "Built."}
    assert report["log_counts"]["message"] == 1
    assert report["last"][-1]["kind"] == "end"
    (check,) = report["run"]["proof"]["checks"]
    assert (check["passed"], check["stale"], check["tail"]) == (False, False, "2 failed")


def test_evidence_older_than_the_last_commit_is_stale(app, client, task, add, do):
    sat = seat(app, task.id)
    sat.keep("one")
    sat.prove("make test", head="one")
    proof = client.get(f"/api/tasks/{task.id}/evidence").json()
    assert proof["accepted"] is True
    sat.keep("two")
    proof = client.get(f"/api/tasks/TP-{task.id}/evidence").json()
    assert (proof["accepted"], proof["checks"][0]["stale"], proof["head"]) == (False, True, "two")
    assert client.get(f"/api/tasks/{add('Other').id}/evidence").json()["accepted"] is None
    do(tasks.delete, task.id)
    assert client.get(f"/api/tasks/{task.id}/evidence").status_code == 404


def test_strangers_find_nothing_and_scopes_count(app, open_client, task):
    sat = seat(app, task.id)
    asked = sat.ask()
    stranger = open_client(give_token(app, 77, Scope.READ, Scope.WRITE, Scope.RUN), auth="required")
    for method, path, body in (
        ("GET", f"{RUNS}/{sat.run}", None),
        ("GET", f"{RUNS}/{sat.run}/log", None),
        ("GET", f"{RUNS}/{sat.run}/diff", None),
        ("GET", f"{RUNS}/{sat.run}/report", None),
        ("GET", f"{RUNS}/{sat.run}/questions", None),
        ("POST", f"{RUNS}/{sat.run}/stop", None),
        ("POST", f"{RUNS}/{sat.run}/instructions", {"instructions": "x"}),
        ("POST", f"{RUNS}/{sat.run}/handover", {"agent": "codex"}),
        ("POST", f"{RUNS}/{sat.run}/merge", {}),
        ("DELETE", f"/api/worktrees/{sat.run}", None),
        ("GET", f"/api/questions/{asked.id}", None),
        ("POST", f"/api/questions/{asked.id}/answer", {"answer": "deny"}),
        ("GET", f"/api/tasks/{task.id}/evidence", None),
        ("POST", f"/api/tasks/{task.id}/runs", {"agent": "codex"}),
        ("GET", f"/api/workspaces/{task.workspace}/policy", None),
        ("PATCH", f"/api/workspaces/{task.workspace}/policy", {}),
    ):
        assert stranger.request(method, path, json=body).status_code == 404, (method, path)
    assert stranger.get(RUNS).json()["total"] == 0
    writer = open_client(give_token(app, 1, Scope.READ, Scope.WRITE), auth="required")
    assert writer.get(f"{RUNS}/{sat.run}").status_code == 200
    assert writer.post(f"{RUNS}/{sat.run}/stop").status_code == 403


def test_a_run_at_rest_goes_on_with_more_instructions(app, client, task):
    sat = seat(app, task.id)
    sat.finish()
    again = client.post(f"{RUNS}/{sat.run}/instructions", json={"instructions": "More."}).json()
    assert again["state"] == "pending"
    take(app, sat.run, task.id).finish(resting=True)
    assert client.get(f"{RUNS}/{sat.run}").json()["state"] == "waiting"


def test_a_task_carries_its_acceptance_commands_in_and_out(client):
    made = client.post("/api/tasks", json={"title": "Walls", "acceptance": ["make test", "pytest -k 'a b'"]}).json()
    assert made["acceptance"] == ["make test", "pytest -k 'a b'"]
    changed = client.patch(f"/api/tasks/{made['id']}", json={"acceptance": []}).json()
    assert changed["acceptance"] == []
    client.patch(f"/api/tasks/{made['id']}", json={"acceptance": ["make test"]})
    for broken in (["say 'hi"], ["a\\"], [""], [" \u200b"], "make", [5]):
        assert client.patch(f"/api/tasks/{made['id']}", json={"acceptance": broken}).status_code == 422, broken
    document = client.get("/api/export").json()
    assert document["tasks"][0]["acceptance"] == ["make test"]


def test_a_cap_is_a_question_as_well(app, client, task):
    sat = seat(app, task.id)
    sat.ask("3 turns are used up.", Asking.CAP, cap="turns", limit=3, used=3, more=3)
    sat.finish(resting=True)
    shown = client.get(f"{RUNS}/{sat.run}").json()
    assert (shown["state"], shown["question"]["asking"]) == ("waiting", "cap")
    client.post(f"/api/questions/{shown['question']['id']}/answer", json={"answer": "continue"})
    after = client.get(f"{RUNS}/{sat.run}").json()
    assert (after["state"], after["question"], after["config"]["caps"]) == ("pending", None, {"turns": 6})
