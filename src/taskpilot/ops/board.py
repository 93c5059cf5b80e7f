"""All that a board shows, in one look."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from taskpilot.domain.card import CARDS_MOST, Card
from taskpilot.domain.claim import Claim
from taskpilot.domain.errors import Invalid
from taskpilot.domain.operation import reads
from taskpilot.domain.project import Project
from taskpilot.domain.run import Run, State
from taskpilot.domain.selection import Selection
from taskpilot.domain.user import User
from taskpilot.domain.wip import WipLimit
from taskpilot.domain.workspace import Workspace
from taskpilot.ops import claims, tasks, users
from taskpilot.store.work import Work

PICKED_MOST = 200
RUNS_MOST = 500
LIVELY = tuple(state for state in State if not state.over)


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    event: int
    """Where the log ended at this look: whoever goes on from there misses nothing, and hears nothing twice."""
    cards: list[Card]
    """Open tasks first, then done ones, newest first."""
    left_out: int
    projects: list[tuple[Project, int]]
    workspaces: list[Workspace]
    tags: list[str]
    claims: list[Claim]
    runs: list[tuple[Run, int | None]]
    """Those that are not over, latest first, each with the question it waits on."""
    questions: int
    limits: list[WipLimit]
    me: User


@dataclass(frozen=True, slots=True)
class Picked:
    event: int
    cards: list[Card]
    gone: tuple[int, ...]
    """Those a board does not show: deleted, dropped, never there, or not the caller's."""


@reads
def show(work: Work, *, limit: int = CARDS_MOST, workspace: int | None = None) -> Board:
    """Everything a board begins with, as it was at one moment."""
    if not 1 <= limit <= CARDS_MOST:
        raise Invalid(f"limit cannot be {limit}.", hint=f"Choose 1 to {CARDS_MOST}.")
    if workspace is not None:
        work.workspaces.get(workspace)
    cards = work.board.cards(limit, workspace)
    return Board(
        event=work.events.last(),
        cards=cards,
        left_out=_count_left_out(work, workspace, len(cards)) if len(cards) == limit else 0,
        projects=work.projects.all(),
        workspaces=[each for each, _ in work.workspaces.all()],
        tags=work.tags.names(),
        claims=work.claims.live(work.now),
        runs=_list_runs(work),
        questions=work.questions.count_unanswered(),
        limits=list(claims.list_limits(work)),
        me=users.me(work),
    )


@reads
def pick(work: Work, task_ids: Sequence[int]) -> Picked:
    """The cards of some tasks, for whoever has heard that these have changed."""
    wanted = list(dict.fromkeys(task_ids))
    if not 1 <= len(wanted) <= PICKED_MOST:
        raise Invalid(f"{len(wanted)} tasks were asked for.", hint=f"Ask for 1 to {PICKED_MOST} at once.")
    cards = work.board.pick(wanted)
    there = {card["id"] for card in cards}
    return Picked(work.events.last(), cards, tuple(each for each in wanted if each not in there))


def _count_left_out(work: Work, workspace: int | None, shown: int) -> int:
    return work.tasks.count(Selection(statuses=tasks.KEPT, closed=True, workspace=workspace)) - shown


def _list_runs(work: Work) -> list[tuple[Run, int | None]]:
    runs, _ = work.runs.page(RUNS_MOST, states=LIVELY)
    asked = work.questions.unanswered_of([run.id for run in runs])
    return [(run, asked[run.id].id if run.id in asked else None) for run in runs]
