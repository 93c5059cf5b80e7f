"""Agents at work: sending them off, looking at them, telling them more, stopping them."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from taskpilot.domain import text
from taskpilot.domain.errors import Invalid, NotFound
from taskpilot.domain.run import Agent, Run, State
from taskpilot.domain.task import PROSE_MOST, parse_id
from taskpilot.ops import run_orders, run_views
from taskpilot.ops.runs import Standing
from taskpilot.store.runs import Diff
from taskpilot.surfaces.cli import workers
from taskpilot.surfaces.cli.command import command
from taskpilot.surfaces.cli.errors import Misused
from taskpilot.surfaces.cli.output import console, print_json, say, write_out
from taskpilot.surfaces.cli.policies import change_policy
from taskpilot.surfaces.cli.questions import answer_question
from taskpilot.surfaces.cli.run_logs import follow_run, show_log
from taskpilot.surfaces.cli.run_output import (
    MICROS,
    describe_run,
    draw_runs,
    entry_json,
    run_json,
    view_json,
    write_entries,
    write_proof,
    write_run_sheet,
    write_seconds,
    write_usage,
)
from taskpilot.surfaces.cli.session import Session
from taskpilot.surfaces.cli.worktrees import merge_run, push_run, rebase_run, show_worktrees

AGENTS = tuple(agent.value for agent in Agent if agent.startable)
LIMIT_MOST = 1_000

RunId = Annotated[int, typer.Argument(metavar="RUN", help="The number that starting it gave.")]
Orders = Annotated[str, typer.Option("--instructions", "-i", help="What to do; otherwise the task says it all.")]
OrdersFile = Annotated[
    Path | None, typer.Option("--file", "-f", metavar="FILE", help="Read the instructions from here; - is stdin.")
]
Follow = Annotated[bool, typer.Option("--follow", help="Look on until it is done; Ctrl-C only stops looking.")]

commands = typer.Typer(add_completion=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class How:
    branch: Annotated[str | None, typer.Option("--branch", help="To work on; otherwise made from the task.")] = None
    base: Annotated[str, typer.Option("--base", help="The branch to start from.")] = ""
    model: Annotated[str, typer.Option("--model", help="As the agent calls it.")] = ""
    way: Annotated[str, typer.Option("--way", help="acp or cli_json; otherwise the best there is.")] = ""
    cap: Annotated[
        list[str] | None,
        typer.Option(
            "--cap",
            metavar="NAME=NUMBER",
            help="Rest and ask past this: seconds, idle_seconds, turns, tokens, cost (in dollars). Repeatable.",
        ),
    ] = None

    def config(self, argv: list[str]) -> dict[str, Any]:
        given = {
            "model": text.line(self.model, "A model", 200, 0),
            "way": self.way,
            "caps": dict(map(_read_cap, self.cap or ())),
            "command": argv,
        }
        return {name: value for name, value in given.items() if value}


def show_all(session: Session, ctx: typer.Context) -> None:
    """Agents at work on tasks: start, follow, answer, stop them; see and land what they did.

    taskpilot run start 42 --agent claudecode --follow
    """
    if ctx.invoked_subcommand is None:
        list_runs(session)


def start(
    session: Session,
    task: Annotated[str, typer.Argument(metavar="TASK", help="As 42 or TP-42.")],
    how: How,
    argv: Annotated[
        list[str] | None, typer.Argument(metavar="[-- PROGRAM ...]", help="For the agent `command`: what to run.")
    ] = None,
    agent: Annotated[
        str, typer.Option("--agent", "-a", help=", ".join(AGENTS) + ".", autocompletion=lambda: list(AGENTS))
    ] = "",
    instructions: Orders = "",
    file: OrdersFile = None,
    follow: Follow = False,
) -> None:
    """Send an agent off to do a task, in a git worktree of its own.

    taskpilot run start 42 --agent claudecode -i "Keep it small" --cap seconds=600 --follow

    taskpilot run start 42 -- make lint
    """
    chosen = _read_agent(agent or ("command" if argv else ""))
    orders = _read_orders(instructions, file)
    started = session.run(
        run_orders.start,
        parse_id(task),
        agent=chosen,
        instructions=orders,
        branch=how.branch,
        base=how.base,
        config=how.config(list(argv or ())),
    )
    _sent_off(session, started, "Queued", follow=follow)


def list_runs(
    session: Session,
    state: Annotated[
        list[State] | None, typer.Option("--state", "-s", help=", ".join(State) + ". Repeat for more.")
    ] = None,
    agent: Annotated[str, typer.Option("--agent", "-a", help="Only this agent's.")] = "",
    task: Annotated[str | None, typer.Option("--task", metavar="ID", help="Only of this task.")] = None,
    limit: Annotated[int, typer.Option("--limit", "-n", help="Most to show.")] = 20,
) -> None:
    """List runs, latest first."""
    if not 1 <= limit <= LIMIT_MOST:
        raise Invalid(f"limit cannot be {limit}.", hint=f"Choose 1 to {LIMIT_MOST}.")
    found, total = session.run(
        run_views.list_page,
        limit=limit,
        states=tuple(state or ()),
        agent=_read_agent(agent) if agent else None,
        task=None if task is None else parse_id(task),
    )
    if session.json:
        return print_json([run_json(run) | {"asks": question.id if question else None} for run, question in found])
    if not found:
        return say("No runs. To begin one: taskpilot run start TASK --agent claudecode")
    say(draw_runs(found))
    return say(f"\nThere are {total}: --limit shows more.") if total > len(found) else None


def show(session: Session, run: RunId) -> None:
    """Show how a run stands: what it does, what it asks, what it has used."""
    view = _look(session, run)
    return print_json(view_json(view)) if session.json else say(write_run_sheet(view))


def stop(session: Session, run: RunId) -> None:
    """Stop an agent and everything it started. What it left is committed first."""
    _tell(session, session.run(run_orders.stop, run))


def tell_more(
    session: Session,
    run: RunId,
    words: Annotated[list[str] | None, typer.Argument(metavar="WORDS...", help="What to do as well.")] = None,
    file: OrdersFile = None,
    follow: Follow = False,
) -> None:
    """Tell an agent more. One that has finished goes on in the session it had.

    taskpilot run say 7 "Now the tests, too" --follow
    """
    _, seen = _find_end(session, run)
    told = session.run(run_orders.follow_up, run, _read_orders(" ".join(words or ()), file))
    _sent_off(session, told, "Told", follow=follow, after=seen)


def hand_over(
    session: Session,
    run: RunId,
    agent: Annotated[str, typer.Argument(metavar="AGENT", help=", ".join(AGENTS[:-1]) + ".")],
    instructions: Orders = "",
    follow: Follow = False,
) -> None:
    """Let another agent go on with the task, on the same branch, with a short account of how far this one came."""
    started = session.run(run_orders.hand_over, run, _read_agent(agent), instructions=instructions)
    _sent_off(session, started, "Handed over", follow=follow)


def show_diff(
    session: Session,
    run: RunId,
    stat: Annotated[bool, typer.Option("--stat", help="Only which files, and how much.")] = False,
) -> None:
    """Show what a run has changed. What is printed into a file is a patch."""
    found, diff = session.run(run_views.read_diff, run)
    if session.json:
        return print_json({"run": run, "files": list(found.files_changed), **diff._asdict()})
    if stat:
        files = [f"  {text.clean_line(path)}" for path in found.files_changed]
        return say(*files, _sum_up(len(files), diff))
    if not diff.patch:
        return say(f"Run {run} has changed nothing yet.")
    if not console().is_terminal:
        return write_out(diff.patch if diff.patch.endswith("\n") else diff.patch + "\n")
    return say(*(_colour(line) for line in text.clean(diff.patch).split("\n")))


def report(session: Session, run: RunId) -> None:
    """Sum a run up: how it went, what it took, what it changed, whether that was proved."""
    told = session.run(run_views.report, run)
    view = told.view
    if session.json:
        more = {"seconds": told.seconds, "added": told.diff.added, "removed": told.diff.removed}
        last = [entry_json(entry) for entry in told.last]
        return print_json(view_json(view) | more | {"log_counts": dict(told.counts), "last": last})
    did = view.run
    say(f"{describe_run(did)[:1].upper()}{describe_run(did)[1:]}", f"  {text.clean_line(view.task.title)}")
    used = f", {write_usage(did.tokens_in, did.tokens_out, did.cost_micros)}" if did.tokens_in or did.tokens_out else ""
    say(f"  took {write_seconds(told.seconds)}{used}")
    say(f"  {_sum_up(len(did.files_changed), told.diff)}")
    if did.error:
        say(f"  error: {text.clean(did.error)}")
    if did.commands:
        say("", "Commands:", *(f"  {text.clean_line(each)}" for each in did.commands))
    if view.proof.commands:
        say("", "Proof:", *(f"  {line}" for line in write_proof(view.proof).split("\n")))
    if told.last:
        say("", "At the end:", *write_entries(told.last))
    return None


commands.callback(invoke_without_command=True)(command(show_all))
commands.command("start")(command(start))
commands.command("list")(command(list_runs))
commands.command("show")(command(show))
commands.command("logs")(command(show_log))
commands.command("say")(command(tell_more))
commands.command("answer")(command(answer_question))
commands.command("stop")(command(stop))
commands.command("diff")(command(show_diff))
commands.command("report")(command(report))
commands.command("handover")(command(hand_over))
commands.command("rebase")(command(rebase_run))
commands.command("merge")(command(merge_run))
commands.command("push")(command(push_run))
commands.command("worktrees")(command(show_worktrees))
commands.command("policy")(command(change_policy))


def _sent_off(session: Session, standing: Standing, verb: str, *, follow: bool, after: int = 0) -> None:
    workers.summon(session)
    run = _run_of(standing)
    view = _look(session, run.id)
    if not session.json:
        say(f"{verb}: {describe_run(run)}", *([f"  It waits: {view.obstacle}."] if view.obstacle else []))
    if follow:
        return follow_run(session, run.id, after=after)
    return print_json(view_json(view)) if session.json else say(f"  To look on: taskpilot run logs {run.id} -f")


def _look(session: Session, run: int) -> run_views.View:
    return session.run(run_views.get, run, user_most=session.settings.runs_per_user)


def _find_end(session: Session, run: int) -> tuple[Run, int]:
    """The run, and the number of the last entry in its log."""
    told = session.run(run_views.report, run, lines=1)
    return told.view.run, told.last[-1].number if told.last else 0


def _tell(session: Session, standing: Standing) -> None:
    run = _run_of(standing)
    print_json(run_json(run)) if session.json else say(f"{describe_run(run)[:1].upper()}{describe_run(run)[1:]}")


def _run_of(standing: Standing) -> Run:
    if standing.run is None:
        raise NotFound("There is no run.", hint="Start one: taskpilot run start TASK --agent claudecode")
    return standing.run


def _read_agent(word: str) -> Agent:
    try:
        return Agent(word.strip().lower())
    except ValueError:
        what = f"There is no agent {word!r}." if word else "Which agent is to do it?"
        raise Misused(what, hint=f"Choose with --agent: {', '.join(AGENTS)}.") from None


def _read_orders(words: str, file: Path | None) -> str:
    if file is None:
        return words
    if words:
        raise Misused("Give the instructions once.", hint="Either as words, or with --file.")
    try:
        with sys.stdin.buffer if str(file) == "-" else file.open("rb") as source:
            return source.read(PROSE_MOST * 4 + 1).decode("utf-8", "replace")
    except OSError as error:
        raise NotFound(f"{file} cannot be read: {error.strerror}.", hint="Check the path.") from None


def _read_cap(given: str) -> tuple[str, int]:
    """`seconds=600`; `cost=2.50` is in dollars."""
    name, _, number = given.partition("=")
    try:
        if name == "cost":
            return "cost_micros", round(float(number) * MICROS)
        return name, int(number)
    except (ValueError, OverflowError):
        raise Misused(f"{given!r} is no cap.", hint="Write it as --cap seconds=600 or --cap cost=2.50.") from None


def _sum_up(files: int, diff: Diff) -> str:
    return f"{files} file{'' if files == 1 else 's'}, +{diff.added} −{diff.removed}"


def _colour(line: str) -> Any:
    from rich.text import Text

    style = (
        "bold" if line.startswith(("+++", "---", "diff ")) else {"+": "green", "-": "red", "@": "cyan"}.get(line[:1])
    )
    return Text(line, style=style or "")
