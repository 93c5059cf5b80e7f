"""How it went, day by day: what the charts are drawn from."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta, tzinfo
from typing import Literal

from taskpilot.domain import days as calendar
from taskpilot.domain.caller import PEOPLES_DOORS
from taskpilot.domain.days import Grain
from taskpilot.domain.errors import Invalid
from taskpilot.domain.evidence import Evidence, prove
from taskpilot.domain.operation import reads
from taskpilot.domain.run import State
from taskpilot.domain.task import Priority, Status
from taskpilot.ops.stats import DAYS_MOST
from taskpilot.store.insights import Attempt, Finish, Insights, Move, Standing
from taskpilot.store.work import Work

DAYS = 30
OPEN = tuple(status for status in Status if status.open)
AGENTS_DOORS = ("run", "desk")
"""Where the agents of runs come in; assistants come in by any other contract."""
MINUTES_A_DAY = 24 * 60
SPANS: tuple[tuple[str, int | None], ...] = (
    ("under an hour", 60),
    ("1–4 hours", 4 * 60),
    ("4–24 hours", MINUTES_A_DAY),
    ("1–3 days", 3 * MINUTES_A_DAY),
    ("3–7 days", 7 * MINUTES_A_DAY),
    ("1–4 weeks", 28 * MINUTES_A_DAY),
    ("longer", None),
)
"""How long things take, and below how many minutes that is."""

ActorKind = Literal["person", "assistant", "agent"]
KINDS: tuple[ActorKind, ...] = ("person", "assistant", "agent")


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    date: str
    created: int
    completed: int
    created_total: int
    """Ever, by the end of the day."""
    completed_total: int
    open: dict[str, int]
    """By status, at the end of the day."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """What there is of one project or priority."""

    key: int | None
    name: str | None
    open: int
    completed: int
    """In the days that are shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Actor:
    kind: ActorKind
    name: str
    completed: int = 0
    runs: int = 0
    succeeded: int = 0
    failed: int = 0
    verified: int = 0
    """Runs that proved what their task's acceptance asks for, on their last commit."""
    cost_micros: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    days: tuple[Day, ...]
    by_status: dict[str, int]
    by_project: tuple[Share, ...]
    by_priority: tuple[Share, ...]
    spans: tuple[int, ...]
    """How many tasks took each of `SPANS`."""
    median_minutes: int | None
    streak: int
    actors: tuple[Actor, ...]


@dataclass(frozen=True, slots=True)
class Done:
    """What was completed in the days that are shown."""

    by_day: dict[str, int]
    by_priority: Counter[int | None]
    by_project: Counter[int | None]
    by_minutes: Sequence[tuple[int, int]]
    """How long it took, shortest first, and how many took so long."""


@dataclass(frozen=True, slots=True)
class Period:
    first: date
    today: date
    zone: tzinfo

    @property
    def since(self) -> tuple[str, Grain]:
        return calendar.begin(self.first, self.zone), calendar.choose_grain(self.zone, self.first, self.today)

    @property
    def dates(self) -> list[str]:
        return [(self.first + timedelta(days=each)).isoformat() for each in range((self.today - self.first).days + 1)]


@reads
def draw(
    work: Work, *, days: int = DAYS, zone: str = "UTC", project_id: int | None = None, workspace_id: int | None = None
) -> Picture:
    """The last days up to today, of the tasks that exist now: what is in the bin never was, as far as this goes."""
    if not 1 <= days <= DAYS_MOST:
        raise Invalid(f"days cannot be {days}.", hint=f"Choose 1 to {DAYS_MOST}.")
    place = calendar.find_zone(zone)
    if project_id is not None:
        work.projects.get(project_id)
    if workspace_id is not None:
        work.workspaces.get(workspace_id)
    today = work.now.astimezone(place).date()
    period = Period(today - timedelta(days=days - 1), today, place)
    found = Insights(work.db, work.caller.user, project_id, workspace_id)
    now, moves = found.standings(), found.moves(*period.since)
    created = calendar.sum_up(found.creations(*period.since), place)
    done = _add_up(found.finishes(*period.since), period)
    return Picture(
        days=_tell_days(period, now, created, done.by_day, [*moves, *found.beginnings(*period.since)]),
        by_status={status.value: sum(each.number for each in now if each.status == status) for status in Status},
        by_project=_share_projects(work, now, done.by_project),
        by_priority=_share_priorities(now, done.by_priority),
        spans=_sort_spans(done.by_minutes),
        median_minutes=_find_median(done.by_minutes),
        streak=_measure_streak(found, period, done.by_day),
        actors=_name_actors(work, moves, found.attempts(period.since[0])),
    )


def _add_up(finishes: Iterable[Finish], period: Period) -> Done:
    began, priorities, projects = Counter[str](), Counter[int | None](), Counter[int | None]()
    minutes = Counter[int]()
    for when, priority, project, taken in finishes:
        began[when] += 1
        priorities[priority] += 1
        projects[project] += 1
        if taken is not None:
            minutes[max(0, taken)] += 1
    grain = period.since[1]
    by_day = calendar.sum_up(((calendar.begin_of(key, grain), number) for key, number in began.items()), period.zone)
    return Done(by_day, priorities, projects, sorted(minutes.items()))


def _tell_days(
    period: Period, now: Iterable[Standing], created: dict[str, int], done: dict[str, int], moves: Iterable[Move]
) -> tuple[Day, ...]:
    """From today backwards, taking back what happened on each day."""
    steps: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for day, number in created.items():
        steps[day][Status.TODO] += number
    for move in moves:
        step = steps[calendar.day_of(move.began, period.zone)]
        step[move.became] += move.number
        step[move.was] -= move.number
    standing = Counter[str]()
    for each in now:
        standing[each.status] += each.number
    made_yet, done_yet = standing.total(), standing[Status.DONE]
    told: list[Day] = []
    for day in reversed(period.dates):
        told.append(
            Day(
                date=day,
                created=created.get(day, 0),
                completed=done.get(day, 0),
                created_total=made_yet,
                completed_total=done_yet,
                open={status.value: max(0, standing[status]) for status in OPEN},
            )
        )
        made_yet, done_yet = made_yet - created.get(day, 0), done_yet - done.get(day, 0)
        standing.subtract(steps[day])
    return tuple(reversed(told))


def _share_projects(work: Work, now: Iterable[Standing], closed: Counter[int | None]) -> tuple[Share, ...]:
    """The fullest first; what belongs to none is one of them."""
    names = {project.id: project.name for project, _ in work.projects.all()}
    still = _count_open(now, "project")
    shares = [
        Share(key=key, name=None if key is None else names.get(key), open=still[key], completed=closed[key])
        for key in still | closed
    ]
    return tuple(sorted(shares, key=lambda share: (-share.open - share.completed, share.name or "")))


def _share_priorities(now: Iterable[Standing], closed: Counter[int | None]) -> tuple[Share, ...]:
    still = _count_open(now, "priority")
    return tuple(
        Share(key=int(each), name=each.word, open=still[each], completed=closed[each]) for each in reversed(Priority)
    )


def _count_open(standings: Iterable[Standing], by: Literal["project", "priority"]) -> Counter[int | None]:
    counted = Counter[int | None]()
    for each in standings:
        if Status(each.status).open:
            counted[getattr(each, by)] += each.number
    return counted


def _sort_spans(minutes: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    counted = Counter[int]()
    for taken, number in minutes:
        counted[next(at for at, (_, below) in enumerate(SPANS) if below is None or taken < below)] += number
    return tuple(counted[at] for at in range(len(SPANS)))


def _find_median(minutes: Sequence[tuple[int, int]]) -> int | None:
    left = (sum(number for _, number in minutes) + 1) // 2
    for taken, number in minutes:
        left -= number
        if left <= 0:
            return taken
    return None


def _measure_streak(found: Insights, period: Period, completed: dict[str, int]) -> int:
    streak = calendar.measure_streak(completed, period.today)
    if streak + 1 < len(period.dates):
        return streak
    longest = replace(period, first=period.today - timedelta(days=DAYS_MOST))  # it may be longer than what is shown
    return calendar.measure_streak(calendar.sum_up(found.completions(*longest.since), period.zone), period.today)


def _name_actors(work: Work, moves: Iterable[Move], attempts: Sequence[Attempt]) -> tuple[Actor, ...]:
    found: dict[tuple[ActorKind, str], Actor] = {}

    def count(kind: ActorKind, name: str, **more: int) -> None:
        actor = found.get((kind, name)) or Actor(kind=kind, name=name)
        found[kind, name] = replace(actor, **{each: getattr(actor, each) + number for each, number in more.items()})

    for move in moves:
        if move.actor and move.became == Status.DONE:
            count(_kind_of(move.door), move.actor, completed=move.number)
    asking = work.questions.unanswered_of([each.id for each in attempts])
    proofs: defaultdict[int, list[Evidence]] = defaultdict(list)
    for evidence in work.evidence.of_runs([each.id for each in attempts]):
        proofs[evidence.run].append(evidence)
    for each in attempts:
        rests = each.state == State.WAITING and each.id not in asking
        count(
            "agent",
            each.agent,
            runs=1,
            succeeded=int(rests or each.state == State.COMPLETED),
            failed=int(each.state == State.FAILED),
            verified=int(bool(each.acceptance) and prove(each.acceptance, proofs[each.id], each.head).accepted),
            cost_micros=each.cost_micros,
        )
    order = sorted(found.values(), key=lambda actor: (KINDS.index(actor.kind), -actor.completed, actor.name))
    return tuple(order)


def _kind_of(door: str) -> ActorKind:
    return "person" if door in PEOPLES_DOORS else "agent" if door in AGENTS_DOORS else "assistant"
