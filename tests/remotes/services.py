"""Small services on loopback that behave as the documentation of the real ones says, and break when asked to."""

from __future__ import annotations

import base64
import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

TOKEN = "tok-3e9f1c7a5b"


@dataclass
class Request:
    method: str
    path: str
    query: dict[str, str]
    headers: Any
    body: Any


@dataclass
class Fault:
    """What to do instead of answering, `after` so many good answers; `late` breaks off when the work is done."""

    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    seconds: float = 0
    after: int = 0
    only: str = ""
    late: bool = False


Reply = tuple[int, Any, dict[str, str]]


class Refused(Exception):
    def __init__(self, status: int, message: str, **more: Any) -> None:
        super().__init__(message)
        self.status = status
        self.body = {"message": message, **more}


class Service:
    """Routes are methods named in ROUTES by method and a pattern of the path."""

    ROUTES: tuple[tuple[str, str, str], ...] = ()

    def __init__(self, clock: Callable[[], datetime]) -> None:
        self.clock = clock
        self.faults: list[Fault] = []
        self.log: list[Request] = []
        self.items: dict[str, dict[str, Any]] = {}
        self.moved: datetime | None = None
        service = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_any(self) -> None:
                service.handle(self)

            do_GET = do_POST = do_PATCH = do_PUT = handle_any

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    @contextmanager
    def running(self) -> Iterator[Service]:
        thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        yield self
        self.server.shutdown()
        self.server.server_close()
        thread.join()

    def now(self) -> str:
        """Every change has a moment of its own, as on a clock that never stands still."""
        moment = self.clock()
        self.moved = max(moment, self.moved or moment)
        return self.moved.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")

    def fail(self, status: int = 0, **how: Any) -> None:
        self.faults.append(Fault(status, **how))

    def handle(self, http: BaseHTTPRequestHandler) -> None:
        parts = urlsplit(http.path)
        length = int(http.headers.get("content-length") or 0)
        raw = http.rfile.read(length)
        query = {name: values[-1] for name, values in parse_qs(parts.query).items()}
        request = Request(http.command, unquote(parts.path), query, http.headers, json.loads(raw) if raw else None)
        self.log.append(request)
        fault = self._fault(request)
        if fault and not fault.late:
            self._break(http, fault)
            return
        try:
            status, data, headers = self.answer(request)
        except Refused as refused:
            status, data, headers = refused.status, refused.body, {}
        if fault:
            self._break(http, fault)
            return
        self.send(http, status, b"" if data is None else json.dumps(data).encode(), headers)

    def _fault(self, request: Request) -> Fault | None:
        fitting = [fault for fault in self.faults if fault.only in f"{request.method} {request.path}"]
        for fault in fitting[:1]:
            if fault.after == 0:
                self.faults.remove(fault)
                return fault
            fault.after -= 1
        return None

    def _break(self, http: BaseHTTPRequestHandler, fault: Fault) -> None:
        if fault.seconds:
            time.sleep(fault.seconds)
        if not fault.status:
            http.close_connection = True
            return
        self.send(http, fault.status, fault.body, fault.headers)

    def send(self, http: BaseHTTPRequestHandler, status: int, raw: bytes, headers: dict[str, str]) -> None:
        http.send_response(status)
        for name, value in {"content-type": "application/json", "content-length": str(len(raw)), **headers}.items():
            http.send_header(name, value)
        http.end_headers()
        http.wfile.write(raw)

    def answer(self, request: Request) -> Reply:
        if not self.admits(request):
            raise Refused(401, "Bad credentials")
        for method, pattern, name in self.ROUTES:
            found = re.fullmatch(pattern, request.path)
            if found and method == request.method:
                return getattr(self, name)(request, *found.groups())
        raise Refused(404, "Not Found")

    def admits(self, request: Request) -> bool:
        return request.headers.get("authorization") == f"Bearer {TOKEN}"

    def count(self, method: str, path: str = "") -> int:
        return sum(each.method == method and path in each.path for each in self.log)


class GitHub(Service):
    ROUTES = (
        ("GET", "/user", "get_user"),
        ("GET", "/repos/acme/site", "get_repository"),
        ("GET", "/repos/acme/site/issues", "list_issues"),
        ("POST", "/repos/acme/site/issues", "create_issue"),
        ("PATCH", r"/repos/acme/site/issues/(\d+)", "update_issue"),
        ("GET", "/repos/acme/site/pulls", "list_pulls"),
        ("POST", "/repos/acme/site/pulls", "create_pull"),
    )
    page = 100

    def get_user(self, _: Request) -> Reply:
        return 200, {"login": "octo"}, {}

    def get_repository(self, _: Request) -> Reply:
        return 200, {"full_name": "acme/site", "default_branch": "main"}, {}

    def list_issues(self, request: Request) -> Reply:
        query = request.query
        assert query["state"] == "all"
        found = [each for each in self.items.values() if each["updated_at"] >= query.get("since", "")]
        page, size = int(query.get("page", 1)), min(int(query["per_page"]), self.page)
        shown = found[(page - 1) * size : page * size]
        headers = {}
        if len(found) > page * size:
            rest = "&".join(f"{name}={value}" for name, value in (query | {"page": str(page + 1)}).items())
            link = f"{self.url}/repos/acme/site/issues?{rest}"
            headers["link"] = f'<{link}>; rel="next", <{self.url}/last>; rel="last"'
        return 200, shown, headers

    def create_issue(self, request: Request) -> Reply:
        if not request.body.get("title"):
            raise Refused(
                422, "Validation Failed", errors=[{"resource": "Issue", "code": "missing_field", "field": "title"}]
            )
        return 201, self.open_issue(request.body["title"], request.body.get("body")), {}

    def update_issue(self, request: Request, number: str) -> Reply:
        if number not in self.items:
            raise Refused(410, "This issue was deleted")
        return 200, self.edit(number, **request.body), {}

    def list_pulls(self, request: Request) -> Reply:
        head = request.query["head"].partition(":")[2]
        pulls = [each["pull_request"] for each in self.items.values() if "pull_request" in each]
        return 200, [pull for pull in pulls if pull["head"]["ref"] == head], {}

    def create_pull(self, request: Request) -> Reply:
        body = request.body
        issue = self.open_issue(body["title"], body["body"])
        issue["pull_request"] = {
            "number": issue["number"],
            "title": body["title"],
            "html_url": issue["html_url"].replace("issues", "pull"),
            "head": {"ref": body["head"]},
            "base": {"ref": body["base"]},
        }
        return 201, issue["pull_request"], {}

    # What people do on the site.

    def open_issue(self, title: str, body: str | None = None) -> dict[str, Any]:
        number = len(self.items) + 1
        self.items[str(number)] = {
            "number": number,
            "html_url": f"https://github.com/acme/site/issues/{number}",
            "title": title,
            "body": body,
            "state": "open",
            "state_reason": None,
            "updated_at": self.now(),
        }
        return self.items[str(number)]

    def edit(self, number: str, **changes: Any) -> dict[str, Any]:
        issue = self.items[number]
        if {name: issue.get(name) for name in changes} != changes:
            issue.update(changes, updated_at=self.now())
        return issue


class Custom(Service):
    ROUTES = (
        ("GET", "/tasks", "list_items"),
        ("POST", "/tasks", "create_item"),
        ("PATCH", "/tasks/(.+)", "update_item"),
    )
    page = 2

    def list_items(self, request: Request) -> Reply:
        found = [each for each in self.items.values() if each["updated_at"] >= request.query.get("since", "")]
        start = int(request.query.get("cursor", 0))
        more = start + self.page < len(found)
        return 200, {"items": found[start : start + self.page], "next": str(start + self.page) if more else None}, {}

    def create_item(self, request: Request) -> Reply:
        return 201, self.add(**request.body), {}

    def update_item(self, request: Request, key: str) -> Reply:
        if key not in self.items:
            raise Refused(404, "No such task")
        return 200, self.edit(key, **request.body), {}

    def add(self, title: str, description: str = "", state: str = "open", marker: str = "") -> dict[str, Any]:
        key = f"c/{len(self.items) + 1}"
        self.items[key] = {
            "id": key,
            "title": title,
            "description": description,
            "state": state,
            "marker": marker,
            "updated_at": self.now(),
            "url": f"https://tasks.example/{key}",
        }
        return self.items[key]

    def edit(self, key: str, **changes: Any) -> dict[str, Any]:
        self.items[key].update(changes, updated_at=self.now())
        return self.items[key]


class Jira(Service):
    ROUTES = (
        ("GET", "/rest/api/3/myself", "get_user"),
        ("GET", "/rest/api/3/project/ENG", "get_project"),
        ("GET", "/rest/api/3/search/jql", "search"),
        ("POST", "/rest/api/3/issue", "create_issue"),
        ("GET", r"/rest/api/3/issue/([\w-]+)", "get_issue"),
        ("PUT", r"/rest/api/3/issue/([\w-]+)", "update_issue"),
        ("GET", r"/rest/api/3/issue/([\w-]+)/transitions", "list_steps"),
        ("POST", r"/rest/api/3/issue/([\w-]+)/transitions", "take_step"),
    )
    STEPS = (("11", "new"), ("21", "indeterminate"), ("31", "done"))
    page = 2

    def admits(self, request: Request) -> bool:
        basic = base64.b64encode(f"me@example.com:{TOKEN}".encode()).decode()
        return request.headers.get("authorization") == f"Basic {basic}"

    def get_user(self, _: Request) -> Reply:
        return 200, {"displayName": "Mia"}, {}

    def get_project(self, _: Request) -> Reply:
        return 200, {"key": "ENG"}, {}

    def search(self, request: Request) -> Reply:
        jql = request.query["jql"]
        since = re.search(r'updated >= "([\d-]+) ([\d:]+)"', jql)
        assert 'project = "ENG"' in jql
        moment = f"{since[1]}T{since[2]}" if since else ""
        found = [each for each in self.items.values() if each["fields"]["updated"] >= moment]
        start = int(request.query.get("nextPageToken", 0))
        page = {"issues": [self.show(each, request) for each in found[start : start + self.page]]}
        if start + self.page < len(found):
            page["nextPageToken"] = str(start + self.page)
        return 200, page, {}

    def show(self, issue: dict[str, Any], request: Request) -> dict[str, Any]:
        wanted = request.query["fields"].split(",")
        shown = {**issue, "fields": {name: issue["fields"][name] for name in wanted}}
        if request.query.get("properties") != "taskpilot":
            shown["properties"] = {}
        return shown

    def create_issue(self, request: Request) -> Reply:
        fields = request.body["fields"]
        if not fields["summary"]:
            raise Refused(400, "", errorMessages=[], errors={"summary": "You must specify a summary of the issue."})
        kept = {each["key"]: each["value"] for each in request.body.get("properties", ())}
        issue = self.open_issue(fields["summary"], fields["description"], kept)
        return 201, {"id": issue["id"], "key": issue["key"]}, {}

    def find(self, key: str) -> dict[str, Any]:
        for issue in self.items.values():
            if key in (issue["id"], issue["key"]):
                return issue
        raise Refused(404, "", errorMessages=["Issue does not exist or you do not have permission to see it."])

    def get_issue(self, request: Request, key: str) -> Reply:
        return 200, self.show(self.find(key), request), {}

    def update_issue(self, request: Request, key: str) -> Reply:
        self.edit(self.find(key)["id"], **request.body["fields"])
        return 204, None, {}

    def list_steps(self, _: Request, key: str) -> Reply:
        self.find(key)
        steps = [{"id": number, "to": {"statusCategory": {"key": kind}}} for number, kind in self.STEPS]
        return 200, {"transitions": steps}, {}

    def take_step(self, request: Request, key: str) -> Reply:
        category = dict(self.STEPS)[request.body["transition"]["id"]]
        self.edit(self.find(key)["id"], status={"statusCategory": {"key": category}})
        return 204, None, {}

    def open_issue(self, summary: str, description: Any = None, kept: Any = None) -> dict[str, Any]:
        number = len(self.items) + 1
        self.items[str(10_000 + number)] = issue = {
            "id": str(10_000 + number),
            "key": f"ENG-{number}",
            "properties": kept or {},
            "fields": {
                "summary": summary,
                "description": description,
                "status": {"statusCategory": {"key": "new"}},
                "updated": self.now().replace("Z", ".000+0000"),
            },
        }
        return issue

    def edit(self, key: str, **fields: Any) -> None:
        self.items[key]["fields"].update(fields, updated=self.now().replace("Z", ".000+0000"))


class Linear(Service):
    ROUTES = (("POST", "/graphql", "ask"),)
    STATES = tuple(
        {"id": f"s{number}", "type": kind, "position": number}
        for number, kind in enumerate(("backlog", "unstarted", "completed", "canceled"))
    )
    page = 2

    def admits(self, request: Request) -> bool:
        return request.headers.get("authorization") == TOKEN

    def ask(self, request: Request) -> Reply:
        query, given = request.body["query"], request.body["variables"]
        if "issueCreate" in query:
            if not given["input"]["title"]:
                error = {"message": "Argument Validation Error", "extensions": {"code": "INVALID_INPUT"}}
                return 200, {"data": None, "errors": [error]}, {}
            issue = self.open_issue(given["input"]["title"], given["input"].get("description"))
            return 200, {"data": {"issueCreate": {"success": True, "issue": issue}}}, {}
        if "issueUpdate" in query:
            return (
                200,
                {"data": {"issueUpdate": {"success": True, "issue": self.edit(given["id"], **given["input"])}}},
                {},
            )
        if "teams" in query:
            team = {"id": "t1", "states": {"nodes": list(self.STATES)}}
            known = given["key"] == "ENG"
            return 200, {"data": {"viewer": {"name": "Mia"}, "teams": {"nodes": [team] if known else []}}}, {}
        since = given["filter"].get("updatedAt", {}).get("gte", "")
        found = [each for each in self.items.values() if each["updatedAt"] >= since]
        start = int(given["after"] or 0)
        more = start + self.page < len(found)
        page = {"hasNextPage": more, "endCursor": str(start + self.page)}
        return 200, {"data": {"issues": {"nodes": found[start : start + self.page], "pageInfo": page}}}, {}

    def open_issue(self, title: str, description: str | None = None) -> dict[str, Any]:
        number = len(self.items) + 1
        # Linear keeps Markdown, and writes brackets its own way.
        kept = (description or "").replace("[", "\\[").replace("]", "\\]") or None
        self.items[f"uuid-{number}"] = issue = {
            "id": f"uuid-{number}",
            "identifier": f"ENG-{number}",
            "url": f"https://linear.app/acme/issue/ENG-{number}",
            "title": title,
            "description": kept,
            "updatedAt": self.now().replace("Z", ".000Z"),
            "state": {"type": "backlog"},
        }
        return issue

    def edit(self, key: str, **changes: Any) -> dict[str, Any]:
        if "stateId" in changes:
            wanted = changes.pop("stateId")
            changes["state"] = next({"type": state["type"]} for state in self.STATES if state["id"] == wanted)
        self.items[key].update(changes, updatedAt=self.now().replace("Z", ".000Z"))
        return self.items[key]


class Asana(Service):
    ROUTES = (
        ("GET", "/users/me", "get_user"),
        ("GET", "/projects/1200", "get_project"),
        ("GET", "/tasks", "list_tasks"),
        ("POST", "/tasks", "create_task"),
        ("PUT", r"/tasks/(\d+)", "update_task"),
    )
    page = 2

    def get_user(self, _: Request) -> Reply:
        return 200, {"data": {"gid": "1", "name": "Mia"}}, {}

    def get_project(self, _: Request) -> Reply:
        return 200, {"data": {"gid": "1200", "name": "Site"}}, {}

    def list_tasks(self, request: Request) -> Reply:
        query = request.query
        assert query["project"] == "1200"
        found = [each for each in self.items.values() if each["modified_at"] >= query.get("modified_since", "")]
        start = int(query.get("offset", 0))
        more = start + self.page < len(found)
        following = {"offset": str(start + self.page), "path": "/tasks"} if more else None
        return 200, {"data": found[start : start + self.page], "next_page": following}, {}

    def create_task(self, request: Request) -> Reply:
        given = request.body["data"]
        assert given["projects"] == ["1200"]
        return 201, {"data": self.add(given["name"], given["notes"])}, {}

    def update_task(self, request: Request, key: str) -> Reply:
        if key not in self.items:
            raise Refused(404, "", errors=[{"message": "task: Unknown object", "help": ""}])
        return 200, {"data": self.edit(key, **request.body["data"])}, {}

    def add(self, name: str, notes: str = "") -> dict[str, Any]:
        key = str(900 + len(self.items))
        self.items[key] = {
            "gid": key,
            "name": name,
            "notes": notes,
            "completed": False,
            "modified_at": self.now().replace("Z", ".000Z"),
            "permalink_url": f"https://app.asana.com/0/1200/{key}",
        }
        return self.items[key]

    def edit(self, key: str, **changes: Any) -> dict[str, Any]:
        self.items[key].update(changes, modified_at=self.now().replace("Z", ".000Z"))
        return self.items[key]


class Trello(Service):
    ROUTES = (
        ("GET", "/1/members/me", "get_user"),
        ("GET", "/1/boards/b1", "get_board"),
        ("GET", "/1/boards/b1/lists", "list_lists"),
        ("GET", "/1/boards/b1/cards/all", "list_cards"),
        ("POST", "/1/cards", "create_card"),
        ("PUT", r"/1/cards/(\w+)", "update_card"),
    )

    def admits(self, request: Request) -> bool:
        return request.headers.get("authorization") == f'OAuth oauth_consumer_key="key-77", oauth_token="{TOKEN}"'

    def get_user(self, _: Request) -> Reply:
        return 200, {"username": "mia"}, {}

    def get_board(self, _: Request) -> Reply:
        return 200, {"id": "b1", "name": "Site"}, {}

    def list_lists(self, _: Request) -> Reply:
        return 200, [{"id": "l1", "name": "Ideas"}, {"id": "l2", "name": "Doing"}], {}

    def list_cards(self, request: Request) -> Reply:
        cards = [card for key, card in self.items.items() if key < request.query.get("before", "~")]
        return 200, sorted(cards, key=lambda card: card["id"], reverse=True)[: int(request.query["limit"])], {}

    def create_card(self, request: Request) -> Reply:
        assert request.body["idList"] == "l1"
        return 200, self.add(request.body["name"], request.body["desc"]), {}

    def update_card(self, request: Request, key: str) -> Reply:
        if key not in self.items:
            raise Refused(404, "The requested resource was not found.")
        return 200, self.edit(key, **request.body), {}

    def add(self, name: str, desc: str = "") -> dict[str, Any]:
        key = f"{len(self.items) + 1:024x}"
        self.items[key] = {
            "id": key,
            "shortLink": f"sl{len(self.items) + 1}",
            "url": f"https://trello.com/c/sl{len(self.items) + 1}",
            "name": name,
            "desc": desc,
            "closed": False,
            "dueComplete": False,
            "dateLastActivity": self.now().replace("Z", ".000Z"),
        }
        return self.items[key]

    def edit(self, key: str, **changes: Any) -> dict[str, Any]:
        self.items[key].update(changes, dateLastActivity=self.now().replace("Z", ".000Z"))
        return self.items[key]


def soon(seconds: int) -> str:
    return str(int((datetime.now(UTC) + timedelta(seconds=seconds)).timestamp()))
