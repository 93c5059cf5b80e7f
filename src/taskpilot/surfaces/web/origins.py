"""Where a request may be sent to, and whose pages may send it."""

from __future__ import annotations

import re
from collections.abc import Collection
from ipaddress import ip_address
from urllib.parse import urlsplit

LOOPBACK = ("127.0.0.1", "localhost", "::1")
KEPT = 1_000

_HOST = re.compile(r"(?:\[([0-9a-fA-F:.]+)\]|([A-Za-z0-9._-]+))(?::[0-9]{1,5})?")


class Origins:
    """Against DNS rebinding: a page elsewhere can point its own name at this machine, but not take one of ours."""

    def __init__(self, hosts: Collection[str], origins: Collection[str] = (), public_url: str = "") -> None:
        self._public = public_url
        public = urlsplit(public_url)
        self._public_origin = f"{public.scheme}://{public.netloc}".lower() if public_url else ""
        self._hosts = {host.lower() for host in (*LOOPBACK, *hosts, public.hostname or "") if host}
        self.configured = frozenset(origin.rstrip("/").lower() for origin in origins)
        self._known: dict[str, bool] = {}
        self._allowed: dict[tuple[str, str], bool] = {}

    def knows_host(self, host: str) -> bool:
        """A name of ours, or an address: a page cannot have a bare address of ours unless it came from here."""
        known = self._known.get(host)
        if known is None:
            known = self._is_ours(host)
            if len(self._known) < KEPT:
                self._known[host] = known
        return known

    def allows(self, origin: str, host: str) -> bool:
        """Pages of this very server, of this machine where it serves this machine, and those that were configured."""
        allowed = self._allowed.get((origin, host))
        if allowed is None:
            allowed = self._is_welcome(origin.lower(), host.lower())
            if len(self._allowed) < KEPT:
                self._allowed[origin, host] = allowed
        return allowed

    def base(self, scheme: str, host: str) -> str:
        """The address of this server, as whoever asked knows it."""
        return self._public or f"{scheme}://{host.lower()}"

    def _is_ours(self, host: str) -> bool:
        name = name_of(host)
        if not name or name in self._hosts:
            return bool(name)
        try:
            ip_address(name)
        except ValueError:
            return False
        return True

    def _is_welcome(self, origin: str, host: str) -> bool:
        if origin in self.configured or origin == (self._public_origin or None):
            return True
        scheme, _, place = origin.partition("://")
        if scheme not in ("http", "https") or not name_of(place):
            return False
        if place == urlsplit(self._public_origin).netloc:
            return False  # the right name without its encryption: somebody in between could have made that page
        return place == host or (name_of(place) in LOOPBACK and name_of(host) in LOOPBACK)


def name_of(host: str) -> str:
    """The host without its port, in lower case; nothing if it is not written as a host is."""
    found = _HOST.fullmatch(host)
    return (found[1] or found[2]).lower() if found else ""
