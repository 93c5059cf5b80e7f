from __future__ import annotations

import codecs
import io
import json
import os
import select
import signal
import subprocess
import sys
import time

import pytest

from taskpilot.surfaces.cli import chat
from tests.surfaces.cli.conftest import Cli
from tests.surfaces.scripted_assistant import ScriptedAssistant

ENTRY = """
import sys
from taskpilot.surfaces.cli import chat
from taskpilot.surfaces.cli.main import main
from tests.surfaces.scripted_assistant import ScriptedAssistant
chat.hire_assistant = lambda session: ScriptedAssistant(session.app)
def stay(*_): pass
sys.exit(main(sys.argv[1:], serve=stay, mcp=stay))
"""


@pytest.fixture(autouse=True)
def assistant(monkeypatch):
    """Scripted; what it gives is the real one."""
    real = chat.hire_assistant
    monkeypatch.setattr(chat, "hire_assistant", lambda session: ScriptedAssistant(session.app))
    return real


@pytest.fixture
def pipe(monkeypatch):
    """What stands on standard input."""
    return lambda text: monkeypatch.setattr("sys.stdin", io.StringIO(text))


@pytest.fixture
def sit_down(monkeypatch):
    """A person at the terminal, who types these lines, then Ctrl-D; an exception is a key of its own."""

    def sit_down(*lines) -> None:
        typed = iter(lines)

        def read(_: str) -> str:
            line = next(typed, EOFError())
            if isinstance(line, BaseException):
                raise line
            return line

        monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
        monkeypatch.setattr("builtins.input", read)

    return sit_down


def test_one_question_gets_one_answer(cli: Cli):
    assert cli("chat", "add", "Milk").out == "I've added 'Milk' to your list. It's task #1.\n"
    assert cli("show", "1", "--json").json["title"] == "Milk"
    assert cli("log", "1", "--json").json[0]["origin"] == "chat:1"


def test_an_answer_as_json(cli: Cli):
    answer = cli("chat", "add Milk", "--json").json
    assert (answer["conversation_id"], answer["message"]) == (1, "I've added 'Milk' to your list. It's task #1.")
    assert [call["tool"] for call in answer["tool_calls"]] == ["create_task"]
    assert (answer["pending"], answer["usage"]["output_tokens"]) == (None, 34)


def test_each_question_is_a_conversation_unless_one_goes_on(cli: Cli):
    cli("add", "Milk")
    asked = cli("chat", "delete 1")
    assert asked.out == "Delete task 1? (yes/no)\n"
    assert asked.err == "To answer: taskpilot chat --conversation 1 yes\n"
    assert cli("chat", "yes").out == "There is nothing to confirm.\n"
    assert cli("show", "1", "--json").json["title"] == "Milk"
    assert cli("chat", "--conversation", "1", "yes").out == "Done!\n"
    cli("show", "1", code=3)
    assert cli("chat", "--continue", "hello").out == "Hello there.\n"
    assert [each["messages"] for each in cli("chat", "--list", "--json").json] == [6, 2]


def test_continue_without_a_conversation_begins_one(cli: Cli):
    assert cli("chat", "-c", "hello", "--json").json["conversation_id"] == 1


def test_lines_on_standard_input_are_said_one_after_the_other(cli: Cli, pipe):
    pipe("add Milk\n\n  \nadd Bread\ndelete 1\nyes")
    assert cli("chat").out.splitlines() == [
        "I've added 'Milk' to your list. It's task #1.",
        "I've added 'Bread' to your list. It's task #2.",
        "Delete task 1? (yes/no)",
        "Done!",
    ]
    assert [each["title"] for each in cli("list", "--json").json] == ["Bread"]
    pipe("hello\nhello\n")
    lines = [json.loads(line) for line in cli("chat", "--json").out.splitlines()]
    assert [line["conversation_id"] for line in lines] == [2, 2]
    pipe("")
    assert cli("chat").out == ""


def test_what_fails_has_its_exit_code_and_ends_a_script(cli: Cli, pipe):
    failed = cli("chat", "fail", code=7)
    assert (failed.out, "I can't reach the model." in failed.err) == ("Let me \n", True)
    assert cli("chat", "fail", "--json", code=7).error["kind"] == "unavailable"
    cli("chat", "refuse", code=5)
    cli("chat", "x" * 10_001, code=4)
    pipe("fail\nadd Milk\n")
    cli("chat", code=7)
    assert cli("list", "--json").json == []
    assert "a secret" not in cli("chat", "break", code=1).err


def test_no_answer_takes_the_terminal_over(cli: Cli):
    assert cli("chat", "odd").out == "[31mred  half\nline — 🥛\n"


def test_a_person_talks_until_they_have_had_enough(cli: Cli, sit_down):
    cli("add", "Milk")
    sit_down("", "delete 1", KeyboardInterrupt(), "yes", "fail", "Quit", "add Bread")
    talked = cli("chat")
    assert talked.out.splitlines() == [
        "Ctrl-C stops an answer, Ctrl-D ends the chat.",
        "Delete task 1? (yes/no)",
        "Done!",
        "Let me ",
    ]
    assert "I can't reach the model." in talked.err
    assert cli("list", "--json").json == []
    sit_down("hello")
    again = cli("chat", "--continue").out.splitlines()
    assert again[:2] == ["Conversation 1: delete 1", "› delete 1"]
    assert again[-2:] == ["Hello there.", ""]


def test_conversations_are_listed_shown_renamed_and_deleted(cli: Cli):
    assert "Nothing has been said yet" in cli("chat", "--list").out
    assert "Nothing has been said yet" in cli("chat", "--show").out
    cli("chat", "add Milk")
    cli("chat", "hello")
    assert cli("chat", "--list").out.splitlines()[:2] == [
        "   2  hello · 2 messages · just now",
        "   1  add Milk · 2 messages · just now",
    ]
    assert "There are more" in cli("chat", "--list", "-n", "1").out
    assert cli("chat", "--show", "--conversation", "1").out.splitlines() == [
        "Conversation 1: add Milk",
        "› add Milk",
        "· create_task title='Milk'",
        "I've added 'Milk' to your list. It's task #1.",
    ]
    assert cli("chat", "--show", "--json").json["messages"][0]["text"] == "hello"
    assert "1 earlier" in cli("chat", "--show", "-n", "1").out
    assert cli("chat", "--conversation", "1", "--rename", "Food").out == "Conversation 1 is now 'Food'.\n"
    assert cli("chat", "--conversation", "1", "--rename", "Foods", "--json").json["title"] == "Foods"
    cli("chat", "--conversation", "1", "--delete", code=2)
    assert cli("chat", "--conversation", "1", "--delete", "-y").out == "Deleted conversation 1. Its tasks stay.\n"
    cli("chat", "--conversation", "1", "--delete", "-y", code=3)
    assert cli("show", "1", "--json").json["title"] == "Milk"


def test_what_makes_no_sense_is_refused(cli: Cli):
    for argv in (
        ("--list", "hello"),
        ("--list", "--show"),
        ("--rename", "Food"),
        ("--delete", "-y"),
        ("--continue", "--conversation", "1", "hello"),
        ("--conversation", "x"),
        ("--conversation", "1", "--rename", "Food", "--delete"),
    ):
        cli("chat", *argv, code=2)
    for number in ("1", "0", "-1", "9" * 40):
        cli("chat", "--conversation", number, "hello", code=3)
    cli("chat", "hello")
    cli("chat", "--conversation", "1", "--rename", " ", code=4)
    cli("chat", "--list", "-n", "0", code=4)


def test_without_a_model_the_rules_answer(cli: Cli, assistant, pipe, monkeypatch):
    monkeypatch.setattr(chat, "hire_assistant", assistant)
    pipe("add buy milk\ndelete it\n")
    assert cli("chat").out.splitlines() == [
        "I've added 'Buy milk' to your list. It's task #1.",
        "Are you sure you want to delete task #1 ('Buy milk')? This cannot be undone. (yes/no)",
    ]
    assert cli("chat", "-c", "yes").out == "Done! I've deleted task #1 ('Buy milk') from your list.\n"
    assert cli("list", "--json").json == []


def test_the_program_stops_with_a_script_that_is_stopped(spawn_chat):
    process = spawn_chat(stdin=subprocess.PIPE)
    process.stdin.write("wait\nadd Milk\n")
    process.stdin.close()
    assert process.stdout.read(7) == "Let me "
    process.send_signal(signal.SIGINT)
    assert process.wait(30) == 130


@pytest.mark.slow
def test_ctrl_c_stops_the_answer_and_not_the_program(spawn_chat, cli: Cli):
    with Terminal(spawn_chat) as terminal:
        terminal.expect("Ctrl-D ends the chat.")
        terminal.expect("› ")
        terminal.type("wait\n")
        terminal.expect("Let me ")
        terminal.type("\x03")
        terminal.expect("Stopped. What was done until then stays.")
        terminal.expect("› ")
        terminal.type("add Milk\n")
        terminal.expect("· create_task title='Milk'")
        terminal.expect("It's task #1.")
        terminal.expect("1,234 tokens, $0.0021")
        terminal.expect("› ")
        terminal.type("\x03")
        terminal.expect("Ctrl-C stops an answer")
        terminal.type("\x04")
        assert terminal.wait() == 0
    assert cli("chat", "--list", "--json").json[0]["messages"] == 3


@pytest.mark.slow
def test_one_question_on_a_terminal_is_answered_right_there(spawn_chat, cli: Cli):
    cli("add", "Milk")
    with Terminal(spawn_chat, "delete 1") as terminal:
        terminal.expect("Delete task 1? (yes/no)")
        terminal.expect("› ")
        terminal.type("yes\n")
        terminal.expect("Done!")
        assert terminal.wait() == 0
    assert cli("list", "--json").json == []


@pytest.fixture
def spawn_chat():
    started: list[subprocess.Popen[str]] = []

    def spawn_chat(*argv: str, **options) -> subprocess.Popen[str]:
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True} | options
        environment = os.environ | {
            "PYTHONPATH": os.pathsep.join(filter(None, (*sys.path, str(ROOT)))),
            "TERM": "xterm",
        }
        process = subprocess.Popen([sys.executable, "-c", ENTRY, "chat", *argv], env=environment, **options)
        started.append(process)
        return process

    yield spawn_chat
    for process in started:
        if process.poll() is None:
            process.kill()
        process.wait(30)
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                stream.close()


ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))


class Terminal:
    """A real one, with somebody at it."""

    def __init__(self, spawn, *argv: str) -> None:
        self._spawn, self._argv = spawn, argv
        self._seen = ""
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def __enter__(self) -> Terminal:
        self._ours, theirs = os.openpty()
        streams = {"stdin": theirs, "stdout": theirs, "stderr": theirs}
        self._process = self._spawn(*self._argv, **streams, start_new_session=True, preexec_fn=take_terminal)
        os.close(theirs)
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._ours)

    def type(self, keys: str) -> None:
        os.write(self._ours, keys.encode())

    def expect(self, wanted: str) -> None:
        end = time.monotonic() + 30
        while wanted not in self._seen:
            ready, _, _ = select.select([self._ours], [], [], max(0, end - time.monotonic()))
            assert ready, f"{wanted!r} did not come: {self._seen!r}"
            self._seen += self._decoder.decode(os.read(self._ours, 4096))
        self._seen = self._seen.partition(wanted)[2]

    def wait(self) -> int:
        return self._process.wait(30)


def take_terminal() -> None:
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
