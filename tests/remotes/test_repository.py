from __future__ import annotations

import pytest

from taskpilot.remotes.repository import find_branch, find_repository
from tests.remotes.test_connection import git_folder

API = "https://api.github.com"


@pytest.mark.parametrize(
    "url",
    [
        "git@github.com:acme/site.git",
        "git@github.com:acme/site",
        "https://github.com/acme/site.git",
        "https://token@github.com/acme/site/",
        "ssh://git@github.com/acme/site.git",
        "ssh://git@ssh.github.com:443/acme/site.git",
        "github.com:acme/site.git",
    ],
)
def test_every_way_to_write_a_repository(tmp_path, url):
    git_folder(tmp_path, url)
    assert find_repository(str(tmp_path), API) == "acme/site"


def test_a_repository_elsewhere_is_not_on_github(tmp_path):
    git_folder(tmp_path, "https://gitlab.com/acme/site.git")
    assert find_repository(str(tmp_path), API) == "me/fork"
    assert find_repository(str(tmp_path), "https://git.example/api/v3") == "acme/site"


def test_a_worktree_finds_its_way(tmp_path):
    main, tree = tmp_path / "main", tmp_path / "tree"
    main.mkdir()
    tree.mkdir()
    git_folder(main, "git@github.com:acme/site.git")
    inner = main / ".git" / "worktrees" / "tree"
    inner.mkdir(parents=True)
    (inner / "commondir").write_text("../..\n")
    (inner / "HEAD").write_text("ref: refs/heads/walls\n")
    (tree / ".git").write_text(f"gitdir: {inner}\n")
    assert find_repository(str(tree), API) == "acme/site"
    assert find_branch(str(tree)) == "walls"


@pytest.mark.parametrize("config", [b"", b"\xff\xfe garbage", b"[remote", b'[remote "origin"]\n\turl\n', b"a = b\n"])
def test_broken_or_missing_files_say_nothing(tmp_path, config):
    assert find_repository(str(tmp_path), API) == ""
    assert find_branch(str(tmp_path)) == ""
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "config").write_bytes(config)
    (tmp_path / ".git" / "HEAD").write_text("0123456789abcdef\n")
    assert find_repository(str(tmp_path), API) == ""
    assert find_branch(str(tmp_path)) == ""


def test_the_branch_that_is_checked_out(tmp_path):
    git_folder(tmp_path, "x", head="feature/thick-walls")
    assert find_branch(str(tmp_path)) == "feature/thick-walls"
