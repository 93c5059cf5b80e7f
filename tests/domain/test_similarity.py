from __future__ import annotations

import pytest

from taskpilot.domain.similarity import ALIKE, compare, make_key


@pytest.mark.parametrize(
    "other", ["fix the login bug", "Fix  the login-bug!", "FIX THE LOGIN BUG.", "«Fix the login bug»"]
)
def test_case_blanks_and_punctuation_make_no_difference(other):
    assert make_key("Fix the login bug") == make_key(other)


def test_letters_of_every_script_count():
    assert make_key("Straße") == make_key("STRASSE")
    assert make_key("買い物 リスト") == "買い物リスト"
    assert make_key("🎉 !!") == ""


@pytest.mark.parametrize(
    ("one", "other"),
    [("Fix the login bug", "Fix login bug"), ("Write quarterly report", "Write the quarterly report")],
)
def test_nearly_the_same_is_alike(one, other):
    assert compare(make_key(one), make_key(other)) >= ALIKE


@pytest.mark.parametrize(
    ("one", "other"),
    [("Fix the login bug", "Write the quarterly report"), ("Task 1", "Task 2"), ("Buy milk", "Buy silk"), ("", "x")],
)
def test_what_differs_is_not(one, other):
    assert compare(make_key(one), make_key(other)) < ALIKE


def test_likeness_has_no_direction_and_ends_at_one():
    one, other = make_key("Paint the walls"), make_key("Paint all the walls")
    assert compare(one, other) == compare(other, one) < 1 == compare(one, one)
