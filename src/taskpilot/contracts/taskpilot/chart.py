"""A picture of how a workspace stands: a column for each status, and below them the whole in one bar.

Drawn by hand as an indexed PNG: a kilobyte, and no library for it.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Mapping

from taskpilot.domain.task import Status

WIDTH, HEIGHT = 360, 200
MARGIN = 16
BAR = 14
GAP = 12
LEAST = 3
"""A column that stands for anything at all can be seen."""

PAPER, LINE = (255, 255, 255), (209, 213, 219)
COLOURS: dict[Status, tuple[int, int, int]] = {
    Status.BACKLOG: (148, 163, 184),
    Status.TODO: (96, 165, 250),
    Status.IN_PROGRESS: (245, 158, 11),
    Status.BLOCKED: (239, 68, 68),
    Status.REVIEW: (168, 85, 247),
    Status.DONE: (34, 197, 94),
    Status.DROPPED: (75, 85, 99),
}
PALETTE = [PAPER, LINE, *COLOURS.values()]


def draw(counts: Mapping[Status, int]) -> bytes:
    """The chart as a PNG, or nothing worth drawing: an empty sheet."""
    rows = [bytearray(WIDTH) for _ in range(HEIGHT)]
    floor = HEIGHT - MARGIN - BAR - GAP
    _fill(rows, MARGIN, floor, WIDTH - MARGIN, floor + 1, LINE)
    total, most = sum(counts.values()), max(counts.values(), default=0)
    step = (WIDTH - 2 * MARGIN + GAP) / len(COLOURS)
    left = float(MARGIN)
    for place, (status, colour) in enumerate(COLOURS.items()):
        number = counts.get(status, 0)
        if not number:
            continue
        tall = max(LEAST, round((floor - MARGIN) * number / most))
        column = MARGIN + round(place * step)
        _fill(rows, column, floor - tall, column + round(step) - GAP, floor, colour)
        right = left + (WIDTH - 2 * MARGIN) * number / total
        _fill(rows, round(left), HEIGHT - MARGIN - BAR, round(right), HEIGHT - MARGIN, colour)
        left = right
    return _encode(rows)


def _fill(rows: list[bytearray], left: int, top: int, right: int, bottom: int, colour: tuple[int, int, int]) -> None:
    for row in rows[top:bottom]:
        row[left:right] = bytes([PALETTE.index(colour)]) * (right - left)


def _encode(rows: list[bytearray]) -> bytes:
    header = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 3, 0, 0, 0)
    pixels = zlib.compress(b"".join(b"\0" + row for row in rows))
    colours = b"".join(bytes(colour) for colour in PALETTE)
    parts = ((b"IHDR", header), (b"PLTE", colours), (b"IDAT", pixels), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in parts)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
