from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taskpilot.domain.errors import Invalid
from taskpilot.domain.text import clean, clean_line, line, prose, shorten


def test_what_could_mislead_a_reader_is_gone():
    assert clean("a\u202eb\u200bc\x00d\ufeff\ud800e") == "abcde"


def test_joined_emoji_stay_whole():
    assert clean("👩\u200d💻") == "👩\u200d💻"


def test_a_line_has_no_line_ends():
    assert clean_line(" a\r\nb\tc\u2028d ") == "a b c d"


def test_long_text_keeps_its_lines():
    assert clean("a\r\nb\rc\n") == "a\nb\nc"


@given(st.text())
def test_cleaned_text_can_always_be_stored(text):
    assert "\x00" not in clean(text).encode().decode()
    assert clean(clean(text)) == clean(text)
    assert clean_line(clean_line(text)) == clean_line(text)


def test_an_empty_line_says_so():
    with pytest.raises(Invalid, match="Title cannot be empty"):
        line("  \u200b ", "Title", 500)


def test_lengths_count_after_cleaning():
    assert line(" " * 900 + "x" * 500, "Title", 500) == "x" * 500
    with pytest.raises(Invalid, match="501 characters long; at most 500 fit"):
        line("x" * 501, "Title", 500)
    with pytest.raises(Invalid, match="at most 3 fit"):
        prose("abcd", "Notes", 3)


def test_shortened_text_fits():
    assert shorten("abcdef", 4) == "abc…"
    assert shorten("abcd", 4) == "abcd"
