"""Runs of agents: send one off, see how it goes, and tell it more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, Self

from pydantic import Field, WithJsonSchema, model_validator

from taskpilot.contracts.native import accounts
from taskpilot.contracts.native.arguments import BOUNDED, ID_MOST, Number, TaskId, Words
from taskpilot.domain import text
from taskpilot.domain.errors import Conflict
from taskpilot.domain.run import Agent
from taskpilot.ops import questions, run_orders, run_views
from taskpilot.store.work import Work
from taskpilot.toolkit import QUIET, Args, Choice, Reply, Step, budget, tool
from taskpilot.toolkit.budget import Tokens

WAIT_MOST = 300
"""Seconds. Clients give up on a call that takes much longer."""
LISTED = 20
TOLD_MOST = 200
AgentName = Literal["claudecode", "codex", "gemini", "opencode", "command"]
# The same, but for the one that takes a program; run_start's schema has the names.
NextAgent = Annotated[Literal["claudecode", "codex", "gemini", "opencode"], WithJsonSchema({"type": "string"})]


class Start(Args):
    task_id: TaskId
    agent: AgentName
    instructions: str = ""
    branch: str | None = Field(None, json_schema_extra=QUIET)
    base: str = Field("", json_schema_extra=QUIET)
    model: str | None = Field(None, json_schema_extra=QUIET)
    way: Literal["acp", "cli_json"] | None = Field(None, json_schema_extra=QUIET)
    command: Words | None = Field(None, json_schema_extra=QUIET)
    caps: dict[str, Any] | None = Field(None, json_schema_extra=QUIET)

    def config(self) -> dict[str, Any]:
        given = {name: getattr(self, name) for name in ("model", "way", "command", "caps")}
        return {name: value for name, value in given.items() if value is not None}


class Get(Args):
    run: Number | None = None
    show: Literal["state", "log", "diff", "report"] = "state"
    after: int = Field(0, ge=0, le=ID_MOST)
    wait: int = Field(0, ge=0, le=WAIT_MOST)
    task_id: TaskId | None = Field(None, json_schema_extra=QUIET)
    max_tokens: Tokens = Field(BOUNDED, json_schema_extra=QUIET)

    @model_validator(mode="after")
    def one(self) -> Self:
        if self.run is None and (self.wait or self.after or self.show != "state"):
            raise ValueError("show, after and wait go with run")
        if self.run is not None and self.task_id is not None:
            raise ValueError("give either run or task_id")
        return self


class Tell(Args):
    run: Number
    instructions: str = ""
    answer: str | None = None
    stop: bool = False
    agent: NextAgent | None = None

    @model_validator(mode="after")
    def one_thing(self) -> Self:
        told = (self.answer is not None, self.stop, self.agent is not None or bool(self.instructions))
        if sum(told) != 1:
            raise ValueError("give instructions, or answer, or stop, or agent")
        return self


@tool(run_orders.start, title="Start an agent", output=accounts.Account)
def run_start(work: Work, args: Start) -> Reply:
    """Send an agent to do a task in its own git worktree. Also branch, base, model, command (argv), caps."""
    made = run_orders.start(
        work,
        args.task_id,
        agent=Agent(args.agent),
        instructions=args.instructions,
        branch=args.branch,
        base=args.base,
        config=args.config(),
    )
    return _state(work, made.run.id if made.run else 0)


def follow(work: Work, args: Get, last: int) -> Sequence[Step] | None:
    """The log past an entry, while there is nothing else to tell."""
    news = run_views.follow(work, args.run, after=max(last, args.after)) if args.run is not None else None
    if news is None or (args.show == "log" and news.entries):
        return None
    if not news.entries and (news.complete or news.question):
        return None
    return [Step(each.number, f"{each.kind}: {text.shorten(each.text, TOLD_MOST)}") for each in news.entries]


def put_question(work: Work, args: Get) -> Choice | None:
    """What the run asks its person, for those who wait for it."""
    asked = run_views.get(work, args.run).question if args.run is not None and args.wait else None
    if asked is None:
        return None
    return Choice(asked.text, {option.id: option.label for option in asked.options}, asked.id, questions.answer)


@tool(run_views.get, title="See runs", output=accounts.Account, wait=follow, choose=put_question)
def run_get(work: Work, args: Get) -> Reply:
    """A run's state, log (past after), diff or report; without run, the latest (of task_id) and what they ask. wait:
    seconds, till it ends or asks."""
    if args.run is None:
        page, total = run_views.list_page(work, limit=LISTED, task=args.task_id)
        waiting = [] if args.task_id else questions.list_open(work)
        return budget.fit(accounts.list_runs(page, total, waiting), accounts.write, args.max_tokens)
    match args.show:
        case "state":
            parts = accounts.state(run_views.get(work, args.run), work.now)
        case "log":
            parts = accounts.log(run_views.follow(work, args.run, after=args.after))
        case "diff":
            parts = accounts.diff(*run_views.read_diff(work, args.run))
        case "report":
            parts = accounts.report(run_views.report(work, args.run))
    return budget.fit(parts, accounts.write, args.max_tokens)


@tool(run_orders.follow_up, title="Tell a run", output=accounts.Account)
def run_tell(work: Work, args: Tell) -> Reply:
    """Give a run, at work or not, more instructions, answer its question, stop it, or hand its task to another
    agent."""
    if args.answer is not None:
        asked = run_views.get(work, args.run).question
        if asked is None:
            raise Conflict(f"Run {args.run} asks nothing.", hint="See how it stands with run_get.")
        questions.answer(work, asked.id, args.answer)
    elif args.stop:
        run_orders.stop(work, args.run)
    elif args.agent is not None:
        next_run = run_orders.hand_over(work, args.run, Agent(args.agent), instructions=args.instructions).run
        return _state(work, next_run.id if next_run else args.run)
    else:
        run_orders.follow_up(work, args.run, args.instructions)
    return _state(work, args.run)


def _state(work: Work, run_id: int) -> Reply:
    parts: Mapping[str, Any] = accounts.state(run_views.get(work, run_id), work.now)
    return budget.fit(parts, accounts.write, BOUNDED)
