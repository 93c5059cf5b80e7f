from __future__ import annotations

import json
import threading
import time

import pytest

from taskpilot.surfaces.rest import run_logs, streams
from tests.contracts.stage import seat
from tests.surfaces.rest.bearers import give_token

SSE = {"Accept": "text/event-stream"}
NASTY = "One\ntwo\r\n\nid: 5\ndata: x\u2028 'ü' \U0001f600"


@pytest.fixture
def sat(app, add, tmp_path):
    return seat(app, add(workspace=str(tmp_path)).id)


@pytest.fixture
def log(sat):
    return f"/api/runs/{sat.run}/log"


def parse(text: str) -> list[dict]:
    found = []
    for block in text.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.split("\n") if line and not line.startswith((":", "retry")))
        if fields:
            found.append({"id": int(fields["id"]), "event": fields["event"], "data": json.loads(fields["data"])})
    return found


def listen(client, log, last=None, **query):
    headers = SSE if last is None else {**SSE, "Last-Event-ID": str(last)}
    answer = client.get(log, params={"wait": 0, **query}, headers=headers)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("text/event-stream")
    return parse(answer.text)


def test_a_log_comes_page_by_page(client, sat, log):
    sat.say("a", "b")
    page = client.get(log, params={"limit": 2}).json()
    assert [entry["number"] for entry in page["entries"]] == [1, 2]
    assert (page["complete"], page["state"], page["next_after"]) == (False, "in_progress", 2)
    rest = client.get(log, params={"after": page["next_after"]}).json()
    assert [entry["text"] for entry in rest["entries"]] == ["b"]
    sat.finish()
    end = client.get(log, params={"after": rest["next_after"]}).json()
    assert end["complete"] is True
    done = client.get(log, params={"after": end["next_after"]}).json()
    assert (done["entries"], done["next_after"], done["complete"]) == ([], end["next_after"], True)
    for query in ({"limit": 0}, {"after": -1}, {"x": 1}):
        assert client.get(log, params=query).status_code == 422


def test_a_stream_is_resumed_where_it_broke_off(client, sat, log):
    sat.say("a", NASTY, "c")
    first = listen(client, log)
    assert [each["id"] for each in first] == [1, 2, 3, 4]
    assert [each["event"] for each in first] == ["status", "message", "message", "message"]
    assert first[2]["data"]["text"] == NASTY
    assert [each["data"]["text"] for each in listen(client, log, last=3)] == ["c"]
    assert [each["id"] for each in listen(client, log, after=2)] == [3, 4]
    assert listen(client, log, last=4) == []
    assert client.get(log, headers={**SSE, "Last-Event-ID": "x"}).status_code == 422


def test_a_stream_of_a_run_at_rest_ends_with_its_state(client, sat, log):
    sat.ask("May it?")
    sat.finish(ok=False, error="exit 3")
    told = listen(client, log, wait=60)
    assert [each["id"] for each in told[:-1]] == list(range(1, len(told)))
    assert told[-1]["event"] == "end"
    assert told[-1]["id"] == told[-2]["id"]
    assert told[-1]["data"] == {"run_id": sat.run, "state": "failed", "error": "exit 3", "question": None}
    assert [each["event"] for each in listen(client, log, last=told[-1]["id"])] == ["end"]


def test_a_stream_is_live_until_the_run_is_done(app, client, sat, log, monkeypatch):
    monkeypatch.setattr(run_logs, "AT_ONCE", 2)

    def work():
        for n in range(5):
            time.sleep(0.05)
            sat.say(f"step {n}", f"done {n}")
        sat.finish()

    worker = threading.Thread(target=work)
    worker.start()
    told = listen(client, log, wait=30)
    worker.join()
    assert told[-1]["event"] == "end"
    assert [each["id"] for each in told[:-1]] == list(range(1, len(told)))
    assert sum(each["event"] == "message" for each in told) == 10


def test_it_goes_on_through_a_follow_up_and_gives_signs_of_life(app, client, sat, log, do, monkeypatch):
    monkeypatch.setattr(streams, "BEAT_SECONDS", 0.1)
    answer = client.get(log, params={"wait": 1}, headers=SSE)
    assert b": still here\n\n" in answer.content
    assert [each["id"] for each in parse(answer.text)] == [1]


def test_one_who_may_listen_no_longer_and_a_stranger_hear_nothing(app, open_client, sat, log):
    stranger = open_client(give_token(app), auth="required")
    assert stranger.get(log, headers=SSE).status_code == 404
    assert stranger.get("/api/runs/99/log", headers=SSE).json()["message"] == "Run 99 not found."


def test_a_user_has_so_many_streams_and_no_more(client, sat, log, monkeypatch):
    monkeypatch.setattr(streams, "MOST_STREAMS", 0)
    assert client.get(log, headers=SSE).status_code == 429


def test_another_runs_news_say_nothing_here(app, client, sat, log, add, tmp_path):
    other = seat(app, add("Roof", workspace=str(tmp_path)).id)

    def work():
        time.sleep(0.1)
        other.say("not for you")
        sat.say("for you")
        sat.finish()

    worker = threading.Thread(target=work)
    worker.start()
    told = listen(client, log, wait=30)
    worker.join()
    assert "not for you" not in json.dumps(told)
    assert "for you" in json.dumps(told)
