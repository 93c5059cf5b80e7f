from __future__ import annotations

import pytest

from tests.surfaces.cli.conftest import Cli


@pytest.fixture(autouse=True)
def workspace(cli: Cli) -> None:
    cli("workspace", ".")


def test_a_policy_is_shown_and_changed(cli: Cli) -> None:
    assert "allow         read, search, think, edit, move" in cli("run", "policy").out
    changed = cli(
        *("run", "policy", ".", "allow=read, execute", "caps.seconds=1800", "turns=0", "copies=.env", "network=no"),
        *("setup=make a,b", "setup=make c", "base=main", "most_runs=2", "--json"),
    ).json
    assert (changed["allow"], changed["copies"], changed["setup"]) == (
        ["read", "execute"],
        [".env"],
        ["make a,b", "make c"],
    )
    assert (changed["caps"]["seconds"], changed["caps"]["turns"], changed["caps"]["tokens"]) == (1800, 0, 5_000_000)
    assert (changed["network"], changed["base"], changed["most_runs"]) == (False, "main", 2)
    assert cli("run", "policy", "1", "--json").json == changed
    said = cli("run", "policy", "setup=", "base=").out
    assert "setup         –" in said
    assert "base          what is checked out" in said
    assert "turns         no limit" in said


@pytest.mark.parametrize(
    ("argv", "code"),
    [
        ((".", "network"), 2),
        ((".", "network=perhaps"), 4),
        ((".", "allow=fly"), 4),
        ((".", "seconds=soon"), 2),
        ((".", "seconds=-1"), 4),
        ((".", "copies=/etc/passwd"), 4),
        ((".", "colour=red"), 4),
        (("99",), 3),
        (("/nowhere",), 3),
    ],
)
def test_what_makes_no_sense_is_refused_and_changes_nothing(cli: Cli, argv, code) -> None:
    before = cli("run", "policy", "--json").json
    assert cli("run", "policy", *argv, code=code).err.startswith("Error: ")
    assert cli("run", "policy", "--json").json == before
