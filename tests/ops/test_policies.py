from __future__ import annotations

import pytest

from taskpilot.domain.errors import Invalid, NotFound
from taskpilot.domain.policy import Policy
from taskpilot.ops import policies


@pytest.fixture
def place_id(add, tmp_path):
    return add(workspace=str(tmp_path)).workspace


def test_the_usual_holds_until_somebody_says_otherwise(do, place_id):
    assert do(policies.get, place_id) == Policy(id=place_id)
    given = {
        "allow": ["read"],
        "deny": ["fetch"],
        "caps": {"turns": 3},
        "base": "main",
        "copies": [".env"],
        "setup": ["make setup"],
        "cleanup": ["make clean"],
        "environment": ["MY_*"],
        "sandbox": "off",
        "network": False,
        "most_runs": 2,
    }
    changed = do(policies.change, place_id, given)
    assert do(policies.get, place_id) == changed
    assert (changed.caps.turns, changed.caps.seconds) == (3, Policy().caps.seconds)
    assert (changed.answer("read"), changed.answer("fetch"), changed.answer("execute")) == (True, False, None)


@pytest.mark.parametrize(
    "given",
    [
        {"colour": "red"},
        {"allow": ["everything"]},
        {"allow": "read"},
        {"caps": {"turns": -1}},
        {"caps": {"turns": True}},
        {"caps": {"luck": 1}},
        {"caps": 3},
        {"copies": ["../secret"]},
        {"copies": ["/etc/passwd"]},
        {"setup": ["make 'setup"]},
        {"environment": ["A=B"]},
        {"sandbox": "perhaps"},
        {"network": "no"},
        {"most_runs": 1.5},
        {"base": "no branch"},
    ],
)
def test_what_makes_no_sense_changes_nothing(do, place_id, given):
    with pytest.raises(Invalid):
        do(policies.change, place_id, {"most_runs": 1, **given})
    assert do(policies.get, place_id) == Policy(id=place_id)


def test_strangers_have_no_say(app, stranger, place_id):
    with pytest.raises(NotFound):
        app.run(stranger, policies.change, place_id, {"most_runs": 1})
