"""GitHub: issues and pull requests, over its REST API."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from taskpilot.domain.errors import Forbidden, Invalid
from taskpilot.domain.remote import Face, Item, Push, Reach, State, add_marker, read_item
from taskpilot.domain.system import SYSTEMS
from taskpilot.remotes.adapter import Json, bearer, count_pages
from taskpilot.remotes.client import Client

ABOUT = SYSTEMS["github"]
VERSION = "2022-11-28"
PER_PAGE = 100
_REPOSITORY = re.compile(r"[A-Za-z0-9_.-]{1,100}/[A-Za-z0-9_.-]{1,100}")
_REASON = {State.DONE: "completed", State.DROPPED: "not_planned", State.OPEN: "reopened"}


class GitHub:
    def __init__(self, values: Mapping[str, str], reach: Reach) -> None:
        self.repository = values["repository"]
        if not _REPOSITORY.fullmatch(self.repository) or ".." in self.repository:
            raise Invalid("The option repository is not one.", hint="It looks like owner/name.")
        token = values.get("token", "")
        headers = {
            **bearer(token),
            "Accept": "application/vnd.github+json",
            "X-GitHub-Api-Version": VERSION,
        }
        self.client = Client(ABOUT.title, values.get("url") or ABOUT.url, reach, headers, (token,))
        self._path = f"repos/{self.repository}"
        self._base = values.get("base", "")

    def test(self) -> str:
        self.client.get(self._path)
        try:
            return self.client.get("user").data["login"]
        except Forbidden:  # a token made for this repository alone has no user to show
            return ""

    def list_changed(self, since: str) -> Iterator[list[Item]]:
        # In the order of their making: a change meanwhile moves no issue past the page boundary.
        params = {"state": "all", "sort": "created", "direction": "asc", "per_page": PER_PAGE}
        answer = self.client.get(f"{self._path}/issues", params | ({"since": since} if since else {}))
        for _ in count_pages(self.client):
            # A pull request is an issue to this list; it is not a task.
            yield [self._item(each) for each in answer.data if "pull_request" not in each]
            if not answer.next:
                return
            answer = self.client.get(answer.next)

    def create(self, push: Push) -> Item:
        face = push.face.fit(ABOUT)
        body = {"title": face.title, "body": add_marker(face.description, push.marker)}
        return self._item(self.client.send("POST", f"{self._path}/issues", body=body).data)

    def update(self, push: Push) -> Item:
        face = push.face.fit(ABOUT)
        body: Json = {}
        if "title" in push.changes:
            body["title"] = face.title
        if "description" in push.changes:
            body["body"] = add_marker(face.description, push.marker)
        if "state" in push.changes:
            body |= {"state": "open" if face.state is State.OPEN else "closed", "state_reason": _REASON[face.state]}
        return self._item(self.client.send("PATCH", f"{self._path}/issues/{push.key}", body=body).data)

    def find_pull_request(self, branch: str) -> Json | None:
        """The open one from this branch, if there is one."""
        head = branch if ":" in branch else f"{self.repository.partition('/')[0]}:{branch}"
        params = {"state": "open", "head": head, "per_page": 1}
        found = self.client.get(f"{self._path}/pulls", params).data
        return found[0] if found else None

    def create_pull_request(self, title: str, description: str, branch: str) -> Json:
        base = self._base or self.client.get(self._path).data["default_branch"]
        if base == branch:
            raise Invalid(f"{branch} is the branch to merge into.", hint="Name the branch with your changes.")
        face = Face(title, description).fit(ABOUT)
        body = {"title": face.title, "body": face.description, "head": branch, "base": base}
        return self.client.send("POST", f"{self._path}/pulls", body=body).data

    def _item(self, issue: Json) -> Item:
        given_up = issue.get("state_reason") in ("not_planned", "duplicate")
        closed = State.DROPPED if given_up else State.DONE
        number = int(issue["number"])
        return read_item(
            key=str(number),
            label=f"{self.repository}#{number}",
            url=issue["html_url"],
            title=issue["title"],
            description=issue["body"],
            state=State.OPEN if issue["state"] == "open" else closed,
            updated_at=issue["updated_at"],
        )
