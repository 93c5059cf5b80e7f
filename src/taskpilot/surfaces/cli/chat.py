"""Talking to the assistant: a whole conversation, or one question and its answer."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from taskpilot.domain import text
from taskpilot.domain.errors import TaskPilotError, Unavailable
from taskpilot.ops import conversations
from taskpilot.surfaces.cli.conversations import (
    delete_conversation,
    find_latest,
    list_conversations,
    rename_conversation,
    show_conversation,
    write_call,
)
from taskpilot.surfaces.cli.errors import STOPPED, Misused, report
from taskpilot.surfaces.cli.output import console, print_json, say, write_out
from taskpilot.surfaces.cli.session import Session

if TYPE_CHECKING:
    from taskpilot.agents.chat.assistant import Assistant

PROMPT = "› "
SHOWN = 20
RECALLED = 6
"""Messages that are shown again when an earlier conversation goes on."""
ENOUGH = ("exit", "quit", "bye", "/exit", "/quit")
HOW_TO = "Ctrl-C stops an answer, Ctrl-D ends the chat."


def chat(
    session: Session,
    message: Annotated[
        list[str] | None, typer.Argument(metavar="[MESSAGE]...", help="One thing to say; without it, a conversation.")
    ] = None,
    go_on: Annotated[bool, typer.Option("--continue", "-c", help="Go on with the latest conversation.")] = False,
    conversation: Annotated[
        int | None, typer.Option("--conversation", metavar="N", help="Go on with this conversation.")
    ] = None,
    listed: Annotated[bool, typer.Option("--list", help="List the conversations, latest first.")] = False,
    shown: Annotated[bool, typer.Option("--show", help="Show what was said: in the latest, or in N.")] = False,
    limit: Annotated[int, typer.Option("--limit", "-n", help="Most that --list and --show show.")] = SHOWN,
    rename: Annotated[str | None, typer.Option("--rename", metavar="TITLE", help="Give N another title.")] = None,
    delete: Annotated[bool, typer.Option("--delete", help="Remove N and all that was said in it.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before --delete.")] = False,
) -> None:
    """Manage tasks in plain language, with a model or without one.

    taskpilot chat "what should I do next?"

    Lines on standard input are said one after the other. Ctrl-C stops an answer; what was done until then stays.
    """
    said = " ".join(message or ()).strip()
    if sum((bool(said), listed, shown, rename is not None, delete)) > 1 or (go_on and conversation is not None):
        raise Misused("These do not go together.", hint="Say one thing at a time; see taskpilot chat --help.")
    if (rename is not None or delete) and conversation is None:
        raise Misused("Which conversation?", hint="Name it with --conversation N; --list shows the numbers.")
    if listed:
        return list_conversations(session, limit)
    if shown:
        return show_conversation(session, conversation, limit)
    if conversation is not None and rename is not None:
        return rename_conversation(session, conversation, rename)
    if conversation is not None and delete:
        return delete_conversation(session, conversation, yes=yes)
    number = find_latest(session) if go_on else conversation
    if number is not None:
        session.run(conversations.get, number)  # or say now that there is none
    with asyncio.Runner() as runner:
        talk = Talk(session, hire_assistant(session), runner, number)
        return _say_once(talk, said) if said else _converse(talk) if sys.stdin.isatty() else _read_along(talk)


def hire_assistant(session: Session) -> Assistant:
    from taskpilot.agents.chat.assistant import Assistant

    return Assistant(session.app, session.settings)


class Talk:
    """One conversation at this terminal: where it is, and what it shows."""

    def __init__(self, session: Session, assistant: Assistant, runner: asyncio.Runner, number: int | None) -> None:
        self.session = session
        self.number = number
        self.waiting = ""
        """The question that waits for a yes."""
        self._assistant = assistant
        self._runner = runner
        self._column = 0

    def say(self, said: str, *, indent: int | None = 2) -> None:
        """Say something and show the answer as it comes. Ctrl-C ends the answer, as KeyboardInterrupt."""
        self.waiting = ""
        try:
            done = self._runner.run(self._hear(said))
        finally:
            self._end_line()
        if self.session.json:
            print_json(done, indent=indent)
        elif console().is_terminal:
            _show_usage(done.get("usage") or {})

    async def _hear(self, said: str) -> Mapping[str, Any]:
        done: Mapping[str, Any] = {}
        failure, heard = "", ""
        async for piece in self._assistant.reply(self.session.caller, said, self.number):
            match piece.kind:
                case "text":
                    heard += piece.text
                    self._write(piece.text)
                case "call" if console().is_terminal:
                    self._show_call(piece.data or {})
                case "pending":
                    self.waiting = piece.text
                    if piece.text not in heard:
                        heard += piece.text
                        self._end_line()
                        self._write(piece.text)
                case "error":
                    failure = piece.text
                case "done":
                    done = piece.data or {}
                case _:
                    pass
            self.number = (piece.data or {}).get("conversation_id", self.number)
        if failure:
            raise Unavailable(failure)
        if not heard:
            self._write(done.get("message", ""))
        return done

    def _write(self, words: str) -> None:
        """As it comes, without what could take a terminal over."""
        words = text.clean(f"|{words}|")[1:-1]
        if words and not self.session.json:
            write_out(words)
            self._column = 0 if words.endswith("\n") else 1

    def _show_call(self, data: Mapping[str, Any]) -> None:
        if not self.session.json:
            self._end_line()
            say(write_call(str(data.get("tool", "")), data.get("arguments")))

    def _end_line(self) -> None:
        if self._column:
            write_out("\n")
            self._column = 0


def _say_once(talk: Talk, said: str) -> None:
    """One thing and its answer. A question is put right here, if somebody is there to answer it."""
    try:
        talk.say(said)
        while talk.waiting and _is_attended(talk):
            talk.say(_prompt() or "no")
    except (KeyboardInterrupt, EOFError):
        raise typer.Exit(STOPPED) from None
    if talk.waiting and not talk.session.json:
        typer.echo(f"To answer: taskpilot chat --conversation {talk.number} yes", err=True)


def _read_along(talk: Talk) -> None:
    """A script's lines, one after the other. What fails ends it."""
    try:
        for line in map(str.strip, sys.stdin):
            if line:
                talk.say(line, indent=None)
    except KeyboardInterrupt:
        raise typer.Exit(STOPPED) from None


def _converse(talk: Talk) -> None:
    """With a person, until they have had enough."""
    if talk.number is not None and not talk.session.json:
        show_conversation(talk.session, talk.number, RECALLED)
    if not talk.session.json:
        say(HOW_TO)
    for said in _ask(talk.session):
        try:
            if talk.number is None:  # known before the answer, which may be stopped
                talk.number = talk.session.run(conversations.start).id
            talk.say(said, indent=None)
        except KeyboardInterrupt:
            typer.echo("Stopped. What was done until then stays.", err=True)
        except TaskPilotError as error:
            report(error, as_json=talk.session.json)


def _ask(session: Session) -> Iterator[str]:
    while True:
        try:
            said = _prompt()
        except EOFError:
            return write_out("" if session.json else "\n")
        except KeyboardInterrupt:
            typer.echo(f"\n{HOW_TO}", err=True)
            continue
        if said.lower() in ENOUGH:
            return None
        if said:
            yield said


def _prompt() -> str:
    """One line, with the arrow keys where the terminal has them."""
    import contextlib

    with contextlib.suppress(ImportError):  # Windows has none
        import readline  # noqa: F401  # pyright: ignore[reportUnusedImport]
    return input(PROMPT).strip()


def _is_attended(talk: Talk) -> bool:
    return not talk.session.json and sys.stdin.isatty() and console().is_terminal


def _show_usage(usage: Mapping[str, Any]) -> None:
    """What the answer took; nothing where no model was asked."""
    from rich.text import Text

    tokens = int(usage.get("input_tokens") or 0) + int(usage.get("output_tokens") or 0)
    if tokens:
        cost = usage.get("cost")
        say(Text(f"{tokens:,} tokens" + (f", ${float(cost):.4f}" if cost is not None else ""), style="dim"))
