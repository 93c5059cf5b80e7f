"""How often something is to be done, at the end of a sentence."""

from __future__ import annotations

from datetime import time

from taskpilot.agents.chat.rules.view import View
from taskpilot.agents.chat.rules.words import Text
from taskpilot.domain import rhythms
from taskpilot.domain.moments import When
from taskpilot.domain.rhythms import Rhythm


def cut(said: Text, view: View) -> tuple[Text, Rhythm] | None:
    """The rhythm at the end, and what comes before it."""
    for at in range(len(said.low)):
        if at and said.low[at] not in " ,(":
            continue
        rhythm = rhythms.read(said.low[at:], view.now, view.zone)
        if rhythm:
            return said[:at].strip(), rhythm
    return None


def first(rhythm: Rhythm, clock: time | None, start: When | None, view: View) -> When:
    return rhythms.find_first(rhythm, clock, start, view.now, view.zone)


def clock_of(said: str, when: When, view: View) -> time | None:
    return rhythms.find_clock(said, when, view.zone)
