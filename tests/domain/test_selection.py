from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taskpilot.domain.errors import Invalid
from taskpilot.domain.selection import limit, read_cursor, write_cursor


@given(st.lists(st.integers() | st.text(), min_size=1, max_size=3))
def test_a_cursor_is_read_back_as_written(key):
    assert read_cursor(write_cursor("due", key), "due", len(key)) == key


@pytest.mark.parametrize("cursor", ["", "x", "WzFd", "é", write_cursor("due", [1, 2]), write_cursor("newest", [1])])
def test_a_foreign_cursor_is_refused(cursor):
    with pytest.raises(Invalid, match="does not belong"):
        read_cursor(cursor, "newest", 2)


@pytest.mark.parametrize("given", [0, -1, 1001])
def test_a_limit_out_of_range_is_refused_not_clamped(given):
    with pytest.raises(Invalid, match=f"limit cannot be {given}"):
        limit(given)
