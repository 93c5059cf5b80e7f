"""Everything that only looks: lists, one task, counts, what next, searching."""

from __future__ import annotations

import re

from taskpilot.agents.chat.rules import fields, references, selection
from taskpilot.agents.chat.rules.clause import Clause
from taskpilot.agents.chat.rules.outcome import Ask, Calls, Understanding, call, call_each
from taskpilot.agents.chat.rules.references import NOUN, refer
from taskpilot.agents.chat.rules.selection import Chosen
from taskpilot.agents.chat.rules.view import View
from taskpilot.agents.chat.rules.words import Text

_SHOW = re.compile(
    r"(?:show|list|display|view|see|print|give|read(?: out)?|pull up|bring up|fetch|get|look at|go through|tell|check)"
    r"\b(?: me| us)?(?: out)? ?"
)
_WHAT = re.compile(
    r"(?:what(?:'s|s| is| are| do i| does| have i| did i| haven't i| am i|'ve i)?|which(?: of my)?"
    r"|do i have(?: any(?:thing)?)?"
    r"|have i got(?: any(?:thing)?)?|are there(?: any)?|is there(?: any(?:thing)?)?|am i|is anything|anything|any)\b ?"
)
_DID_WHAT = re.compile(
    r"what(?: tasks| things)? (?:(?:did|have)(?: i| we)(?: already| just| actually)*( not)?|(haven't|didn't) (?:i|we))"
    r" (?:finish|finished|complete|completed|do|done|get done|gotten done|got done|accomplish"
    r"|accomplished|achieve|achieved)"
    r"(?: so far| already| yet)?$"
)
_NOUNS = re.compile(rf"\b(?:{NOUN[3:-1]}|list|lists|everything|all|due|plate|agenda|schedule|to-?do)\b")
_SURE = re.compile(r"\b(?:tasks?|to-?dos?|items|list|everything|due|plate|agenda|schedule)\b")
_ABOUT = re.compile(
    r"(?:tell me(?: more| all| everything)?(?: about| of)|(?:give me |show me |get me |show "
    r"|get )?(?:the |some |more |all )*"
    r"(?:details?|info|information|description|specifics)(?: of| for| on| about| from)"
    r"|what(?:'s| is|s) (?:the )?(?:status|state|description|details)(?: of| for)|what about|how about|what(?:'s| is|s)"
    r"|what(?:'s| is) in|status of|details|what does|what do you know about|read(?: me| out)?"
    r"|describe|explain|look at|open(?: up)?|view|see|inspect"
    r"|how is|how's|more about|more on|about|pull up|bring up|display|show(?: me| us)?|give me|get"
    r"|let me see|check(?: on)?"
    r"|which(?: one)? is)\b ?"
)
_STATE = re.compile(
    r"(?:is|are|was|did i|have i|has|did we|do i still have|is it true that)(?: already| ever| just)* (.+?)"
    r"(?: (?:done|finished|completed|complete|open|closed|still open|done yet|finished yet"
    r"|already done|been done))(?: yet| already)?$"
)
_DID_I = re.compile(
    r"(?:did|have) (?:i|we)(?: already| ever)* (?:finish|finished|complete|completed|do|done|close|closed)(?: with)? "
)
_WHEN = re.compile(
    r"(?:when(?:'s| is| are| was)|what(?:'s| is) (?:the )?(?:due date|deadline|priority|project"
    r"|estimate|time estimate|reminder)"
    r"(?: of| for| on)|when do i (?:have|need) to(?: do| finish)?|when should i|by when (?:is|are"
    r"|must)|how long (?:does|will)|what(?:'s| is)"
    r" the tags? (?:of|on)|which project is|what project is|how (?:urgent|important) is|what priority (?:is|has)) "
)
_COUNT = re.compile(
    r"(?:(?:tell me |show me |do you know |can you tell me )?how many|count(?: up)?|(?:what(?:'s"
    r"| is) |tell me |show me |give me )?(?:the )?(?:total )?number of)\b ?"
)
_STATS = re.compile(
    r"(?:(?:show|give|see|view|get|display|what are|what're|tell)(?: me| us)?(?: about)? )?(?:my |the |some |task )*"
    r"(?:stats|statistics|numbers|summary|progress|productivity|completion rate|streak|overview)(?: please| so far)?$"
    r"|how(?:'m| am| are) (?:i|we) doing(?: today| so far| this week)?$|how(?:'s| is) (?:my|the) progress$"
    r"|how far am i(?: along)?$|how productive (?:am|was|have) i(?: been)?$|what(?:'s"
    r"| is) my (?:progress|streak|completion rate)$"
)
_NEXT = re.compile(
    r"(?:(?:so )?what(?:'s| is|s)? (?:up )?next(?: up)?(?: on my list| task)?|what now|next(?: task| one| up)?"
    r"|(?:what|which)(?: task| one| thing)?(?: should| shall| can| could| must| do) i (?:do|work on"
    r"|start(?: with| on)?|tackle"
    r"|focus on|take on|pick(?: up)?|begin with)(?: next| now| first| today| right now| then)*"
    r"|what(?:'s| is) (?:the |my )?(?:most (?:important|urgent)|best|top|next"
    r"|highest priority)(?: thing| task| one| priority)*"
    r"(?: (?:to|i should|i can|for me to)(?: do| work on)?)?(?: next| now| right now| on my list)*"
    r"|(?:give|find|pick|get|suggest|recommend|choose|show)(?: me| us)? (?:something|a task|one task"
    r"|my next task|the next task"
    r"|what's next|the next one)(?: to (?:do|work on))?(?: for me)?(?: next| now)*"
    r"|where (?:should|do) i (?:start|begin)|my next task|what to do(?: next| now)?|what should i be doing(?: now)?"
    r"|any suggestions?|i'm (?:bored|free)|what's my next task)"
)
_TIME = re.compile(
    rf"(?:i(?:'ve| have)?(?: only| just)?(?: got| have)? |with |in |given )?(?:only "
    rf"|just )?{fields.DURATION}(?: free| left| to spare| of time| time)?[,.:;]* ?(?:and )?"
)
_GROUPS = re.compile(
    r"(?:(?:show|list|display|see|view|what are|give|tell)(?: me| us)?(?: about)?|what|which"
    r"|do i have(?: any)?|how many)? ?"
    r"(?:all |of |my |the )*(?:projects?|tags|labels|projects and tags)(?: do i have| are there"
    r"| exist| have i got| i have)?$"
)
_SEARCH = re.compile(
    r"(?:search|find|look(?= (?:for|up|through))|locate|hunt(?= for)|lookup)\b(?: me| up| through| in"
    r"| within| across| among)*"
    r"(?: (?:all |for )?(?:of )?(?:my |the )?(?:tasks?|list|to-?dos?)(?= for| about| with| contain"
    r"| mention| that| related))?"
    r"(?: for(?= |$))? ?"
)
_ANY = re.compile(
    r"(?:do i have|is there|are there|have i got|got|i have|what do i have|what have i got|show me|show|list|which)?"
    r" ?(?:me )?(?:any|some|all|every|the|a|my)?(?:thing|one)? ?(?:(?:open|done"
    r"|completed) )?(?:tasks?|to-?dos?|items?|things?|stuff)?"
    r" ?(?:(?:are|is|that are|that is) )?(?:about|mentioning|that mentions?|mentions?|containing"
    r"|that contains?|contain|related to"
    r"|regarding|concerning|to do with|relating to|with the words?) "
)


def show(clause: Clause) -> Understanding | None:
    """A list, or one task where a single one is meant."""
    said, view = clause.text, clause.view
    if found := _DID_WHAT.match(said.low):
        return call("list_tasks", {"completed": not (found[1] or found[2])})
    rest = said.after(_SHOW)
    if rest is not None and re.match(r"(?:list|lists)$", said.low):
        return call("list_tasks")
    if rest is None:
        rest = said.after(_WHAT)
        if rest is not None:
            return _list(said, view, sure=bool(_SURE.search(rest.low)))
        return _list(said, view, sure=False) if re.search(r"\b(?:tasks|todos|to-dos|list|items)\b", said.low) else None
    if not rest or (re.match(r"(?:tell|check)\b", said.low) and not _NOUNS.search(rest.low)):
        return None
    if references.is_explicit(rest) and not re.fullmatch(r"all|everything", rest.low):
        return None
    bare = re.fullmatch(r"(?:all|everything|it all|them all)", rest.low)
    return _list(rest, view, sure=bool(bare or _NOUNS.search(rest.low)))


def _list(said: Text, view: View, *, sure: bool) -> Calls | None:
    trimmed = said.after(_WHAT) if _WHAT.match(said.low) else said
    question = _WHAT.match(said.low)
    whole = f"{question[0] if question else ''}"
    chosen = selection.read(trimmed or said, view)
    if question and chosen is not None and "haven't" in whole:
        chosen.completed = False
    elif question and chosen is not None and re.search(r"have i|did i", whole) and chosen.completed is None:
        chosen.completed = True if re.search(r"\b(?:do|finish|complete)\b", said.low) else None
    elif chosen is None:
        return None
    assert chosen is not None
    if (
        chosen.plain
        and chosen.completed is None
        and not sure
        and not re.search(r"\b(?:my|all) ", said.low)
        and not (re.fullmatch(r"(?:the )?(?:tasks|list|todos|to-dos|to-do list|todo list|task list)", said.low))
    ):
        return None
    return call("list_tasks", _status(chosen)) if chosen.plain else call("task_list", chosen.arguments())


def _status(chosen: Chosen) -> dict[str, bool]:
    return {} if chosen.completed is None else {"completed": chosen.completed}


def about(clause: Clause) -> Understanding | None:
    said, view = clause.text, clause.view
    if (rest := said.after(_WHEN)) is not None:
        rest = rest.before(r" (?:due|take|in|supposed to be done|be done|scheduled|expected)") or rest
        return _look(rest, "task_get", clause)
    if found := _STATE.match(said.low):
        return _look(said[found.start(1) : found.end(1)], "get_task", clause)
    if (rest := said.after(_DID_I)) is not None and rest:
        return _look(rest, "get_task", clause)
    if re.fullmatch(r"(?:tell me|show me|give me)? ?(?:more|the details|more details|more about it|details)", said.low):
        return _look(Text.read("it"), "get_task", clause)
    if found := re.match(r"(.+?)(?:'s)? (?:details|info|status)$", said.low):
        return _look(said[: found.end(1)], "get_task", clause) if references.is_explicit(said[: found.end(1)]) else None
    rest = said.after(_ABOUT)
    if rest is None or not rest:
        return None
    rest = rest.before(r" (?:about|again|say|say exactly|in detail|details)") or rest
    if re.match(r"(?:what(?:'s| is)?|how|get|give|check|see|read)\b", said.low) and not references.is_exact(rest, view):
        return (
            None
            if not re.match(r"what about|how about|what(?:'s| is) the (?:status|state|desc|details)", said.low)
            else _look(rest, "get_task", clause)
        )
    return _look(rest, "get_task", clause)


def _look(said: Text, tool: str, clause: Clause) -> Understanding:
    ids = refer(said, clause.view)
    return ids if isinstance(ids, Ask) else call_each(tool, ids)


def count(clause: Clause) -> Understanding | None:
    said = clause.text
    if _STATS.match(said.low):
        return call("task_stats")
    rest = said.after(_COUNT)
    if rest is None:
        return None
    if grouped := re.search(r"\b(?:per|by|in each|for each|each|in every) (project|priority|status)\b", rest.low):
        return call("task_stats", {"group_by": grouped[1]})
    chosen = selection.read(rest.before(r" (?:i|we) (?:finish|complete|do|get done)") or rest, clause.view)
    if chosen is None:
        return None
    if chosen.tag or chosen.due_after or (chosen.due_before and not re.search(r"overdue|late|past due", rest.low)):
        return call("task_list", chosen.arguments())
    if chosen.status:
        return call("task_stats", {"group_by": "status"})
    group = "project" if chosen.project else "priority" if chosen.priority else None
    return call("task_stats", {"group_by": group} if group else None)


def groups(clause: Clause) -> Understanding | None:
    return call("task_stats", {"groups": True}) if _GROUPS.match(clause.low) else None


def take_next(clause: Clause) -> Understanding | None:
    said, given = clause.text, dict[str, str]()
    timed = _TIME.match(said.low)
    if timed and said[timed.end() :]:
        given["time"] = fields.read_duration(list(timed.groups()))
        said = said[timed.end() :].strip()
    found = _NEXT.match(said.low)
    if not found:
        return None
    rest = said[found.end() :].strip(" ,?.!")
    if not rest:
        return call("task_next", given)
    lasts = re.fullmatch(
        rf"(?:in|with|within|if i have|for)(?: the next| only| just)? {fields.DURATION}(?: free| left| time)?", rest.low
    )
    if lasts:
        return call("task_next", {"time": fields.read_duration(list(lasts.groups()))})
    chosen = selection.read(rest, clause.view)
    if chosen and (chosen.project or chosen.tag) and not chosen.dated:
        given |= {"project": chosen.project} if chosen.project else {}
        given |= {"tag": chosen.tag} if chosen.tag else {}
        return call("task_next", given)
    return None


def search(clause: Clause) -> Understanding | None:
    said, given = clause.text, dict[str, object]()
    rest = said.after(_SEARCH)
    if rest is None:
        rest = said.after(_ANY)
        if rest is None:
            return None
    rest = rest.after(r"(?:for|about) ") or rest
    for name in clause.view.projects:
        where = re.match(
            rf"(?:in |within )?(?:the |project )*{re.escape(name.lower())}(?: project)?(?: tasks)? (?:for|about) ",
            rest.low,
        )
        after = re.search(rf" (?:in|under|within) (?:the |project )*{re.escape(name.lower())}(?: project)?$", rest.low)
        if where or after:
            given["project"] = name
            rest = rest[where.end() :] if where else rest[: after.start()] if after else rest
    filtered = re.match(
        rf"(?:(?:all|any|every|my|the|a|some|anything|everything|something) )*(?:(open|unfinished"
        rf"|incomplete|pending) )?(?:{NOUN})? ?(?:that )?"
        r"(?:about|with|containing|contains?|mentioning|mentions?|related to|regarding|for|on|matching"
        r"|called|named|like)"
        r"(?: the (?:words?|text|term))? ",
        rest.low,
    )
    if filtered:
        given |= {"open": True} if filtered[1] else {}
        rest = rest[filtered.end() :]
    rest = rest.after(r"(?:(?:the|a|an|my|all|any) )+(?=\S)") or rest
    rest = rest.before(rf" {NOUN}") or rest
    listed = _list(said.after(r"(?:search(?: for)?|find)(?: me)? ") or said, clause.view, sure=False)
    if listed and not filtered and re.search(r"\btasks\b", said.low):
        return listed
    query = rest.strip(" \"'?.!").typed
    return call("task_search", {"query": query, **given}) if query else Ask("What should I search for?")
