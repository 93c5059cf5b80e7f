"""The stage: real servers, a real browser, and what is looked at by machine on every page."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any, Literal, Protocol

import httpx2
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.board.browser import NoBrowser, launch
from tests.board.server import Server
from tests.board.watch import Watch

HERE = Path(__file__).parent
SHOTS = HERE / "shots"
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
DESKTOP: dict[str, Any] = {"viewport": {"width": 1440, "height": 900}}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}
PLACE: dict[str, Any] = {
    "locale": "en-GB",
    "timezone_id": "Europe/Berlin",
    "permissions": ["clipboard-read", "clipboard-write"],
}
PATIENCE = 10_000
GRAVE = ("serious", "critical")
FAILED = pytest.StashKey[bool]()

expect.set_options(timeout=PATIENCE)


class OpenPage(Protocol):
    def __call__(self, server: Server | None = None, **context: Any) -> Page: ...


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.board)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.when == "call":
        item.stash[FAILED] = report.failed
    return report


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One for each process of tests; each test has a profile of its own in it."""
    with sync_playwright() as playwright:
        try:
            browser = launch(playwright)
        except NoBrowser as missing:
            pytest.fail(str(missing), pytrace=False)
        yield browser
        browser.close()


@pytest.fixture
def open_server(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Another server: `auth="required"` for one where people sign in, `database=postgres_url` for PostgreSQL."""
    opened: list[Server] = []

    def open_server(**how: str) -> Server:
        opened.append(Server(tmp_path / f"data-{len(opened)}", **how))
        return opened[-1].start()

    yield open_server
    for server in opened:
        server.close()


@pytest.fixture
def server(open_server: Callable[..., Server]) -> Server:
    """Without sign-in, on SQLite."""
    return open_server()


@pytest.fixture
def api(server: Server) -> httpx2.Client:
    """The REST API of it, to prepare what is to be seen and to look at what came of it."""
    return server.client()


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
def open_page(
    browser: Browser, watch: Watch, open_server: Callable[..., Server], request: pytest.FixtureRequest
) -> Iterator[Callable[..., Page]]:
    """A page in a profile of its own, at a server. `**context` as Playwright has it.

    Pages close before servers do, or they would complain that theirs has gone: hence `open_server`.
    """
    opened: list[Page] = []

    def open_page(server: Server | None = None, **context: Any) -> Page:
        at: Server = server or request.getfixturevalue("server")
        profile = browser.new_context(base_url=at.address, **(PLACE | DESKTOP | context))
        profile.set_default_timeout(PATIENCE)
        page = profile.new_page()
        watch.follow(page)
        opened.append(page)
        return page

    yield open_page
    if request.node.stash.get(FAILED, False):
        for number, page in enumerate(opened):
            page.screenshot(path=SHOTS / "failed" / f"{_file_name(request.node.name)}-{number}.png")
    for page in opened:
        page.context.close()
    assert watch.complaints == []


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    return open_page()


@pytest.fixture
def phone(open_page: OpenPage) -> Page:
    return open_page(**PHONE)


@pytest.fixture
def shoot() -> Callable[[Page, str], None]:
    """Take a picture in either theme, to be looked at: `shots/NAME-light.png` and `shots/NAME-dark.png`."""

    def shoot(page: Page, name: str) -> None:
        for scheme in SCHEMES:
            _wear(page, scheme)
            page.evaluate("document.fonts.ready")
            page.screenshot(path=SHOTS / f"{name}-{scheme}.png", animations="disabled", caret="hide")
        page.emulate_media(color_scheme="light")

    return shoot


@pytest.fixture
def check_accessibility() -> Callable[[Page], None]:
    """axe finds nothing serious or critical, in either theme."""

    def check_accessibility(page: Page) -> None:
        for scheme in SCHEMES:
            # Colours that are still on their way from the other theme are nobody's choice.
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
            found = Axe().run(page).response["violations"]
            grave = [
                f"{each['id']} ({each['impact']}, {scheme}): {each['help']}\n  {node['html'][:200]}"
                for each in found
                if each["impact"] in GRAVE
                for node in each["nodes"]
            ]
            assert not grave, "\n".join(grave)
        page.emulate_media(color_scheme="light", reduced_motion="no-preference")

    return check_accessibility


def _wear(page: Page, scheme: Literal["light", "dark"]) -> None:
    """Change the theme, and wait until its colours are there: on their way, they are neither's."""
    page.emulate_media(color_scheme=scheme)
    page.evaluate(
        """async () => {
            await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
            const moving = document.getAnimations().filter((each) => each instanceof CSSTransition);
            await Promise.all(moving.map((each) => each.finished.catch(() => null)));
        }"""
    )


def _file_name(test: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "-", test).strip("-")
