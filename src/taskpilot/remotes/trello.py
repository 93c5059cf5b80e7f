"""Trello: the cards of one board. An archived or completed card is done."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from urllib.parse import quote

from taskpilot.domain.errors import Invalid, NotFound
from taskpilot.domain.remote import Item, Push, Reach, State, add_marker, read_item
from taskpilot.domain.system import SYSTEMS
from taskpilot.remotes.adapter import Json, count_pages
from taskpilot.remotes.client import Client

ABOUT = SYSTEMS["trello"]
FIELDS = "name,desc,closed,dueComplete,dateLastActivity,shortLink,url"
PER_PAGE = 1_000
MARK = "[{}]"
_PLAIN = re.compile(r"[A-Za-z0-9._-]*")


class Trello:
    def __init__(self, values: Mapping[str, str], reach: Reach) -> None:
        key, token = values.get("key", ""), values.get("token", "")
        if not _PLAIN.fullmatch(key + token):
            raise Invalid("The options key and token hold letters and digits only.", hint="Copy them again.")
        # In a header, not in the address: addresses are logged on the way.
        headers = {"Authorization": f'OAuth oauth_consumer_key="{key}", oauth_token="{token}"'}
        self.client = Client(ABOUT.title, values.get("url") or ABOUT.url, reach, headers, (token, key))
        self._board = f"boards/{quote(values['board'], safe='')}"
        self._list = values.get("list", "")

    def test(self) -> str:
        self.client.get(self._board, {"fields": "name"})
        return self.client.get("members/me", {"fields": "username"}).data["username"]

    def list_changed(self, since: str) -> Iterator[list[Item]]:  # noqa: ARG002  (Trello cannot tell; all of it comes)
        params: dict[str, str | int] = {"fields": FIELDS, "limit": PER_PAGE}
        for _ in count_pages(self.client):
            cards = self.client.get(f"{self._board}/cards/all", params).data
            yield [self._item(each) for each in cards]
            if len(cards) < PER_PAGE:
                return
            params["before"] = min(card["id"] for card in cards)

    def create(self, push: Push) -> Item:
        face = push.face.fit(ABOUT)
        desc = add_marker(face.description, push.marker, MARK)
        given = {"idList": self._list or self._first_list(), "name": face.title, "desc": desc}
        return self._item(self.client.send("POST", "cards", body=given).data)

    def update(self, push: Push) -> Item:
        face = push.face.fit(ABOUT)
        given: Json = {}
        if "title" in push.changes:
            given["name"] = face.title
        if "description" in push.changes:
            given["desc"] = add_marker(face.description, push.marker, MARK)
        if "state" in push.changes:
            given["dueComplete"] = face.state is not State.OPEN
            if face.state is State.OPEN:
                given["closed"] = False
        return self._item(self.client.send("PUT", f"cards/{quote(push.key, safe='')}", body=given).data)

    def _first_list(self) -> str:
        lists = self.client.get(f"{self._board}/lists", {"fields": "name"}).data
        if not lists:
            raise NotFound("The board has no list for new cards.", hint="Add one in Trello, or give the option list.")
        return lists[0]["id"]

    def _item(self, card: Json) -> Item:
        return read_item(
            key=card["id"],
            label=card["shortLink"],
            url=card["url"],
            title=card["name"],
            description=card["desc"],
            state=State.DONE if card["closed"] or card["dueComplete"] else State.OPEN,
            updated_at=card["dateLastActivity"],
        )
