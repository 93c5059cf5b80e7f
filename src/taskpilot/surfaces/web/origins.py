"""Where a request may be sent to, and whose pages may send it."""

from __future__ import annotations

from collections.abc import Collection
from ipaddress import ip_address
from urllib.parse import urlsplit

LOOPBACK = ("127.0.0.1", "localhost", "::1")


class Origins:
    """Against DNS rebinding: a page elsewhere can point its own name at this machine, but not take one of ours."""

    def __init__(self, hosts: Collection[str], origins: Collection[str] = (), public_url: str = "") -> None:
        self._public = public_url
        self._hosts = {host.lower() for host in (*LOOPBACK, *hosts)}
        if public_url:
            self._hosts.add(urlsplit(public_url).hostname or "")
        self._origins = {origin.rstrip("/").lower() for origin in origins}
        self._known: dict[str, bool] = {}

    def knows_host(self, host: str) -> bool:
        """A name of ours, or an address: a page cannot have a bare address of ours unless it came from here."""
        known = self._known.get(host)
        if known is None:
            known = self._is_ours(host)
            if len(self._known) < 1_000:
                self._known[host] = known
        return known

    def allows(self, origin: str, host: str) -> bool:
        """Pages of this very server, of this machine where it serves this machine, and those that were configured."""
        origin = origin.lower()
        if origin in self._origins:
            return True
        name = _name(origin.partition("://")[2])
        return origin.startswith(("http://", "https://")) and (
            origin.partition("://")[2] == host.lower() or (name in LOOPBACK and _name(host) in LOOPBACK)
        )

    def base(self, scheme: str, host: str) -> str:
        """The address of this server, as whoever asked knows it."""
        return self._public or f"{scheme}://{host}"

    def _is_ours(self, host: str) -> bool:
        name = _name(host)
        if name in self._hosts:
            return True
        try:
            ip_address(name)
        except ValueError:
            return False
        return True


def _name(host: str) -> str:
    """The host without its port."""
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""
