"""How often: "every other Monday at 9am", "on the 15th of every month"; and when that is first."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, tzinfo

from taskpilot.domain import mentions, phrases
from taskpilot.domain.moments import When

_WEEKDAYS = rf"(?:{mentions.WEEKDAY})s?(?:(?:,? and |, ?| & |/)(?:on |every )?(?:{mentions.WEEKDAY})s?)*"
_COUNT = r"(?:(?P<count>other|second|third|fourth|\d{1,3}|two|three|four|five|six) )?"
_PLURAL = "(?:mon|tues|wednes|thurs|fri|satur|sun)days"
_PARTS = "morning|afternoon|evening|night"
_RHYTHM = re.compile(
    rf"(?:^|[ ,(]+)(?:and |to )?(?:(?:repeats?|repeating|recurs|recurring) )?(?:"
    rf"(?:on )?(?:the )?(?P<day>\d{{1,2}}|first|last|second|third)(?:st|nd|rd|th)? (?:day )?of (?:every|each|the) month"
    rf"|(?:every month|each month|monthly) on (?:the )?(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?"
    rf"|once (?:a|every|per) (?P<once>day|week|month|year)|every (?P<date>{mentions.MONTH_DAY})"
    rf"|every (?P<day3>\d{{1,2}})(?:st|nd|rd|th)(?: of the month)?"
    rf"|(?:every|each) (?:single )?{_COUNT}(?P<unit>days?|week|weeks|months?|years?|weekdays?"
    rf"|workdays?|weekends?|quarter"
    rf"|{_PARTS}|{_WEEKDAYS})(?: (?P<part>{_PARTS}))?(?: on (?P<on>{_WEEKDAYS}))?"
    rf"|(?P<adverb>daily|weekly|bi-?weekly|fortnightly|monthly|quarterly|yearly|annually|on weekdays|on weekends)"
    rf"(?: on (?P<on2>{_WEEKDAYS}))?|on (?P<plural>{_PLURAL}(?:(?:,? and |, ?)(?:on )?{_PLURAL})*))"
    rf"(?P<tail>(?:,? (?:at|on|from|starting|beginning|as of|start)? ?[^,]*)?)$"
)
LOOK_AHEAD = 366
_DAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_DAY_NAMES = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_UNITS = {"HOURLY": "hour", "DAILY": "day", "WEEKLY": "week", "MONTHLY": "month", "YEARLY": "year"}
_TOGETHER = {"MO,TU,WE,TH,FR": "every weekday", "SA,SU": "every weekend"}


@dataclass(frozen=True, slots=True)
class Rhythm:
    rule: str
    clock: time | None = None
    start: When | None = None


def read(said: str, now: datetime, zone: tzinfo) -> Rhythm | None:
    """The rhythm, if the phrase, in lower case, is one and nothing else."""
    found = _RHYTHM.match(said)
    return _read(found, now, zone) if found else None


def find_first(rhythm: Rhythm, clock: time | None, start: When | None, now: datetime, zone: tzinfo) -> When:
    """The first time from now on; today counts while the hour has not gone by."""
    start, clock = rhythm.start or start, rhythm.clock or clock
    if isinstance(start, datetime):
        return start
    here = now.astimezone(zone)
    days = set(re.findall(r"\b(?:MO|TU|WE|TH|FR|SA|SU)\b", rhythm.rule))
    number = re.search(r"BYMONTHDAY=(-?\d+)", rhythm.rule)
    first = start or here.date()
    for ahead in range(min(LOOK_AHEAD, (date.max - first).days)):
        day = first + timedelta(days=ahead)
        fits = not days or _DAYS[day.weekday()] in days
        fits = fits and (not number or _is_day(day, int(number[1])))
        if fits and (clock is None or datetime.combine(day, clock, zone) > here):
            return day if clock is None else datetime.combine(day, clock, zone)
    return first


def find_clock(said: str, when: When, zone: tzinfo) -> time | None:
    """The hour, if that is all that was said."""
    if isinstance(when, datetime) and re.fullmatch(mentions.CLOCK, said):
        return when.astimezone(zone).time()
    return None


def tell(rule: str) -> str:
    """A rule that `read` made, in words: "every 2 weeks on Monday"."""
    parts = {name: value for name, _, value in (part.partition("=") for part in rule.split(";"))}
    days, number, interval = parts.get("BYDAY", ""), parts.get("BYMONTHDAY", ""), parts.get("INTERVAL", "1")
    if interval == "1" and days in _TOGETHER:
        return _TOGETHER[days]
    names = " and ".join(_DAY_NAMES[_DAYS.index(day)] for day in days.split(",") if day)
    if interval == "1" and names:
        return f"every {names}"
    unit = _UNITS[parts["FREQ"]]
    told = f"every {unit}" if interval == "1" else f"every {interval} {unit}s"
    if number:
        told += " on the last day" if number == "-1" else f" on day {number}"
    return f"{told} on {names}" if names else told


def _is_day(day: date, number: int) -> bool:
    return (day + timedelta(days=1)).day == 1 if number == -1 else day.day == number


def _read(found: re.Match[str], now: datetime, zone: tzinfo) -> Rhythm | None:
    number = found["day"] or found["day2"] or found["day3"]
    on = found["on"] or found["on2"] or found["plural"]
    unit, adverb = found["unit"], found["adverb"]
    clock: time | None = phrases.PARTS.get(found["part"] or "") or phrases.PARTS.get(unit or "")
    if found["date"]:
        return Rhythm("FREQ=YEARLY", clock, mentions.read_date(found["date"], now, zone))
    if found["once"]:
        rule = mentions.read_rhythm(found["once"])
    elif number:
        day = {"first": 1, "second": 2, "third": 3, "last": -1}.get(number) or int(number)
        if not (day == -1 or 1 <= day <= 31):
            return None
        rule = f"FREQ=MONTHLY;BYMONTHDAY={day}"
    elif on:
        rule = _by_day(on)
        rule += ";INTERVAL=2" if adverb in ("biweekly", "bi-weekly", "fortnightly") else ""
    elif adverb in ("biweekly", "bi-weekly", "fortnightly"):
        rule = "FREQ=WEEKLY;INTERVAL=2"
    elif adverb:
        rule = mentions.read_rhythm(adverb.removeprefix("on "))
    elif unit in phrases.PARTS:
        rule = "FREQ=DAILY"
    elif re.fullmatch(_WEEKDAYS, unit):
        rule = _by_day(unit)
    else:
        rule = mentions.read_rhythm(unit if unit in ("weekdays", "weekends") else unit.rstrip("s"))
    interval = _interval(found["count"]) if unit else 1
    rule += f";INTERVAL={interval}" if interval > 1 else ""
    return _read_tail(found["tail"], rule, clock, now, zone)


def _interval(said: str | None) -> int:
    if not said:
        return 1
    words = {"other": 2, "second": 2, "third": 3, "fourth": 4}
    return words.get(said) or (phrases.NUMBERS.index(said) if said in phrases.NUMBERS else int(said))


def _by_day(said: str) -> str:
    days = [day[:2].upper() for day in re.findall(rf"\b(?:{mentions.WEEKDAY})(?=s?\b)", said)]
    return f"FREQ=WEEKLY;BYDAY={','.join(dict.fromkeys(days))}"


def _read_tail(tail: str, rule: str, clock: time | None, now: datetime, zone: tzinfo) -> Rhythm | None:
    said = re.sub(
        r"^(?:on|from|starting|beginning|as of|start|on the)+ (?:from |on )?", "", tail.strip(" ,.!?")
    ).strip()
    if not said:
        return Rhythm(rule, clock)
    if said in ("in the morning", "in the afternoon", "in the evening", "at night"):
        return Rhythm(rule, phrases.PARTS[said.split()[-1]])
    when = mentions.read_date(said, now, zone)
    if when is None:
        return None
    if isinstance(when, datetime) and re.fullmatch(mentions.CLOCK, said):
        return Rhythm(rule, when.astimezone(zone).time())
    return Rhythm(rule, clock, when)
