from __future__ import annotations

import pytest

from taskpilot.domain.errors import Invalid
from taskpilot.domain.selection import Selection
from taskpilot.ops import search, tasks


def ids(found):
    return [task.id for task in found.tasks]


def test_every_word_must_occur_in_some_form(do, add):
    both = add("Fix authentication", notes="login page")
    add("Fix plumbing")
    assert ids(do(search.find, "auth login")) == [both.id]


def test_done_tasks_are_found_unless_left_out(do, add):
    task = add("Roof")
    do(tasks.complete, task.id)
    assert ids(do(search.find, "roof")) == [task.id]
    assert ids(do(search.find, "roof", selection=Selection())) == []


def test_deleted_tasks_are_not_found(do, add):
    do(tasks.delete, add("Roof").id)
    assert ids(do(search.find, "roof")) == []


def test_a_changed_title_is_found_by_its_new_words_only(do, add):
    task = add("Roof")
    do(tasks.update, task.id, {"title": "Cellar"})
    assert ids(do(search.find, "roof")) == []
    assert ids(do(search.find, "cellar")) == [task.id]


@pytest.mark.parametrize("query", ["", "   ", "x" * 501])
def test_a_query_must_have_a_sensible_length(do, query):
    with pytest.raises(Invalid, match="query"):
        do(search.find, query)


def test_a_strangers_tasks_are_not_found(app, add, stranger):
    add("Roof")
    assert ids(app.run(stranger, search.find, "roof")) == []
