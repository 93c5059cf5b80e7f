from __future__ import annotations

from datetime import UTC, datetime

import pytest

from taskpilot.domain.errors import Invalid
from taskpilot.domain.fields import NAMES, check
from taskpilot.domain.task import FIELDS

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def test_every_broken_field_is_named_at_once():
    with pytest.raises(Invalid) as caught:
        check({"title": "", "priority": 9, "energy": "wild", "progress": True}, NOON)
    for word in ("Title", "Priority", "Energy", "Progress"):
        assert word in caught.value.message


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("value", [object(), {"a": 1}, 3.5, b"x", ["\ud800" * 2000]])
def test_a_value_of_the_wrong_type_is_invalid_for_every_field(name, value):
    if (name, value) == ("rank", 3.5):
        value = float("nan")
    with pytest.raises(Invalid):
        check({name: value}, NOON)


def test_an_unknown_field_is_refused_with_the_known_ones():
    with pytest.raises(Invalid, match="no field 'colour'") as caught:
        check({"colour": "red"}, NOON)
    assert "title" in caught.value.hint


@pytest.mark.parametrize("name", ["description", "notes", "project", "parent", "tags", "due_date", "recurrence"])
def test_none_clears(name):
    assert not check({name: None}, NOON)[name]


def test_every_field_that_can_be_said_is_kept_by_the_task():
    assert set(NAMES) <= set(FIELDS)
