"""Whose folders a server looks into: its own user's anywhere, other people's where it was told to."""

from __future__ import annotations

import pytest

from taskpilot.app import Errand
from taskpilot.contracts.native.workspace import workspace as native
from taskpilot.contracts.taskpilot import CONTRACT
from taskpilot.domain.caller import local
from taskpilot.domain.errors import Forbidden, Invalid
from taskpilot.domain.remote import Reach
from taskpilot.ops import tasks, workbench, workspaces
from taskpilot.settings import load
from taskpilot.store.vault import Vault

NOT_FOR_YOU = "This server does not look into that folder for you."


@pytest.fixture
def root(tmp_path):
    """A clone of a repository, with one file in it."""
    folder = tmp_path / "shop"
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "config").write_text('[remote "origin"]\n\turl = git@github.com:secret/name.git\n')
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/secret-branch\n")
    (folder / "there.py").touch()
    return folder


@pytest.fixture
def call(app, root, stranger):
    """Call a tool as somebody who came over the network."""

    def call(name, /, caller=stranger, path=str(root), **arguments):
        if name == "native":
            return native(Errand(app, caller), native.parse({"path": path, **arguments}))
        tool = CONTRACT.by_name[f"taskpilot_{name}"]
        return tool(Errand(app, caller), tool.parse({"workspace_path": path, **arguments}))

    return call


@pytest.fixture
def opened(app, root, stranger):
    """A task of theirs in a workspace of which only the path is known; one of its files is there."""
    made = app.run(stranger, workbench.set_up, str(root)).workspace
    files = {"title": "Till", "workspace": made.id, "connected_files": ["there.py", "gone.py"]}
    return app.run(stranger, tasks.create, [files]).tasks[0]


def files_in(root):
    return sorted(path.name for path in root.iterdir())


def test_nothing_is_written_into_a_folder_that_is_not_theirs(app, call, root, stranger):
    with pytest.raises(Forbidden, match="workspace_roots"):
        call("init")
    with pytest.raises(Forbidden):
        call("init", path=str(root.parent / "nowhere"))  # the same answer whether it is there or not
    assert app.run(stranger, workspaces.list_all) == []
    assert files_in(root) == [".git", "there.py"]


@pytest.mark.usefixtures("opened")
def test_work_goes_on_without_the_files(call, root):
    for name, arguments in {
        "start": {},
        "add": {"task_description": "Paint"},
        "rule_update": {"rule_type": "git", "rule_content": "x", "action": "add"},
    }.items():
        assert call(name, **arguments).data["note"] == f"The .task folder is not up to date: {NOT_FOR_YOU}"
    assert files_in(root) == [".git", "there.py"]


def test_nobody_learns_which_files_are_there(call, opened):
    focus = call("focus", task_id=str(opened.id)).data
    assert focus["files"] == [{"path": "there.py"}, {"path": "gone.py"}]
    assert "does not see the folder" in focus["note"]
    audit = call("audit", scope="files", fix_issues=True).data
    assert (audit["findings"], audit["fixes"]) == ([], [])
    assert call("native", action="focus", task_id=opened.id).data["missing"] == []
    assert call("native", action="audit", scope="files", fix=True).data["findings"] == []


@pytest.mark.usefixtures("opened")
def test_nobody_learns_where_a_clone_came_from_or_which_branch_it_is_on(app, call, tmp_path):
    app.vault = Vault(tmp_path / "secret.key")
    with pytest.raises(Invalid, match="GitHub needs repository"):
        call("github", action="sync_tasks")
    call("remote_interface", interface_type="github", action="configure", config='{"repository": "a/b", "token": "t"}')
    with pytest.raises(Forbidden, match=NOT_FOR_YOU):
        call("github", action="create_pr", title="x")


def test_a_folder_set_aside_is_open_to_everybody_and_its_neighbour_is_not(app, call, root, tmp_path):
    app.reach = Reach(roots=(str(root),))
    assert call("init").data["setup_complete"]
    assert ".task" in files_in(root)
    neighbour = tmp_path / "shopkeeper"
    neighbour.mkdir()
    for path in (neighbour, tmp_path, root / ".." / "shopkeeper"):
        with pytest.raises(Forbidden):
            call("init", path=str(path))


def test_a_link_leads_nowhere_else(app, call, root, tmp_path):
    (tmp_path / "hidden").mkdir()
    (root / "way-out").symlink_to(tmp_path / "hidden")
    (tmp_path / "way-in").symlink_to(root)
    app.reach = Reach(roots=(str(tmp_path / "way-in"),))
    with pytest.raises(Forbidden):
        call("init", path=str(root / "way-out"))
    assert call("init", path=str(tmp_path / "way-in")).data["setup_complete"]


def test_this_machines_user_goes_anywhere(call, root):
    mine = local("taskpilot")
    assert call("init", caller=mine).data["setup_complete"]
    assert call("native", caller=mine, action="audit").data["score"] == 100
    assert ".task" in files_in(root)


def test_the_setting_is_a_list_of_folders(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    given = {"TASKPILOT_CONFIG": str(tmp_path / "none"), "TASKPILOT_WORKSPACE_ROOTS": "/srv/work, ~/src/"}
    assert load(environment=given).reach.roots == ("/srv/work", str(tmp_path / "src"))
    assert load(environment={"TASKPILOT_CONFIG": str(tmp_path / "none")}).reach.roots == ()
