"""Dates and rhythms mentioned in a text that is about something else: the end of a title."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, tzinfo

from taskpilot.domain import phrases
from taskpilot.domain.errors import Invalid
from taskpilot.domain.moments import When

DATE_WORDS_MOST = 8

_RHYTHMS = {
    ("day", "daily"): "FREQ=DAILY",
    ("weekday", "weekdays", "workday", "workdays"): "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
    ("weekend", "weekends"): "FREQ=WEEKLY;BYDAY=SA,SU",
    ("week", "weekly"): "FREQ=WEEKLY",
    ("month", "monthly"): "FREQ=MONTHLY",
    ("quarter", "quarterly"): "FREQ=MONTHLY;INTERVAL=3",
    ("year", "yearly", "annually"): "FREQ=YEARLY",
}

# `phrases.parse` is generous with an answer to "when?": there, "tom" is tomorrow and "sunny" is Sunday.
# The end of a title is no such answer ("Call Tom", "Fix monitor"), so only words that mean nothing else count.
_MONTH = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    "|nov(?:ember)?|dec(?:ember)?"
)
WEEKDAY = "mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:r(?:s(?:day)?)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?"
_NEAR = rf"{WEEKDAY}|today|tonight|tomorrow|tmr"
CLOCK = (
    r"(?:at )?(?:\d{1,2}(?:[:.]\d{2})? ?(?:am|pm|a\.m\.?|p\.m\.?)"
    r"|\d{1,2}(?::\d{2})?(?: o'clock)? in the (?:morning|afternoon|evening)"
    r"|\d{1,2}:\d{2}|noon|midnight)"
)
_NUMBER = rf"(?:\d{{1,4}}|an?|half an|a couple of|{'|'.join(phrases.NUMBERS[1:])})"
UNIT = "minutes?|mins?|m|hours?|hrs?|h|days?|d|fortnight|weeks?|w|months?|mo|years?|y"
MONTH_DAY = rf"(?:{_MONTH})\.? (?:the )?\d{{1,2}}(?:st|nd|rd|th)?|\d{{1,2}}(?:st|nd|rd|th)? (?:of )?(?:{_MONTH})"
DAY = (
    rf"(?:(?:next|this|on|coming|this coming) )?(?:{_NEAR})|later today|next (?:week|month)|(?:(?:this|the) )?weekend"
    r"|eod|eow|eom|eoy|(?:the )?end of (?:the |this )?(?:day|week|month|year)"
    rf"|(?:the )?end of (?:{_MONTH})|(?:the )?day after tomorrow|(?:on )?the \d{{1,2}}(?:st|nd|rd|th)"
    rf"|(?:(?:{_MONTH})\.? (?:the )?\d{{1,2}}(?:st|nd|rd|th)?,?|(?:the )?\d{{1,2}}(?:st|nd|rd|th|\.)? (?:of )?"
    rf"(?:{_MONTH})\.?)(?: \d{{4}})?|\d{{4}}-\d{{2}}-\d{{2}}"
)
_PART = "(?:in the )?(?:morning|afternoon|evening)|night"
_HOUR = r"(?:at )?\d{1,2}(?::\d{2})?"
PLAINLY_A_DATE = re.compile(
    rf"(?:{DAY})(?:,? (?:(?:by |before |around )?{CLOCK}|(?:{_PART})(?: (?:{CLOCK}|{_HOUR}))?))?"
    rf"|{CLOCK}(?: (?:on )?(?:{DAY})(?: (?:{_PART}))?)?|{_HOUR} tonight|tonight {_HOUR}"
    rf"|(?:in |within |\+){_NUMBER} ?(?:{UNIT})(?: {CLOCK})?|{_NUMBER} (?:{UNIT}) from (?:now|today)"
    rf"|(?:this |in the )(?:morning|afternoon|evening)(?: (?:{CLOCK}|{_HOUR}))?"
    r"|\d{4}-\d{2}-\d{2}(?:[t ]\d{2}:\d{2}\S*)?"
)
_LEADS_IN = {"by", "due", "on", "for", "before", "until", "till", "over", "around"}
_ARTICLES = {"the", "a", "an", "my", "our", "your", "every", "each", "first", "second", "third"}
_NAMES_A_THING = _ARTICLES | {"last", "and", "or", "about", "of", "to", "after", "since", "between", "than", "from"}


def read_date(phrase: str, now: datetime, zone: tzinfo) -> When | None:
    """The date, if the phrase is plainly one and nothing else."""
    if not PLAINLY_A_DATE.fullmatch(phrase.lower()):
        return None
    try:
        return phrases.parse(phrase, now, zone)
    except Invalid:
        return None


def names_a_thing(word: str) -> bool:
    """Whether what follows the word is a thing, not a time: "the weekly", "about Friday"."""
    return word.lower() in _NAMES_A_THING


def cut_date(title: Sequence[str], now: datetime, zone: tzinfo) -> tuple[list[str], When | None]:
    """The longest date at the end, if a title is left without it."""
    title = list(title)
    if PLAINLY_A_DATE.fullmatch(" ".join(title).lower()):
        return title, None
    for length in range(min(DATE_WORDS_MOST, len(title) - 1), 0, -1):
        rest, phrase = title[:-length], " ".join(title[-length:])
        when = None if names_a_thing(rest[-1]) else read_date(phrase, now, zone)
        if when is not None:
            while len(rest) > 1 and rest[-1].lower().strip(",") in _LEADS_IN:
                rest.pop()
            return rest, when
    return title, None


def read_rhythm(said: str) -> str:
    """The rule of "day", "weekly", "tue": what can follow "every"."""
    for names, rule in _RHYTHMS.items():
        if said in names:
            return rule
    if re.fullmatch(WEEKDAY, said):
        return f"FREQ=WEEKLY;BYDAY={said[:2].upper()}"
    raise Invalid(
        f"I do not know the rhythm {said!r}.",
        hint="Write every:day, weekday, week, month, year or a day such as every:mon; or use --recurrence.",
    )
