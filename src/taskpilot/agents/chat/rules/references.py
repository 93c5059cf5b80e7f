"""Which task is meant: by number, by title, by "it" and "the second one"."""

from __future__ import annotations

import re

from taskpilot.agents.chat.rules import selection
from taskpilot.agents.chat.rules.outcome import Ask
from taskpilot.agents.chat.rules.view import TaskView, View
from taskpilot.agents.chat.rules.vocabulary import pack
from taskpilot.agents.chat.rules.words import Text, fold, measure, stem
from taskpilot.domain.task import ID_MOST

NUMBERS = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
]
ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"]
NOUN = r"(?:tasks?|to-?dos?|items?|entry|entries|ones?|things?|reminders?)"
_LIST = r"(?:my |the |this )?(?:to-?do |task )?(?:list|tasks|todos)"
_NUMBER = re.compile(
    rf"(?:the )?(?:{NOUN} )?(?:(?:number|no\.?|nr\.?|num|id|task) ?)*(?:#|tp[- ]?)? ?(\d{{1,19}})(?:st|nd|rd|th)?$"
    rf"|(?:the )?(?:(?:task|to-?do|item|number|no\.?|id) )+({'|'.join(NUMBERS[1:])})$|({'|'.join(NUMBERS[2:])})$"
)
TENS = ["-", "-", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_TENS = re.compile(
    rf"(?:the )?(?:(?:task|to-?do|item|number|no\.?|id) )+({'|'.join(TENS[2:])})(?:[- ]({'|'.join(NUMBERS[1:10])}))?$"
)
_RANGE = re.compile(rf"(?:{NOUN} )?(?:from )?#?(\d{{1,9}}) ?(?:to|-|through|thru|until) ?#?(\d{{1,9}})$")
_IT = re.compile(
    r"(?:it|this|that|(?:this|that|the|the same|said)(?: very| new)? (?:task|one|todo|item|thing|reminder)"
    r"|the one (?:i|we|you) just (?:added|made|created|mentioned|said)|the same)$"
)
_THEM = re.compile(
    r"(?:all (?:of )?)?(?:them|those|these)(?: all| tasks| ones)?$|both(?: of (?:them|those|these))?(?: tasks| ones)?$"
    r"|all$|all (?:three|two|four|five|\d) (?:of (?:them|those|these))$"
)
_ORDINAL = re.compile(
    rf"(?:the )?(?:({'|'.join(ORDINALS)}|(\d{{1,3}})(?:st|nd|rd|th)|last|final|top|bottom))"
    rf"(?: {NOUN})?(?: (?:on|in|of|from) (?:{_LIST}|them|those|that list))?$"
)
_RUN = re.compile(rf"(?:the )?(first|last) (\d|{'|'.join(NUMBERS[2:10])})(?: {NOUN})?$")
_EMPTY = pack("""
    the a an my one ones task tasks item items todo thing about to of for with on in at that is s
""")

WHICH = "Which task do you mean? Say its number or its title."


def refer(said: Text, view: View, *, done: bool | None = None) -> tuple[int, ...] | Ask:
    """The tasks meant, or what to ask. `done` tells which of several chosen ones count."""
    said = _trim(said)
    if not said:
        return Ask(WHICH)
    alone = _refer_one(said, view, done)
    if not isinstance(alone, Ask):
        return alone
    pieces = said.parts(r",? (?:and also|and|plus|as well as) (?:also )?|, ?| ?& ?|; ")
    if len(pieces) < 2:
        return alone
    ids: list[int] = []
    for piece in pieces:
        found = _refer_one(_trim(piece), view, done)
        if isinstance(found, Ask):
            return found
        ids += [number for number in found if number not in ids]
    return tuple(ids)


def is_explicit(said: Text) -> bool:
    """Whether it points at a task in form, by number, "it" or place, whether or not there is one."""
    pieces = _trim(said).parts(r",? and (?:also )?|, ?| ?& ?")
    return bool(pieces) and all(
        any(form.match(_trim(piece).low) for form in (_NUMBER, _RANGE, _IT, _THEM, _ORDINAL, _RUN)) for piece in pieces
    )


def is_exact(said: Text, view: View) -> bool:
    """Whether it can be nothing but a task: explicit, a whole title, or "the groceries one"."""
    if is_explicit(said):
        return True
    trimmed = _trim(said)
    if isinstance(_refer_one(trimmed, view, None), Ask):
        return False
    named = re.match(rf"the .* {NOUN}$|(?:the )?{NOUN} (?:called|named|titled) ", trimmed.low) is not None
    return named or any(_words(task.title) == _words(trimmed.typed) for task in view.shelf.find(_words(trimmed.typed)))


def _trim(said: Text) -> Text:
    said = said.strip(" \t\n,;:.!?")
    while True:
        shorter = said.before(rf" (?:from|off|on|in|of) {_LIST}") or said.before(r" (?:for me|again|now|today's)")
        shorter = shorter or said.after(r"(?:also|both|just|the fact that) (?=\S)(?!of\b|them\b)")
        if not shorter:
            return said
        said = shorter


def _refer_one(said: Text, view: View, done: bool | None) -> tuple[int, ...] | Ask:
    low, context = said.low, view.context
    if found := _TENS.match(low):
        return (10 * TENS.index(found[1]) + (NUMBERS.index(found[2]) if found[2] else 0),)
    if found := _NUMBER.match(low):
        number = int(found[1]) if found[1] else NUMBERS.index(found[2] or found[3])
        return (number,) if 0 < number <= ID_MOST else Ask(WHICH)
    if found := _RANGE.match(low):
        first, last = int(found[1]), int(found[2])
        return tuple(range(first, last + 1)) if 0 < first < last <= first + 100 else Ask(WHICH)
    if _IT.match(low):
        return (context.last_task,) if context.last_task is not None else Ask(WHICH)
    if _THEM.match(low):
        fits = len(context.last_list) == 2 if low.startswith("both") else bool(context.last_list)
        return context.last_list if fits else Ask(WHICH)
    if found := _RUN.match(low):
        many = int(found[2]) if found[2].isdigit() else NUMBERS.index(found[2])
        listed = context.last_list
        return (listed[:many] if found[1] == "first" else listed[-many:]) if 0 < many <= len(listed) else Ask(WHICH)
    if found := _ORDINAL.match(low):
        return _count(found, context.last_list)
    return _choose(said, view, done) or _look_up(said, view)


def _count(found: re.Match[str], listed: tuple[int, ...]) -> tuple[int, ...] | Ask:
    if not listed:
        return Ask("I have not shown a list yet. Which task do you mean?")
    word = found[1]
    place = int(found[2]) if found[2] else ORDINALS.index(word) + 1 if word in ORDINALS else 1 if word == "top" else 0
    place = len(listed) if word in ("last", "final", "bottom") else place
    return (listed[place - 1],) if 1 <= place <= len(listed) else Ask(f"That list has {len(listed)} tasks. Which one?")


def _choose(said: Text, view: View, done: bool | None) -> tuple[int, ...] | None:
    """ "All completed tasks", "everything in Work": by what they are, not by name."""
    every = re.match(
        r"(?:all|everything|every|each|any)\b|(?:my|the) (?:whole |entire |full )?(?:list|tasks)$", said.low
    )
    if not every and not re.search(r"\b(?:tasks|ones|todos|items)$", said.low):
        return None
    chosen = selection.read(said, view)
    if chosen is None or (chosen.plain and chosen.completed is None and not every):
        return None
    if done is not None and chosen.completed is None:
        chosen.completed = done
    return tuple(task.id for task in chosen.pick(view.shelf.every())) or None


def _look_up(said: Text, view: View) -> tuple[int, ...] | Ask:
    low = re.sub(rf"^(?:the |my )?{NOUN} (?:called|named|titled|about|that says|saying) ", "", said.low)
    many = re.match(r"(both|all)(?: of)?(?: the| my)? ", low)
    low = low[many.end() :] if many else low
    asked = _words(low)
    wanted = [word for word in asked if word not in _EMPTY]
    if not wanted:
        return Ask(WHICH)
    candidates = view.shelf.find(wanted)
    whole = [task for task in candidates if _words(task.title) == asked]
    found = whole or [task for task in candidates if _has_all(task, wanted)]
    found = found or [task for task in candidates if _has_all(task, wanted, loosely=True)]
    if many and (many[1] == "all" or len(found) == 2) and len(found) > 1:
        return tuple(task.id for task in found)
    if len(found) == 1:
        return (found[0].id,)
    if not found:
        return Ask(f'I found no task like "{said.typed}". Say its number, or "show my tasks".')
    names = ", ".join(f"#{task.id} {task.title}" for task in found[:5])
    return Ask(f"Which one do you mean: {names}?")


def _has_all(task: TaskView, wanted: list[str], *, loosely: bool = False) -> bool:
    words = _words(task.title)
    stems = {stem(word) for word in words}
    return all(stem(word) in stems or (loosely and _is_near(word, words)) for word in wanted)


def _is_near(word: str, words: list[str]) -> bool:
    """Mistyped, not another word: "pasport" is the passport, "lunch" is not the launch."""
    return len(word) >= 6 and any(
        len(other) >= 7 and word[0] == other[0] and measure(word, other) <= 1 + (len(other) >= 9) for other in words
    )


def _words(said: str) -> list[str]:
    return [word for word in re.findall(r"\w+", fold(said)) if word != "s"]
