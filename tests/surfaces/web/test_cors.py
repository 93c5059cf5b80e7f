from __future__ import annotations

import pytest

from tests.surfaces.web.conftest import ask_gate

PAGE = "https://board.example"
PREFLIGHT = [("access-control-request-method", "PATCH"), ("access-control-request-headers", "authorization, if-match")]


def test_cors_is_off_unless_configured(gate, open_gate, token):
    assert ask_gate(gate, method="OPTIONS", origin=PAGE, headers=PREFLIGHT).status == 403
    assert ask_gate(gate, method="OPTIONS", origin="http://localhost:8000", headers=PREFLIGHT).status == 401
    for each in (gate, open_gate(auth="required", cors_origins=PAGE)):
        told = ask_gate(each, origin="http://localhost:8000", token=token).headers
        assert not [name for name in told if name.startswith("access-control")]


@pytest.mark.parametrize("mode", ["local", "required"])
def test_a_configured_page_may_ask_whether_it_may_ask(open_gate, inside, mode):
    gate = open_gate(auth=mode, cors_origins=f"{PAGE}, https://other.example")
    answered = ask_gate(gate, method="OPTIONS", origin=PAGE, headers=PREFLIGHT)
    assert (answered.status, answered.body, inside.callers) == (204, b"", [])
    told = answered.headers
    assert (told["access-control-allow-origin"], told["vary"]) == (PAGE, "Origin")
    assert "PATCH" in told["access-control-allow-methods"]
    assert told["access-control-allow-headers"] == "authorization, if-match"
    assert "access-control-allow-credentials" not in told
    assert told["x-content-type-options"] == "nosniff"
    for evil in ("https://evil.example", f"{PAGE}.evil.example", "http://board.example", "null"):
        assert ask_gate(gate, method="OPTIONS", origin=evil, headers=PREFLIGHT).status == 403
    assert ask_gate(gate, method="OPTIONS", origin=PAGE, headers=PREFLIGHT, host="evil.example").status == 421


def test_a_configured_page_can_read_answers_also_bad_ones(open_gate, token):
    gate = open_gate(auth="required", cors_origins=PAGE)
    good, bad = ask_gate(gate, origin=PAGE, token=token), ask_gate(gate, origin=PAGE)
    assert (good.status, bad.status) == (200, 401)
    for each in (good, bad):
        assert each.headers["access-control-allow-origin"] == PAGE
        assert "Mcp-Session-Id" in each.headers["access-control-expose-headers"]
    assert ask_gate(gate, method="OPTIONS", origin=PAGE).status == 401
