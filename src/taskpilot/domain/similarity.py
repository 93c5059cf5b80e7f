"""Whether two titles say the same."""

from __future__ import annotations

ALIKE = 0.55
"""Share of trigrams in common from which two titles are taken for the same."""
SHORTEST = 8
"""Shorter titles have too few trigrams to be compared by them."""


def make_key(title: str) -> str:
    """The title without case, blanks and punctuation: equal keys, same title."""
    return "".join(character for character in title.casefold() if character.isalnum())


def trigrams(key: str) -> frozenset[str]:
    padded = f"  {key} "
    return frozenset(padded[place : place + 3] for place in range(len(padded) - 2))


def compare(one: str, other: str) -> float:
    """From 0, nothing in common, to 1, the same; of two keys."""
    if one == other:
        return 1.0
    if min(len(one), len(other)) < SHORTEST:
        return 0.0
    first, second = trigrams(one), trigrams(other)
    return len(first & second) / len(first | second)
