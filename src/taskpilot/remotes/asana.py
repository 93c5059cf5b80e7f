"""Asana: the tasks of one project."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from urllib.parse import quote

from taskpilot.domain.remote import Item, Push, Reach, State, add_marker, read_item
from taskpilot.domain.system import SYSTEMS
from taskpilot.remotes.adapter import Json, bearer, count_pages
from taskpilot.remotes.client import Client

ABOUT = SYSTEMS["asana"]
FIELDS = "name,notes,completed,modified_at,permalink_url"
PER_PAGE = 100
MARK = "[{}]"


class Asana:
    def __init__(self, values: Mapping[str, str], reach: Reach) -> None:
        token = values.get("token", "")
        self.client = Client(ABOUT.title, values.get("url") or ABOUT.url, reach, bearer(token), (token,))
        self.project = values["project"]

    def test(self) -> str:
        self.client.get(f"projects/{quote(self.project, safe='')}")
        return self.client.get("users/me").data["data"]["name"]

    def list_changed(self, since: str) -> Iterator[list[Item]]:
        params: dict[str, str | int] = {"project": self.project, "opt_fields": FIELDS, "limit": PER_PAGE}
        if since:
            params["modified_since"] = since
        for _ in count_pages(self.client):
            page = self.client.get("tasks", params).data
            yield [self._item(each) for each in page["data"]]
            if not page.get("next_page"):
                return
            params["offset"] = page["next_page"]["offset"]

    def create(self, push: Push) -> Item:
        face = push.face.fit(ABOUT)
        notes = add_marker(face.description, push.marker, MARK)
        return self._send("POST", "tasks", {"name": face.title, "notes": notes, "projects": [self.project]})

    def update(self, push: Push) -> Item:
        face = push.face.fit(ABOUT)
        given: Json = {}
        if "title" in push.changes:
            given["name"] = face.title
        if "description" in push.changes:
            given["notes"] = add_marker(face.description, push.marker, MARK)
        if "state" in push.changes:
            given["completed"] = face.state is not State.OPEN
        return self._send("PUT", f"tasks/{quote(push.key, safe='')}", given)

    def _send(self, method: str, path: str, given: Json) -> Item:
        answer = self.client.send(method, path, params={"opt_fields": FIELDS}, body={"data": given})
        return self._item(answer.data["data"])

    def _item(self, task: Json) -> Item:
        return read_item(
            key=str(task["gid"]),
            url=task["permalink_url"],
            title=task["name"],
            description=task["notes"],
            state=State.DONE if task["completed"] else State.OPEN,
            updated_at=task["modified_at"],
        )
