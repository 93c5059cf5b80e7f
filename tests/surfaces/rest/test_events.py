from __future__ import annotations

import json
import threading
import time
from dataclasses import replace
from datetime import timedelta

import pytest
from anyio.lowlevel import checkpoint
from starlette.testclient import WebSocketDenialResponse
from starlette.websockets import WebSocketDisconnect

from taskpilot.access.secrets import hash_secret, make_secret
from taskpilot.domain.caller import local
from taskpilot.domain.operation import writes
from taskpilot.domain.scopes import PERSONAL, Scope
from taskpilot.domain.token import write_token
from taskpilot.ops import changes, projects, tasks, tokens, workspaces
from taskpilot.store import backup
from taskpilot.surfaces.rest import sockets, streams
from taskpilot.surfaces.rest.streams import Streams, Wish

EVENTS = "/api/events"
SOCKET = "ws://localhost:8000/api/events/ws"
NASTY = "One\ntwo\r\nthree\n\nid: 5\ndata: x\u2028\u2029 'ü' \U0001f600"


def parse(text: str) -> list[dict]:
    """What an EventSource would make of it: comments and hints aside."""
    found = []
    for block in text.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.split("\n") if line and not line.startswith((":", "retry")))
        if fields:
            assert set(fields) == {"id", "event", "data"}
            found.append({"id": int(fields["id"]), "event": fields["event"], "data": json.loads(fields["data"])})
    return found


def listen(client, last: int | None = None, **query) -> list[dict]:
    headers = {} if last is None else {"Last-Event-ID": str(last)}
    answer = client.get(EVENTS, params={"wait": 0, **query}, headers=headers)
    assert answer.status_code == 200, answer.text
    return parse(answer.text)


@pytest.fixture
def give_token(app, me):
    """A token of this user's; its number besides."""

    def give(caller=me, scopes=frozenset({Scope.READ, Scope.WRITE}), **options) -> tuple[str, int]:
        secret = make_secret()
        caller = replace(caller, scopes=caller.scopes | PERSONAL)
        token = app.run(caller, tokens.create, "test", hash_secret(secret), scopes, **options)
        return write_token(token.id, secret), token.id

    return give


@pytest.fixture
def hastily(monkeypatch):
    monkeypatch.setattr(streams, "LOOK_SECONDS", 0.1)


def listening(client, **query) -> tuple[threading.Thread, list]:
    """A stream that another thread listens to until it ends; then the list has its answer, and when it ended."""
    heard: list = []

    def run() -> None:
        heard.extend([client.get(EVENTS, params=query), time.monotonic()])

    thread = threading.Thread(target=run)
    thread.start()
    return thread, heard


def test_who_comes_back_is_told_what_was_missed_in_order(client, do, add):
    start = do(changes.find_last)
    task = add()
    do(tasks.update, task.id, {"title": "Higher walls"})
    do(tasks.complete, task.id)
    ready, *told = listen(client, last=start)
    assert ready == {"id": start, "event": "ready", "data": {"id": start}}
    assert [each["event"] for each in told] == ["task.created", "task.updated", "task.completed"]
    assert listen(client, last=told[0]["id"])[1:] == told[1:]
    assert listen(client, last=told[-1]["id"])[1:] == []
    assert told[1]["data"] == {
        "id": told[1]["id"],
        "change": told[1]["id"],
        "at": "2026-01-01T12:00:00Z",
        "actor": "dev-user",
        "door": "cli",
        "kind": "task.updated",
        "subject": task.id,
        "before": {"title": "Walls"},
        "after": {"title": "Higher walls"},
        "reason": "",
        "workspace": None,
    }


def test_who_comes_new_hears_only_what_happens_from_now_on(client, do, add):
    add()
    end = do(changes.find_last)
    assert listen(client) == [{"id": end, "event": "ready", "data": {"id": end}}]


def test_the_header_counts_where_the_query_says_otherwise(client, add, do):
    add("First")
    last = do(changes.find_last)
    add("Second")
    assert [each["data"]["after"]["title"] for each in listen(client, last=last, last_event_id=0)[1:]] == ["Second"]
    assert len(listen(client, last_event_id=0)) == 3


def test_a_change_is_told_while_the_stream_is_open(client, do, add):
    thread, heard = listening(client, wait=2)
    time.sleep(0.8)
    add("Heard")
    thread.join()
    ready, told = parse(heard[0].text)
    assert ready["event"] == "ready"
    assert told["data"]["after"]["title"] == "Heard"


def test_the_answer_is_one_that_nobody_keeps(client):
    answer = client.get(EVENTS, params={"wait": 0})
    assert answer.headers["content-type"] == "text/event-stream; charset=utf-8"
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["x-accel-buffering"] == "no"
    assert answer.text.startswith("retry: ")


def test_whatever_a_text_holds_it_stays_in_its_event(client, do, add):
    start = do(changes.find_last)
    task = add("Walls", description=NASTY)
    told = listen(client, last=start)[1]
    assert told["data"]["after"]["description"] == task.description


def test_a_long_backlog_is_told_whole(client, do):
    start = do(changes.find_last)
    for batch in range(9):
        do(tasks.create, [{"title": f"{batch} {number}"} for number in range(50)])
    told = listen(client, last=start)[1:]
    assert len(told) == 450
    assert [each["id"] for each in told] == sorted({each["id"] for each in told})


@pytest.mark.parametrize("given", ["x", "-1", "1.5", "9" * 30, "null", "1;2"])
def test_what_is_no_id_is_refused(client, given):
    assert client.get(EVENTS, params={"wait": 0}, headers={"Last-Event-ID": given}).status_code == 422
    assert client.get(EVENTS, params={"wait": 0, "last_event_id": given}).status_code == 422


@pytest.mark.parametrize(
    "query",
    [
        {"wait": -1},
        {"wait": 3601},
        {"wait": "long"},
        {"kinds": "Task"},
        {"kinds": "task,"},
        {"kinds": "task\n"},
        {"kinds": "x" * 501},
        {"workspace_id": 0},
        {"since": 1},
    ],
)
def test_a_query_that_is_not_understood_is_refused(client, query):
    assert client.get(EVENTS, params={"wait": 0, **query}).status_code == 422


def test_an_id_beyond_the_log_begins_anew(client, do, add):
    add()
    end = do(changes.find_last)
    assert listen(client, last=2**62)[1:] == [{"id": end, "event": "reset", "data": {"id": end}}]


def test_a_restored_backup_is_told_to_everybody(app, client, do, add, stranger, give_token, open_client, tmp_path):
    token, _ = give_token(stranger)
    backup.write(app.database, tmp_path / "tasks.backup")
    add("Lost")
    last = do(changes.find_last)
    backup.restore(app.database, tmp_path / "tasks.backup")
    for each in (client, open_client(token)):
        _, told = listen(each, last=last)
        assert told["event"] == "reset"
        assert listen(each, last=told["id"])[1:] == []


def test_only_what_was_wished_for_is_told(client, do, add, tmp_path):
    start = do(changes.find_last)
    workspace = do(workspaces.open_folder, str(tmp_path))
    inside = add("Inside", workspace=workspace.id)
    add("Outside", project="Home")
    do(projects.create, "House")

    def heard(**query) -> list[str]:
        return [each["event"] for each in listen(client, last=start, **query)[1:]]

    everything = heard()
    assert heard(kinds="task") == [kind for kind in everything if kind.startswith("task.")]
    assert heard(kinds="task.created,project") == [kind for kind in everything if not kind.startswith("workspace")]
    assert heard(kinds="nonesuch") == []
    told = listen(client, last=start, workspace_id=workspace.id)[1:]
    assert {each["data"]["workspace"] for each in told} == {workspace.id}
    assert inside.id in [each["data"]["subject"] for each in told]
    assert heard(workspace_id=2**63 - 1) == []


def test_nobody_hears_of_anothers_things_or_of_secrets(app, do, add, stranger, give_token, open_client):
    start = do(changes.find_last)
    token, _ = give_token(stranger)
    mine, _ = give_token()
    add("Mine")
    theirs = app.run(stranger, tasks.create, [{"title": "Theirs"}]).tasks[0]
    told = listen(open_client(token, auth="required"), last=start)[1:]
    assert [each["data"]["subject"] for each in told] == [theirs.id]
    assert {each["data"]["kind"] for each in listen(open_client(mine), last=start)[1:]} == {"task.created"}


@writes
def promote(work):
    work.users.save(replace(work.users.find(work.caller.user), admin=True))


def test_a_token_must_be_allowed_to_read(do, open_client, give_token):
    do(promote)
    client = open_client(give_token(scopes=frozenset({Scope.ADMIN}))[0])
    answer = client.get(EVENTS, params={"wait": 0})
    assert answer.status_code == 403
    assert answer.json()["error"] == "insufficient_scope"
    with pytest.raises(WebSocketDenialResponse) as denied, client.websocket_connect(SOCKET):
        pass
    assert denied.value.status_code == 403
    assert open_client(auth="required").get(EVENTS, params={"wait": 0}).status_code == 401


def test_a_revoked_token_ends_its_streams(do, open_client, give_token):
    token, number = give_token()
    thread, heard = listening(open_client(token), wait=60)
    time.sleep(0.5)
    do(tokens.revoke, number)
    revoked = time.monotonic()
    thread.join(20)
    assert heard[1] - revoked < 5
    assert [each["event"] for each in parse(heard[0].text)] == ["ready"]


def test_an_expired_token_ends_its_streams(clock, open_client, give_token, hastily):
    token, _ = give_token(expires_at=clock.now + timedelta(hours=1))
    thread, heard = listening(open_client(token), wait=60)
    time.sleep(0.5)
    clock.forward(hours=2)
    expired = time.monotonic()
    thread.join(20)
    assert heard[1] - expired < 5


def test_one_user_cannot_take_every_stream(app, client, stranger, give_token, open_client, monkeypatch):
    monkeypatch.setattr(streams, "MOST_STREAMS", 1)
    other = open_client(give_token(stranger)[0])
    with client.websocket_connect(f"{SOCKET}?last_event_id=0"):
        answer = client.get(EVENTS, params={"wait": 0})
        assert answer.status_code == 429
        assert answer.headers["retry-after"] == "5"
        assert answer.json()["error"] == "too_many_streams"
        assert listen(other)[0]["event"] == "ready"
    assert listen(client)[0]["event"] == "ready"


def test_an_idle_stream_shows_that_it_lives(client, monkeypatch):
    monkeypatch.setattr(streams, "BEAT_SECONDS", 0.2)
    assert client.get(EVENTS, params={"wait": 1}).text.count("\n: ") >= 3
    with client.websocket_connect(f"{SOCKET}?last_event_id=0") as socket:
        assert [socket.receive_json()["event"] for _ in range(3)] == ["ready", "heartbeat", "heartbeat"]


def test_a_socket_tells_the_same(client, do, add):
    start = do(changes.find_last)
    add()
    with client.websocket_connect(f"{SOCKET}?last_event_id={start}", subprotocols=["taskpilot"]) as socket:
        assert socket.accepted_subprotocol == "taskpilot"
        assert [socket.receive_json(), socket.receive_json()] == listen(client, last=start)
        add("Live")
        assert socket.receive_json()["data"]["after"]["title"] == "Live"


def test_a_sockets_first_message_may_say_where_to_go_on(client, do, add):
    start = do(changes.find_last)
    add("First")
    with client.websocket_connect(SOCKET) as socket:
        socket.send_json({"last_event_id": start})
        assert socket.receive_json() == {"id": start, "event": "ready", "data": {"id": start}}
        assert socket.receive_json()["data"]["after"]["title"] == "First"


def test_a_socket_that_says_nothing_hears_what_comes(client, do, add, monkeypatch):
    monkeypatch.setattr(sockets, "FIRST_SECONDS", 0.3)
    add("Before")
    with client.websocket_connect(SOCKET) as socket:
        add("Since")  # before the stream is ready, but after the client came
        assert socket.receive_json()["event"] == "ready"
        assert socket.receive_json()["data"]["after"]["title"] == "Since"


@pytest.mark.parametrize("said", ["garbage", "[]", '{"last_event_id": -1}', '{"last_event_id": "1"}', '{"x": 1}'])
def test_a_socket_that_talks_nonsense_is_closed(client, said):
    with client.websocket_connect(SOCKET) as socket:
        socket.send_text(said)
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_json()
    assert closed.value.code == 1008


def test_a_socket_that_goes_on_talking_is_closed(client):
    with client.websocket_connect(f"{SOCKET}?last_event_id=0") as socket:
        socket.receive_json()
        socket.send_bytes(b"{}")
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_json()
    assert closed.value.code == 1008


def test_a_sockets_query_is_held_to_the_same_rules(client):
    for query in ("last_event_id=x", "since=1", "wait=4000"):
        with pytest.raises(WebSocketDenialResponse) as denied, client.websocket_connect(f"{SOCKET}?{query}"):
            pass
        assert denied.value.status_code == 422


def test_a_socket_ends_when_its_time_is_up(client):
    with client.websocket_connect(f"{SOCKET}?last_event_id=0&wait=0") as socket:
        assert socket.receive_json()["event"] == "ready"
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_json()
    assert closed.value.code == 1000


def test_a_socket_takes_its_token_as_a_subprotocol(do, open_client, give_token):
    client = open_client(auth="required")
    token, number = give_token()
    with pytest.raises(WebSocketDenialResponse) as denied, client.websocket_connect(SOCKET):
        pass
    assert denied.value.status_code == 401
    protocols = ["taskpilot", f"bearer.{token}"]
    with client.websocket_connect(f"{SOCKET}?last_event_id=0", subprotocols=protocols) as socket:
        assert socket.accepted_subprotocol == "taskpilot"
        assert socket.receive_json()["event"] == "ready"
        do(tokens.revoke, number)
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_json()
    assert closed.value.code == 1008
    assert "not valid" in closed.value.reason


def test_a_page_elsewhere_cannot_open_a_socket(client):
    for headers in ({"Origin": "https://evil.example"}, {"Host": "evil.example"}):
        with pytest.raises(WebSocketDenialResponse), client.websocket_connect(SOCKET, headers=headers):
            pass


@pytest.mark.anyio
async def test_the_feed_is_followed_only_while_somebody_listens(app):
    async def admit():
        return local("rest")

    def listeners() -> int:
        return len(app._feed._listeners)

    before, all_streams = listeners(), Streams(app)
    first, second = [await all_streams.open(admit, Wish()) for _ in range(2)]
    assert listeners() == before + 1
    first.leave()
    first.leave()
    assert listeners() == before + 1
    second.leave()
    await checkpoint()
    assert listeners() == before


@pytest.mark.anyio
async def test_a_server_that_stops_ends_its_streams(app):
    async def admit():
        return local("rest")

    listener = await Streams(app).open(admit, Wish())
    told = []
    async for each in listener.hear():
        told.extend(each)
        app.leave()
    listener.leave()
    assert [notice.name for notice in told] == ["ready"]


def test_the_stream_is_described_as_one(client):
    described = client.get("/api/openapi.json").json()["paths"][EVENTS]["get"]
    assert set(described["responses"]["200"]["content"]) == {"text/event-stream"}
    assert {each["name"] for each in described["parameters"]} >= {"Last-Event-ID", "last_event_id", "kinds", "wait"}
