"""One careful HTTP client: one origin, pinned; explicit timeouts; JSON of a bounded size; no secret ever told."""

from __future__ import annotations

import json
import ssl
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urljoin

import httpx2

from taskpilot import __version__
from taskpilot.domain.errors import Unavailable
from taskpilot.domain.remote import HIDDEN, Reach
from taskpilot.remotes.guard import Place, admit
from taskpilot.remotes.refusals import refusal

MOST_BYTES = 10_000_000
MOST_REDIRECTS = 3
CONNECT_SECONDS = 10.0
Params = Mapping[str, str | int]


@dataclass(frozen=True, slots=True)
class Answer:
    data: Any
    headers: Mapping[str, str] = field(repr=False)
    next: str = ""
    """The next page, as the Link header names it."""


class Client:
    """Speaks to the service at `base` and nobody else."""

    def __init__(
        self,
        title: str,
        base: str,
        reach: Reach,
        headers: Mapping[str, str],
        secrets: tuple[str, ...],
        *,
        most_bytes: int | None = None,
        most_redirects: int = MOST_REDIRECTS,
    ) -> None:
        self.title = title
        self._most_bytes = most_bytes or MOST_BYTES
        self._most_redirects = most_redirects
        self._base = base.rstrip("/")
        self._place: Place = admit(base, reach)
        self._secrets = tuple(secret for secret in secrets if secret)
        self._seconds = reach.timeout
        # The transport takes its certificates from the environment as other programs do, but no proxy: it would
        # look the name up again, and go wherever that leads.
        self._http = httpx2.Client(
            transport=httpx2.HTTPTransport(verify=True),
            trust_env=False,
            follow_redirects=False,
            timeout=httpx2.Timeout(reach.timeout, connect=min(CONNECT_SECONDS, reach.timeout)),
            headers={
                "User-Agent": f"TaskPilot/{__version__}",
                "Accept": "application/json",
                "Accept-Encoding": "identity",
                **headers,
            },
        )

    def close(self) -> None:
        self._http.close()

    def get(self, path: str, params: Params | None = None) -> Answer:
        return self.send("GET", path, params=params)

    def send(self, method: str, path: str = "", *, params: Params | None = None, body: Any = None) -> Answer:
        """One request; anything but success is an error in our words."""
        url = httpx2.URL(urljoin(f"{self._base}/", path) if path else self._base)
        if params:
            url = url.copy_merge_params(dict(params))
        status, headers, raw = self._exchange(method, url, body)
        for _ in range(self._most_redirects):
            # Renamed repositories: a look may follow, on the same host; a change must not.
            if not (300 <= status < 400 and "location" in headers and method == "GET"):
                break
            url = url.join(headers["location"])
            status, headers, raw = self._exchange(method, url, body)
        if not 200 <= status < 300:
            raise refusal(self.title, status, headers, _parse(raw), self.mask)
        data = _parse(raw) if raw else None
        if raw and data is None and raw.strip() != b"null":
            raise self.puzzled()
        return Answer(data, headers, _next(headers.get("link", ""), str(url)))

    def puzzled(self) -> Unavailable:
        return Unavailable(f"{self.title} answered with something else than expected.", hint="Check the address.")

    def mask(self, said: str) -> str:
        for secret in self._secrets:
            said = said.replace(secret, HIDDEN)
        return said

    def _exchange(self, method: str, url: httpx2.URL, body: Any) -> tuple[int, Mapping[str, str], bytes]:
        if not self._place.holds(str(url)):
            raise Unavailable(
                f"{self.title} leads to another host, which is not followed.", hint="Configure the new address."
            )
        request = self._http.build_request(
            method,
            url.copy_with(host=self._place.address),
            json=body,
            headers={"Host": url.netloc.decode()},
            extensions={"sni_hostname": self._place.host},
        )
        with self._translated():
            answer = self._http.send(request, stream=True)
            try:
                return answer.status_code, answer.headers, self._read(answer)
            finally:
                answer.close()

    def _read(self, answer: httpx2.Response) -> bytes:
        """The body, neither larger nor slower than we put up with."""
        if answer.headers.get("content-encoding", "identity") != "identity":
            raise self.puzzled()
        deadline = time.monotonic() + 2 * self._seconds
        parts = bytearray()
        for part in answer.iter_raw():
            parts += part
            if len(parts) > self._most_bytes:
                raise Unavailable(f"{self.title} answered with too much.", hint="Ask for less.")
            if time.monotonic() > deadline:
                raise self._late()
        return bytes(parts)

    @contextmanager
    def _translated(self) -> Generator[None]:
        try:
            yield
        except httpx2.TimeoutException:
            raise self._late() from None
        except httpx2.ConnectError as error:
            if isinstance(_root(error), ssl.SSLCertVerificationError):
                raise Unavailable(
                    f"{self._place.host} cannot prove who it is: its certificate is not valid.",
                    hint="Check the address.",
                ) from None
            raise Unavailable(
                f"{self.title} cannot be reached at {self._place.host}.", hint="Check the address and your network."
            ) from None
        except (httpx2.HTTPError, httpx2.StreamError):
            raise Unavailable(f"{self.title} broke off in the middle.", hint="Try again in a moment.") from None

    def _late(self) -> Unavailable:
        return Unavailable(
            f"{self.title} did not answer within {self._seconds:g} seconds.", hint="Try again in a while."
        )


def _root(error: BaseException) -> BaseException:
    while (cause := error.__cause__ or error.__context__) is not None:
        error = cause
    return error


def _parse(raw: bytes) -> Any:
    try:
        return json.loads(raw)
    except (ValueError, RecursionError):
        return None


def _next(link: str, url: str) -> str:
    """The address of the next page: `<https://…>; rel="next"`, among others."""
    for part in link.split(","):
        target, _, rest = part.strip().partition(">")
        if target.startswith("<") and 'rel="next"' in rest:
            return urljoin(url, target[1:])
    return ""
