from __future__ import annotations

import pytest

from taskpilot.domain.errors import Conflict, Invalid, NotFound
from taskpilot.domain.selection import Selection
from taskpilot.ops import projects, tags, tasks, workspaces


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
