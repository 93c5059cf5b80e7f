from __future__ import annotations

import pytest

from taskpilot.domain.errors import Conflict, Invalid, NotFound
from taskpilot.ops import tasks, workspaces


def test_a_folder_is_found_by_its_path_however_it_is_spelt(do):
    made = do(workspaces.open_folder, "/srv/a  b")
    assert made.path == "/srv/a  b"
    for spelling in ("/srv/a  b", " /srv/a  b/ ", "//srv/./a  b", "/srv/x/../a  b"):
        assert do(workspaces.find, spelling) == made
    with pytest.raises(NotFound, match="/srv/other is not a workspace yet"):
        do(workspaces.find, "/srv/other")


@pytest.mark.parametrize("path", ["app", "", "/srv/\x00", "/srv/a\nb", "/srv/\u202e", "/srv/\ud800", "/" + "x" * 1_000])
def test_a_path_that_is_none_is_refused_not_changed(do, path):
    for op in (workspaces.open_folder, workspaces.find):
        with pytest.raises(Invalid):
            do(op, path)
    assert do(workspaces.list_all) == []


def test_a_long_folder_name_is_shortened_for_the_workspace(do):
    made = do(workspaces.open_folder, "/srv/" + "n" * 200)
    assert len(made.name) == 100


def test_an_outline_counts_and_lists(do, add):
    here = do(workspaces.open_folder, "/srv/app").id
    for number in range(5):
        add(f"T{number}", workspace=here, priority=number + 1)
    add("Elsewhere", workspace="/srv/other")
    do(tasks.complete, 1)
    do(tasks.update, 2, {"status": "dropped"})
    found = do(workspaces.outline, here, most=2)
    assert (found.total, found.kept, found.left, found.completed, found.completion_rate) == (5, 4, 3, 1, 25.0)
    assert [task.id for task in found.open] == [5, 4]
    sheet = do(workspaces.list_lines, here, most=2, most_done=5)
    assert [line.id for line in sheet.open] == [5, 4]
    assert [line.id for line in sheet.done] == [1]
    assert (sheet.left, sheet.completed) == (3, 1)
    assert sum(found.by_priority.values()) == 3


def test_an_empty_workspace_has_an_outline(do):
    found = do(workspaces.outline, do(workspaces.open_folder, "/srv/app").id)
    assert (found.total, found.completion_rate, found.open, found.session) == (0, 0.0, (), None)


def test_files_are_listed_with_their_tasks(do, add):
    here = do(workspaces.open_folder, "/srv/app").id
    add("A", workspace=here, connected_files=["b.py", "a.py"])
    add("B", workspace=here, connected_files=["b.py"], status="done")
    add("C", workspace=here, connected_files=["c.py"], status="dropped")
    assert do(workspaces.list_files, here) == {"a.py": [1], "b.py": [1, 2]}


def test_events_of_a_workspace_are_its_own(do, add):
    add("A", workspace="/srv/app")
    add("B", workspace="/srv/other")
    add("C")
    do(tasks.update, 1, {"workspace": None})
    kinds = [(event.kind, event.subject) for event in do(workspaces.list_events, 1)]
    assert kinds == [("task.created", 1), ("workspace.created", 1)]
    assert [event.subject for event in do(workspaces.list_events, 2, limit=1)] == [2]


def test_another_name_leaves_the_folder(do):
    made = do(workspaces.open_folder, "/srv/app")
    renamed = do(workspaces.rename, made.id, " Shop ", version=1)
    assert (renamed.name, renamed.path, renamed.version) == ("Shop", "/srv/app", 2)
    assert do(workspaces.get, made.id) == renamed == do(workspaces.rename, made.id, "Shop")
    with pytest.raises(Conflict, match="at version 2, not 1"):
        do(workspaces.rename, made.id, "Else", version=1)
    assert [event.kind for event in do(workspaces.list_events, made.id)] == ["workspace.renamed", "workspace.created"]


def test_a_folder_without_a_name_of_its_own_is_called_by_its_path(do):
    assert do(workspaces.open_folder, "/").name == "/"
    assert len(do(workspaces.open_folder, "/" + "x" * 200 + "/ /").name) == 100


def test_nobody_has_a_current_workspace_at_first(do, add):
    add("Loose")
    assert do(workspaces.find_current) is None


def test_a_stranger_sees_none_of_it(app, do, stranger):
    here = do(workspaces.open_folder, "/srv/app").id
    for op in (workspaces.get, workspaces.outline, workspaces.list_files, workspaces.list_events):
        with pytest.raises(NotFound):
            app.run(stranger, op, here)
    with pytest.raises(NotFound):
        app.run(stranger, workspaces.list_lines, here, most=1, most_done=1)
    with pytest.raises(NotFound):
        app.run(stranger, workspaces.find, "/srv/app")
    with pytest.raises(NotFound):
        app.run(stranger, workspaces.rename, here, "Mine")
    assert app.run(stranger, workspaces.find_current) is None
    assert app.run(stranger, workspaces.open_folder, "/srv/app").id != here
