"""Which tasks a list is about: "open ones in Work due this week, newest first"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from taskpilot.agents.chat.rules.view import TaskView, View
from taskpilot.agents.chat.rules.vocabulary import pack
from taskpilot.agents.chat.rules.words import Text, fold
from taskpilot.domain import mentions, phrases
from taskpilot.domain.errors import Invalid

PRIORITIES = {
    "critical": "critical|urgent|top|highest|very high",
    "high": "high|important",
    "medium": "medium|normal|mid|moderate|average|regular",
    "low": "low|lowest|minor",
    "someday": "someday",
}
RANK = "|".join(PRIORITIES.values())
_FINISHED = "done|finished|completed|complete"
_OPEN = (
    rf"\b(?:not|haven't|hasn't|have not|has not|isn't|aren't|didn't|not been|yet to be)(?: i| been| got| get| gotten"
    rf"| yet)*(?: (?:{_FINISHED}|finish|do))(?: yet)?\b"
    r"|\b(?:incomplete|unfinished|uncompleted|undone|open|pending|outstanding|remaining|active"
    r"|unchecked|left to do|left"
    r"|remains?|still)\b|\b(?:need|needs|have|got|supposed)? ?to (?:do|be done|finish|complete)\b|\bneeds? doing\b"
)
_CLOSED = rf"\b(?:(?:get|got|have|gotten|been|already) )*(?:{_FINISHED}|closed|accomplished|ticked off|checked off)\b"
_STARTED = r"\b(?:in[ -]progress|working on|started|ongoing|under ?way|doing(?: right)? now|busy with)\b"
_SORTS = {
    "due": r"\b(?:sorted |ordered |order |sort |arranged )?by (?:the )?(?:due dates?|dates?|deadlines?|due|when due)\b",
    "newest": r"\b(?:newest|latest|most recent|recently (?:added|created))(?: (?:ones? )?(?:tasks? )?first)?\b",
    "oldest": r"\boldest(?: (?:ones? )?(?:tasks? )?first)?\b",
    "updated": r"\b(?:recently|last) (?:changed|updated|modified)\b",
    "priority": r"\b(?:sorted |ordered |order |sort )?by (?:priority|importance)\b",
}
_LATE = r"\b(?:overdue|past due|late|behind(?: schedule)?|missed)\b"
_SPAN = re.compile(
    r"\b(?:(?:due|for|in|on|from|during|coming up|scheduled(?: for)?) )*(?:(?:the )?(this"
    r"|next) (weekend|week|month|year)\b"
    r"|the week|(?:the )?(?:next|coming) (\d+|two|three|four|five|six|seven|ten) (days|weeks))(?:'s)?"
)
_DAY = re.compile(
    rf"\b(?:(?:due|scheduled|planned|for) )*(?:(by|before|after|until|till|on|for|from|since) )?(?:the )?"
    rf"({mentions.DAY})(?:'s)?(?![\w-])"
)
_NOUNS = r"\b(?:to-?do|task)s? lists?\b|\bto-?dos?\b"
_FILLER = pack("""
    me my mine all the of a an task tasks todo todos item items thing things one ones list lists everything every
    each any anything please that which are is there's there i i'm we have has got to do what's whats what due for
    in on with by this these those right now currently just only and & both first does need his her stuff work's
    project tagged priority at from under was were been be am it its 've be's whose who sorted do's happening coming
    scheduled planned plate agenda schedule as well again full whole entire current them yet already so far else did
    get
""")


@dataclass(slots=True)
class Chosen:
    completed: bool | None = None
    status: str = ""
    due_after: date | None = None
    due_before: date | None = None
    project: str | None = None
    tag: str | None = None
    priority: str | None = None
    sort: str = ""

    @property
    def plain(self) -> bool:
        """Whether all that can be chosen is done or not."""
        return not (self.status or self.dated or self.project or self.tag or self.priority or self.sort)

    @property
    def dated(self) -> bool:
        return self.due_after is not None or self.due_before is not None

    def arguments(self) -> dict[str, Any]:
        """For task_list, which shows open tasks unless told otherwise."""
        status = [self.status] if self.status else ["done"] if self.completed else None
        given = {
            "status": status,
            "due_after": self.due_after and self.due_after.isoformat(),
            "due_before": self.due_before and self.due_before.isoformat(),
            "project": self.project,
            "tag": self.tag,
            "priority": self.priority,
            "sort": self.sort,
        }
        return {name: value for name, value in given.items() if value}

    def pick(self, tasks: Sequence[TaskView]) -> list[TaskView]:
        return [task for task in tasks if self._fits(task)]

    def _fits(self, task: TaskView) -> bool:
        return (
            (self.completed is None or task.done == self.completed)
            and (self.project is None or fold(task.project or "") == fold(self.project))
            and (self.tag is None or fold(self.tag) in map(fold, task.tags))
            and (self.priority is None or task.priority == self.priority)
            and (not self.dated or (bool(task.due) and not task.done))
            and (self.due_after is None or task.due[:10] >= self.due_after.isoformat())
            and (self.due_before is None or task.due[:10] < self.due_before.isoformat())
        )


def read(said: Text, view: View) -> Chosen | None:
    """What is chosen, if every word has a part in it."""
    rest, chosen = f" {said.low.strip(' ?!.')} ", Chosen()
    rest = re.sub(_NOUNS, " ", rest)
    for take in (_take_sort, _take_status, _take_dates, _take_tag, _take_project, _take_priority, _take_names):
        rest = take(rest, chosen, view)
    left = [word for word in re.split(r"[\s,?!.:]+", rest) if word and word not in _FILLER]
    return None if left or chosen.status == "?" else chosen


def _take_sort(rest: str, chosen: Chosen, _: View) -> str:
    for sort, pattern in _SORTS.items():
        if re.search(pattern, rest):
            chosen.sort, rest = sort, re.sub(pattern, " ", rest)
    return rest


def _take_status(rest: str, chosen: Chosen, _: View) -> str:
    if re.search(_STARTED, rest):
        chosen.status, rest = "in_progress", re.sub(_STARTED, " ", rest)
    elif re.search(r"\bblocked\b", rest):
        chosen.status, rest = "blocked", re.sub(r"\bblocked\b", " ", rest)
    if re.search(_OPEN, rest):
        chosen.completed, rest = False, re.sub(_OPEN, " ", rest)
    if re.search(_CLOSED, rest):
        both, rest = chosen.completed is False, re.sub(_CLOSED, " ", rest)
        chosen.completed = None if both else True
    return rest


def _take_dates(rest: str, chosen: Chosen, view: View) -> str:
    today = view.now.astimezone(view.zone).date()
    if re.search(_LATE, rest):
        chosen.due_before, rest = today, re.sub(_LATE, " ", rest)
    span = _SPAN.search(rest)
    if span:
        chosen.due_after, chosen.due_before = _stretch(span, today)
        return rest[: span.start()] + " " + rest[span.end() :]
    for found in list(_DAY.finditer(rest))[:2]:
        day = _read_day(found[2], view)
        if day is None:
            continue
        if found[1] in ("by", "until", "till"):
            chosen.due_before = day + timedelta(days=1)
        elif found[1] == "before":
            chosen.due_before = day
        elif found[1] in ("after", "from", "since"):
            chosen.due_after = day + timedelta(days=found[1] == "after")
        else:
            chosen.due_after, chosen.due_before = day, day + timedelta(days=1)
        rest = rest.replace(found[0], " ", 1)
    return rest


def _stretch(span: re.Match[str], today: date) -> tuple[date, date]:
    if span[3]:
        number = phrases.NUMBERS.index(span[3]) if span[3] in phrases.NUMBERS else int(span[3][:4])
        return today, today + timedelta(days=number * (7 if span[4] == "weeks" else 1) + 1)
    ahead, unit = span[1] == "next", span[2] or "week"
    if unit in ("week", "weekend"):
        monday = today - timedelta(days=today.weekday()) + timedelta(days=7 * ahead)
        return (monday + timedelta(days=5) if unit == "weekend" else monday), monday + timedelta(days=7)
    if unit == "year":
        return date(today.year + ahead, 1, 1), date(today.year + ahead + 1, 1, 1)
    month = today.year * 12 + today.month - 1 + ahead
    return date(month // 12, month % 12 + 1, 1), date((month + 1) // 12, (month + 1) % 12 + 1, 1)


def _read_day(said: str, view: View) -> date | None:
    try:
        when = phrases.parse(said, view.now, view.zone)
    except Invalid:
        return None
    return when.astimezone(view.zone).date() if isinstance(when, datetime) else when


def _take_tag(rest: str, chosen: Chosen, view: View) -> str:
    found = re.search(
        r"(?<!\S)#([^\W\d][\w-]*)|\b(?:tagged|labell?ed)(?: as| with)? #?([\w-]+)"
        r"|\b(?:with |having )?(?:the |a )?(?:tags?|labels?) #?([\w-]+)",
        rest,
    )
    if found:
        name = found[1] or found[2] or found[3]
        chosen.tag = view.tag(name) or name
        return rest[: found.start()] + " " + rest[found.end() :]
    return rest


def _take_project(rest: str, chosen: Chosen, view: View) -> str:
    found = re.search(
        r"\bproject (?!is\b|are\b|has\b)([\w-]+)|\b(?:the|my) ([\w-]+) project\b|\b(?!in |under |from "
        r"|for |to |of |on |per |by |any |what |which |each )([\w-]+) project\b",
        rest,
    )
    name = found and (found[1] or found[2] or found[3])
    if found and name and name not in ("the", "my", "a", "which", "what", "each", "per", "by"):
        chosen.project = view.project(name) or name.capitalize()
        return rest[: found.start()] + " " + rest[found.end() :]
    return rest


def _take_priority(rest: str, chosen: Chosen, _: View) -> str:
    found = re.search(
        rf"\b({RANK})[ -]priority\b|\bpriority (?:is |of )?({RANK})\b|\b(urgent|critical|important)\b", rest
    )
    if found:
        said = found[1] or found[2] or found[3]
        chosen.priority = rank(said)
        return rest[: found.start()] + " " + rest[found.end() :]
    return rest


def _take_names(rest: str, chosen: Chosen, view: View) -> str:
    """A project or a tag named without saying that it is one."""
    for name in view.projects:
        pattern = rf"(?<!\S)(?:in |under |from |for |at |on )?(?:the )?{re.escape(fold(name))}(?:'s)?(?![\w-])"
        if chosen.project is None and re.search(pattern, rest):
            chosen.project, rest = name, re.sub(pattern, " ", rest)
    for name in view.tags:
        pattern = rf"(?<!\S){re.escape(fold(name))}(?![\w-])"
        if chosen.tag is None and re.search(pattern, rest):
            chosen.tag, rest = name, re.sub(pattern, " ", rest)
    return rest


def rank(said: str) -> str:
    """The priority a word stands for."""
    return next(name for name, words in PRIORITIES.items() if said in words.split("|"))
