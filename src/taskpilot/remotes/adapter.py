"""What every system must be able to do for us; an adapter translates, and decides nothing."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Protocol

from taskpilot.domain.errors import Unavailable
from taskpilot.domain.remote import Item, Push, Reach
from taskpilot.remotes.client import Client

MOST_PAGES = 200


class Adapter(Protocol):
    def __init__(self, values: Mapping[str, str], reach: Reach) -> None:
        """`values` are the configuration and its secrets, checked."""
        ...

    @property
    def client(self) -> Client: ...

    def test(self) -> str:
        """Whether it can be reached with these values: who we are there."""
        ...

    def list_changed(self, since: str) -> Iterator[list[Item]]:
        """Page by page, whatever may have changed since then; everything if `since` is empty."""
        ...

    def create(self, push: Push) -> Item: ...

    def update(self, push: Push) -> Item:
        """Make the changes, and only those; the item as it is afterwards."""
        ...


@contextmanager
def understood(client: Client) -> Generator[None]:
    """An answer that lacks what its documentation promises is the service's fault, not a bug."""
    try:
        yield
    except (KeyError, IndexError, TypeError, ValueError, AttributeError):
        raise client.puzzled() from None


def count_pages(client: Client) -> Iterator[int]:
    """As many pages as anyone may have; an endless list is an error, not half a sync."""
    yield from range(MOST_PAGES)
    raise Unavailable(f"{client.title} has too much for one sync.", hint="Sync a smaller part of it.")


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"} if token else {}


Json = dict[str, Any]
