"""Fields emptied: no date, no project, one tag less."""

from __future__ import annotations

import re

from taskpilot.agents.chat.rules.clause import Clause
from taskpilot.agents.chat.rules.outcome import Ask, Calls, Understanding, call_each
from taskpilot.agents.chat.rules.references import refer
from taskpilot.agents.chat.rules.view import View, Wanted
from taskpilot.agents.chat.rules.words import Text, fold

FIELDS = {
    "due_date": r"due ?dates?|deadline|due|date",
    "priority": r"priority|prio|importance|urgency",
    "project": r"project",
    "tags": r"tags?|labels?",
    "time_estimate": r"(?:time )?estimates?|duration|effort",
    "remind_at": r"reminder",
    "recurrence": r"recurrence|repetition|rhythm|repeat",
}
FIELD = "|".join(FIELDS.values())


def clear(clause: Clause) -> Understanding | None:
    said, view = clause.text, clause.view
    away = r"(?:clear|remove|delete|unset|drop|erase|reset|cancel|take off|take away|take)"
    found = re.match(rf"{away} (?:the |its |any )?({FIELD}) (?:of|from|for|on|off) (.+)$", said.low)
    if found:
        return _clear(said[found.start(2) :], found[1], view)
    found = re.match(rf"{away} (.+?)(?:'s|s') ({FIELD})$", said.low)
    found = found or re.match(rf"(.+?) (?:has|needs|should have) no ({FIELD})(?: anymore)?$", said.low)
    if found:
        return _clear(said[found.start(1) : found.end(1)], found[2], view)
    found = re.match(
        rf"{away} (.+?) (?:out of|from) (?:its project|(?:the )?(?:project [\w-]+|[\w-]+ project)"
        rf"|any project|the project)$",
        said.low,
    )
    if not found:
        names = "|".join(re.escape(fold(name)) for name in view.projects)
        found = re.match(rf"take (.+?) out of (?:{names})$", said.low) if names else None
    if found:
        return _clear(said[found.start(1) : found.end(1)], "project", view)
    found = re.match(
        rf"{away} (?:the )?(?:tags?|labels?) #?([\w-]+) (?:from|of|off|on) (.+)$"
        rf"|{away} (?:the )?#?([\w-]+) (?:tag |label )?from (?!my |the list)(.+)$|untag (.+)$",
        said.low,
    )
    if found and found[3] and not re.search(r" (?:tag|label) from |#", found[0]):
        project = view.project(said[found.start(4) :].typed)
        return _clear(said[found.start(3) : found.end(3)], "project", view) if project else None
    if found and not found[5]:
        subject = said[found.start(2) :] if found[2] else said[found.start(4) :]
        return _untag(subject, found[1] or found[3], view)
    return _clear(said[found.start(5) :], "tags", view) if found else None


def _clear(subject: Text, word: str, view: View) -> Understanding:
    ids = refer(subject, view)
    return ids if isinstance(ids, Ask) else call_each("task_update", ids, clear=[field_of(word)])


def _untag(subject: Text, name: str, view: View) -> Understanding:
    ids = refer(subject, view)
    if isinstance(ids, Ask):
        return ids
    return Calls(
        tuple(
            Wanted(
                "task_update",
                {"task_id": number, "tags": [tag for tag in tags_of(number, view) if tag.lower() != name]},
            )
            for number in ids
        )
    )


def stop_repeating(clause: Clause) -> Understanding | None:
    found = re.match(
        r"(?:stop repeating|don't repeat|do not repeat|no longer repeat|never repeat) (.+?)(?: anymore"
        r"| any more| again)?$",
        clause.low,
    )
    found = found or re.match(
        r"make (.+?) (?:not repeat|stop repeating|non-recurring|not recurring)(?: anymore)?$", clause.low
    )
    found = found or re.match(r"(.+?) should (?:no longer|not) repeat(?: anymore)?$", clause.low)
    return _clear(clause.text[found.start(1) : found.end(1)], "recurrence", clause.view) if found else None


def field_of(word: str) -> str:
    """The field a word stands for."""
    return next(name for name, words in FIELDS.items() if re.fullmatch(words, word))


def tags_of(number: int, view: View) -> tuple[str, ...]:
    task = view.shelf.get(number)
    return task.tags if task else ()
