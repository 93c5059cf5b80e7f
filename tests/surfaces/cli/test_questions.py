from __future__ import annotations

import pytest

from taskpilot.domain.question import Asking
from taskpilot.ops import policies
from taskpilot.surfaces.cli import questions, workers
from tests.contracts.stage import seat
from tests.surfaces.cli.conftest import Cli
from tests.surfaces.cli.run_stage import open_store


@pytest.fixture(autouse=True)
def summoned(monkeypatch) -> list[bool]:
    heard: list[bool] = []
    monkeypatch.setattr(workers, "summon", lambda _: heard.append(True))
    return heard


@pytest.fixture
def sat(home, cli: Cli):
    cli("add", "Walls", "--workspace", ".")
    with open_store(home) as app:
        yield seat(app, 1)


@pytest.fixture
def sit_down(monkeypatch):
    """A person at the terminal, who says this."""

    def sit_down(said: str) -> None:
        monkeypatch.setattr(questions, "can_ask", lambda _: True)
        monkeypatch.setattr("typer.prompt", lambda *_, **__: said)

    return sit_down


def test_open_questions_are_listed_and_answered(cli: Cli, sat, summoned, me) -> None:
    assert cli("run", "answer").out == "No run waits for an answer.\n"
    sat.ask("May it run\x1b make?", kind="execute")
    assert cli("run", "answer").out.splitlines() == [
        "Question 1, run 1, task 1:",
        "? May it run make?",
        "  taskpilot run answer 1 allow_once|allow_always|deny",
    ]
    assert cli("run", "answer", "1", "--json").json[0]["options"][2] == {"id": "deny", "label": "Deny"}
    assert "Choose one of: allow_once, allow_always, deny." in cli("run", "answer", "1", "perhaps", code=4).err
    assert cli("run", "answer", "1", "allow_always").out == "Answered: allow_always. Run 1 is told.\n"
    assert "execute" in sat.app.run(me, policies.get, 1).allow
    assert "was answered by dev-user" in cli("run", "answer", "1", "deny", code=5).err
    assert "  Answered by dev-user: allow_always" in cli("run", "answer", "--run", "1").out
    assert cli("run", "answer", "--json").json == []
    cli("run", "answer", "9", "deny", code=3)
    cli("run", "answer", "9" * 30, code=3)
    assert summoned == [True]


def test_on_a_terminal_the_question_is_asked(cli: Cli, sat, sit_down) -> None:
    sat.ask()
    sit_down("")
    assert "taskpilot run answer 1" in cli("run", "answer").out
    sit_down("d")
    assert "Answered: deny." in cli("run", "answer").out


def test_going_on_past_a_cap_queues_the_run_again(cli: Cli, sat, summoned) -> None:
    sat.ask("3 turns are used up.", Asking.CAP, cap="turns", limit=3, more=3)
    sat.finish(resting=True)
    cli("run", "answer", "1", "continue")
    shown = cli("run", "show", "1", "--json").json
    assert (shown["state"], shown["config"]["caps"]) == ("pending", {"turns": 6})
    assert summoned


def test_without_a_person_nothing_is_asked(cli: Cli, sat) -> None:
    sat.ask()
    assert "taskpilot run answer 1" in cli("run", "answer", "1").out
    assert cli("run", "answer", "--json").json[0]["open"] is True
