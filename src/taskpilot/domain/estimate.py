"""How long something takes, as people write it: "30min", "1.5h", "1hr 30min"."""

from __future__ import annotations

import re

_MINUTES = {"m": 1, "h": 60, "d": 480, "w": 2_400}
_UNIT = "minutes?|mins?|m|hours?|hrs?|h|days?|d|weeks?|w"
_AMOUNT = re.compile(rf"(\d+(?:\.\d+)?)\s*({_UNIT})\b", re.IGNORECASE)
_ONE = rf"\d{{1,4}}(?:\.\d{{1,2}})? ?(?:{_UNIT})"
AMOUNTS = rf"{_ONE}(?:(?:,? and |, ?| ?){_ONE})*"
"""One amount or several that add up, as a pattern."""


def read_minutes(written: str) -> int | None:
    """How long an estimate is, in minutes of work; None if it does not say."""
    amounts = _AMOUNT.findall(written)
    if not amounts:
        return None
    return round(sum(float(number) * _MINUTES[unit.lower()[0]] for number, unit in amounts))


def parse(said: str) -> str:
    """As we write it: hours and minutes, and days only where days were said; "" if it is nothing at all."""
    sums = dict.fromkeys("wdhm", 0.0)
    for number, unit in re.findall(rf"(\d+(?:\.\d+)?) ?({_UNIT})", said, re.IGNORECASE):
        sums[unit.lower()[0]] += float(number)
    hours, minutes = divmod(round(sums["h"] * 60 + sums["m"]), 60)
    written = ((sums["w"], "w"), (sums["d"], "d"), (hours, "hr"), (minutes, "min"))
    return " ".join(f"{number:g}{unit}" for number, unit in written if number)
