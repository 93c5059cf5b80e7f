from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taskpilot.domain.sequence import Circle, arrange


@given(st.lists(st.sets(st.integers(0, 11)), max_size=12))
def test_each_comes_after_what_it_needs_or_a_circle_is_named(drawn):
    needs = [{other for other in each if other < len(drawn)} for each in drawn]
    try:
        order = arrange(needs)
    except Circle as circle:
        assert all(
            after in needs[place]
            for place, after in zip(circle.places, [*circle.places[1:], circle.places[0]], strict=True)
        )
        return
    assert sorted(order) == list(range(len(needs)))
    assert all(order.index(other) < order.index(place) for place, each in enumerate(needs) for other in each)


def test_what_needs_nothing_stays_where_it_is():
    assert arrange([set(), set(), set()]) == [0, 1, 2]
    assert arrange([{2}, set(), set()]) == [1, 2, 0]


def test_what_needs_itself_is_a_circle():
    with pytest.raises(Circle):
        arrange([{0}])
