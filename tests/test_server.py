from __future__ import annotations

import json
import logging
import socket

import pytest

from taskpilot import logs
from taskpilot.__main__ import read_mcp_flags
from taskpilot.domain.errors import Invalid, Unavailable
from taskpilot.server import set_terms
from taskpilot.settings import Settings
from taskpilot.surfaces.web.process import bind, tell_address


@pytest.mark.parametrize(
    ("argv", "flags"),
    [
        (["mcp"], {}),
        (["mcp", "--contract", "todo"], {"contract": "todo"}),
        (["mcp", "--data-dir=/x y", "--database-url="], {"data_dir": "/x y", "database_url": ""}),
        (["mcp", "--help"], None),
        (["mcp", "--contract"], None),
        (["mcp", "extra"], None),
        (["mcp", "--colour", "red"], None),
        (["serve"], None),
        ([], None),
    ],
)
def test_a_plain_mcp_command_is_recognised_and_all_else_is_left_to_the_cli(argv, flags):
    assert read_mcp_flags(argv) == flags


def test_a_port_in_use_is_said_with_what_to_do_next():
    with bind("127.0.0.1", 0) as taken:
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(Unavailable, match=f"Port {port} .* is in use.*--port {port + 1}"):
            bind("127.0.0.1", port)


def test_port_zero_is_told_as_the_port_it_became():
    with bind("127.0.0.1", 0) as bound:
        assert tell_address(bound) == f"http://127.0.0.1:{bound.getsockname()[1]}"


@pytest.mark.skipif(not socket.has_ipv6, reason="needs IPv6")
def test_an_ipv6_address_is_written_as_urls_want_it():
    try:
        bound = bind("::1", 0)
    except Invalid:
        pytest.skip("no IPv6 here")
    with bound:
        assert tell_address(bound).startswith("http://[::1]:")


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1"])
def test_on_this_machine_alone_nobody_has_to_sign_in_unless_told_so(host):
    assert not set_terms(Settings(host=host)).sign_in_required
    assert set_terms(Settings(host=host, auth="required")).sign_in_required


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "tasks.example.com"])
def test_where_others_can_come_in_everybody_has_to_sign_in(host):
    assert set_terms(Settings(host=host)).sign_in_required
    assert set_terms(Settings(host=host, auth="local")).sign_in_required
    assert not set_terms(Settings(host=host, dangerously_open=True)).sign_in_required
    assert set_terms(Settings(host=host, auth="required", dangerously_open=True)).sign_in_required


def test_where_nobody_signs_in_nobody_is_counted():
    assert set_terms(Settings()).user_limit == 0
    terms = set_terms(Settings(auth="required"))
    assert min(terms.user_limit, terms.address_limit, terms.try_limit) > 0


@pytest.fixture
def log(capsys):
    """What was logged so far; the process's loggers are put back afterwards."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield lambda: capsys.readouterr().err
    root.handlers[:] = handlers
    root.setLevel(level)


def test_log_lines_are_json_away_from_a_terminal(log):
    logs.configure(Settings())
    try:
        raise ValueError("why")
    except ValueError:
        logging.getLogger("taskpilot.x").exception("it %s", "broke", extra={"incident": "abc"})
    line = json.loads(log())
    assert (line["level"], line["logger"], line["message"], line["incident"]) == (
        "error",
        "taskpilot.x",
        "it broke",
        "abc",
    )
    assert "ValueError: why" in line["traceback"]


def test_log_lines_are_text_where_asked_for_and_below_the_level_there_are_none(log):
    logs.configure(Settings(log_format="text", log_level="warning"))
    logging.getLogger("taskpilot").info("quiet")
    logging.getLogger("uvicorn.error").warning("loud")
    (line,) = log().splitlines()
    assert line.endswith("warning loud")


def test_passwords_in_addresses_are_masked(log):
    logs.configure(Settings(log_format="text"))
    logging.getLogger("taskpilot").warning("cannot reach %s", "postgresql://me:s3cret:@x@db/tasks?sslmode=off")
    assert log().endswith("cannot reach postgresql://me:***@db/tasks?sslmode=off\n")
