from __future__ import annotations

import pytest

from taskpilot.domain.caller import local
from taskpilot.domain.errors import Conflict, Invalid, NotFound
from taskpilot.domain.selection import Selection
from taskpilot.ops import history, projects, tags, tasks, workspaces


def test_saving_makes_then_changes_a_project(do):
    made = do(projects.save, "Home", colour="#FF0000", description="All at home")
    assert do(projects.save, "Home", colour="#ff0000") == made
    assert do(projects.save, "Home", rename="House").id == made.id
    assert [(p.name, p.colour) for p, _ in do(projects.list_all)] == [("House", "#ff0000")]


def test_a_renamed_project_keeps_its_tasks(do, add):
    task = add("A", project="Home")
    do(projects.save, "Home", rename="House")
    assert do(tasks.get, task.id).project == "House"
    assert do(tasks.list_page, Selection(project="Home")).items == ()


def test_two_projects_cannot_share_a_name(do):
    do(projects.save, "Home")
    do(projects.save, "Work")
    with pytest.raises(Conflict, match="There is a project 'Home' already"):
        do(projects.save, "Work", rename="Home")


@pytest.mark.parametrize("colour", ["red", "#12345", "#gggggg"])
def test_a_colour_is_written_in_one_way(do, colour):
    with pytest.raises(Invalid, match="Colour cannot be"):
        do(projects.save, "Home", colour=colour)


def test_deleting_a_project_keeps_its_tasks(do, add):
    task = add("A", project="Home")
    assert do(projects.delete, "Home")[1] == 1
    assert do(tasks.get, task.id).project is None
    with pytest.raises(NotFound):
        do(projects.delete, "Home")
    assert add("B", project="Home").project_id != task.project_id


def test_a_project_is_named_by_its_name_or_its_number(do, add):
    made = do(projects.create, "Home", colour="#FF0000", description="All")
    assert (made.colour, made.description, made.version) == ("#ff0000", "All", 1)
    add("A", project="Home")
    assert do(projects.get, made.id) == do(projects.get, " Home") == (made, 1)
    assert do(projects.save, made.id, rename="House").id == made.id
    assert do(projects.delete, made.id)[1] == 1
    for ask in (projects.get, projects.delete, projects.save):
        with pytest.raises(NotFound):
            do(ask, made.id)
    with pytest.raises(NotFound):
        do(projects.get, "House")


def test_a_new_project_needs_a_name_of_its_own(do):
    do(projects.create, "Home")
    with pytest.raises(Conflict, match="There is a project 'Home' already"):
        do(projects.create, " Home ")


def test_a_change_on_an_old_view_is_refused(do):
    made = do(projects.create, "Home")
    do(projects.save, made.id, colour="#000000", version=1)
    with pytest.raises(Conflict, match="at version 2, not 1"):
        do(projects.save, made.id, colour="#111111", version=1)
    with pytest.raises(Conflict, match="at version 2, not 1"):
        do(projects.delete, made.id, version=1)


def test_a_project_that_was_made_or_deleted_by_number_is_taken_back_like_any_other(do, add):
    made = do(projects.create, "Home", colour="#ff0000")
    task = add("A", project="Home")
    do(projects.delete, made.id)
    do(history.undo)
    assert do(tasks.get, task.id).project_id == made.id
    assert do(projects.get, made.id)[0].colour == "#ff0000"


def test_open_tasks_are_counted(do, add):
    add("A", project="Home", tags=["x"])
    do(tasks.complete, add("B", project="Home", tags=["x"]).id)
    assert [count for _, count in do(projects.list_all)] == [1]
    assert do(tags.list_all) == [("x", 1)]


def test_a_tag_is_renamed_merged_and_removed_everywhere(do, add):
    one, two = add("A", tags=["x"]), add("B", tags=["x", "y"])
    assert do(tags.rename, "x", "y") == 2
    assert (do(tasks.get, one.id).tags, do(tasks.get, two.id).tags) == (("y",), ("y",))
    assert do(tags.delete, "y") == 2
    with pytest.raises(NotFound, match="No task has the tag"):
        do(tags.delete, "y")


def test_a_tag_keeps_its_number_when_it_gets_another_name(do, add):
    task, binned = add("A", tags=["x"]), add("B", tags=["x", "y"])
    do(tasks.delete, binned.id)
    tag, _ = do(tags.get, "x")
    assert do(tags.rename, tag.id, "y", merge=False) == 1  # only a task in the bin has the other name
    assert do(tags.get, tag.id) == do(tags.get, "y")
    assert do(tasks.get, task.id).tags == ("y",)
    do(history.undo, task_id=binned.id)
    assert do(tasks.get, binned.id).tags == ("y",)
    assert do(tags.get, tag.id)[1] == 2


def test_a_tag_made_by_itself_stays_without_tasks(do, add):
    made = do(tags.create, "+later")
    assert (made.name, made.kept) == ("later", True)
    assert do(tags.list_known) == [(made, 0)]
    assert do(tags.list_all) == []
    with pytest.raises(Conflict, match="already"):
        do(tags.create, "later")
    add("A", tags=["later"])
    assert do(tags.list_known) == [(made, 1)]
    assert do(tags.delete, made.id) == 1
    assert do(tags.list_known) == []
    with pytest.raises(NotFound, match=f"Tag {made.id} not found"):
        do(tags.get, made.id)
    assert do(tags.create, "later").id == made.id


def test_a_tag_onto_its_own_name_changes_nothing(do, add):
    task = add("A", tags=["x"])
    assert do(tags.rename, "x", "#x") == 0
    assert do(tasks.get, task.id) == task


def test_two_tags_become_one_only_if_asked(do, add):
    one, two = do(tags.create, "x"), do(tags.create, "y")
    task = add("A", tags=["x", "y"])
    with pytest.raises(Conflict, match="merge"):
        do(tags.rename, one.id, "y", merge=False)
    assert do(tasks.get, task.id) == task
    assert do(tags.rename, one.id, "y") == 1
    assert do(tags.list_known) == [(two, 1)]


def test_taking_a_tag_off_is_undone_on_its_tasks(do, add):
    task = add("A", tags=["x"])
    for change in (lambda: do(tags.delete, "x"), lambda: do(tags.rename, "x", "y")):
        change()
        do(history.undo)
        assert do(tasks.get, task.id).tags == ("x",)
        assert [(tag.name, number) for tag, number in do(tags.list_known)] == [("x", 1)]
    do(history.undo, event_id=do(history.list_page).items[0].id)
    assert do(tasks.get, task.id).tags == ("y",)


def test_a_folder_is_one_workspace_however_it_is_spelt(do, add):
    first = do(workspaces.open_folder, "/srv/app")
    assert do(workspaces.open_folder, "/srv/x/../app/") == first
    assert first.name == "app"
    assert add("A", workspace="/srv/app").workspace == first.id
    assert [(w.path, count) for w, count in do(workspaces.list_all)] == [("/srv/app", 1)]


def test_a_workspace_needs_an_absolute_path(do):
    with pytest.raises(Invalid, match="not an absolute path"):
        do(workspaces.open_folder, "app")


def test_a_stranger_sees_none_of_it(app, add, stranger):
    task = add("A", project="Home", tags=["x"], workspace="/srv/app")
    assert app.run(stranger, projects.list_all) == []
    assert app.run(stranger, tags.list_all) == []
    assert app.run(stranger, workspaces.list_all) == []
    with pytest.raises(NotFound):
        app.run(stranger, tasks.create, [{"title": "x", "workspace": task.workspace}])
    with pytest.raises(NotFound):
        app.run(stranger, tags.rename, "x", "y")
    tag = app.run(local("cli"), tags.get, "x")[0]
    for ask in (tags.get, tags.delete, projects.get, projects.delete, projects.save):
        with pytest.raises(NotFound):
            app.run(stranger, ask, tag.id if ask in (tags.get, tags.delete) else task.project_id)
    with pytest.raises(NotFound):
        app.run(stranger, tags.rename, tag.id, "y")
