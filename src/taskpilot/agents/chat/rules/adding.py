"""New tasks and reminders."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from taskpilot.agents.chat.rules import fields, references
from taskpilot.agents.chat.rules.clause import Clause
from taskpilot.agents.chat.rules.fields import Found
from taskpilot.agents.chat.rules.outcome import Ask, Calls, Understanding, call_each
from taskpilot.agents.chat.rules.selection import RANK, rank
from taskpilot.agents.chat.rules.titles import split_items, take_quoted, tidy, unquote
from taskpilot.agents.chat.rules.view import View, Wanted
from taskpilot.agents.chat.rules.words import Text, quotes
from taskpilot.domain.moments import wire

NO_TITLE = "I need a task title. What would you like to add?"
NO_REMINDER = 'What should I remind you of, and when? Say "remind me to call the bank tomorrow at 5pm".'

_LIST = (
    r"(?:(?:my|the|this|our) (?:to-?do |task |shopping )?(?:list|to-?dos|tasks|to-?do)|(?:to-?do "
    r"|task |shopping )?list)"
)
_VERB = re.compile(r"(?:add|adda|ad|addd|create|insert|append|jot down|note down|write down)(?: in| down)?\b[:,]? ?")
_VERB_WITH_NOUN = re.compile(
    r"(?:(?:make|open|enter|log|record|save|set up|give me|i need|i want|we need|i'd like"
    r"|i would like|i'll have|schedule"
    r"|start|register)[:,]? (?=(?:me )?(?:a|an|another|one more|some|two|three"
    r"|\d(?= (?:new )?(?:tasks|todos|items)\b)) |new )|(?=(?:a )?new |another |one more )"
    r"|(?=(?:todo|to-do|task|tasks|todos) ?: ?\S))"
)
_NOUN = re.compile(
    rf"(?:me )?(?:(?:a|an|quick|small|simple|short|little|big|the|another|one more|this|these|those"
    rf"|following|some|new|two|three|four|five|\d|my|few|as|brand new)"
    rf" )*(?:({RANK})(?:[ -]priority)?,? )?(?:(daily|weekly|monthly|yearly|recurring) )?(?:(\d+)[ -](m"
    rf"|h)(?:in|inute|our|r)?s? )?(?:(?:new|to-do|todo) )*"
    r"(tasks?|to-?dos?|items?|entry|entries|reminders?|things?|ones?(?=:)|following(?=:)|(?:another"
    r"|more)(?=:))\b(?: to do\b)?(?: for me\b)?(?: (?:on|to|in) (?:my|the)"
    r" (?:to-?do )?list\b)?"
)
_LINK = (
    r"(?:to|called|named|titled|entitled|labelled|that says|which says|saying|with (?:the )?(?:title|name)|for me to|-)"
)
_DESCRIBED = re.compile(
    r"[ ,;.(-]+(?:and )?with (?:the |a |an )?(?:description|details?|desc|notes?)(?: of| that says| saying| as)?[:,]? "
    r"|[ ,;.(-]+(?:and )?(?:the |its )?(?:description|details?|desc|notes?)(?: is)?: ?"
    r"|[,;] ?(?:and )?(?:the )?(?:description|details?|desc)(?: is)? "
    r"|,? (?:and )?describe it as |,? described as "
)
_NO_TITLE = re.compile(
    r"[\x00-@\[-`{-\x7f]*|(?:to |up )?(?:it|that|this|them|those|these|me|us|you|something|anything"
    r"|nothing|one|more|another|some"
    r"|stuff|things|everything|new|one more|another one|something else|a new one|some more|that one"
    r"|this one|a few|a couple)"
    r"(?: please| too)?|\d+ (?:to|and|plus|minus|times) \d+|up .*"
)
"""Numbers, signs and words that stand for something else: not yet a title."""
_REMIND = re.compile(
    r"(?:remind me|(?:set|create|add|make|give)(?: up)? (?:me )?(?:a |an |the |another )?(?:new )?reminder(?: for me)?"
    r"|(?:don't|do not|dont) let me forget|ping me|nudge me|alert me|notify me|help me remember|help me to remember"
    r"|make sure (?:that )?i (?:don't forget|remember)|i need a reminder|i want a reminder|reminder)\b[:,]? ?"
)


@dataclass(slots=True)
class Draft:
    title: str
    found: Found
    description: str = ""

    def wanted(self, view: View, *, remind: bool = False) -> Wanted:
        more = self.found.arguments(view, remind=remind)
        given: dict[str, Any] = {"title": self.title}
        if self.description:
            given["description"] = self.description
        return Wanted("task_create" if more else "create_task", {**given, **more})


def add(clause: Clause) -> Understanding | None:
    """ "Add milk", "create an urgent task in Work to call the client", "put bread on my list"."""
    lead, said = _cut_lead(clause.text, clause.view)
    on_list = re.match(rf"(?:put|stick|throw|get|place|write|pop) (.+?) (?:on|in|onto|into|to) {_LIST}\b", said.low)
    if on_list:
        before, after = said[on_list.start(1) : on_list.end(1)], said[on_list.end() :].strip()
        more = fields.read_whole(after, clause.view) if after else lead
        if more is None or references.is_explicit(before):
            return None
        more.add(lead)
        return _make(before, more, clause.view, several=None)
    body = said.after(_VERB)
    with_noun = said.after(_VERB_WITH_NOUN)
    noun = _NOUN.match((body if body is not None else with_noun or said).low)
    if body is None and (with_noun is None or noun is None):
        return None
    body = body if body is not None else with_noun
    assert body is not None
    body = body.after(rf"(?:to|on|onto|in) {_LIST}\b:? ?(?=\S)") or body
    noun = _NOUN.match(body.low)
    if _is_about_existing(body, clause.view):
        return None
    if noun is None and (owned := _own(body, lead, clause.view)):
        return owned
    if noun is None and said.low.startswith("create") and re.match(r"(?:a|an|the|me|my) ", body.low):
        return Ask('Do you mean a task? Say "create a task to …".')
    if noun is None:
        return _make(_cut_list(body, lead, clause.view), lead, clause.view, several=None)
    return _add_noun(noun, body, lead, clause.view)


def remind(clause: Clause) -> Understanding | None:
    """ "Remind me to X when" makes a task; "about" one that exists only sets its reminder."""
    lead, said = _cut_lead(clause.text, clause.view)
    body = said.after(_REMIND)
    if body is None:
        return None
    if re.match(_REMIND.pattern.replace(r"\b[:,]? ?", r"\b:"), said.low):
        return _make(body, lead, clause.view, several=False, remind=True)
    for link in re.finditer(r"(?:^|(?<= ))(?:to|about|of|that|for|on)(?= )|:", body.low):
        region, rest = body[: link.start()].strip(), body[link.end() :].strip()
        more = fields.read_whole(region, clause.view) if region else Found()
        if more is None:
            continue
        more.add(lead)
        there = rest.after(r"(?:do|finish|complete|work on|start|look at|check) ") or rest
        if link[0] in ("to", ":") and references.is_explicit(fields.peel(there, clause.view)[0]):
            return _remind_of(there, more, clause.view)
        if link[0] in ("to", ":"):
            return _make(rest, more, clause.view, several=False, remind=True)
        if link[0] in ("about", "of") or (link[0] in ("for", "on") and _names_task(rest, clause.view)):
            return _remind_of(rest, more, clause.view)
    return Ask(NO_REMINDER)


def _names_task(said: Text, view: View) -> bool:
    rest, _ = fields.peel(said, view)
    return not isinstance(references.refer(rest, view), Ask)


def _remind_of(said: Text, more: Found, view: View) -> Understanding:
    rest, found = fields.peel(said, view)
    found.add(more)
    ids = references.refer(rest, view)
    due = found.due(view)
    if isinstance(ids, Ask):
        return ids
    if due is None or found.rhythm:
        return Ask('When should I remind you? Say "tomorrow at 9am".')
    return call_each("task_update", ids, remind_at=wire(fields.reminder(due, view)))


def _cut_lead(said: Text, view: View) -> tuple[Found, Text]:
    """A date before the command: "tomorrow, add …", "at 4pm remind me …"."""
    starts = re.search(
        r"(?:,|^| )\s*(?=(?:please )?(?:add|create|remind me|new task|make a|set a reminder|put)\b)", said.low
    )
    if starts and starts.start() > 0:
        found = fields.read_whole(said[: starts.start()].strip(), view)
        if found:
            return found, said[starts.end() :].strip().after(r"(?:please )?") or said
    return Found(), said


def _is_about_existing(body: Text, view: View) -> bool:
    """ "Add the tag x to task 3", "add a description to 5", "add task 3 to project Home"."""
    if re.match(
        r"(?:a |an |the |another )?(?:new )?(?:tags?|labels?|description|details|due date|deadline"
        r"|estimate|priority|notes?"
        r"|project|comment)\b(?=.* (?:to|for|on) |:)",
        body.low,
    ) and re.search(r" (?:to|for|on) (.+?)(?::|$)", body.low):
        target = re.search(r"(?:^|.* )(?:to|for|on) (.+?)(?::.*|$)", body.low)
        return bool(target) and references.is_exact(body[target.start(1) : target.end(1)], view) if target else False
    hashed = re.match(r"#[^\W\d][\w-]*(?:(?:,? and |, | )#[^\W\d][\w-]*)* to (?=\S)", body.low)
    if hashed:
        return references.is_exact(body[hashed.end() :], view)
    moved = re.match(r"(.+?) (?=(?:to|in|into|under) )", body.low)
    return (
        bool(moved)
        and references.is_explicit(body[: moved.end(1)])
        and (fields.read_whole(body[moved.end() :], view, setting=True) is not None)
    )


def _add_noun(noun: re.Match[str], body: Text, lead: Found, view: View) -> Understanding | None:
    found = Found()
    if noun[1]:
        found.values["priority"] = rank(noun[1])
    after = body[noun.end() :].strip(" \t,;.")
    if noun[2] and noun[2] != "recurring":
        _, rhythm = fields.peel(body[noun.start(2) : noun.end(2)], view, whole=True)
        found.add(rhythm)
    if noun[3]:
        found.values["time_estimate"] = noun[3] + noun[4]
    found.add(lead)
    several = noun[5].endswith("s") or noun[5] == "following"
    after = after.after(r"for (?=\w+ing\b)") or after
    links = list(re.finditer(rf"(?:^|(?<= )){_LINK}(?= |:|$)[:,]?|:", after.low))
    links.sort(key=lambda link: fields.read_whole(after[: link.start()].strip(), view, setting=True) is None)
    for link in links:
        region = after[: link.start()].strip()
        more = fields.read_whole(region, view, setting=True) if region else Found()
        if more is None:
            continue
        found.add(more)
        after = after[link.end() :].strip()
        break
    return _make(after, found, view, several=several, remind=noun[5].startswith("reminder"))


def _own(body: Text, lead: Found, view: View) -> Understanding | None:
    """ "A Work task to email Bob"."""
    for name in view.projects:
        head = re.match(
            rf"(?:(?:a|an|the|another"
            rf"|new) )+(?:(?P<rank>{RANK})(?:[ -]priority)? )?{re.escape(name.lower())} (?:project )?(?:task"
            rf"|to-?do|item)\b(?: to|:| called)? ?",
            body.low,
        )
        if head:
            lead.values["project"] = name
            lead.values |= {"priority": rank(head["rank"])} if head["rank"] else {}
            return _make(body[head.end() :].strip(), lead, view, several=False)
    return None


def _cut_list(body: Text, found: Found, view: View) -> Text:
    """ "Milk to my list for tomorrow" is milk, for tomorrow."""
    for match in re.finditer(
        rf" (?:to|on|onto|in|into) {_LIST}\b| as an? (?:new )?(?:({RANK})(?:[ -]priority)? )?(?:task|to-?do|item)\b",
        body.low,
    ):
        after = body[match.end() :].strip()
        more = fields.read_whole(after, view) if after else Found()
        if more is not None and not any(a < match.start() < b for a, b in quotes(body.low)):
            found.add(more)
            if match[1]:
                found.values["priority"] = rank(match[1])
            return body[: match.start()].strip()
    return body


def _make(body: Text, shared: Found, view: View, *, several: bool | None, remind: bool = False) -> Understanding:
    """`several`: True for "tasks: …", False for "a task to …", None where the words decide."""
    body = body.after(r":") or body
    if re.search(r"\b(?:but|and) (?:don't|do not|dont|never) ", body.low):
        return Ask(NO_TITLE)
    body, description = _cut_description(body)
    onto = re.search(
        r" (?:to|onto|on) ((?:task |#|tp-)+\d+|it|that(?: one| task)?|the [\w ]+ (?:one|task)"
        r"|(?:the )?description of .+)$",
        body.low,
    )
    if onto and several is None:
        return Ask('Do you mean a new task? Say "add a task to …".')
    body = _cut_list(body, shared, view)
    region = re.match(r"([^:]+): ?(?=\S)", body.low)
    if region and (more := fields.read_whole(body[: region.end(1)], view, setting=True)):
        shared.add(more)
        body = body[region.end() :]
    drafts: list[Draft] = []
    for item in split_items(body, view, several=several):
        title, found = _read_item(item, view)
        found.add(shared)
        drafts.append(Draft(title, found))
    if not drafts or any(_NO_TITLE.fullmatch(draft.title.lower()) for draft in drafts):
        return Ask(NO_REMINDER if remind else NO_TITLE)
    drafts[-1].description = description
    return Calls(tuple(draft.wanted(view, remind=remind) for draft in drafts))


def _cut_description(body: Text) -> tuple[Text, str]:
    quoted = list(quotes(body.low))
    for match in _DESCRIBED.finditer(body.low):
        if match.start() > 0 and not any(a < match.start() < b for a, b in quoted):
            return body[: match.start()].strip(), unquote(body[match.end() :])
    return body, ""


def _read_item(item: Text, view: View) -> tuple[str, Found]:
    quoted = take_quoted(item)
    if quoted is not None:
        title, after = quoted
        found = fields.read_whole(after, view) if after else Found()
        if found is not None:
            return title, found
    rest, found = fields.peel(item, view)
    if found.when is None and (lead := fields.cut_first_date(rest, view)):
        rest, found.when = lead
    if found.when is None and (cut := fields.cut_inner_date(rest, view)):
        title, found.when = cut
        return tidy(title), found
    return tidy(fields.HASH.sub("", rest.stressed) if "tags" in found.values else rest.stressed), found
