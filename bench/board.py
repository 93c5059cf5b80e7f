"""The board in a real Chromium: what it loads, how soon it can be used, dragging, and how fast others' changes show.

Budgets are for 2,000 tasks; 20,000 are measured beside them.
"""

from __future__ import annotations

import json
import os
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import sync_playwright

from bench.processes import TASKPILOT, http_server
from bench.seed import fill
from taskpilot.ops.tasks import MOST_AT_ONCE
from tests.board.browser import launch

MANY = 2_000
VERY_MANY = 20_000
ROUNDS = 5
LIMITS = {"TASKPILOT_RATE_LIMIT": "0", "TASKPILOT_ADDRESS_RATE_LIMIT": "0"}
STATES = ("backlog", "todo", "in_progress", "review", "done")

# The first card on the screen, and a frame after it in which the page could answer.
WATCH = """
window.usable = new Promise((done) => {
  new MutationObserver((_, watcher) => {
    if (!document.querySelector('main article')) return;
    watcher.disconnect();
    requestAnimationFrame(() => setTimeout(() => done(performance.now())));
  }).observe(document, {childList: true, subtree: true});
});
"""
FRAMES = """
() => new Promise((done) => {
  const frames = [];
  let last = performance.now();
  const end = last + 2500;
  const frame = (now) => {
    frames.push(now - last);
    last = now;
    if (now < end) requestAnimationFrame(frame); else done(frames.slice(2));
  };
  requestAnimationFrame(frame);
})
"""


def run() -> None:
    os.environ.update(LIMITS)
    with sync_playwright() as playwright:
        browser = launch(playwright)
        with serve(MANY) as address:
            measure_load(browser, address, MANY, budget=600, slow_budget=1_500)
            measure_drag(browser, address, MANY)
            measure_live(browser, address)
        with serve(VERY_MANY) as address:
            measure_load(browser, address, VERY_MANY)
            measure_drag(browser, address, VERY_MANY)


@contextmanager
def serve(number: int) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        fill(Path(folder) / "taskpilot.db", number)
        with http_server(*TASKPILOT, "serve", "--port", "{port}", "--data-dir", folder) as port:
            address = f"http://127.0.0.1:{port}"
            scatter(address)
            yield address


def scatter(address: str) -> None:
    """Over the columns, as a list that is lived in."""
    cards = json.load(urllib.request.urlopen(f"{address}/api/board"))["tasks"]
    for start in range(0, len(cards), MOST_AT_ONCE):
        some = cards[start : start + MOST_AT_ONCE]
        steps = [{"id": card["id"], "state": STATES[card["id"] % len(STATES)]} for card in some]
        send(address, "POST", "/api/tasks/bulk", {"update": steps})


def send(address: str, method: str, path: str, body: Any) -> Any:
    request = urllib.request.Request(
        address + path, json.dumps(body).encode(), {"Content-Type": "application/json"}, method=method
    )
    return json.load(urllib.request.urlopen(request))


def measure_load(browser: Any, address: str, number: int, budget: int = 0, slow_budget: int = 0) -> None:
    sizes, times, slow = [], [], []
    for _ in range(ROUNDS):
        size, took = load(browser, address)
        sizes.append(size)
        times.append(took)
        slow.append(load(browser, address, throttle=4)[1])
    tell(f"{number:,} tasks: transfer", median(sizes) / 1_000, "KB", 300 if budget else 0)
    tell(f"{number:,} tasks: interactive", median(times), "ms", budget)
    tell(f"{number:,} tasks: interactive at a quarter of the CPU", median(slow), "ms", slow_budget)


def load(browser: Any, address: str, throttle: int = 1) -> tuple[int, float]:
    """Bytes over the wire, headers included, and milliseconds from the click; nothing is cached."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    client = context.new_cdp_session(page)
    sizes: list[int] = []
    client.on("Network.loadingFinished", lambda event: sizes.append(int(event["encodedDataLength"])))
    client.send("Network.enable")
    client.send("Emulation.setCPUThrottlingRate", {"rate": throttle})
    page.add_init_script(WATCH)
    page.goto(f"{address}/board")
    took = page.evaluate("window.usable")
    page.wait_for_timeout(500)  # fonts and what is loaded ahead count, too
    context.close()
    return sum(sizes), float(took)


def measure_drag(browser: Any, address: str, number: int) -> None:
    for throttle in (1, 4):
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        page = context.new_page()
        context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": throttle})
        page.goto(f"{address}/board")
        page.wait_for_selector("main article")
        page.wait_for_timeout(1_000)
        box = page.locator("main article").nth(2).bounding_box()
        x, y = box["x"] + 60, box["y"] + 20
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 8, y + 8)
        page.evaluate(f"window.frames_ = ({FRAMES})()")
        end = time.monotonic() + 2.6
        step = 0
        while time.monotonic() < end:
            step += 1
            page.mouse.move(x + (step * 9) % 900, y + (step * 5) % 500)
        frames = sorted(page.evaluate("window.frames_"))
        assert page.locator("article.opacity-40").count() == 1, "nothing was being dragged"
        page.mouse.up()
        nodes = page.evaluate("document.querySelectorAll('*').length")
        context.close()
        goal = 17 if throttle == 1 and number == MANY else 0
        slow = " at a quarter of the CPU" if throttle > 1 else ""
        tell(f"{number:,} tasks: frame while dragging, p95{slow}", frames[int(len(frames) * 0.95)], "ms", goal)
    print(f"       {number:,} tasks: {nodes:,} DOM nodes", flush=True)


def measure_live(browser: Any, address: str) -> None:
    """From the moment another client sends a change until its words are on the screen."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.goto(f"{address}/board")
    page.wait_for_selector("main article")
    page.wait_for_timeout(500)
    task = int(page.locator("main article").first.get_attribute("data-card"))
    took: list[float] = []
    for number in range(20):
        title = f"Changed elsewhere {number}"
        page.evaluate(
            """(title) => { window.seen = new Promise((done) => new MutationObserver((_, watcher) => {
              if (!document.querySelector('main').textContent.includes(title)) return;
              watcher.disconnect();
              requestAnimationFrame(() => done(Date.now()));
            }).observe(document.querySelector('main'), {childList: true, subtree: true, characterData: true})); }""",
            title,
        )
        began = time.time() * 1_000
        send(address, "PATCH", f"/api/tasks/{task}", {"title": title})
        took.append(page.evaluate("window.seen") - began)
    context.close()
    tell("a change elsewhere to the screen, median", median(took), "ms", 100)
    tell("a change elsewhere to the screen, slowest of 20", max(took), "ms", 0)


def tell(what: str, got: float, unit: str, goal: float) -> None:
    verdict = "    " if not goal else "ok  " if got <= goal else "MISS"
    budget = f"  (budget {goal} {unit})" if goal else ""
    print(f"  {verdict} {what:<58} {got:7.1f} {unit}{budget}", flush=True)
