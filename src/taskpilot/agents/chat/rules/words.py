"""A sentence as typed, and beside it the same one folded for comparing: case, accents, quotes, typos aside."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator
from functools import lru_cache

from taskpilot.agents.chat.rules.vocabulary import REAL, SHORT, STRUCTURE, VERBS
from taskpilot.domain import text

_SAME = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′`´", "'"),
        **dict.fromkeys("“”„‟″«»", '"'),
        **dict.fromkeys("‐‑‒–—−", "-"),
    }
)
_WORD = re.compile(r"[a-z]+")
_ITS = re.compile(r"\bits(?= (?:done|due|urgent|finished|complete|completed|important|not)\b)")
_SPACE = " \t\n,;"


class Text:
    """A stretch of what was said. Patterns are matched on `low`; `typed` is the same stretch, to the letter."""

    __slots__ = ("_at", "_raw", "low")

    def __init__(self, raw: str, low: str, at: tuple[int, ...]) -> None:
        self._raw, self.low, self._at = raw, low, at

    @classmethod
    def read(cls, said: str) -> Text:
        raw = text.clean(said)
        low: list[str] = []
        at: list[int] = []
        for index, char in enumerate(raw):
            folded = _fold_char(char)
            if folded == " " and low and low[-1] in " \n":
                continue
            if folded == "\n" and low and low[-1] == " ":
                low[-1] = "\n"
                continue
            for each in folded:
                low.append(each)
                at.append(index)
        return cls(raw, "".join(low), (*at, len(raw)))._mend(STRUCTURE).strip()

    @property
    def typed(self) -> str:
        return " ".join(self._raw[self._at[0] : self._end()].split())

    @property
    def lines(self) -> str:
        """As typed, with its line breaks."""
        return self._raw[self._at[0] : self._end()].strip()

    @property
    def stressed(self) -> str:
        """As typed, with the exclamation marks that were cut off its end."""
        found = re.match(r"!+", self._raw[self._end() :])
        return self.typed + (found[0] if found else "")

    @property
    def whole(self) -> str:
        """As `lines`, with the full stop or exclamation mark that was cut off its end."""
        found = re.match(r"[.!]+", self._raw[self._end() :])
        return self.lines + (found[0] if found else "")

    def _end(self) -> int:
        return self._at[-1]

    def __getitem__(self, part: slice) -> Text:
        start, stop, _ = part.indices(len(self.low))
        stop = max(start, stop)
        return Text(self._raw, self.low[start:stop], self._at[start : stop + 1])

    def __bool__(self) -> bool:
        return bool(self.low)

    def strip(self, chars: str = _SPACE) -> Text:
        start, stop = 0, len(self.low)
        while start < stop and self.low[start] in chars:
            start += 1
        while stop > start and self.low[stop - 1] in chars:
            stop -= 1
        return self[start:stop]

    def after(self, pattern: str | re.Pattern[str]) -> Text | None:
        """What follows the pattern at the beginning; None if it does not begin so."""
        found = re.match(pattern, self.low)
        return self[found.end() :].strip() if found else None

    def before(self, pattern: str | re.Pattern[str]) -> Text | None:
        """What comes before the pattern at the end; None if it does not end so."""
        found = re.search(rf"(?:{pattern if isinstance(pattern, str) else pattern.pattern})$", self.low)
        return self[: found.start()].strip() if found else None

    def parts(self, pattern: str | re.Pattern[str]) -> list[Text]:
        """Cut at each match that is not inside quotes."""
        quoted = list(quotes(self.low))
        parts: list[Text] = []
        start = 0
        for found in re.finditer(pattern, self.low):
            if not any(a < found.start() < b for a, b in quoted):
                parts.append(self[start : found.start()].strip())
                start = found.end()
        return [part for part in (*parts, self[start:].strip()) if part]

    def words(self) -> Iterator[tuple[int, str]]:
        """Each word and where it begins."""
        return ((found.start(), found[0]) for found in re.finditer(r"\S+", self.low))

    def mend_first(self, vocabulary: Collection[str]) -> Text:
        """With the first word as meant, if it is a mistyped one of these."""
        found = _WORD.match(self.low)
        meant = mend(found[0], vocabulary) if found else None
        return self._replace([(0, found.end(), meant)]) if found and meant else self

    def put_before(self, words: str) -> Text:
        """With words at the beginning that nobody typed."""
        return Text(self._raw, words + self.low, (*[self._at[0]] * len(words), *self._at))

    def put_first(self, word: str, instead_of: int) -> Text:
        """With another word in place of so many characters at the beginning."""
        gap = " " if instead_of < len(self.low) else ""
        return self._replace([(0, instead_of, word + gap)])

    def _mend(self, vocabulary: Collection[str]) -> Text:
        changes = [
            (found.start(), found.end(), meant)
            for found in _WORD.finditer(self.low)
            if (meant := SHORT.get(found[0]) or mend(found[0], vocabulary)) and meant != found[0]
        ]
        changes += [(found.start(), found.end(), "it's") for found in _ITS.finditer(self.low)]
        return self._replace(sorted(changes)) if changes else self

    def _replace(self, changes: list[tuple[int, int, str]]) -> Text:
        low, at, last = "", list[int](), 0
        for start, end, meant in changes:
            low += self.low[last:start] + meant
            at += self._at[last:start]
            at += [self._at[min(start + offset, end - 1)] for offset in range(len(meant))]
            last = end
        return Text(self._raw, low + self.low[last:], (*at, *self._at[last:]))


def fold(said: str) -> str:
    """For comparing: no case, no accents, plain quotes, single spaces."""
    return " ".join("".join(map(_fold_char, said)).split())


@lru_cache(4096)
def _fold_char(char: str) -> str:
    plain = unicodedata.normalize("NFKD", char.translate(_SAME))
    kept = "".join(each for each in plain if not unicodedata.combining(each)).translate(_SAME).lower()
    return "\n" if char == "\n" else " " if kept.isspace() else kept


def quotes(low: str) -> Iterator[tuple[int, int]]:
    """Where something stands in quotes: the places of the two marks. An apostrophe inside a word is none."""
    for found in re.finditer(r'"[^"]*"|(?<!\w)\'(?!\s)(?:[^\']|(?<=\w)\'(?=\w))*\'(?!\w)|(?<!\w)\'\'(?!\w)', low):
        yield found.start(), found.end() - 1


@lru_cache(4096)
def _mend(word: str, vocabulary: frozenset[str]) -> str | None:
    if word in vocabulary:
        return word
    if len(word) < 4 or word in REAL or word in VERBS or word.removesuffix("s") in vocabulary:
        return None
    close = {known for known in vocabulary if _slips(word, known)}
    close = {known for known in close if len(known) == len(word)} or close
    return close.pop() if len(close) == 1 else None


def mend(word: str, vocabulary: Collection[str]) -> str | None:
    """The known word that is meant, or None. Short words are mended only where letters are missing or swapped."""
    return _mend(word, vocabulary if isinstance(vocabulary, frozenset) else frozenset(vocabulary))


def _slips(word: str, known: str) -> bool:
    if len(known) < 4 or abs(len(word) - len(known)) > 2:
        return False
    distance = measure(word, known)
    if len(known) <= 5:
        return (distance == 1 and word[0] == known[0] and len(word) != len(known)) or _swapped(word, known)
    return distance <= (2 if len(known) >= 8 else 1) and (word[0] == known[0] or _swapped(word, known))


def _swapped(word: str, known: str) -> bool:
    return len(word) == len(known) and sorted(word) == sorted(known) and measure(word, known) == 1


def measure(one: str, other: str) -> int:
    """Edits between two words: a letter more, less, another, or two swapped."""
    rows = [list(range(len(other) + 1))]
    for i, a in enumerate(one, 1):
        row = [i]
        for j, b in enumerate(other, 1):
            best = min(rows[-1][j] + 1, row[-1] + 1, rows[-1][j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                best = min(best, rows[-2][j - 2] + 1)
            row.append(best)
        rows.append(row)
    return rows[-1][-1]


def stem(word: str) -> str:
    """Near enough to find "grocery" in "groceries" and "pay" in "paying"."""
    for ending, instead in (("ies", "y"), ("ing", ""), ("ed", ""), ("es", ""), ("s", "")):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: len(word) - len(ending)] + instead
            break
    return word.rstrip("e") or word
