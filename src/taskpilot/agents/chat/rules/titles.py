"""Titles: where one ends and the next begins, and how they are written."""

from __future__ import annotations

import re

from taskpilot.agents.chat.rules import fields
from taskpilot.agents.chat.rules.view import View
from taskpilot.agents.chat.rules.vocabulary import DOING, pack
from taskpilot.agents.chat.rules.words import Text, quotes

_QUOTED = r"(?:\"[^\"]+\"|(?<!\w)'[^']+'(?!\w))"
_LETTERED = re.compile(rf"{_QUOTED}(?:(?:, ?and |,? and | & |, ?|; ?){_QUOTED})+$")
_BULLET = re.compile(r"(?:[-*•·+]|\d{1,3}[.)]|\[ ?\])+ *(?:\[ ?\] *)?")
_LINKING = pack("""
    with for about of at to in on from by before after via until
""")
_ARTICLES = pack("""
    a an the some more my new
""")


def unquote(said: Text) -> str:
    """As typed, without quotes around the whole."""
    said = said.strip()
    whole = next(((a, b) for a, b in quotes(said.low) if a == 0 and b == len(said.low.rstrip(" .!")) - 1), None)
    return said[1 : whole[1]].lines if whole else said.whole


def take_quoted(said: Text) -> tuple[str, Text] | None:
    """A title in quotes at the beginning, to the letter, and what follows it."""
    for start, end in quotes(said.low):
        if start == 0:
            return said[1:end].typed, said[end + 1 :].strip(" \t\n,;.!?")
        break
    return None


def tidy(title: str) -> str:
    """First letter capital, else as typed; no final full stop."""
    title = re.sub(r"^[-*•] +", "", " ".join(title.split())).strip(" ,;:").rstrip(".?,;: ")
    return title[:1].upper() + title[1:] if not title.startswith(("http:", "https:")) else title


def split_items(body: Text, view: View, *, several: bool | None) -> list[Text]:
    """The titles, each with what is said about it."""
    if "\n" in body.low:
        lines = [line.after(_BULLET) or line for line in body.parts(r"\n+")]
        if several is not False:
            return lines
    if re.match(r"1[.)] ", body.low) and re.search(r" 2[.)] ", body.low):
        return body.parts(r"(?:^|[ ,;]+)\d{1,2}[.)] ")
    if _LETTERED.match(body.low):
        return body.parts(r",? and |, ?| & |; ?")
    also = _cut_apart(body, view, r",? and also (?:to )?|, also |; ?(?:also |and )?|,? as well as |,? and (?=to )")
    if len(also) > 1 and (several is not False or all(_has_date(part, view) for part in also)):
        firsts = split_items(also[0], view, several=several) if several is None else [also[0]]
        return [part.after(r"to ") or part for part in (*firsts, *also[1:])]
    parts = _cut_apart(body, view)
    if len(parts) < 2 or (several is False and not all(_has_date(part, view) for part in parts)):
        return [body]
    if several or all(_has_date(part, view) for part in parts) or all(_is_bare(part, view) for part in parts):
        return parts
    return [body]


def _cut_apart(body: Text, view: View, at: str = r",? and (?:also )?|, (?!\d{4}\b)| & ") -> list[Text]:
    """At commas and "and"; what only tells more of a part stays with it: "milk, high priority"."""
    spans: list[tuple[int, int]] = []
    start, quoted = 0, list(quotes(body.low))
    for match in (*re.finditer(at, body.low), None):
        if match and any(a < match.start() < b for a, b in quoted):
            continue
        end = match.start() if match else len(body.low)
        if spans and fields.read_whole(body[start:end].strip(), view):
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
        start = match.end() if match else end
    return [part for a, b in spans if (part := body[a:b].strip())]


def _has_date(part: Text, view: View) -> bool:
    found = fields.peel(part, view)[1]
    return found.when is not None or found.rhythm is not None


def _is_bare(part: Text, view: View) -> bool:
    """A thing, not something to do: "eggs", "olive oil"."""
    said = fields.peel(part, view)[0].low.split()
    words = [word for word in said if word not in _ARTICLES]
    return 1 <= len(words) <= 2 and said[0] not in DOING and not _LINKING & set(words)
