"""Linear, over its GraphQL API."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

from taskpilot.domain.errors import Conflict, NotFound
from taskpilot.domain.remote import Item, Push, Reach, State, add_marker, read_item
from taskpilot.domain.system import SYSTEMS
from taskpilot.remotes.adapter import Json, count_pages
from taskpilot.remotes.client import Client
from taskpilot.remotes.refusals import refusal

ABOUT = SYSTEMS["linear"]
PER_PAGE = 100
MARK = "[{}]"
ISSUE = "id identifier url title description updatedAt state { type }"
LIST = f"""query ($filter: IssueFilter, $after: String) {{
  issues(first: {PER_PAGE}, after: $after, filter: $filter, includeArchived: true) {{
    nodes {{ {ISSUE} }} pageInfo {{ hasNextPage endCursor }} }} }}"""
TEAM = """query ($key: String!) {
  viewer { name }
  teams(filter: { key: { eq: $key } }) { nodes { id states { nodes { id type position } } } } }"""
CREATE = f"mutation ($input: IssueCreateInput!) {{ issueCreate(input: $input) {{ success issue {{ {ISSUE} }} }} }}"
UPDATE = (
    "mutation ($id: String!, $input: IssueUpdateInput!) "
    f"{{ issueUpdate(id: $id, input: $input) {{ success issue {{ {ISSUE} }} }} }}"
)
_TYPES = {State.OPEN: ("unstarted", "backlog", "started"), State.DONE: ("completed",), State.DROPPED: ("canceled",)}


class Linear:
    def __init__(self, values: Mapping[str, str], reach: Reach) -> None:
        token = values.get("token", "")
        self.client = Client(ABOUT.title, values.get("url") or ABOUT.url, reach, {"Authorization": token}, (token,))
        self.team = values["team"]

    def test(self) -> str:
        return self._team["viewer"]

    def list_changed(self, since: str) -> Iterator[list[Item]]:
        wanted: Json = {"team": {"key": {"eq": self.team}}}
        if since:
            wanted["updatedAt"] = {"gte": since}
        after: str | None = None
        for _ in count_pages(self.client):
            page = self._ask(LIST, filter=wanted, after=after)["issues"]
            yield [self._item(each) for each in page["nodes"]]
            if not page["pageInfo"]["hasNextPage"]:
                return
            after = page["pageInfo"]["endCursor"]

    def create(self, push: Push) -> Item:
        face = push.face.fit(ABOUT)
        given = {
            "teamId": self._team["id"],
            "title": face.title,
            "description": add_marker(face.description, push.marker, MARK),
        }
        return self._item(self._ask(CREATE, input=given)["issueCreate"]["issue"])

    def update(self, push: Push) -> Item:
        face = push.face.fit(ABOUT)
        given: Json = {}
        if "title" in push.changes:
            given["title"] = face.title
        if "description" in push.changes:
            given["description"] = add_marker(face.description, push.marker, MARK)
        if "state" in push.changes:
            given["stateId"] = self._find_state(face.state)
        return self._item(self._ask(UPDATE, id=push.key, input=given)["issueUpdate"]["issue"])

    @cached_property
    def _team(self) -> Json:
        found = self._ask(TEAM, key=self.team)
        teams = found["teams"]["nodes"]
        if not teams:
            raise NotFound(f"Linear has no team {self.team}.", hint="Give the key its issues begin with, as in ENG-7.")
        return {"id": teams[0]["id"], "states": teams[0]["states"]["nodes"], "viewer": found["viewer"]["name"]}

    def _find_state(self, state: State) -> str:
        """The first status of the team's own workflow that means this."""
        for kind in _TYPES[state]:
            fitting = sorted((s for s in self._team["states"] if s["type"] == kind), key=lambda s: s["position"])
            if fitting:
                return fitting[0]["id"]
        raise Conflict(f"The team {self.team} has no status that means {state}.", hint="Add one in Linear.")

    def _ask(self, query: str, **variables: Any) -> Json:
        answer = self.client.send("POST", body={"query": query, "variables": variables})
        if answer.data.get("errors"):
            raise refusal(ABOUT.title, 400, answer.headers, answer.data, self.client.mask)
        return answer.data["data"]

    def _item(self, issue: Json) -> Item:
        kind = issue["state"]["type"]
        closed = {"completed": State.DONE, "canceled": State.DROPPED, "duplicate": State.DROPPED}
        return read_item(
            key=issue["id"],
            label=issue["identifier"],
            url=issue["url"],
            title=issue["title"],
            description=issue.get("description"),
            state=closed.get(kind, State.OPEN),
            updated_at=issue["updatedAt"],
        )
