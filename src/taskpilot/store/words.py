"""Words to look for, as the two full-text indexes take them."""

from __future__ import annotations

import re
import unicodedata

MOST_WORDS = 12
PREFIX_LEAST = 2
"""Shorter words must match whole: half the dictionary begins with `a`."""

_WORD = re.compile(r"[^\W_]+", re.UNICODE)
_ACCENT = re.compile("[\u0300-\u036f]")


def split_words(query: str) -> list[str]:
    return _WORD.findall(unicodedata.normalize("NFC", query).lower())[:MOST_WORDS]


def write_fts5(words: list[str]) -> str:
    return " ".join(f'"{word}"{"*" if len(word) >= PREFIX_LEAST else ""}' for word in words)


def write_tsquery(words: list[str]) -> str:
    return " & ".join(f"{word}{':*' if len(word) >= PREFIX_LEAST else ''}" for word in map(_unaccent, words))


def _unaccent(word: str) -> str:
    """As `search_text` in the migration does, where FTS5 does it by itself."""
    return _ACCENT.sub("", unicodedata.normalize("NFKD", word))
