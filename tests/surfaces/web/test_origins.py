from __future__ import annotations

import pytest

from taskpilot.surfaces.web.origins import KEPT, Origins, name_of

PUBLIC = "https://tasks.example.com"


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "LocalHost:8000",
        "127.0.0.1:1",
        "[::1]:8000",
        "tasks.example.com",
        "office",
        "10.0.0.7:80",
        "[fe80::1]",
    ],
)
def test_names_of_ours_and_bare_addresses_are_ours(host):
    assert Origins(["office", ""], public_url=PUBLIC).knows_host(host)


@pytest.mark.parametrize("host", ["", "example.com", "evil-office", "tasks.example.com.evil", "[::1]x", "a@office"])
def test_all_others_are_not(host):
    assert not Origins(["office", ""], public_url=PUBLIC).knows_host(host)


@pytest.mark.parametrize(
    ("origin", "host", "allowed"),
    [
        ("https://tasks.example.com", "tasks.example.com", True),
        ("HTTPS://Tasks.Example.com", "tasks.example.com", True),
        ("https://tasks.example.com", "localhost:8000", True),
        ("http://tasks.example.com", "tasks.example.com", False),
        ("https://tasks.example.com:8443", "tasks.example.com", False),
        ("http://office:8000", "office:8000", True),
        ("http://office:8001", "office:8000", False),
        ("http://localhost:5173", "127.0.0.1:8000", True),
        ("http://[::1]:5173", "localhost:8000", True),
        ("http://localhost:5173", "office:8000", False),
        ("http://localhost:5173", "tasks.example.com", False),
        ("https://board.example", "office:8000", True),
        ("https://board.example.evil", "office:8000", False),
        ("http://10.0.0.7", "10.0.0.8", False),
        ("ftp://localhost", "localhost", False),
        ("http://evil@localhost", "localhost", False),
        ("null", "localhost", False),
        ("", "", False),
    ],
)
def test_pages_of_ours_and_configured_ones_may_call(origin, host, allowed):
    assert Origins(["office"], ["https://Board.example/"], PUBLIC).allows(origin, host) is allowed


def test_without_a_public_address_no_page_without_an_origin_is_ours():
    assert not Origins([]).allows("", "localhost")
    assert not Origins([]).allows("://", "localhost")


def test_strangers_cannot_fill_the_memory():
    origins = Origins([])
    for number in range(KEPT + 500):
        assert not origins.knows_host(f"evil-{number}.example")
        assert not origins.allows(f"http://evil-{number}.example", "localhost")
    assert len(origins._known) == len(origins._allowed) == KEPT
    assert origins.knows_host("localhost")


def test_a_host_is_told_from_its_port():
    assert [name_of(host) for host in ("a:1", "[::1]:1", "A", "a b", "a:b")] == ["a", "::1", "a", "", ""]
