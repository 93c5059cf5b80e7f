from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taskpilot.domain.errors import Conflict
from taskpilot.domain.links import forbid_cycle


@given(st.lists(st.tuples(st.integers(1, 8), st.integers(1, 8)), max_size=40))
def test_no_sequence_of_links_makes_a_circle(wanted):
    graph: dict[int, set[int]] = {}
    for task, blocker in wanted:
        try:
            forbid_cycle(task, [blocker], lambda ids: {n for i in ids for n in graph.get(i, ())}, "wait on")
        except Conflict:
            continue
        graph.setdefault(task, set()).add(blocker)
    for start in graph:
        seen, todo = set(), list(graph[start])
        while todo:
            node = todo.pop()
            assert node != start
            if node not in seen:
                seen.add(node)
                todo.extend(graph.get(node, ()))


def test_a_task_cannot_wait_on_itself():
    with pytest.raises(Conflict, match="Task 1 would wait on itself"):
        forbid_cycle(1, [1], lambda _: [], "wait on")
