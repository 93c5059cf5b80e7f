"""What runs ask, and what they are told."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from taskpilot.domain.errors import Conflict
from taskpilot.domain.question import Question
from taskpilot.ops import questions
from taskpilot.surfaces.cli import workers
from taskpilot.surfaces.cli.output import console, print_json, say
from taskpilot.surfaces.cli.run_output import question_json, write_question
from taskpilot.surfaces.cli.session import Session


def answer_question(
    session: Session,
    question: Annotated[int | None, typer.Argument(metavar="[QUESTION]", help="Its number.")] = None,
    answer: Annotated[str, typer.Argument(metavar="[ANSWER]", help="One of its choices.")] = "",
    run: Annotated[int | None, typer.Option("--run", metavar="RUN", help="All that one run has asked.")] = None,
) -> None:
    """Answer what a run asks; without arguments, show what waits for an answer, and ask for it on a terminal.

    taskpilot run answer 3 allow_once
    """
    if question is not None and answer:
        return _settle(session, question, answer)
    if question is not None:
        found = [session.run(questions.get, question)]
    else:
        found = session.run(questions.list_open) if run is None else session.run(questions.list_of_run, run)
    if session.json:
        return print_json([question_json(each) for each in found])
    if not found:
        return say("No run waits for an answer.")
    for each in found:
        asks = each.open and can_ask(session)
        if not (asks and put_question(session, each)):
            say(f"Question {each.id}, run {each.run}, task {each.task}:", *write_question(each))
    return None


def can_ask(session: Session) -> bool:
    """Whether a person sits at both ends."""
    return not session.json and sys.stdin.isatty() and console().is_terminal


def put_question(session: Session, question: Question) -> bool:
    """Ask the person here. An empty line leaves it open: it can be answered elsewhere."""
    say(f"Run {question.run}, task {question.task}:", *write_question(question)[:1])
    choices = [option.id for option in question.options]
    said = typer.prompt(f"  {', '.join(choices)}", default="", show_default=False, err=True).strip().lower()
    matches = [choice for choice in choices if said and choice.startswith(said)]
    if not matches:
        return False
    try:
        _settle(session, question.id, said if said in choices else matches[0])
    except Conflict as error:  # somebody else was quicker
        say(f"  {error.message}")
    return True


def _settle(session: Session, question: int, answer: str) -> None:
    settled = session.run(questions.answer, question, answer)
    workers.summon(session)
    print_json(question_json(settled)) if session.json else say(
        f"Answered: {settled.answer}. Run {settled.run} is told."
    )
