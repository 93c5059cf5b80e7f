"""Where a request may go: never to an address inside somebody's network, unless a setting says so."""

from __future__ import annotations

import socket
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from urllib.parse import urlsplit

from taskpilot.domain.errors import Forbidden, Unavailable
from taskpilot.domain.remote import Reach

_NAT64 = IPv6Network("64:ff9b::/96")
_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Place:
    """An origin, and the one address it stands for from now on: a name that changes its mind leads nowhere new."""

    scheme: str
    host: str
    port: int
    address: str

    def holds(self, url: str) -> bool:
        parts = urlsplit(url)
        port = parts.port or _PORTS.get(parts.scheme)
        return (parts.scheme, (parts.hostname or "").lower(), port) == (self.scheme, self.host, self.port)


def admit(url: str, reach: Reach) -> Place:
    """The place a URL leads to; refused unless it is public and https, or its host is exempt."""
    parts = urlsplit(url)
    host = (parts.hostname or "").lower()
    port = parts.port or _PORTS[parts.scheme]
    exempt = host in reach.hosts or f"{host}:{port}" in reach.hosts
    if parts.scheme != "https" and not exempt:
        raise Forbidden(f"{host} may be reached over https only.", hint=_HINT)
    addresses = _resolve(host, port)
    if not exempt and not all(_is_public(address) for address in addresses):
        raise Forbidden(f"{host} is not a public address.", hint=_HINT)
    return Place(parts.scheme, host, port, addresses[0])


_HINT = "Use a public https address, or name the host in the setting remote_hosts."


def _resolve(host: str, port: int) -> list[str]:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise Unavailable(f"There is no host {host}.", hint="Check the address and your network.") from None
    return [str(entry[4][0]) for entry in found]


def _is_public(address: str) -> bool:
    given = ip_address(address.partition("%")[0])
    if isinstance(given, IPv6Address):
        inner = _embedded(given)
        if inner is not None and not _is_global(inner):
            return False
    return _is_global(given) or (isinstance(given, IPv6Address) and given.ipv4_mapped is not None)


def _embedded(address: IPv6Address) -> IPv4Address | None:
    """The IPv4 address that an IPv6 one wraps: what it leads to in the end."""
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else None)


def _is_global(address: IPv4Address | IPv6Address) -> bool:
    return address.is_global and not address.is_multicast and not address.is_reserved
