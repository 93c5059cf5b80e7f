"""Every system the same way: test, import, create, change in both directions, close, reopen."""

from __future__ import annotations

import pytest

from taskpilot.domain.errors import Forbidden, Invalid, NotFound, Unavailable
from taskpilot.domain.selection import Selection
from taskpilot.domain.task import Status
from taskpilot.ops import tasks
from taskpilot.remotes import sync
from taskpilot.remotes.connection import prepare, reached
from taskpilot.remotes.jira import read_document, write_document
from tests.remotes.conftest import CONFIGS, SERVICES
from tests.remotes.services import TOKEN, soon

# How people on each site add something, change its title and text, and close it.
SITE = {
    "github": ("open_issue", "title", "body", {"state": "closed"}, {"state": "open"}),
    "custom": ("add", "title", "description", {"state": "done"}, {"state": "open"}),
    "jira": ("open_issue", "summary", "description", {"status": {"statusCategory": {"key": "done"}}},
             {"status": {"statusCategory": {"key": "new"}}}),
    "linear": ("open_issue", "title", "description", {"stateId": "s2"}, {"stateId": "s0"}),
    "asana": ("add", "name", "notes", {"completed": True}, {"completed": False}),
    "trello": ("add", "name", "desc", {"closed": True}, {"closed": False}),
}  # fmt: skip
each = pytest.mark.parametrize("system", SERVICES)


@pytest.fixture
def service(system, clock):
    with SERVICES[system](clock).running() as service:
        yield service


@pytest.fixture
def go(sync_with, system, service):
    return lambda **more: sync_with(system, service.url, **more)


@pytest.fixture
def check(errand, folder, system, service):
    def check(**more):
        with reached(errand, prepare(errand, folder, system, CONFIGS[system](service.url) | more)) as adapter:
            return sync.test(adapter)

    return check


def shown(service, system, key):
    """Title, text and whether it is closed, as the site has it."""
    _, title, text, _, _ = SITE[system]
    item = service.items[key]
    fields = item["fields"] if system == "jira" else item
    words = read_document(fields[text]) if system == "jira" else fields[text] or ""
    closed = {
        "github": lambda: item["state"] == "closed",
        "custom": lambda: item["state"] != "open",
        "jira": lambda: fields["status"]["statusCategory"]["key"] == "done",
        "linear": lambda: item["state"]["type"] in ("completed", "canceled"),
        "asana": lambda: item["completed"],
        "trello": lambda: item["closed"] or item["dueComplete"],
    }[system]()
    return fields[title], words, closed


@each
def test_it_can_be_tested(check, system):
    assert check() == {"github": "octo", "custom": "", "trello": "mia"}.get(system, "Mia")


def test_a_token_for_one_repository_alone_will_do(errand, folder, clock):
    with SERVICES["github"](clock).running() as service:
        service.fail(403, only="/user", body=b'{"message": "Resource not accessible by integration"}')
        with reached(errand, prepare(errand, folder, "github", CONFIGS["github"](service.url))) as adapter:
            assert sync.test(adapter) == ""


@each
def test_a_task_lives_on_both_sides(system, service, go, do, add, folder):
    make, title, text, close, reopen = SITE[system]
    for number in range(3):
        getattr(service, make)(f"Theirs {number}")
    ours = add("Ours", description="Two lines\nof text\n\nand a paragraph", workspace=folder)
    go()
    assert len(do(tasks.list_page, Selection(), limit=50).items) == 4
    assert len(service.items) == 4
    key = list(service.items)[3]
    assert shown(service, system, key)[0] == "Ours"
    assert shown(service, system, key)[1].startswith("Two lines\nof text\n\nand a paragraph")
    assert go().changes == 0

    first = next(iter(service.items))
    words = write_document("From there") if system == "jira" else "From there"
    service.edit(first, **{title: "Theirs, better", text: words})
    do(tasks.update, ours.id, {"title": "Ours, better", "description": "From here"})
    go()
    assert shown(service, system, key)[0] == "Ours, better"
    assert shown(service, system, key)[1].startswith("From here")
    (theirs,) = [t for t in do(tasks.list_page, Selection(), limit=50).items if t.title == "Theirs, better"]
    assert theirs.description == "From there"
    assert theirs.external_refs[0].system == system
    assert go().changes == 0

    service.edit(first, **close)
    do(tasks.complete, ours.id)
    go()
    assert do(tasks.get, theirs.id).status is Status.DONE
    assert shown(service, system, key)[2] is True
    service.edit(first, **reopen)
    do(tasks.reopen, ours.id)
    go()
    assert do(tasks.get, theirs.id).status is Status.TODO
    assert shown(service, system, key)[2] is False
    do(tasks.update, ours.id, {"status": "dropped"})
    go()
    assert shown(service, system, key)[2] is True
    assert go().changes == 0
    assert do(tasks.get, ours.id).status is Status.DROPPED
    assert len(service.items) == 4


@each
def test_what_was_made_just_before_a_crash_is_found_again(system, service, go, add, folder, do):
    ours = add("Ours", description="Words", workspace=folder)
    creating = "issueCreate" if system == "linear" else "POST"
    if system == "linear":
        service.fail(late=True, only="POST", after=2)  # after the list and the team
    else:
        service.fail(late=True, only=creating)
    with pytest.raises(Unavailable):
        go()
    assert len(service.items) == 1
    go()
    assert len(service.items) == 1
    assert len(do(tasks.get, ours.id).external_refs) == 1
    assert go().changes == 0


@each
def test_a_wrong_token_is_refused_and_never_told(check, go, do, system):
    for attempt in (check, go):
        with pytest.raises(Forbidden, match="did not accept the token") as caught:
            attempt(token="wrong-77")
        assert "wrong-77" not in str(caught.value)
    assert do(tasks.list_page, Selection()).items == ()


BROKEN = {
    "rate limit by header": ({"status": 403, "headers": {"x-ratelimit-remaining": "0", "x-ratelimit-reset": soon(60)}},
                             Unavailable, r"no more requests until 20\d\d-.*Z.*Repeat after that"),
    "secondary rate limit": ({"status": 403, "headers": {"retry-after": "30"}}, Unavailable, "no more requests until"),
    "too many requests": ({"status": 429, "headers": {"retry-after": "30"}}, Unavailable, "no more requests until"),
    "forbidden": ({"status": 403, "body": b'{"message": "Resource not accessible"}'}, Forbidden, "not accessible"),
    "not found": ({"status": 404, "body": b'{"message": "Not Found"}'}, NotFound, "Check the names"),
    "unprocessable": ({"status": 422, "body": b'{"message": "Validation Failed", "errors": [{"field": "title", '
                       b'"code": "missing_field"}]}'}, Invalid, "Validation Failed; title missing field"),
    "server error": ({"status": 500, "body": b"<html>"}, Unavailable, "trouble of its own"),
    "bad gateway": ({"status": 502}, Unavailable, "status 502"),
    "not json": ({"status": 200, "body": b"<html>hello</html>"}, Unavailable, "something else than expected"),
    "other json": ({"status": 200, "body": b'[{"a": 1}, "b"]'}, Unavailable, "something else than expected"),
    "a number": ({"status": 200, "body": b"7"}, Unavailable, "something else than expected"),
    "no answer": ({"seconds": 1.5, "status": 200}, Unavailable, "did not answer within 1 seconds"),
    "hung up": ({"status": 0}, Unavailable, "broke off in the middle"),
    "moved away": ({"status": 301, "headers": {"location": "https://evil.example"}}, Unavailable, "other host|moved"),
    "compressed": ({"status": 200, "headers": {"content-encoding": "gzip"}, "body": b"x"}, Unavailable, "else than"),
}  # fmt: skip


@each
@pytest.mark.parametrize("how", BROKEN)
def test_trouble_is_told_plainly_and_changes_nothing(system, service, go, do, add, folder, how, check):
    fault, kind, words = BROKEN[how]
    ours = add("Ours", workspace=folder)
    make = SITE[system][0]
    getattr(service, make)("Theirs")
    service.fail(**fault)
    with pytest.raises(kind, match=words) as caught:
        go()
    assert TOKEN not in str(caught.value)
    assert do(tasks.list_page, Selection()).items == (ours,)
    assert len(service.items) == 1
    go()
    assert len(service.items) == 2
    assert len(do(tasks.list_page, Selection()).items) == 2


@each
def test_trouble_on_a_later_page_changes_nothing_either(system, service, go, do):
    make = SITE[system][0]
    for number in range(5):
        getattr(service, make)(f"Theirs {number}")
    service.page = 2
    if system == "trello":
        pytest.skip("Trello's pages have a thousand cards")
    service.fail(500, after=1)
    with pytest.raises(Unavailable):
        go()
    assert do(tasks.list_page, Selection()).items == ()
    go()
    assert len(do(tasks.list_page, Selection()).items) == 5


@each
def test_trouble_while_sending_says_how_far_it_came_and_the_next_sync_carries_on(system, service, go, add, folder):
    for number in range(3):
        add(f"Ours {number}", workspace=folder)
    creating = {"linear": ("POST", 3), "jira": ("POST", 1)}.get(system, ("POST", 1))
    service.fail(503, only=creating[0], after=creating[1])
    with pytest.raises(Unavailable, match=r"1 of 3 sent\. .*The next sync carries on"):
        go()
    assert len(service.items) == 1
    go()
    assert len(service.items) == 3


def test_linear_says_in_its_own_way_that_its_limit_is_used_up(sync_with, clock):
    body = b'{"errors": [{"message": "Rate limit exceeded", "extensions": {"code": "RATELIMITED"}}]}'
    with SERVICES["linear"](clock).running() as service:
        for status in (200, 400):
            service.fail(status, body=body, headers={"x-ratelimit-requests-reset": soon(60) + "000"})
            with pytest.raises(Unavailable, match=r"no more requests until 20\d\d"):
                sync_with("linear", service.url)


def test_a_team_that_linear_does_not_know(errand, folder, clock):
    with SERVICES["linear"](clock).running() as service:
        setup = prepare(errand, folder, "linear", CONFIGS["linear"](service.url) | {"team": "NO"})
        with reached(errand, setup) as adapter, pytest.raises(NotFound, match="no team NO"):
            sync.test(adapter)


@pytest.mark.parametrize("words", ["", "One", "a\nb", "a\n\nb", "a\n\n\nb", "a\n\n\n\nb\nc", "- x\n- y"])
def test_text_survives_jiras_document_format(words):
    assert read_document(write_document(words)) == words


def test_jiras_richer_documents_become_plain_text():
    def item(text):
        paragraph = {"type": "paragraph", "content": [{"type": "text", "text": text}]}
        return {"type": "listItem", "content": [paragraph]}

    document = {"type": "doc", "content": [{"type": "heading", "content": [{"type": "text", "text": "Plan"}]},
                {"type": "bulletList", "content": [item("one"), item("two")]}, {"type": "mediaSingle"}]}  # fmt: skip
    assert read_document(document).strip() == "Plan\n\n- one\n- two"
