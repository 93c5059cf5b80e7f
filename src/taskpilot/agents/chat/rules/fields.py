"""What a sentence says about a task besides its title: when, how often, where, how urgent, how long."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, time
from typing import Any

from taskpilot.agents.chat.rules import rhythms
from taskpilot.agents.chat.rules.selection import RANK, rank
from taskpilot.agents.chat.rules.view import View
from taskpilot.agents.chat.rules.vocabulary import DOING
from taskpilot.agents.chat.rules.words import Text, fold
from taskpilot.domain import mentions, phrases
from taskpilot.domain.moments import When, wire
from taskpilot.domain.rhythms import Rhythm

REMIND_AT = time(9)
"""When a reminder comes that names only a day."""

_NUMBER = rf"(?:\d+(?:\.\d+)?|an?|half an|{'|'.join(phrases.NUMBERS[1:])})"
DURATION = rf"({_NUMBER}) ?(m|mins?|minutes?|h|hrs?|hours?|d|days?)\b( and a half)?"
_ABOUT = r"(?:about |around |roughly |only |approximately |maybe |~ ?)?"
_LINK = r"(?:^|[ ,(-]+)(?:(?:and|with|is|as|be|it's|it is|its|this is|that's|make it|mark it|to|at|of|a|an|the|in) )*"
_ESTIMATE = re.compile(
    rf"(?:^|[ ,(]+)(?:and |it |that |this |which |with |an |a |the |should |will |would |to |time )*"
    rf"(?:takes?|taking|needs?|lasts?|lasting|estimated?(?: time)?|est\.?|estimate|duration|time needed)"
    rf"(?: at| to be| is| of| as| me| to|:)? ?{_ABOUT}{DURATION}\)?$"
    rf"|[ (]+\({DURATION}\)$|(?:^|[ ,]+){_ABOUT}{DURATION} (?:estimate|of work|job)$|, ?{_ABOUT}{DURATION}$"
    rf"|(?:^| )~ ?{DURATION}$"
)
_TAGGED = re.compile(
    r"(?:^|[ ,(]+)(?:and |with |also )*(?:(?:the |a )?(?:tags?|labels?):? |tagged(?: as| with|:)? "
    r"|labell?ed(?: as| with)? )"
    r"((?:#?[\w-]+)(?:(?:,? and |, ?| & )#?[\w-]+)*)$"
)
HASH = re.compile(r"(?<!\S)#([^\W\d][\w-]*)(?=[\s,.!]|$)")
_PRIORITY = re.compile(
    rf"{_LINK}(?:({RANK})[ -](?:priority|prio)|(?:priority|prio)(?: is| of| to| level|:|=)? ?({RANK})"
    rf"|(urgent|urgently))(?: task| one)?$"
    rf"|(?:,|\bas|\bit's|\bit is|\bthis is|\bthat's|\bmarked|\bmake it|\bmark it) (?:as |very "
    rf"|really )?(important|critical)$"
    rf"|(?:^|[ ,]+)(?:(?:for|maybe) )?(someday)$|(?:^| )!({RANK})$"
)
_BARE_RANK = re.compile(rf"{_LINK}({RANK}|someday)(?: one)?$")
_IN = r"(?:^|[ ,(]+)(?:and )?(?:in|to|into|for|under|on|of|from|within) (?:the |my |a )?"
_NAME = r"(?:\"([^\"]+)\"|([\w&-]+))"
_PROJECT = re.compile(
    rf"{_IN}project (?:called |named )?{_NAME}$|{_IN}{_NAME} project$|(?:^|[,;(]) ?(?:and )?(?:the )?{_NAME} project$"
    rf"|(?:(?:^|[,;(]) ?(?:and )?project:? ?| project: ?){_NAME}$| project ([\w&-]+)$"
)
_LEFT_OVER = re.compile(
    r"(?:^|[ ,(-]+)(?:and |with |is |it's |it is |which is |that is |to be |be |has "
    r"|having )*(?:(?:a |the )?(?:due(?: date)?"
    r"|deadline)(?: is| of|:| to)?|scheduled|starting|at|for|by|on|before|until|till|from|to)$|[ ,]+(?:and|with|but)$"
)
_LEADS = re.compile(r"(?:(?:to|from|is|as|be|for|in|on|with|has|should be|needs to be|:|=) ?)+")
Taker = Callable[[Text, "Found", View], Text | None]


@dataclass(slots=True)
class Found:
    """Fields by name; the dates until all is known that bears on them."""

    values: dict[str, Any] = field(default_factory=dict[str, Any])
    when: When | None = None
    clock: time | None = None
    rhythm: Rhythm | None = None

    def __bool__(self) -> bool:
        return bool(self.values) or self.when is not None or self.rhythm is not None

    def copy(self) -> Found:
        return Found(dict(self.values), self.when, self.clock, self.rhythm)

    def add(self, other: Found) -> None:
        self.values = {**other.values, **self.values}
        self.when, self.clock = (self.when, self.clock) if self.when is not None else (other.when, other.clock)
        self.rhythm = self.rhythm or other.rhythm

    def due(self, view: View) -> When | None:
        if self.rhythm:
            start = None if self.clock else self.when
            return rhythms.first(self.rhythm, self.clock, start, view)
        return self.when

    def arguments(self, view: View, *, remind: bool = False) -> dict[str, Any]:
        """For task_create."""
        given, due = dict(self.values), self.due(view)
        if self.rhythm:
            given["recurrence"] = self.rhythm.rule
        if due is not None:
            given["due_date"] = wire(due)
            if remind:
                given["remind_at"] = wire(reminder(due, view))
        return given

    def changes(self) -> dict[str, Any]:
        """For task_update: what repeats from now on keeps its date."""
        given = dict(self.values)
        if self.rhythm:
            given["recurrence"] = self.rhythm.rule
        elif self.when is not None:
            given["due_date"] = wire(self.when)
        return given


def reminder(due: When, view: View) -> datetime:
    return due if isinstance(due, datetime) else datetime.combine(due, REMIND_AT, view.zone)


def peel(said: Text, view: View, *, whole: bool = False, setting: bool = False) -> tuple[Text, Found]:
    """Take fields off the end until what is left is a title. `whole`: nothing need be left. `setting`: they are the
    new values of a task, so a bare word ("to low", "to Home") is one too."""
    found = Found()
    takers = (*_TAKERS, _take_bare) if setting else _TAKERS
    said = _take_hashes(said, found)
    rest: Text | None
    while said:
        said = _take_bracket(said, found, view)
        trial = found.copy()
        rest = next((rest for take in takers if (rest := take(said, trial, view)) is not None), None)
        if rest is None or (not rest and not whole):
            break
        found = trial
        said = rest.strip(" \t\n,;(-") if rest else rest
    return said, found


def _take_bracket(said: Text, found: Found, view: View) -> Text:
    """ "(high priority)" at the end, if that is all there is in it."""
    match = re.search(r" \(([^()]+)\)$", said.low)
    inside = read_whole(said[match.start(1) : match.end(1)], view) if match else None
    if match is None or not inside:
        return said
    found.add(inside)
    return said[: match.start()]


def read_whole(said: Text, view: View, *, setting: bool = False) -> Found | None:
    """The fields, if it says nothing else."""
    for start in (said, said.after(_LEADS)):
        if start is None or not start:
            continue
        rest, found = peel(start, view, whole=True, setting=setting)
        if found and (not rest or _LEADS.fullmatch(f"{rest.low} ")):
            return found
    return None


def read_duration(found: tuple[str, ...] | list[str | Any]) -> str:
    """`30m`, `2h`, `1.5h`: as said, in short."""
    said, unit, half = found[0], found[1][0], bool(found[2])
    if said == "half an":
        return "30m" if unit == "h" else f"0.5{unit}"
    number = "1" if said in ("a", "an") else str(phrases.NUMBERS.index(said)) if said in phrases.NUMBERS else said
    return f"{number}.5{unit}" if half else f"{number}{unit}"


def _take_rhythm(said: Text, found: Found, view: View) -> Text | None:
    cut = None if found.rhythm else rhythms.cut(said, view)
    if cut is None:
        return None
    rest, found.rhythm = cut
    return rest


def _take_estimate(said: Text, found: Found, _: View) -> Text | None:
    match = _ESTIMATE.search(said.low)
    if not match or "time_estimate" in found.values:
        return None
    parts = match.groups()
    groups = next(parts[start : start + 3] for start in range(0, len(parts), 3) if parts[start])
    found.values["time_estimate"] = read_duration(list(groups))
    return said[: match.start()]


def _take_tags(said: Text, found: Found, _: View) -> Text | None:
    match = _TAGGED.search(said.low)
    if not match:
        return None
    names = re.split(r",? and |, ?| & ", said[match.start(1) : match.end(1)].typed)
    found.values["tags"] = list(dict.fromkeys([*(name.lstrip("#") for name in names), *found.values.get("tags", ())]))
    return said[: match.start()]


def _take_hashes(said: Text, found: Found) -> Text:
    """#tags, wherever they stand."""
    tags = [said[match.start(1) : match.end(1)].typed for match in HASH.finditer(said.low)]
    if tags:
        found.values["tags"] = tags
    return said


def _take_hash(said: Text, _found: Found, _: View) -> Text | None:
    match = re.search(r"(?:^|[ ,]+)(?:and )?#[^\W\d][\w-]*$", said.low)
    return said[: match.start()] if match else None


def _take_priority(said: Text, found: Found, _: View) -> Text | None:
    match = _PRIORITY.search(said.low)
    if not match or "priority" in found.values or re.search(r"\b(?:not|isn't|no|less|non)$", said.low[: match.start()]):
        return None
    word = next(group for group in match.groups() if group)
    found.values["priority"] = rank("urgent" if word == "urgently" else word)
    return said[: match.start()]


def _take_project(said: Text, found: Found, view: View) -> Text | None:
    match = _PROJECT.search(said.low)
    if "project" in found.values:
        return None
    if not match:
        return _take_known_project(said, found, view)
    group = next(number for number, name in enumerate(match.groups(), 1) if name)
    name = said[match.start(group) : match.end(group)].typed
    if group == len(match.groups()) and not view.project(name) and not name[:1].isupper():
        return None
    if mentions.read_date(name, view.now, view.zone) or fold(name) in (
        "the",
        "my",
        "this",
        "that",
        "a",
        "new",
        "its",
        "his",
        "her",
        "our",
        "their",
    ):
        return None
    found.values["project"] = view.project(name) or name
    return said[: match.start()]


def _take_known_project(said: Text, found: Found, view: View) -> Text | None:
    """ "In Work", written as the project is; "to work" may be where one drives to."""
    for name in view.projects:
        match = re.search(rf"(?:^|[ ,(]+)(in|to|into|under|for) (?:the )?({re.escape(fold(name))})$", said.low)
        if match and (said[match.start(2) : match.end(2)].typed == name or match[1] in ("in", "into", "under")):
            found.values["project"] = name
            return said[: match.start()]
    return None


def _take_date(said: Text, found: Found, view: View) -> Text | None:
    if found.when is not None:
        return None
    trimmed = said.strip(" .!?,)")
    named = re.search(
        r"(?:^|[ ,]+)(?:and |with |has )*(?:a |the )?(?:deadline|due date)(?: of| is| on| by|:)? (.+)$", trimmed.low
    )
    if named and (when := mentions.read_date(named[1], view.now, view.zone)) is not None:
        found.when = when
        return trimmed[: named.start()]
    words = list(trimmed.words())
    kept, when = mentions.cut_date(["-", *(word for _, word in words)], view.now, view.zone)
    if when is None:
        return None
    lasting = [word for _, word in words][len(kept) - 1 :]
    cut = words[len(kept) - 1][0] if len(kept) <= len(words) else len(trimmed.low)
    phrase = " ".join(lasting)
    if _is_a_name(trimmed[cut:].typed, trimmed.typed):
        return None
    phrase = re.sub(r"^(?:(?:by|due|on|for|before|until|till),? )+", "", phrase)
    found.when, found.clock = when, rhythms.clock_of(phrase, when, view)
    rest = trimmed[:cut].strip()
    while (match := _LEFT_OVER.search(rest.low)) is not None:
        rest = rest[: match.start()].strip()
    return rest


_INNER = re.compile(
    rf"(?<!the)(?<!a)(?<!my)(?<!and)(?<!of) ((?:on |at |this |next )?(?:today|tomorrow|tonight"
    rf"|{mentions.WEEKDAY}|{mentions.CLOCK})"
    rf"(?: (?:at )?{mentions.CLOCK}| morning| afternoon| evening| night)?) (?=(?:with|about|regarding) )"
)


def cut_first_date(said: Text, view: View) -> tuple[Text, When] | None:
    """ "Tomorrow call Bob": a date before something to do."""
    words = list(said.words())
    for count in range(min(5, len(words) - 2), 0, -1):
        at, word = words[count]
        front = said[:at].strip()
        if word not in DOING or not re.match(r"(?:on|at|by|in|next|this|today|tomorrow|tonight)\b", front.low):
            continue
        when = mentions.read_date(re.sub(r"^(?:on|by) ", "", front.low), view.now, view.zone)
        if when is not None:
            return said[at:], when
    return None


def cut_inner_date(said: Text, view: View) -> tuple[str, When] | None:
    """ "Lunch tomorrow with Kim": a date before the last words of a title. "Tomorrow Never Dies" is a name."""
    match = _INNER.search(said.low)
    if not match or match.start() == 0 or said[match.start(1) : match.start(1) + 1].typed in ("T",):
        return None
    when = mentions.read_date(match[1], view.now, view.zone)
    if when is None:
        return None
    return f"{said[: match.start()].typed} {said[match.end() :].typed}", when


def _is_a_name(phrase: str, whole: str) -> bool:
    """ "The Day After Tomorrow" is a film."""
    return len(phrase.split()) > 1 and phrase.startswith("The ") and not whole.isupper()


def _take_bare(said: Text, found: Found, view: View) -> Text | None:
    match = _BARE_RANK.search(said.low)
    if match and match[1] == "top":
        return None
    negated = match and re.search(r"\b(?:not|isn't|no|less|non)$", said.low[: match.start()])
    if match and "priority" not in found.values and not negated:
        found.values["priority"] = rank(match[1])
        return said[: match.start()]
    moved = re.search(r"(?:^|[ ,]+)(?:and )?(?:back )?to ([^,]+)$", said.low)
    if moved and found.when is None and (when := mentions.read_date(moved[1], view.now, view.zone)) is not None:
        found.when = when
        return said[: moved.start()]
    for name in view.projects:
        match = re.search(rf"(?:^|[ ,]+)(?:in|to|into|under|for) (?:my |the )?{re.escape(fold(name))}$", said.low)
        if match and "project" not in found.values:
            found.values["project"] = name
            return said[: match.start()]
    return None


_TAKERS: tuple[Taker, ...] = (
    _take_tags,
    _take_hash,
    _take_priority,
    _take_estimate,
    _take_project,
    _take_rhythm,
    _take_date,
)
