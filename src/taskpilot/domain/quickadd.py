"""A task in one line, as people jot it down: "Pay rent tomorrow 9am #home !high every month ~30min"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, tzinfo
from itertools import groupby
from typing import Any, Literal, NamedTuple

from taskpilot.domain import estimate, mentions, phrases, rhythms, text
from taskpilot.domain.errors import Invalid
from taskpilot.domain.fields import TaskFields
from taskpilot.domain.moments import When, wire
from taskpilot.domain.rhythms import Rhythm
from taskpilot.domain.task import LIST_MOST, PROJECT_MOST, TAG_MOST, Priority, parse_priority

Kind = Literal["title", "due", "tag", "priority", "project", "recurrence", "estimate"]

RHYTHM_WORDS_MOST = 14
_QUOTED = r"""(?:(?:project|due|every):|@)(?:"[^"]+"|'[^']+')"""
_WORD = re.compile(rf"{_QUOTED}|\S+", re.IGNORECASE)
NAMED = re.compile(r"(project|due|every):(.+)", re.IGNORECASE | re.DOTALL)
_ENDS = r"[.,;:!?]*"
_TAG = re.compile(rf"\+([^\W\d_]\S*)|#(?!\d+{_ENDS}$)(\w\S*?){_ENDS}")  # not "+49 30…", "+3d" nor "#12"
_PROJECT = re.compile(rf"""@(?:"([^"]+)"|'([^']+)'|([^\W\d_][\w&/-]*){_ENDS})""")
_ESTIMATE = re.compile(rf"~ ?({estimate.AMOUNTS})(?={_ENDS}(?:\s|$))", re.IGNORECASE)
_LEADS_IN = re.compile(r"(?:(?:by|due|on|for|before|until|till|over|around),? )+")
_MARKS = {"!!": Priority.HIGH, "!!!": Priority.CRITICAL}


class Part(NamedTuple):
    """A piece of the text, and what it was taken for."""

    text: str
    start: int
    """In UTF-16 code units, as JavaScript counts; and so is the end."""
    end: int
    kind: Kind
    label: str
    """What it means, in short."""


@dataclass(frozen=True, slots=True)
class Understood:
    fields: TaskFields
    """The title is "" where none was left."""
    parts: tuple[Part, ...]
    """In order; together they are the whole text, but for the blanks between them."""


@dataclass(eq=False, slots=True)
class _Sense:
    """What one or several words were taken for."""

    kind: Kind
    label: str = ""


@dataclass(slots=True)
class _Word:
    typed: str
    start: int
    end: int
    sense: _Sense | None = None


def read(given: str, now: datetime, zone: tzinfo, *, strict: bool = False) -> Understood:
    """What a line says about a task. What is not understood, or said twice, stays in the title; nothing is dropped.

    `strict` refuses a `due:` or an `every:` that means nothing, instead.
    """
    reading = _Reading(given, now, zone, strict)
    reading.take_marked()
    reading.cut_ends()
    title = _Sense("title")
    loose = reading.loose()
    for word in loose:
        word.sense = title
    reading.fields["title"] = " ".join(word.typed for word in loose)
    return Understood(TaskFields(**reading.fields), tuple(_list_parts(given, reading.words)))


class _Reading:
    def __init__(self, given: str, now: datetime, zone: tzinfo, strict: bool) -> None:
        self.given, self.now, self.zone, self.strict = given, now, zone, strict
        self.words = [_Word(found[0], found.start(), found.end()) for found in _WORD.finditer(given)]
        self.fields: dict[str, Any] = {}

    def loose(self) -> list[_Word]:
        return [word for word in self.words if word.sense is None]

    def take_marked(self) -> None:
        """What says itself what it is, anywhere in the line."""
        for place, word in enumerate(self.words):
            if word.sense is None:
                _ = (
                    self._take_tag(word)
                    or self._take_priority(word)
                    or self._take_project(word)
                    or self._take_estimate(place)
                    or self._take_rhythm(word)
                    or self._take_due(place)
                )

    def cut_ends(self) -> None:
        """A rhythm and a date at the end of what is left, in either order."""
        rhythm = self._cut_rhythm()
        due = self._cut_date()
        rhythm = rhythm or self._cut_rhythm()
        if rhythm is not None:
            self._begin(*rhythm, due)

    def _take_tag(self, word: _Word) -> bool:
        found = _TAG.fullmatch(word.typed)
        name = text.clean_line(found[1] or found[2]) if found else ""
        tags: list[str] = self.fields.get("tags", [])
        if not name or len(name) > TAG_MOST or len(tags) == LIST_MOST:
            return False
        self.fields["tags"] = list(dict.fromkeys([*tags, name]))
        return _mark([word], _Sense("tag", name))

    def _take_priority(self, word: _Word) -> bool:
        priority = _read_priority(word.typed)
        if priority is None or "priority" in self.fields:
            return False
        self.fields["priority"] = priority.word
        return _mark([word], _Sense("priority", priority.word))

    def _take_project(self, word: _Word) -> bool:
        found = _PROJECT.fullmatch(word.typed)
        name = text.clean_line(found[1] or found[2] or found[3] if found else _value(word.typed, "project"))
        if not name or len(name) > PROJECT_MOST or "project" in self.fields:
            return False
        self.fields["project"] = name
        return _mark([word], _Sense("project", name))

    def _take_estimate(self, place: int) -> bool:
        found = _ESTIMATE.match(self.given, self.words[place].start)
        written = estimate.parse(found[1]) if found else ""
        if not found or not written or "time_estimate" in self.fields:
            return False
        self.fields["time_estimate"] = written
        mine = [word for word in self.words[place:] if word.start < found.end()]
        return _mark(mine, _Sense("estimate", written))

    def _take_rhythm(self, word: _Word) -> bool:
        said = _value(word.typed, "every").lower()
        if not said or "recurrence" in self.fields:
            return False
        try:
            rule = mentions.read_rhythm(said)
        except Invalid:
            rhythm = rhythms.read(f"every {said}", self.now, self.zone)
            if rhythm is None and self.strict:
                raise
            if rhythm is None:
                return False
            rule = rhythm.rule
        self.fields["recurrence"] = rule
        return _mark([word], _Sense("recurrence", rhythms.tell(rule)))

    def _take_due(self, place: int) -> bool:
        """`due:fri 5pm`: the longest run of words that is a date belongs to it."""
        said = _value(self.words[place].typed, "due")
        if not said or "due_date" in self.fields:
            return False
        rest = self.words[place + 1 : place + mentions.DATE_WORDS_MOST]
        when, more = None, 0
        for more in range(len(rest), 0, -1):
            when = mentions.read_date(" ".join([said, *(word.typed for word in rest[:more])]), self.now, self.zone)
            if when is not None:
                break
        if when is None:
            more = 0
            try:
                when = phrases.parse(said, self.now, self.zone)
            except Invalid:
                if self.strict:
                    raise
                return False
        self.fields["due_date"] = when
        return _mark(self.words[place : place + more + 1], _Sense("due", self._tell_date(when)))

    def _cut_rhythm(self) -> tuple[_Sense, Rhythm] | None:
        if "recurrence" in self.fields:
            return None
        loose = self.loose()
        for at in range(max(1, len(loose) - RHYTHM_WORDS_MOST), len(loose)):
            if mentions.names_a_thing(loose[at - 1].typed):
                continue
            rhythm = rhythms.read(_join(loose[at:]).lower(), self.now, self.zone)
            if rhythm is not None:
                self.fields["recurrence"] = rhythm.rule
                sense = _Sense("recurrence", rhythms.tell(rhythm.rule))
                _mark(loose[at:], sense)
                return sense, rhythm
        return None

    def _cut_date(self) -> tuple[_Sense, time | None] | None:
        """With the hour, if that is all that was said."""
        if "due_date" in self.fields:
            return None
        loose = self.loose()
        kept, when = mentions.cut_date([word.typed for word in loose], self.now, self.zone)
        if when is None:
            return None
        self.fields["due_date"] = when
        sense, words = _Sense("due", self._tell_date(when)), loose[len(kept) :]
        _mark(words, sense)
        return sense, rhythms.find_clock(_LEADS_IN.sub("", _join(words).lower(), count=1), when, self.zone)

    def _begin(self, told: _Sense, rhythm: Rhythm, due: tuple[_Sense, time | None] | None) -> None:
        """What repeats is due for the first time when its rhythm says."""
        clock = due[1] if due else None
        start = None if clock else self.fields.get("due_date")
        try:
            first = rhythms.find_first(rhythm, clock, start, self.now, self.zone)
            first = first.astimezone(UTC) if isinstance(first, datetime) else first
        except (ValueError, OverflowError):  # at the end of time
            return
        self.fields["due_date"] = first
        if due is not None:
            due[0].label = self._tell_date(first)
        elif start is None:
            told.label += f", from {self._tell_date(first)}"

    def _tell_date(self, when: When) -> str:
        """`Mon 16 Nov, 09:00`; the year only where it is another one."""
        try:
            here = when.astimezone(self.zone) if isinstance(when, datetime) else when
        except (ValueError, OverflowError):
            return wire(when) or ""
        day = f"{here:%a} {here.day} {here:%b}"
        if here.year != self.now.astimezone(self.zone).year:
            day += f" {here.year}"
        return f"{day}, {here:%H:%M}" if isinstance(here, datetime) else day


def _mark(words: Sequence[_Word], sense: _Sense) -> bool:
    for word in words:
        word.sense = sense
    return True


def _join(words: Sequence[_Word]) -> str:
    return " ".join(word.typed for word in words)


def _value(word: str, name: str) -> str:
    """What follows `name:`, without its quotes; "" if the word is not about it."""
    found = NAMED.fullmatch(word)
    return found[2].strip("\"'").strip() if found and found[1].lower() == name else ""


def _read_priority(word: str) -> Priority | None:
    if not word.startswith("!"):
        return None
    try:
        return _MARKS.get(word) or parse_priority(word[1:])
    except Invalid:
        return None


def _list_parts(given: str, words: list[_Word]) -> Iterator[Part]:
    """Neighbours of one sense are one part."""
    at = wide = 0
    for sense, group in groupby(words, key=lambda word: word.sense):
        run = list(group)
        start, end = run[0].start, run[-1].end
        wide += _count_wide(given[at:start])
        inside = _count_wide(given[start:end])
        piece = given[start:end]
        if sense is not None:
            yield Part(piece, start + wide, end + wide + inside, sense.kind, sense.label or piece)
        wide, at = wide + inside, end


def _count_wide(piece: str) -> int:
    """How many characters take two code units."""
    return 0 if piece.isascii() else sum(character > "\uffff" for character in piece)
