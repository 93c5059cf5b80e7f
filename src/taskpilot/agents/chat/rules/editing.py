"""A new title, another description."""

from __future__ import annotations

import re

from taskpilot.agents.chat.rules import references
from taskpilot.agents.chat.rules.clause import Clause
from taskpilot.agents.chat.rules.outcome import Ask, Understanding, call_each
from taskpilot.agents.chat.rules.references import refer
from taskpilot.agents.chat.rules.titles import take_quoted, tidy, unquote
from taskpilot.agents.chat.rules.view import View
from taskpilot.agents.chat.rules.words import Text

NEW_TITLE = "What would you like to call it?"
EMPTY_TITLE = "The task title can't be empty. What would you like to call it?"

_CHANGE = r"(?:set|change|update|edit|modify|make|replace|adjust|switch|put|fix|alter|correct)"
_TITLE = r"(?:title|name)"
_TEXT = r"(?:description|details?|desc)"


def rename(clause: Clause) -> Understanding | None:
    said, view = clause.text, clause.view
    rest = said.after(r"(?:rename|re-name|retitle|re-title)\b ?")
    if rest is not None:
        return _retitle(rest, view)
    rest = said.after(rf"{_CHANGE} (?:the )?{_TITLE} (?:of|for|on) ")
    if rest is not None:
        return _retitle(rest, view)
    found = re.match(rf"{_CHANGE} (.+?)(?:'s|s')? {_TITLE}(?: to| as| into|:) ?", said.low)
    if found:
        return _retitle_as(said[found.start(1) : found.end(1)], said[found.end() :], view)
    found = re.match(
        r"(?:call|name|title) (it|that|this|(?:task |number |#)+\w+|the \w+ one|that one"
        r"|that task) (?!is\b|a day$|quits$|off$|back$|even$)",
        said.low,
    )
    if found:
        value = said[found.end() :].strip()
        return _retitle_as(said[found.start(1) : found.end(1)], value.before(r" instead") or value, view)
    found = re.match(rf"(?:the )?{_TITLE} (?:of|for) (.+?) (?:should be|is now|shall be|to be) ", said.low)
    found = found or re.match(r"(.+?) should (?:now )?(?:be|read|say)(?: called| named| titled)? (?=\S)", said.low)
    if found and ("called" in found[0] or "named" in found[0] or "titled" in found[0] or "title" in found[0]):
        return _retitle_as(said[found.start(1) : found.end(1)], said[found.end() :], view)
    return None


def change(clause: Clause) -> Understanding | None:
    """ "Change call mom to call dad": a new title, where it is no other field's value."""
    rest = clause.text.after(r"(?:change|edit|update) (?=\S)")
    if rest is None or not re.search(r" (?:to|into) ", rest.low):
        return None
    return _retitle(rest, clause.view)


def _retitle(said: Text, view: View) -> Understanding:
    problem: Ask | None = None
    for link in re.finditer(r" (?:to|as|into|=>?|->)(?: (?:say|read|be(?: called)?)(?= ))?(?: |$)|: ?", said.low):
        subject = said[: link.start()]
        ids = refer(subject, view)
        if not isinstance(ids, Ask):
            return _retitle_as(subject, said[link.end() :], view)
        problem = problem or ids
    unlinked = re.match(r"((?:task |number |#)*\d+|it|that one|this one|that task) (?!to\b|as\b)(?=\S)", said.low)
    if unlinked:
        return _retitle_as(said[: unlinked.end(1)], said[unlinked.end() :], view)
    if problem:
        return problem
    ids = refer(said, view)
    return ids if isinstance(ids, Ask) else Ask(NEW_TITLE)


def _retitle_as(subject: Text, value: Text, view: View) -> Understanding:
    ids = refer(subject, view)
    if isinstance(ids, Ask):
        return ids
    value = value.before(r" instead") or value
    quoted = take_quoted(value.strip())
    title = quoted[0] if quoted and not quoted[1] else tidy(value.stressed)
    if not title or re.fullmatch(r"['\"]+", title):
        return Ask(EMPTY_TITLE)
    return call_each("update_task", ids, title=title) if len(ids) == 1 else Ask(references.WHICH)


def describe(clause: Clause) -> Understanding | None:
    said, view = clause.text, clause.view
    gone = re.match(
        rf"(?:remove|clear|delete|erase|drop|empty)(?: out)? (?:the )?{_TEXT} (?:of|from|for|on) (.+)$", said.low
    )
    gone = gone or re.match(rf"(?:remove|clear|delete|erase|drop|empty) (.+?)(?:'s|s')? {_TEXT}$", said.low)
    if gone:
        return _set_text(said[gone.start(1) : gone.end(1)], None, view)
    for pattern in (
        rf"(?:add|give|write|put) (?:a |an |the |this |new )*{_TEXT} (?:to|for|on) (.+?)(?: saying| as|:|,) ?",
        rf"give (?!me\b)(.+?) (?:a |an |the |this |new )*{_TEXT}(?: of| that says| saying|:|,)? ?",
        rf"{_CHANGE} (?:the )?{_TEXT} (?:of|for|on) (.+?)(?: to| as| with| into|:) ?",
        rf"{_CHANGE} (.+?)(?:'s|s')? {_TEXT}(?: to| as| with| into|:) ?",
        rf"(?:the )?{_TEXT} (?:of|for) (.+?) (?:should be|is|shall be|should say|:) ?",
        r"describe (.+?)(?: as| with|:) ?",
        rf"(?:add|put) {_TEXT} (?:to|on) (.+?)[:,] ?",
    ):
        found = re.match(pattern, said.low)
        if found:
            return _set_text(said[found.start(1) : found.end(1)], said[found.end() :], view)
    quoted = re.match(rf"(?:add|set|put|use) (.+) as (?:the |a )?{_TEXT} (?:of|for|to|on) (.+)$", said.low)
    if quoted:
        return _set_text(said[quoted.start(2) :], said[quoted.start(1) : quoted.end(1)], view)
    return None


def _set_text(subject: Text, value: Text | None, view: View) -> Understanding:
    ids = refer(subject, view)
    if isinstance(ids, Ask):
        return ids
    if value is not None and not value.strip():
        return Ask("What should the description be?")
    return call_each("update_task", ids, description="" if value is None else unquote(value))
