"""Fields of a task there is: when, how urgent, where, how long, how often."""

from __future__ import annotations

import re
from itertools import islice
from typing import Any

from taskpilot.agents.chat.rules import fields, references
from taskpilot.agents.chat.rules.clause import Clause
from taskpilot.agents.chat.rules.clearing import FIELD, field_of, tags_of
from taskpilot.agents.chat.rules.outcome import Ask, Calls, Understanding, call_each
from taskpilot.agents.chat.rules.references import refer
from taskpilot.agents.chat.rules.selection import RANK, rank
from taskpilot.agents.chat.rules.view import View, Wanted
from taskpilot.agents.chat.rules.words import Text
from taskpilot.domain import mentions
from taskpilot.domain.moments import wire

CHANGE_TO_WHAT = 'To what? Say "set the due date of task 3 to tomorrow" or "make task 3 urgent".'

_SET = re.compile(
    r"(?:set|make|change|update|mark|move|push|postpone|reschedule|re-schedule|schedule|delay|defer"
    r"|put|shift|snooze|bump"
    r"|assign|give|file|edit|adjust|prioriti[sz]e|raise|lower|estimate|repeat|transfer|switch|add|place|flag|modify|let"
    r"|have|bring|plan)(?: (?:back|up|off|forward|out|over))? "
)


def mark_status(clause: Clause) -> Understanding | None:
    found = re.match(
        r"(?:mark|set|move|put|change) (?:the status of )?(.+?) (?:(?:as|to|into|in) )?(blocked|(?:in "
        r"|under |for )?review|(?:the )?backlog)$",
        clause.low,
    )
    if not found:
        return None
    ids = refer(clause.text[found.start(1) : found.end(1)], clause.view)
    status = found[2].split()[-1]
    return ids if isinstance(ids, Ask) else call_each("task_update", ids, status=status)


def tag(clause: Clause) -> Understanding | None:
    said = clause.text
    names = r"((?:#?[\w-]+)(?:(?:,? and |, ?| & | )#?[\w-]+)*)"
    found = re.match(
        rf"(?:tag|label) (.+?) (?:with|as)(?: the tags?)? {names}$|(?:tag"
        rf"|label) (.+?):? (#[\w-]+(?:[, ]+#[\w-]+)*)$|(?:tag|label) ((?:task |#|number )*\d+|it|that)(?::"
        rf"| with| as)? {names}$",
        said.low,
    )
    added = re.match(
        rf"(?:add|put|attach|apply|give) (?:the |a |another )?(?:new )?(?:(?:tags?|labels?) "
        rf"|(?=#)){names} (?:to|on) (.+)$",
        said.low,
    )
    added = added or re.match(
        r"(?:add|give) (?:the |a )?(?!a |the |another |new )([\w-]+) (?:tag|label) to (.+)$", said.low
    )
    added = added or re.match(rf"add (?:a |the )?(?:tags?|labels?) to (?P<to>.+?): (?P<names>{names})$", said.low)
    if not found and not added:
        return None
    if added and added.groupdict():
        subject, tags = said[added.start("to") : added.end("to")], said[added.start("names") :]
    elif added:
        subject, tags = said[added.start(2) :], said[added.start(1) : added.end(1)]
    else:
        assert found is not None
        group = 1 if found[1] else 3 if found[3] else 5
        subject, tags = said[found.start(group) : found.end(group)], said[found.start(group + 1) : found.end(group + 1)]
    ids = refer(subject, clause.view)
    if isinstance(ids, Ask):
        return ids
    new = [name.lstrip("#") for name in re.split(r",? and |, ?| & | ", tags.typed) if name]
    return Calls(tuple(_update(number, {"tags": new}, clause.view) for number in ids))


def start(clause: Clause) -> Understanding | None:
    rest = clause.text.after(
        r"(?:start(?: working on| on)?|begin(?: working on| with)?|i(?:'m| am) (?:now )?(?:working on"
        r"|starting(?: on| with)?)"
        r"|i(?:'ve| have)? (?:just )?started(?: on| with| working on)?) (?=\S)"
    )
    if rest is None:
        found = re.match(
            r"(?:mark|set|move|put) (.+?) (?:(?:as|to|into|in) )?(?:in[ -]progress|started|doing|under way)$",
            clause.low,
        )
        if not found:
            return None
        rest = clause.text[found.start(1) : found.end(1)]
    rest = rest.after(r"(?:the )?(?:status|state) of ") or rest
    if clause.low.startswith("i") and not references.is_exact(rest, clause.view):
        return None
    ids = refer(rest, clause.view)
    return ids if isinstance(ids, Ask) else call_each("task_update", ids, status="in_progress")


def estimate(clause: Clause) -> Understanding | None:
    found = re.match(
        rf"estimate (.+?)(?: at| to| as| to take| to be|:)? (?:about |around )?{fields.DURATION}$", clause.low
    )
    if not found:
        return None
    ids = refer(clause.text[found.start(1) : found.end(1)], clause.view)
    lasts = fields.read_duration(list(found.groups()[1:]))
    return ids if isinstance(ids, Ask) else call_each("task_update", ids, time_estimate=lasts)


def set_fields(clause: Clause) -> Understanding | None:
    """ "Set the priority of 3 to low", "move it to Monday", "make 5 urgent and due tomorrow"."""
    rest = clause.text.after(_SET)
    if rest is None:
        named = re.match(rf"(?:the )?(?:{FIELD}) (?:of|for) .+ (?:is|should be|:) ", clause.low)
        return _set_named(clause.text, clause) if named and not clause.asked else _state(clause)
    return _set_named(rest, clause) or _set_values(rest, clause)


def _set_named(rest: Text, clause: Clause) -> Understanding | None:
    """The field is named: "the deadline of 2 to Friday", "task 3's priority to low", "3 a deadline of Friday"."""
    view = clause.view
    found = re.match(rf"(?:the |a |an |its |new )*({FIELD}) (?:of|for|on|to) (.+)$", rest.low)
    if found:
        said = rest[found.start(2) :]
        links = list(re.finditer(r" (?:to|as|at|is|of|=|until|by)(?: |$)|: ?", said.low))
        for link in links:
            ids = refer(said[: link.start()], view)
            if not isinstance(ids, Ask) or link is links[-1]:
                return _assign(ids, found[1], said[link.end() :].strip(), view)
        ids = refer(said, view)
        return ids if isinstance(ids, Ask) else Ask(CHANGE_TO_WHAT)
    found = re.match(
        rf"(.+?)(?:'s|s')? (?:a |an |the )?({FIELD})(?: to| as| at| of| is|:| for| until)? ?(.+)$", rest.low
    )
    if found and not re.match(r"(?:priority|prio|due|project)\b", found[3]):
        ids = refer(rest[: found.end(1)], view)
        value = rest[found.start(3) :].strip()
        if not isinstance(ids, Ask) and _read_value(field_of(found[2]), value, view) is not None:
            return _assign(ids, found[2], value, view)
    return None


def _assign(ids: tuple[int, ...] | Ask, word: str, value: Text, view: View) -> Understanding:
    if isinstance(ids, Ask):
        return ids
    given = _read_value(field_of(word), value, view)
    if given is None:
        return Ask(CHANGE_TO_WHAT)
    keeps = "tags" in given and not word.endswith("s")
    if keeps:
        return Calls(tuple(_update(number, given, view) for number in ids))
    return call_each("task_update", ids, **given)


def _read_value(name: str, value: Text, view: View) -> dict[str, Any] | None:
    if name == "priority" and re.fullmatch(rf"(?:{RANK})(?: priority)?", value.low):
        return {name: rank(value.low.removesuffix(" priority"))}
    if name == "project" and (named := re.fullmatch(r"(?:the )?\"?([\w&-]+(?: [\w&-]+)?)\"?(?: project)?", value.low)):
        said = value[named.start(1) : named.end(1)].typed
        return {name: view.project(said) or said}
    if name == "tags" and re.fullmatch(r"#?[\w-]+(?:(?:,? and |, ?)#?[\w-]+)*", value.low):
        return {name: [said.lstrip("#") for said in re.split(r",? and |, ?", value.typed)]}
    if name == "time_estimate" and (lasts := re.fullmatch(fields.DURATION, value.low)):
        return {name: fields.read_duration(list(lasts.groups()))}
    found = fields.read_whole(value, view, setting=True)
    when = mentions.read_date(re.sub(r"^(?:on|by|for|at) ", "", value.low), view.now, view.zone)
    if name == "due_date" and when is not None:
        return {name: wire(when)}
    if name == "remind_at" and when is not None:
        return {name: wire(fields.reminder(when, view))}
    if found and (name in found.changes() or name == "due_date") and found.changes():
        return found.changes()
    return None


def _set_values(rest: Text, clause: Clause) -> Understanding | None:
    """The values tell which fields: the longest end that is nothing but fields."""
    problem: Ask | None = None
    for at, _ in list(rest.words())[1:]:
        found = fields.read_whole(rest[at:], clause.view, setting=True)
        if not found:
            continue
        subject = rest[:at].strip()
        ids = refer(subject.before(r" (?:back|forward|up|down|over|out)") or subject, clause.view)
        if isinstance(ids, Ask):
            problem = problem or ids
            continue
        changes = found.changes()
        return Calls(tuple(_update(number, changes, clause.view) for number in ids))
    if problem is None and not clause.low.startswith(("add", "give", "have", "let", "plan")):
        whole = refer(rest, clause.view)
        return None if isinstance(whole, Ask) else Ask(CHANGE_TO_WHAT)
    return problem


def _state(clause: Clause) -> Understanding | None:
    """ "Task 3 is due on Friday", "5 takes 2 hours"."""
    said = clause.text
    links = re.finditer(
        r"(?<=it)'s(?= )| (?:is|are|takes|will take|should take|needs|has|repeats|belongs to|belongs in"
        r"|goes in|goes to|should be|must be"
        r"|needs to be|will be|has to be)(?: done| finished| now| actually| also)?(?= )",
        said.low,
    )
    for link in islice(links, 5):
        subject = said[: link.start()]
        plain = re.match(r" (?:is|takes|will take|repeats|belongs)", link[0]) and re.match(r"(?:the|my) ", subject.low)
        due = link[0] != " is" or said[link.end() :].low.startswith(" due")
        if not references.is_exact(subject, clause.view) and not (plain and due):
            continue
        start = link.start() + 1 if re.match(r" (?:takes|will|should take|needs \d|repeats)", link[0]) else link.end()
        text = said[start:].strip()
        if link[0].startswith((" belongs", " goes")):
            text = said[link.end() - 2 :].strip()
        found = fields.read_whole(text, clause.view, setting=True)
        ids = refer(subject, clause.view)
        if found and not isinstance(ids, Ask):
            return Calls(tuple(_update(number, found.changes(), clause.view) for number in ids))
    return None


def _update(number: int, changes: dict[str, Any], view: View) -> Wanted:
    given = dict(changes)
    if "tags" in given:
        given["tags"] = list(dict.fromkeys([*tags_of(number, view), *given["tags"]]))
    return Wanted("task_update", {"task_id": number, **given})
