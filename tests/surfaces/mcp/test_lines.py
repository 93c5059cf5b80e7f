from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taskpilot.surfaces.mcp.lines import split_lines

pytestmark = pytest.mark.anyio


def read_from(chunks):
    left = [*chunks, b""]

    async def read() -> bytes:
        return left.pop(0)

    return read


async def collect(chunks, longest=1000):
    return [line async for line in split_lines(read_from(chunks), longest)]


@given(
    text=st.lists(st.binary().map(lambda raw: raw.replace(b"\n", b"")), max_size=8),
    cuts=st.lists(st.integers(0, 60), max_size=8),
)
async def test_lines_are_the_same_however_the_bytes_arrive(text, cuts):
    whole = b"".join(line + b"\n" for line in text)
    edges = sorted({0, *(cut for cut in cuts if cut < len(whole)), len(whole)})
    chunks = [whole[start:end] for start, end in pairwise(edges)]
    assert await collect(chunks) == text


async def test_a_last_line_needs_no_end():
    assert await collect([b"one\ntw", b"o"]) == [b"one", b"two"]


async def test_a_line_that_is_too_long_is_reported_once_and_the_next_one_is_read():
    assert await collect([b"short\n", b"x" * 600, b"x" * 600, b"x" * 600, b"x\nnext\n"]) == [b"short", None, b"next"]
    assert await collect([b"x" * 2000]) == [None]
