from __future__ import annotations

import json

import pytest

from taskpilot.domain.errors import NotFound
from taskpilot.ops import duplicates, projects, tasks, transfer


@pytest.fixture
def alike(do):
    def alike(title, **fields):
        return [task.id for task in do(duplicates.find, [{"title": title, **fields}]).values()]

    return alike


@pytest.mark.parametrize("title", ["Fix the login bug", "fix  the LOGIN-bug!", "Fix the login bug."])
def test_the_same_title_up_to_case_blanks_and_punctuation_is_found_anywhere(alike, add, title):
    task = add("Fix the login bug", project="Shop")
    assert alike(title) == [task.id]
    assert alike(title, project="Elsewhere") == [task.id]


def test_a_nearly_equal_title_is_found_in_the_same_project_only(alike, add, do):
    task = add("Fix the login bug", project="Shop")
    assert alike("Fix login bug", project="Shop") == [task.id]
    assert alike("Fix login bug", project="  Shop ") == [task.id]
    assert alike("Fix login bug", project_id=task.project_id) == [task.id]
    assert alike("Fix login bug", project="Garden") == []
    assert alike("Fix login bug") == []
    assert alike("Paint the fence", project="Shop") == []
    assert do(projects.list_all)[0][0].name == "Shop"


def test_the_nearest_is_named_and_of_equals_the_oldest(alike, add):
    add("Write the yearly report", project="Work")
    near = add("Write the monthly report", project="Work")
    add("Write the monthly report", project="Work")
    assert alike("Write monthly report", project="Work") == [near.id]


def test_closed_and_deleted_and_other_peoples_tasks_are_no_duplicates(app, alike, add, do, stranger):
    do(tasks.complete, add("Fix the login bug").id)
    do(tasks.delete, add("Paint the fence").id)
    app.run(stranger, tasks.create, [{"title": "Mow the lawn", "project": "Shop"}])
    assert [alike(title) for title in ("Fix the login bug", "Paint the fence", "Mow the lawn")] == [[], [], []]
    theirs = app.run(stranger, projects.list_all)[0][0].id
    assert alike("Mow the lawns", project_id=theirs) == []


@pytest.mark.parametrize("title", ["", "🎉", "\0", "\ud800", "'; DROP TABLE task; --", "%", "x" * 5_000])
def test_odd_titles_and_projects_are_compared_like_any_other(alike, add, title):
    add("Fix the login bug", project="Shop")
    assert alike(title, project="Shop\0\ud800") == []
    assert alike(title, project_id=2**70) == []


def test_it_is_pointed_out_and_made_all_the_same_unless_only_new_ones_are_wanted(do, add):
    task = add("Buy milk")
    made = do(tasks.create, [{"title": "buy MILK"}, {"title": "Buy bread"}], compare=True)
    assert ({place: each.id for place, each in made.alike.items()}, len(made.tasks)) == ({0: task.id}, 2)
    new = do(tasks.create, [{"title": "BUY milk"}, {"title": "Buy honey"}], if_new=True)
    assert ([each.title for each in new.tasks], new.left_out) == (["Buy honey"], (0,))
    assert do(tasks.create, [{"title": "Buy milk"}]).alike == {}


def test_a_changed_title_is_compared_as_it_is_now(alike, add, do):
    task = add("Fix the login bug")
    do(tasks.update, task.id, {"title": "Paint the fence"})
    assert (alike("paint the fence"), alike("fix the login bug")) == ([task.id], [])


def test_imported_tasks_are_compared_too(alike, add, do):
    add("Fix the login bug")
    document = json.loads(b"".join(do(transfer.write_out)))
    do(tasks.delete, 1)
    do(transfer.take_in, transfer.read(document))
    assert alike("fix the login bug!") == [2]


def test_a_project_that_is_gone_holds_nothing(alike, add, do):
    add("Fix the login bug", project="Shop")
    do(projects.delete, "Shop")
    assert alike("Fix login bug", project="Shop") == []
    with pytest.raises(NotFound):
        do(tasks.create, [{"title": "x", "project_id": 999}], compare=True)
