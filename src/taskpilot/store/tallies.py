"""How many tasks fit a selection, remembered until the owner's log grows."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Any
from weakref import WeakKeyDictionary

from taskpilot.domain.selection import Selection
from taskpilot.store.database import Connection

REMEMBERED = 200
"""Selections for each connection."""

Known = OrderedDict[tuple[int, Selection], tuple[Any, int]]
_KNOWN: WeakKeyDictionary[Connection, Known] = WeakKeyDictionary()


def tally(db: Connection, owner: int, selection: Selection, count: Callable[[], int]) -> int:
    """What `count` says, asked again only when something has changed: every change is an event of its owner.

    A connection that has written is not trusted with it: what it counted may be taken back.
    """
    last = db.one("SELECT id, at FROM event WHERE owner_id = :owner ORDER BY id DESC LIMIT 1", owner=owner)
    if db.changes or last is None:
        return count()
    mark = (last["id"], last["at"])
    known = _KNOWN.setdefault(db, OrderedDict())
    found = known.get((owner, selection))
    if found is not None and found[0] == mark:
        return found[1]
    number = count()
    known[owner, selection] = mark, number
    if len(known) > REMEMBERED:
        known.popitem(last=False)
    return number
