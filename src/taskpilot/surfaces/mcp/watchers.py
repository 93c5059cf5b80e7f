"""Who is told of changes: connections that subscribed, and streams opened with `subscriptions/listen`.

All of it hangs on the application's feed, so a change comes from any door and any process alike.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import unquote

from mcp.server.connection import Connection
from mcp.shared.exceptions import MCPError
from mcp.shared.subscriptions import (
    SUBSCRIPTION_ID_META_KEY,
    ResourcesListChanged,
    ResourceUpdated,
    event_to_notification,
)
from mcp_types import (
    INTERNAL_ERROR,
    NotificationParams,
    SubscriptionFilter,
    SubscriptionsAcknowledgedNotification,
    SubscriptionsAcknowledgedNotificationParams,
    SubscriptionsListenRequestParams,
)

from taskpilot.app import App
from taskpilot.domain.errors import TaskPilotError
from taskpilot.domain.events import Event
from taskpilot.surfaces.mcp.callers import CallerOf, Context
from taskpilot.surfaces.mcp.content import Wire
from taskpilot.surfaces.mcp.promises import contents_change, lists_change
from taskpilot.toolkit import Library

WATCHER = "watcher"
MOST_WATCHERS = 2_000
MOST_UNTOLD = 10_000
"""What a client that does not read may leave lying, before repeated changes of one resource become one."""

Notice = ResourceUpdated | ResourcesListChanged
LISTS = ResourcesListChanged()

log = logging.getLogger(__name__)


class Watcher:
    """One subscriber's wishes, and what it has not been told yet."""

    def __init__(self, user: int) -> None:
        self.user = user
        self.wants_list = False
        self._wanted: dict[str, str] = {}
        self._untold: deque[Notice] = deque()
        self._list_untold = False
        self._awake = asyncio.Event()

    def want(self, uri: str) -> None:
        self._wanted[plain(uri)] = uri

    def unwant(self, uri: str) -> None:
        self._wanted.pop(plain(uri), None)

    def hear(self, change: Change) -> None:
        """Every change of a resource is a notice of its own, until too many lie here; of the list, one will do."""
        for uri in change.uris:
            self._untold.extend(ResourceUpdated(spelling) for spelling in self._spellings(uri))
        if change.reshelved and self.wants_list and not self._list_untold:
            self._untold.append(LISTS)
            self._list_untold = True
        if len(self._untold) > MOST_UNTOLD:
            self._untold = deque(dict.fromkeys(self._untold))
        if self._untold:
            self._awake.set()

    def _spellings(self, uri: str) -> list[str]:
        """How this subscriber wrote the URI; one that ends in `*` stands for all that begin so."""
        if uri.endswith("*"):
            return [spelling for wanted, spelling in self._wanted.items() if wanted.startswith(uri[:-1])]
        return [self._wanted[uri]] if uri in self._wanted else []

    async def next(self) -> Notice:
        while not self._untold:
            self._awake.clear()
            await self._awake.wait()
        notice = self._untold.popleft()
        if notice is LISTS:
            self._list_untold = False
        return notice


@dataclass(frozen=True, slots=True)
class Change:
    """What one event means to readers of a library."""

    owner: int | None
    """None: everybody's."""
    uris: frozenset[str]
    reshelved: bool


class Watchers:
    """Everybody who watches one contract's library. The feed is followed only while somebody does."""

    def __init__(self, app: App, library: Library, caller_of: CallerOf) -> None:
        self._app = app
        self._library = library
        self._caller_of = caller_of
        self._watching: set[Watcher] = set()
        self._feed: asyncio.Future[Callable[[], None]] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    async def follow_connection(self, context: Context) -> Watcher:
        """The watcher of a connection of 2025, which is told for as long as the connection lasts."""
        connection = connection_of(context)
        watcher = connection.state.get(WATCHER)
        if watcher is None:
            user = (await self._caller_of(context)).user
            watcher = connection.state.setdefault(WATCHER, Watcher(user))
        if watcher not in self._watching:
            connection.exit_stack.callback(self.remove, watcher)
            telling = asyncio.create_task(tell(connection, watcher))
            connection.exit_stack.callback(telling.cancel)
        await self.add(watcher)
        return watcher

    async def announce_lists(self, context: Context, _: NotificationParams) -> None:
        """From its greeting on, a connection of 2025 hears of changed lists without asking."""
        (await self.follow_connection(context)).wants_list = True

    async def listen(self, context: Context, params: SubscriptionsListenRequestParams) -> Wire:
        """`subscriptions/listen`: one call is one stream, until the client ends it."""
        wishes = params.notifications
        watcher = Watcher((await self._caller_of(context)).user)
        watcher.wants_list = bool(wishes.resources_list_changed) and lists_change(self._library)
        uris = wishes.resource_subscriptions or [] if contents_change(self._library) else []
        for uri in uris:
            watcher.want(uri)
        honoured = SubscriptionFilter(
            resources_list_changed=watcher.wants_list or None, resource_subscriptions=uris or None
        )
        stamp = {SUBSCRIPTION_ID_META_KEY: context.request_id}
        acknowledged = SubscriptionsAcknowledgedNotificationParams(notifications=honoured, _meta=stamp)
        try:
            await self.add(watcher)
            send = context.session.send_notification
            await send(SubscriptionsAcknowledgedNotification(params=acknowledged), context.request_id)
            while True:
                await send(event_to_notification(await watcher.next(), stamp), context.request_id)
        finally:
            self.remove(watcher)

    async def add(self, watcher: Watcher) -> None:
        """From here on nothing is missed."""
        if watcher not in self._watching and len(self._watching) >= MOST_WATCHERS:
            raise MCPError(INTERNAL_ERROR, "Too many subscribers. Close some, then subscribe again.")
        self._watching.add(watcher)
        if self._feed is None:
            self._loop = asyncio.get_running_loop()
            self._feed = asyncio.ensure_future(asyncio.to_thread(self._app.subscribe, self._hear))
        feed = self._feed
        try:
            await asyncio.shield(feed)
        except TaskPilotError as error:
            if self._feed is feed:
                self._feed = None
            raise MCPError(INTERNAL_ERROR, str(error)) from None

    def remove(self, watcher: Watcher) -> None:
        self._watching.discard(watcher)
        if not self._watching and self._feed is not None:
            self._feed.add_done_callback(leave)
            self._feed = None

    def _hear(self, events: Sequence[Event]) -> None:
        """On the feed's thread."""
        users = {watcher.user for watcher in tuple(self._watching)}
        changes = [self._read(event) for event in events if event.owner in users or event.for_everyone]
        if changes and self._loop is not None:
            with suppress(RuntimeError):  # the loop has just closed, and everybody with it
                self._loop.call_soon_threadsafe(self._deliver, changes)

    def _read(self, event: Event) -> Change:
        owner = None if event.for_everyone else event.owner
        try:
            uris = frozenset(map(plain, self._library.touched(event)))
            return Change(owner, uris, self._library.reshelved(event))
        except Exception:
            log.exception("cannot tell what event %s changed", event.id)
            return Change(owner, frozenset(), reshelved=False)

    def _deliver(self, changes: Sequence[Change]) -> None:
        for watcher in self._watching:
            for change in changes:
                if change.owner in (None, watcher.user):
                    watcher.hear(change)


async def tell(connection: Connection, watcher: Watcher) -> None:
    """Pass on what a connection of 2025 wants to hear."""
    while True:
        notice = await watcher.next()
        if isinstance(notice, ResourceUpdated):
            await connection.send_resource_updated(notice.uri)
        else:
            await connection.send_resource_list_changed()


def leave(feed: asyncio.Future[Callable[[], None]]) -> None:
    if not feed.cancelled() and feed.exception() is None:
        feed.result()()


def connection_of(context: Context) -> Connection:
    """The SDK keeps it private, but it alone knows when the client leaves."""
    return context.session._connection  # pyright: ignore[reportPrivateUsage]


def plain(uri: str) -> str:
    """One spelling of a URI, whatever of it is percent-encoded."""
    return unquote(uri)
