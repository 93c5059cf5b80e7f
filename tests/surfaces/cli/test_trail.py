from __future__ import annotations

from typing import Any

Cli = Any


def test_the_audit_tells_who_did_what(cli: Cli) -> None:
    assert cli("audit").out == "Nothing of that kind was done.\n"
    cli("add", "Paint the walls")
    cli("done", "1")
    told = cli("audit").out.splitlines()
    assert len(told) == 2
    assert "dev-user (cli)  ok  task.completed 1" in told[0]
    assert "task.created 1" in told[1]
    (first, second) = cli("audit", "--json").json
    assert (first["kind"], first["door"], first["user"], first["outcome"]) == (
        "task.completed",
        "cli",
        "dev-user",
        "ok",
    )
    assert second["source"] == "event"


def test_the_audit_is_filtered(cli: Cli) -> None:
    for title in ("One", "Two", "Three"):
        cli("add", title)
    assert len(cli("audit", "--limit", "2", "--json").json) == 2
    assert len(cli("audit", "--door", "cli", "--since", "today", "--json").json) == 3
    assert cli("audit", "--door", "rest", "--json").json == []
    assert cli("audit", "--actor", "nobody", "--json").json == []
    assert cli("audit", "--outcome", "failed", "--json").json == []
    assert cli("audit", "--tool", "task_get", "--json").json == []
    assert cli("audit", "--until", "1 hour ago", "--json").json == []
    assert len(cli("audit", "--all", "--json").json) == 3


def test_nonsense_is_refused(cli: Cli) -> None:
    assert "no outcome" in cli("audit", "--outcome", "great", code=4).err
    assert "limit" in cli("audit", "--limit", "0", code=4).err
    cli("audit", "--since", "whenever", code=4)
