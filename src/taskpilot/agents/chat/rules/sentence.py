"""A whole message: its parts, in order, each understood; or nothing."""

from __future__ import annotations

import re
from collections.abc import Callable

from taskpilot.agents.chat.rules import adding, asking, clearing, closing, editing, references, setting, talk
from taskpilot.agents.chat.rules.clause import Clause, strip
from taskpilot.agents.chat.rules.outcome import READS, Answer, Ask, Calls, Confirm, Understanding, call_each
from taskpilot.agents.chat.rules.view import View, Wanted
from taskpilot.agents.chat.rules.words import Text, quotes

LONGEST = 10_000
"""Characters. Nobody says more to a task list in one breath."""
BREAKS_MOST = 40
REFERENCE_WORDS_MOST = 10
KEPT = "I didn't get a clear yes, so nothing was deleted. Say yes or no."

INTENTS: tuple[Callable[[Clause], Understanding | None], ...] = (
    closing.undo,
    adding.remind,
    asking.take_next,
    asking.groups,
    asking.count,
    editing.describe,
    editing.rename,
    clearing.clear,
    clearing.stop_repeating,
    setting.mark_status,
    setting.tag,
    closing.reopen,
    closing.complete,
    closing.toggle,
    closing.delete,
    adding.add,
    setting.start,
    setting.estimate,
    setting.set_fields,
    editing.change,
    asking.search,
    asking.show,
    asking.about,
)
_BREAK = re.compile(r"[.!?;]+\s+|\n+|,? (?:and then|and also|and|then|but)(?: then| also)? |, (?:then |also |and )?|; ")
_TITLED = re.compile(
    r"(?:add|create|new|rename|retitle|remind|make a|put|todo|to-do|task|call it|change|set a reminder)\b"
)
_TOLD = re.compile(r"describe\b|.*\bdescription\b|.*\bdetails?:")
_SAME_AGAIN = re.compile(r"(?:and |also |plus |then )*(?:(?:do )?(?:the )?same (?:for|with|to|goes for) |likewise )")
_ALSO = re.compile(r"(?:(?:and|also|plus|oh|as well as|now|then)[, ]+)+(?=\S)")
_TOO = r"[ ,]+(?:too|as well|also)"
_AGAIN = {"task_complete", "delete_task", "toggle_complete", "get_task", "task_get", "task_delete"}
_VERB_SHARED = re.compile(r"(?:rename|move|set|make|mark|change|put|push|postpone|reschedule|tag)\b")
_NEW = 0
"""Stands for the task that the clause before adds, which has no number yet."""
_ADDED = {"create_task", "task_create"}


def understand(said: str, view: View) -> Understanding:
    text = Text.read(said)
    if view.pending:
        return _answer(said, text, view)
    if not text or len(text.low) > LONGEST:
        return Answer(talk.NOT_UNDERSTOOD)
    if talk.confirm(said) or talk.is_plain_no(text):
        return Answer(talk.NOTHING_ASKED)
    return _understand(talk.cut_no(text, asked=False), view)


def _answer(said: str, text: Text, view: View) -> Understanding:
    """While a question is open: a plain yes or no, or a clear command in its place."""
    answer = talk.confirm(said, view.pending)
    if answer or not text or talk.is_plain_no(text):
        return Confirm(answer) if answer is not None else Ask(KEPT)
    meant = _understand(talk.cut_no(text, asked=True), view)
    if isinstance(meant, Calls):
        return meant
    return Confirm(False) if answer is False else Ask(KEPT)


def _understand(text: Text, view: View) -> Understanding:
    return talk.chat(text) or _go_on(text, view) or _read(text, view) or Answer(talk.NOT_UNDERSTOOD)


def _read(text: Text, view: View) -> Understanding | None:
    """The first command up to where the next one begins, then the rest."""
    for end, begin in _breaks(text, view):
        first = _read_one(strip(text[:end], view, only=False))
        if not isinstance(first, Calls):
            continue
        after = text[begin:].strip()
        rest = _more(after, first, text, view) or _read(after, view.after(_spoken_of(first)))
        if isinstance(rest, Calls):
            return _join(first, rest)
        if rest is not None:
            return rest
    greeting = re.match(r"[^.!?,]*[.!?,]+ +", text.low)
    if greeting and isinstance(talk.chat(text[: greeting.end()].strip(" .!?,")), Answer) and text[greeting.end() :]:
        return _read(text[greeting.end() :].strip(), view)
    return _read_one(strip(text, view))


def _more(after: Text, first: Calls, text: Text, view: View) -> Understanding | None:
    """What leaves the verb out: "complete 1 and 2 too", "rename 3 to this and 5 to that"."""
    verb = re.match(_VERB_SHARED, strip(text, view).low)
    told = re.match(r"((?:task |#|number )*\d+|the \w+ one) (?=(?!is\b|are\b)\S)", after.low)
    if verb and told and references.is_explicit(after[: told.end(1)]):
        return _read(after.put_before(f"{verb[0]} "), view)
    again = after.strip(" .!").before(_TOO) or after
    if first.calls[-1].tool in _AGAIN and references.is_explicit(again):
        ids = references.refer(again, view)
        return ids if isinstance(ids, Ask) else call_each(first.calls[-1].tool, ids)
    return None


def _breaks(text: Text, view: View) -> list[tuple[int, int]]:
    """Where another command may begin. After one that takes a title, only where it can be nothing else."""
    start = strip(text, view).low
    if _TOLD.match(start):
        return []
    quoted = list(quotes(text.low))
    strict = bool(_TITLED.match(start))
    candidates = list(_BREAK.finditer(text.low))
    if len(candidates) > BREAKS_MOST:
        return []
    return [
        (found.start() + (1 if found[0][0] in "?" else 0), found.end())
        for found in candidates
        if not any(a < found.start() < b for a, b in quoted)
        and _begins(text[found.end() :].strip(), view, strict=strict)
    ]


def _begins(text: Text, view: View, *, strict: bool) -> bool:
    clause = strip(text, view)
    if re.match(
        r"(?:(?:task |#|number )*\d+)(?: (?:to|as|into|for|until|by|due|in|high|low|urgent)\b|(?: too"
        r"| as well| also)?[.!]?$)",
        text.low,
    ):
        return True
    if not strict:
        next_ = _BREAK.search(text.low)
        first = text[: next_.start()] if next_ else text
        return _read_one(strip(first, view.after(view.context.last_task or 1))) is not None
    low = clause.low
    if re.match(
        r"(?:add|create) |remind me |undo\b|(?:show|list) (?:me )?(?:my|all|the|what|open|everything)\b"
        r"|what's |what (?:is|do)",
        low,
    ):
        return True
    object_of = re.match(
        r"(?:complete|finish|close|check off|tick off|mark|delete|remove|reopen|toggle|rename"
        r"|tell me about|show|set|make|move"
        r"|start|tag|change|postpone|push|reschedule|describe) (?:the (?:title|description|due date"
        r"|priority) of )?(.+)",
        low,
    )
    if not object_of:
        return False
    words = clause.text[object_of.start(1) :]
    ends = [found.start() for found in re.finditer(r" |$|[,.;]", words.low)]
    near = view.after(view.context.last_task or 1)
    return any(references.is_exact(words[:end], near) for end in ends[:REFERENCE_WORDS_MOST] if end)


def _read_one(clause: Clause) -> Understanding | None:
    if not clause.text:
        return None
    for intent in INTENTS:
        meant = intent(clause)
        if meant is None:
            continue
        if isinstance(meant, Calls) and meant.writes and (clause.asked or clause.looking):
            return Ask("Do you want me to do that? Then say so without the question mark.")
        return meant
    return None


def _spoken_of(meant: Calls) -> int | None:
    if meant.calls[-1].tool in _ADDED:
        return _NEW
    number = meant.calls[-1].arguments.get("task_id")
    return number if isinstance(number, int) else None


def _join(first: Calls, rest: Calls) -> Understanding:
    """Changes of one task that follow each other are one change; those of the task just added belong to it."""
    last, next_ = first.calls[-1], rest.calls[0]
    if next_.arguments.get("task_id") == _NEW:
        told = {name: value for name, value in next_.arguments.items() if name != "task_id"}
        if next_.tool not in ("task_update", "update_task") or set(told) & (
            {"clear", "completed"} | set(last.arguments)
        ):
            return Ask("One thing at a time, please: that task is not there yet.")
        tool = "create_task" if set(told) <= {"title", "description"} else "task_create"
        merged = Wanted(tool if last.tool == "create_task" else last.tool, {**last.arguments, **told})
        return _join_all((*first.calls[:-1], merged), rest.calls[1:])
    same = last.tool == next_.tool == "task_update" and last.arguments["task_id"] == next_.arguments["task_id"]
    if same and not set(last.arguments) & set(next_.arguments) - {"task_id"}:
        merged = Wanted("task_update", {**last.arguments, **next_.arguments})
        return Calls((*first.calls[:-1], merged, *rest.calls[1:]))
    return _join_all(first.calls, rest.calls)


def _join_all(first: tuple[Wanted, ...], rest: tuple[Wanted, ...]) -> Understanding:
    if any(call.arguments.get("task_id") == _NEW for call in rest):
        return _join(Calls(first), Calls(rest)) if rest[0].arguments.get("task_id") == _NEW else Ask(references.WHICH)
    return Calls((*first, *rest))


def _go_on(text: Text, view: View) -> Understanding | None:
    """ "And 5 too", "same for task 4": what was done last, once more."""
    last = view.context.last_operation
    same = text.after(_SAME_AGAIN)
    also = text.after(_ALSO)
    too = text.strip(" .!").before(_TOO)
    rest = same or (also.before(_TOO) or also if also else too)
    if rest is None or not rest:
        return None
    rest = strip(rest.strip(" .!"), view).text
    if last in _ADDED and same is None and references.is_exact(rest, view):
        return Ask("What should I do with it?") if too or also else None
    if (
        last in _ADDED
        and same is None
        and not text.low.startswith(("now", "then"))
        and not isinstance(_read(rest, view), Calls | Ask)
    ):
        return adding.add(Clause(_as_add(rest), view))
    if not references.is_explicit(rest) and isinstance(_read(rest, view), Calls):
        return None
    ids = references.refer(rest, view)
    if isinstance(ids, Ask):
        return ids if same or references.is_explicit(rest) else None
    if last not in _AGAIN:
        return Ask("What should I do with it?")
    return call_each(last, ids) if last not in READS or same or also or too else None


def _as_add(rest: Text) -> Text:
    return rest.put_before("add ")
