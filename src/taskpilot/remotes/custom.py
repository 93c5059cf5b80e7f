"""Any service that speaks this much JSON over HTTP at one address:

    GET   URL?since=MOMENT&cursor=CURSOR   {"items": [ITEM, …], "next": CURSOR or null}
    POST  URL        {"title", "description", "state", "marker"}            ITEM
    PATCH URL/ID     {any of "title", "description", "state"}               ITEM

An ITEM is {"id", "title", "description", "state", "updated_at", "url", "marker"}: `state` is open, done or dropped,
`updated_at` a moment such as 2026-01-22T10:30:00Z, and `marker` whatever we sent, kept. `since` and `cursor` come only
when there is something to say; a service may ignore `since` and list everything.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from urllib.parse import quote

from taskpilot.domain.errors import Invalid
from taskpilot.domain.remote import Item, Push, Reach, State, read_item
from taskpilot.domain.system import SYSTEMS
from taskpilot.remotes.adapter import Json, bearer, count_pages
from taskpilot.remotes.client import Client

ABOUT = SYSTEMS["custom"]


class Custom:
    def __init__(self, values: Mapping[str, str], reach: Reach) -> None:
        token, header = values.get("token", ""), values.get("header", "")
        if header and not header.replace("-", "").isalnum():
            raise Invalid("The option header is not a header's name.", hint="It looks like X-Api-Key.")
        headers = {header: token} if header and token else bearer(token)
        self.client = Client(ABOUT.title, values["url"], reach, headers, (token,))
        self._url = values["url"]

    def test(self) -> str:
        """It has no accounts that we know of: that it lists is all there is to see."""
        next(self.list_changed(""))
        return ""

    def list_changed(self, since: str) -> Iterator[list[Item]]:
        params: dict[str, str | int] = {"since": since} if since else {}
        for _ in count_pages(self.client):
            page = self.client.get(self._url, params).data
            yield [self._item(each) for each in page["items"]]
            if not page.get("next"):
                return
            params["cursor"] = page["next"]

    def create(self, push: Push) -> Item:
        face = push.face
        body = {"title": face.title, "description": face.description, "state": face.state, "marker": push.marker}
        return self._item(self.client.send("POST", self._url, body=body).data)

    def update(self, push: Push) -> Item:
        body = {name: getattr(push.face, name) for name in push.changes}
        return self._item(self.client.send("PATCH", f"{self._url}/{quote(push.key, safe='')}", body=body).data)

    def _item(self, item: Json) -> Item:
        return read_item(
            key=str(item["id"]),
            url=str(item.get("url") or ""),
            title=item["title"],
            description=item.get("description"),
            state=State(item["state"]),
            updated_at=item["updated_at"],
            marker=str(item.get("marker") or ""),
        )
