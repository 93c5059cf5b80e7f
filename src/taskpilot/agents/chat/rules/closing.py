"""Done, not done after all, the other way round, gone; and taking it back."""

from __future__ import annotations

import re

from taskpilot.agents.chat.rules import references
from taskpilot.agents.chat.rules.clause import Clause
from taskpilot.agents.chat.rules.outcome import Answer, Ask, Understanding, call, call_each
from taskpilot.agents.chat.rules.references import NOUN, refer
from taskpilot.agents.chat.rules.words import Text

_DONE = (
    r"(?:(?:all|now|already|finally|completely|been) )*(?:done|complete|completed|finished|closed"
    r"|ticked off|checked off)"
    r"(?: now| already| today| too| as well)*"
)
_NOT_DONE = (
    rf"(?:(?:not|un)[ -]?{_DONE}(?: yet| after all)*|incomplete|undone|open(?: again)?|unfinished|to[ -]?do(?: again)?"
    r"|active(?: again)?|pending|unchecked)"
)
_COMPLETE = re.compile(
    r"(?:complete|finish(?: off| up)?|close|tick(?: off)?|check off|cross(?: off| out)?|wrap up|resolve|strike(?: off)?"
    r"|mark off|finalize|accomplish)(?: up| off| out)?\b:? ?"
)
_I_DID = re.compile(
    r"(?:(?:i|we)(?:'m| am|'ve| have|'re| are)?(?: just| already| finally| also| now| actually)*"
    r" (?:finished(?: with| off)?|completed|done(?: with)?|did|through with|finished up)"
    r"|(?:just |all |already )?(?:done|finished|completed)(?: with)?)\b:? ?"
)
_I_DID_NOT = re.compile(
    r"(?:i|we) (?:haven't|have not|didn't|did not|never|havent|didnt)(?: actually| really| yet| even)*"
    r" (?:finish|finished|complete|completed|done|do)(?: with)? |(?:i'm|i am|we're) not (?:yet "
    r"|really )?(?:done|finished)"
    r"(?: yet)? with "
)
_REOPEN = re.compile(
    r"(?:re-?open|un-?complete|un-?check|un-?tick|re-?activate|un-?finish|un-?mark|un-?close"
    r"|un-?do (?:the )?completion of"
    r"|restart)\b:? ?"
)
_TOGGLE = re.compile(
    r"(?:toggle|flip|switch)\b ?(?:(?:the )?(?:status|state|completion|completed status"
    r"|completion status|checkbox|done)"
    r"(?: state| status)? (?:of|for|on) )?"
)
_DELETE = re.compile(
    r"(?:delete|remove|erase|get rid of|discard|trash|bin|throw (?:away|out)|scrap|drop|eliminate"
    r"|wipe(?: out)?|dump|purge"
    r"|toss)\b:? ?"
)
_UNDO = re.compile(
    r"(?:undo|revert|roll back|rollback|reverse|take back|cancel)(?: (?:that|it|this|everything you just did))?"
    r"(?: (?:the |my |your )?(?:last|latest|previous|most recent)(?: (?:change|thing|action|edit|step"
    r"|one|operation|command"
    r"|update|deletion|completion|delete))?(?: (?:i|you|we) (?:did|made))?| what (?:you"
    r"|i) (?:just )?did| (?:the|that) (?:change|deletion|rename|renaming|update|edit))?$"
)
_TAKE_BACK = re.compile(r"(?:take|put|bring|roll) (?:that|it|this|them) back$|undo$|(?:i )?take (?:that|it) back$")
_UNDO_TASK = re.compile(
    r"(?:undo|revert|roll back|take back) (?:the |my )?(?:last |latest |previous )?(?:change|changes|edit|update)s?"
    r" (?:to|of|on|for|made to) "
)


def undo(clause: Clause) -> Understanding | None:
    low = clause.low
    if _TAKE_BACK.match(low) or (_UNDO.match(low) and not low.startswith("cancel")):
        return call("undo")
    said = clause.text.after(_UNDO_TASK) or clause.text.after(r"undo (?=(?:task|#|tp-))")
    if said is None:
        return None
    ids = refer(said, clause.view)
    return ids if isinstance(ids, Ask) else call_each("undo", ids)


def complete(clause: Clause) -> Understanding | None:
    """ "Complete 3", "mark it as done", "I finished the groceries", "3 is done"."""
    said, view = clause.text, clause.view
    marked = re.match(
        rf"(?:mark|set|make|flag|check|call|put|tick|move|change|update|turn"
        rf"|switch)(?: off)? (.+?) (?:(?:as|to|to be|into) )?{_DONE}$",
        said.low,
    )
    marked = marked or re.match(rf"(?:mark|set|flag) (?:as )?{_DONE}:? (.+)$", said.low)
    off = re.match(r"(?:cross|check|tick|mark|strike) (.+?) off(?: (?:of )?(?:my|the) (?:to-?do )?list)?$", said.low)
    if (marked or off) and not re.search(r" (?:not|un)$", (marked or off)[1]):  # type: ignore[index]
        found = marked or off
        assert found is not None
        return _each("task_complete", said[found.start(1) : found.end(1)], clause, done=False)
    if (rest := said.after(_COMPLETE)) is not None and (
        not clause.wished or (references.is_explicit(rest) and not said.low.startswith("finish"))
    ):
        return _each("task_complete", rest, clause, done=False)
    if (rest := said.after(_I_DID)) is not None:
        rest = rest.before(r" (?:today|already|now|just now|yesterday|this morning)") or rest
        if re.fullmatch(NOUN, rest.low):
            return None
        return _each("task_complete", rest, clause, done=False) if rest else Ask(references.WHICH)
    stated = re.match(rf"(.+?)(?: is| are|'s| was| has been| have been| got|:| -)? {_DONE}$", said.low)
    if stated and not re.match(
        r"(?:is|are|was|what|which|how|did|has|have|not|never|show|list|find|search|tell|see)\b", said.low
    ):
        subject = said[: stated.end(1)]
        if references.is_explicit(subject) or re.match(r".+?(?: is| are|'s| has been) ", said.low):
            found_ids = refer(subject, view)
            return found_ids if isinstance(found_ids, Ask) else call_each("task_complete", found_ids)
    return None


def reopen(clause: Clause) -> Understanding | None:
    """ "Reopen 7", "mark it as not done"; "7 is not done" means it only of one that is done."""
    said = clause.text
    if (rest := said.after(_REOPEN)) is not None:
        return _each("update_task", rest, clause, done=True, completed=False)
    marked = re.match(
        rf"(?:mark|set|make|flag|change|move|put|turn|switch|update)(?: back)? (.+?)(?: back)? (?:(?:as|to"
        rf"|to be) )?{_NOT_DONE}$",
        said.low,
    )
    again = re.match(r"open (.+?) (?:again|up again|back up)$", said.low)
    again = again or re.match(r"put (.+?) back (?:on|onto|in|into|to) (?:my|the) (?:to-?do )?list$", said.low)
    found = marked or again
    if found:
        return _each("update_task", said[found.start(1) : found.end(1)], clause, done=True, completed=False)
    stated = re.match(
        rf"(.+?)(?: is| are|'s| was)?(?: still| actually)? {_NOT_DONE}$|(.+?) (?:isn't|aren't"
        rf"|wasn't) (?:actually )?{_DONE}(?: yet| after all)*$",
        said.low,
    )
    if stated and (stated[1] or stated[2]) and not re.match(r"(?:is|are|what|which|show|list)\b", said.low):
        group = 1 if stated[1] else 2
        return _not_done(said[: stated.end(group)], clause) if group == 2 or " not " in said.low else None
    if (rest := said.after(_I_DID_NOT)) is not None:
        return _not_done(rest.before(r" (?:yet|after all)") or rest, clause)
    return None


def _not_done(said: Text, clause: Clause) -> Understanding:
    ids = refer(said, clause.view)
    if isinstance(ids, Ask):
        return ids
    closed = tuple(number for number in ids if (task := clause.view.shelf.get(number)) and task.done)
    if not closed:
        return Answer("All right, it stays open.")
    return call_each("update_task", closed, completed=False)


def toggle(clause: Clause) -> Understanding | None:
    rest = clause.text.after(_TOGGLE)
    return None if rest is None else _each("toggle_complete", rest, clause, done=None)


def delete(clause: Clause) -> Understanding | None:
    """Asked for here; done only after the user's own yes."""
    said = clause.text
    off = re.match(
        r"(?:take|cross|strike|get|kick) (.+?) (?:off|out of|from) (?:of )?(?:my|the) (?:to-?do )?(?:list|tasks)$",
        said.low,
    )
    if off and not said.low.startswith("cross"):
        return _each("delete_task", said[off.start(1) : off.end(1)], clause, done=None)
    cleared = re.match(
        rf"(?:clear|clean)(?: up| out| away)? (?=(?:all|every|my|the)?.*\b(?:{NOUN[3:-1]}|list|everything)$)", said.low
    )
    if cleared:
        rest = said[cleared.end() :].strip()
        return _each("delete_task", rest, clause, done=None)
    rest = said.after(_DELETE)
    if rest is not None and re.match(r"(?:drop|scrap|dump|toss) (?:it|that|this|them)$", said.low):
        return Ask(references.WHICH)  # "drop it" may as well mean: let it be
    return None if rest is None else _each("delete_task", rest, clause, done=None)


def _each(tool: str, said: Text, clause: Clause, *, done: bool | None, **arguments: bool) -> Understanding:
    said = said.after(r"(?:the )?(?:status|state) of ") or said
    ids = refer(said, clause.view, done=done)
    return ids if isinstance(ids, Ask) else call_each(tool, ids, **arguments)
