"""Jira Cloud, REST API version 3."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any, cast
from urllib.parse import quote

from taskpilot.domain.errors import Conflict, Invalid
from taskpilot.domain.remote import Item, Push, Reach, State, read_item
from taskpilot.domain.system import SYSTEMS
from taskpilot.remotes.adapter import Json, bearer, count_pages
from taskpilot.remotes.client import Client

ABOUT = SYSTEMS["jira"]
FIELDS = "summary,description,status,updated"
PROPERTY = "taskpilot"
PER_PAGE = 100
ZONES = timedelta(hours=15)
"""JQL reads a moment in the time zone of whoever asks, which we do not know."""
_PROJECT = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,99}")


class Jira:
    def __init__(self, values: Mapping[str, str], reach: Reach) -> None:
        self.project = values["project"]
        if not _PROJECT.fullmatch(self.project):
            raise Invalid("The option project is not a project's key.", hint="It looks like ENG.")
        token, email = values.get("token", ""), values.get("email", "")
        basic = base64.b64encode(f"{email}:{token}".encode()).decode()
        headers = {"Authorization": f"Basic {basic}"} if email else bearer(token)
        self.client = Client(ABOUT.title, values["url"], reach, headers, (token, basic))
        self._site = values["url"]
        self._kind = values.get("issue_type", "Task")

    def test(self) -> str:
        self.client.get(f"rest/api/3/project/{self.project}")
        return self.client.get("rest/api/3/myself").data["displayName"]

    def list_changed(self, since: str) -> Iterator[list[Item]]:
        jql = f'project = "{self.project}"'
        if since:
            jql += f' AND updated >= "{datetime.fromisoformat(since) - ZONES:%Y-%m-%d %H:%M}"'
        params: dict[str, str | int] = {
            "jql": f"{jql} ORDER BY created ASC",
            "fields": FIELDS,
            "properties": PROPERTY,
            "maxResults": PER_PAGE,
        }
        for _ in count_pages(self.client):
            page = self.client.get("rest/api/3/search/jql", params).data
            yield [self._item(each) for each in page["issues"]]
            if not page.get("nextPageToken"):
                return
            params["nextPageToken"] = page["nextPageToken"]

    def create(self, push: Push) -> Item:
        face = push.face.fit(ABOUT)
        fields = {
            "project": {"key": self.project},
            "issuetype": {"name": self._kind},
            "summary": face.title,
            "description": write_document(face.description),
        }
        body = {"fields": fields, "properties": [{"key": PROPERTY, "value": {"marker": push.marker}}]}
        return self._get(self.client.send("POST", "rest/api/3/issue", body=body).data["key"])

    def update(self, push: Push) -> Item:
        face = push.face.fit(ABOUT)
        fields: Json = {}
        if "title" in push.changes:
            fields["summary"] = face.title
        if "description" in push.changes:
            fields["description"] = write_document(face.description)
        if fields:
            self.client.send("PUT", self._path(push.key), body={"fields": fields})
        if "state" in push.changes:
            self._move(push.key, face.state)
        return self._get(push.key)

    def _move(self, key: str, state: State) -> None:
        """Whichever step of the project's own workflow leads there."""
        wanted = ("new", "indeterminate") if state is State.OPEN else ("done",)
        steps = self.client.get(f"{self._path(key)}/transitions").data["transitions"]
        for category in wanted:
            for step in steps:
                if step["to"]["statusCategory"]["key"] == category:
                    self.client.send("POST", f"{self._path(key)}/transitions", body={"transition": {"id": step["id"]}})
                    return
        raise Conflict(f"Jira has no step for {key} to be {state}.", hint="Move it in Jira, then sync.")

    def _get(self, key: str) -> Item:
        return self._item(self.client.get(self._path(key), {"fields": FIELDS, "properties": PROPERTY}).data)

    def _path(self, key: str) -> str:
        return f"rest/api/3/issue/{quote(key, safe='')}"

    def _item(self, issue: Json) -> Item:
        fields: Json = issue["fields"]
        kept: Json = (issue.get("properties") or Json()).get(PROPERTY) or Json()
        return read_item(
            key=str(issue["id"]),
            label=issue["key"],
            url=f"{self._site}/browse/{issue['key']}",
            title=fields["summary"],
            description=read_document(fields.get("description")),
            state=State.DONE if fields["status"]["statusCategory"]["key"] == "done" else State.OPEN,
            updated_at=fields["updated"],
            marker=str(kept.get("marker", "")),
        )


def write_document(text: str) -> Json | None:
    """Plain text in the Atlassian Document Format: paragraphs and line breaks."""
    if not text:
        return None
    return {"type": "doc", "version": 1, "content": [_paragraph(block) for block in text.split("\n\n")]}


def _paragraph(block: str) -> Json:
    content: list[Json] = []
    for number, line in enumerate(block.split("\n")):
        if number:
            content.append({"type": "hardBreak"})
        if line:
            content.append({"type": "text", "text": line})
    return {"type": "paragraph", "content": content}


def read_document(node: Any) -> str:
    """The words of a document; what has none (pictures, panels) is left out."""
    if isinstance(node, str):
        return node
    if not isinstance(node, dict):
        return ""
    given = cast(Json, node)
    match given.get("type"):
        case "text":
            return str(given.get("text", ""))
        case "hardBreak":
            return "\n"
        case "doc":
            return "\n\n".join(_words(given))
        case "bulletList" | "orderedList":
            return "\n".join(f"- {item}" for item in _words(given))
        case "listItem":
            return "\n".join(_words(given))
        case _:
            return "".join(_words(given))


def _words(node: Json) -> list[str]:
    return [read_document(child) for child in node.get("content") or ()]
