"""How each agent is started, and what is made of the JSON that its command line prints."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from taskpilot.agents import kinds, ways
from taskpilot.agents.kinds.kind import TOKEN
from taskpilot.agents.kinds.transcript import Transcript
from taskpilot.agents.programs.sandbox import Sandbox
from taskpilot.agents.talk import McpServer, Spent, Turn
from taskpilot.domain.errors import Invalid, NotFound, Unavailable
from taskpilot.domain.run import Agent, Kind
from tests.agents.scripted.scripted import install

OURS = McpServer("taskpilot", "http://127.0.0.1:1/mcp/desk", "tp_secret")
SPEAKING = [Agent.CLAUDECODE, Agent.CODEX, Agent.GEMINI, Agent.OPENCODE]


def turn(**given: object) -> Turn:
    return Turn(**{"prompt": "-p --help", "cwd": Path("/tree"), "env": {}, **given})


def read(agent: Agent, *events: object, spent: Spent | None = None) -> Transcript:
    heard = Transcript(Path("/tree"), spent)
    for event in events:
        kinds.find(agent).read(json.loads(json.dumps(event)), heard)
    heard.flush()
    return heard


def test_every_agent_that_can_be_started_is_one_file() -> None:
    found = kinds.find_all()

    assert {kind.agent for kind in found} == set(Agent) - {Agent.HAND}
    assert all(kind.title for kind in found)
    assert all(kind.install and kind.sign_in and kind.variables for kind in found if kind.agent is not Agent.COMMAND)
    with pytest.raises(NotFound, match="hand"):
        kinds.find(Agent.HAND)


@pytest.mark.parametrize("agent", SPEAKING)
def test_the_protocol_is_preferred_where_its_program_is_installed(agent: Agent, tmp_path: Path) -> None:
    kind = kinds.find(agent)
    everything = {"PATH": str(install(tmp_path / "all"))}
    plain = {"PATH": str(install(tmp_path / "plain", kind.cli_program))}

    assert type(ways.choose(kind, everything)).__name__ == "Acp"
    assert type(ways.choose(kind, everything, "cli_json")).__name__ == "CliJson"
    assert type(ways.choose(kind, plain)).__name__ == ("Acp" if kind.acp_program == kind.cli_program else "CliJson")


@pytest.mark.parametrize("agent", SPEAKING)
def test_one_that_is_missing_says_how_to_install_it(agent: Agent, tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match=r"not installed here.*npm install -g"):
        ways.choose(kinds.find(agent), {"PATH": str(tmp_path)})


def test_a_way_that_an_agent_does_not_have_is_refused() -> None:
    assert type(ways.choose(kinds.find(Agent.COMMAND), {})).__name__ == "Command"
    with pytest.raises(Invalid, match="cannot be run by 'acp'"):
        ways.choose(kinds.find(Agent.COMMAND), {}, "acp")
    with pytest.raises(Invalid, match="cannot be run by 'telepathy'"):
        ways.choose(kinds.find(Agent.CODEX), {}, "telepathy")


@pytest.mark.parametrize("agent", SPEAKING)
def test_neither_the_prompt_nor_a_token_is_on_a_command_line(agent: Agent) -> None:
    kind = kinds.find(agent)
    for build in (kind.acp, kind.cli):
        start = build(turn(mcp=OURS, session="one", model="some-model", argv=("--more",)))
        assert "tp_secret" not in " ".join(start.argv)
        assert not any("--help" in word for word in start.argv)
        assert "--more" in start.argv
        assert "some-model" in " ".join((*start.argv, *start.env.values()))
    start = kind.cli(turn(mcp=OURS))
    assert start.feed == "-p --help"
    assert start.settle or OURS.url in "".join((*start.argv, *start.env.values()))


def test_each_command_line_is_as_its_program_wants_it() -> None:
    def argv(agent: Agent, **given: object) -> str:
        return " ".join(kinds.find(agent).cli(turn(**given)).argv)

    walls = Sandbox(worktree=Path("/tree"), git_dir=Path("/git"))
    assert argv(Agent.CLAUDECODE).startswith("claude -p --output-format stream-json --verbose --permission-mode")
    assert argv(Agent.CLAUDECODE, session="one").endswith("--resume one")
    assert argv(Agent.CODEX) == "codex exec --json -s workspace-write -"
    assert argv(Agent.CODEX, sandbox=walls) == "codex exec --json -s danger-full-access -"
    assert argv(Agent.CODEX, session="one", model="m").endswith("-m m resume one -")
    assert argv(Agent.GEMINI, session="one") == "gemini -o stream-json --approval-mode yolo --skip-trust --resume one"
    assert argv(Agent.OPENCODE, session="one") == "opencode run --format json --auto --session one"


def test_codex_is_free_only_inside_our_walls_and_then_that_is_asked_before() -> None:
    build = kinds.find(Agent.CODEX).acp
    walls = Sandbox(worktree=Path("/tree"), git_dir=Path("/git"))

    outside, inside = build(turn()), build(turn(sandbox=walls))

    assert (outside.env["INITIAL_AGENT_MODE"], outside.unasked) == ("workspace-write", False)
    assert (inside.env["INITIAL_AGENT_MODE"], inside.unasked) == ("agent-full-access", True)
    assert all(kinds.find(agent).cli(turn()).unasked for agent in SPEAKING)
    assert not any(kinds.find(agent).acp(turn()).unasked for agent in SPEAKING)


def test_settings_that_are_there_already_stay() -> None:
    given = {"OPENCODE_CONFIG_CONTENT": '{"model": "a/b", "mcp": {"mine": {}}}', "CODEX_CONFIG": '{"x": 1}'}

    config = json.loads(kinds.find(Agent.OPENCODE).cli(turn(env=given, mcp=OURS)).env["OPENCODE_CONFIG_CONTENT"])
    codex = json.loads(kinds.find(Agent.CODEX).acp(turn(env=given, model="m")).env["CODEX_CONFIG"])
    broken = kinds.find(Agent.OPENCODE).cli(turn(env={"OPENCODE_CONFIG_CONTENT": "no json"}, mcp=OURS))

    assert (config["model"], set(config["mcp"])) == ("a/b", {"mine", "taskpilot"})
    assert codex == {"x": 1, "model": "m"}
    assert set(json.loads(broken.env["OPENCODE_CONFIG_CONTENT"])["mcp"]) == {"taskpilot"}
    assert kinds.find(Agent.CLAUDECODE).cli(turn(mcp=OURS)).env == {TOKEN: "tp_secret"}


@pytest.mark.parametrize("agent", SPEAKING)
@pytest.mark.parametrize(
    "event",
    [
        {},
        {"type": None},
        {"type": "result"},
        {"type": "assistant", "message": "text"},
        {"type": "assistant", "message": {"content": [7, None, {"type": "tool_use"}, {"type": "text"}]}},
        {"type": "user", "message": {"content": [{"type": "tool_result"}]}},
        {"type": "item.completed", "item": []},
        {"type": "item.completed", "item": {"type": "file_change", "changes": [None, {}]}},
        {"type": "turn.completed", "usage": {"input_tokens": "many"}},
        {"type": "tool_use", "part": {"state": 7}},
        {"type": "step_finish", "part": {"tokens": {"cache": 1}, "cost": "much"}},
        {"type": "message", "role": "assistant", "content": {"text": ["a", {"text": "b"}]}},
        {"type": "error", "error": {"data": None}},
    ],
)
def test_no_event_brings_the_reading_down(agent: Agent, event: dict) -> None:
    read(agent, event)


def test_an_error_of_claudes_service_comes_as_a_success() -> None:
    event = {"type": "result", "subtype": "success", "is_error": True, "result": "API Error: 401", "session_id": "one"}

    heard = read(Agent.CLAUDECODE, event)

    assert (heard.error, heard.reason, heard.session) == ("API Error: 401", "error", "one")


def test_what_a_session_has_cost_in_all_is_told_as_what_came_on_top() -> None:
    event = {"type": "result", "subtype": "success", "total_cost_usd": 0.75, "usage": {"input_tokens": 5}}

    resumed = read(Agent.CLAUDECODE, event, spent=Spent(cost_micros=500_000))
    anew = read(Agent.CLAUDECODE, event, spent=Spent(cost_micros=900_000))

    assert sum(said.data["cost_micros"] for said in resumed.said if said.kind is Kind.USAGE) == 250_000
    assert sum(said.data["cost_micros"] for said in anew.said if said.kind is Kind.USAGE) == 750_000


def test_a_cost_that_is_of_the_turn_alone_is_told_as_it_is() -> None:
    usage = {"input_tokens": 200, "output_tokens": 50}
    models = {"opus": {"inputTokens": 200, "outputTokens": 50}, "haiku": {"inputTokens": 9, "outputTokens": 1}}
    event = {"type": "result", "subtype": "success", "total_cost_usd": 0.75, "usage": usage, "modelUsage": models}

    heard = read(Agent.CLAUDECODE, event, spent=Spent(100, 50, 500_000))

    assert sum(said.data["cost_micros"] for said in heard.said if said.kind is Kind.USAGE) == 750_000
    assert heard.spent == Spent(300, 100, 1_250_000)


def test_gemini_finds_our_server_and_all_that_is_in_the_users_home(tmp_path: Path) -> None:
    home, folder = tmp_path / "home", tmp_path / "own"
    (home / ".gemini").mkdir(parents=True)
    folder.mkdir()
    (home / ".gemini/settings.json").write_text('{"theme": "dark", "mcpServers": {"mine": {}}}')
    (home / ".gemini/oauth_creds.json").write_text("{}")

    variables = kinds.find(Agent.GEMINI).cli(turn(mcp=OURS, env={"HOME": str(home)})).settle(folder)
    (folder / ".gemini/tmp/session").write_text("kept")

    settings = (folder / ".gemini/settings.json").read_text()
    assert variables == {"GEMINI_CLI_HOME": str(folder)}
    assert (json.loads(settings)["theme"], set(json.loads(settings)["mcpServers"])) == ("dark", {"mine", "taskpilot"})
    assert "tp_secret" not in settings
    assert (folder / ".gemini/oauth_creds.json").read_text() == "{}"
    assert (home / ".gemini/tmp/session").read_text() == "kept"
    assert "taskpilot" not in (home / ".gemini/settings.json").read_text()


def test_codex_that_is_not_let_in_is_not_waited_for() -> None:
    waiting = read(Agent.CODEX, {"type": "error", "message": "Reconnecting... 1/5 (timeout)"})
    refused = read(Agent.CODEX, {"type": "error", "message": "Reconnecting... 1/5 (unexpected status 401)"})

    assert (waiting.hopeless, waiting.error, waiting.said[0].kind) == (False, "", Kind.LOG)
    assert refused.hopeless
    assert "401" in refused.error


def test_whole_files_are_not_in_the_log_of_a_call() -> None:
    part = {
        "type": "tool_use",
        "id": "1",
        "name": "Write",
        "input": {"file_path": "/tree/a.txt", "content": "x" * 9_000},
    }

    heard = read(Agent.CLAUDECODE, {"type": "assistant", "message": {"content": [part]}})

    assert len(json.dumps(heard.said[0].data)) < 1_000
