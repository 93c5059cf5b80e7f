from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from taskpilot.agents.repository import changes, records, repositories
from taskpilot.agents.repository.worktrees import Worktrees
from taskpilot.domain.errors import Conflict, DiskFull, Invalid, NotFound, Unavailable
from tests.agents.repo import add_remote, allow, commit, make, picture, sh, write


@pytest.fixture
def repository(tmp_path):
    return make(tmp_path / "shop")


@pytest.fixture
def worktrees(tmp_path):
    return Worktrees(tmp_path / "data" / "worktrees")


@pytest.fixture
def prepare(worktrees, repository):
    def prepare(run=1, branch="task/1-x", **more):
        return worktrees.prepare(**{"run": run, "repository": repository, "branch": branch, **more})

    return prepare


def leave(worktrees):
    return [path.name for path in worktrees.root.rglob("*")] if worktrees.root.exists() else []


# Making one


def test_a_worktree_is_made_on_a_new_branch_from_what_is_checked_out(prepare, repository):
    made = prepare()
    assert (made.branch, made.base, made.base_commit) == ("task/1-x", "main", sh(repository, "rev-parse", "main"))
    assert (made.path / "a.txt").read_text() == "one\ntwo\nthree\n"
    assert made.path.name == "shop"
    assert sh(made.path, "status", "--porcelain", "--branch") == "## task/1-x"
    assert made.git_dir == repository / ".git"


def test_the_users_dirty_tree_is_not_touched(prepare, repository):
    write(repository, {"a.txt": "mine\n", "notes": "untracked", "staged": "x"})
    sh(repository, "add", "staged")
    before = picture(repository)
    made = prepare()
    assert (made.path / "a.txt").read_text() == "one\ntwo\nthree\n"
    assert not (made.path / "notes").exists()
    after = picture(repository)
    assert {name: after[name] for name in ("files", "head", "status", "index", "stash")} == {
        name: before[name] for name in ("files", "head", "status", "index", "stash")
    }


def test_preparing_again_gives_the_same_one_as_it_is(prepare):
    made = prepare()
    write(made.path, {"a.txt": "changed\n"})
    assert prepare() == made
    assert (made.path / "a.txt").read_text() == "changed\n"


def test_another_process_finds_it(prepare, worktrees):
    made = prepare()
    code = (
        "import sys; from pathlib import Path; from taskpilot.agents.repository.worktrees import Worktrees\n"
        "print(Worktrees(Path(sys.argv[1])).find(1).path)"
    )
    said = subprocess.run(
        [sys.executable, "-c", code, str(worktrees.root)], capture_output=True, text=True, check=True
    ).stdout
    assert said.strip() == str(made.path)
    assert Worktrees(worktrees.root).find(1) == made
    assert worktrees.find(2) is None


def test_a_base_can_be_chosen(prepare, repository):
    sh(repository, "checkout", "-q", "-b", "next")
    tip = commit(repository, {"b.txt": "b"})
    sh(repository, "checkout", "-q", "main")
    made = prepare(base="next")
    assert (made.base, made.base_commit) == ("next", tip)
    assert (made.path / "b.txt").exists()


def test_a_base_that_only_the_remote_has_is_found_there(prepare, repository):
    add_remote(repository)
    sh(repository, "push", "-q", "origin", "main:release")
    sh(repository, "fetch", "-q", "origin")
    assert prepare(base="release").base == "origin/release"


@pytest.mark.parametrize("base", ["nothing", "--all", "a b", "HEAD~99"])
def test_a_base_that_is_not_there_is_said(prepare, worktrees, base):
    with pytest.raises(NotFound, match=r"There is no branch, tag or commit .*Choose another base: main\."):
        prepare(base=base)
    assert leave(worktrees) == []


def test_a_detached_head_is_a_base_too(prepare, repository):
    tip = sh(repository, "rev-parse", "HEAD")
    sh(repository, "checkout", "-q", "--detach")
    assert prepare().base == tip


def test_a_bare_repository_is_a_fine_source(worktrees, repository, tmp_path):
    bare = add_remote(repository)
    for run in (1, 2):
        made = worktrees.prepare(run=run, repository=bare, branch=f"task/{run}", copies=[".env"])
        assert (made.path / "a.txt").exists()
        write(made.path, {"new": "x"})
        worktrees.commit(made, "New", allow)
        assert sh(bare, "show", f"task/{run}:new") == "x"
    assert sh(bare, "rev-parse", "--is-bare-repository") == "true"
    assert [kept.dirty for kept in worktrees.list_all()] == [False, False]


def test_a_folder_inside_the_repository_will_do(prepare, repository):
    (repository / "sub").mkdir()
    assert prepare(repository=repository / "sub").repository == repository


def test_a_repository_without_a_commit_is_said(worktrees, tmp_path):
    (tmp_path / "new").mkdir()
    sh(tmp_path / "new", "init", "-q")
    with pytest.raises(Conflict, match=r"has no commit yet\. Make a first commit"):
        worktrees.prepare(run=1, repository=tmp_path / "new", branch="x")
    assert leave(worktrees) == []


def test_a_folder_that_is_no_repository_or_is_away_is_said(worktrees, tmp_path):
    with pytest.raises(NotFound, match="is not a git repository"):
        worktrees.prepare(run=1, repository=tmp_path, branch="x")
    with pytest.raises(NotFound, match="There is no folder"):
        worktrees.prepare(run=1, repository=tmp_path / "away", branch="x")
    assert leave(worktrees) == []


@pytest.mark.parametrize("branch", ["", "-x", "a b", "a..b", "x.lock", "@", "a\0b"[:1] + "~"])
def test_a_name_that_git_does_not_take_is_refused(prepare, worktrees, branch):
    with pytest.raises(Invalid, match="is not a branch name"):
        prepare(branch=branch)
    assert leave(worktrees) == []


# Branches that are there


def test_a_given_branch_that_exists_and_is_free_is_gone_on_with(prepare, repository):
    base = sh(repository, "rev-parse", "main")
    sh(repository, "checkout", "-q", "-b", "feature")
    tip = commit(repository, {"f.txt": "f"})
    sh(repository, "checkout", "-q", "main")
    commit(repository, {"later.txt": "l"})
    made = prepare(branch="feature")
    assert sh(made.path, "rev-parse", "HEAD") == tip
    assert made.base_commit == base


def test_a_given_branch_that_only_the_remote_has_is_gone_on_with(prepare, repository):
    add_remote(repository)
    sh(repository, "checkout", "-q", "-b", "feature")
    tip = commit(repository, {"f.txt": "f"})
    sh(repository, "push", "-q", "origin", "feature")
    sh(repository, "checkout", "-q", "main")
    sh(repository, "branch", "-q", "-D", "feature")
    assert sh(prepare(branch="feature").path, "rev-parse", "HEAD") == tip


def test_a_given_branch_that_is_checked_out_is_a_conflict_that_names_where(prepare, repository, worktrees):
    with pytest.raises(Conflict) as caught:
        prepare(branch="main")
    assert caught.value.message == f"The branch main is checked out in {repository}."
    assert leave(worktrees) == []
    first = prepare(branch="feature")
    with pytest.raises(Conflict, match=f"checked out in {first.path}"):
        prepare(run=2, branch="feature")


def test_a_branch_without_common_history_is_a_conflict(prepare, repository):
    sh(repository, "checkout", "-q", "--orphan", "alien")
    commit(repository, {"z": "z"})
    sh(repository, "checkout", "-q", "main")
    with pytest.raises(Conflict, match="no history in common"):
        prepare(branch="alien")


def test_a_branch_made_from_the_task_gets_a_number_if_it_exists(prepare, repository):
    names = [prepare(run=run, branch="task/1-x", made=True).branch for run in (1, 2, 3)]
    assert names == ["task/1-x", "task/1-x-2", "task/1-x-3"]


def test_a_made_branch_gives_way_to_one_that_git_cannot_have_beside_it(prepare, repository):
    sh(repository, "branch", "task")
    assert prepare(branch="task/1-x", made=True).branch == "task-1-x"
    with pytest.raises(Conflict, match="cannot have the branch task/2 beside task"):
        prepare(run=2, branch="task/2")


# Copies


def test_ignored_and_untracked_files_are_copied_by_the_allowlist(prepare, repository):
    write(repository, {".env": "KEY=1", "config/dev.local": "d", "config/deep/x.local": "x", "other": "o"})
    os.chmod(repository / ".env", 0o640)
    made = prepare(copies=[".env", "config/*.local", "a.txt", "absent"])
    assert (made.path / ".env").read_text() == "KEY=1"
    assert stat.S_IMODE((made.path / ".env").stat().st_mode) == 0o640
    assert (made.path / "config/dev.local").exists()
    assert not (made.path / "config/deep").exists()
    assert not (made.path / "other").exists()


def test_a_tracked_file_is_never_copied_over_the_bases(prepare, repository):
    write(repository, {"a.txt": "mine, not committed"})
    assert (prepare(copies=["a.txt"]).path / "a.txt").read_text() == "one\ntwo\nthree\n"


def test_no_link_leads_a_copy_out(prepare, repository, tmp_path):
    write(tmp_path, {"secret": "s", "out/x.local": "s"})
    (repository / ".env").symlink_to(tmp_path / "secret")
    (repository / "config").symlink_to(tmp_path / "out")
    (repository / "git.local").symlink_to(repository / ".git" / "config")
    write(repository, {"real.local": "fine"})
    (repository / "in.local").symlink_to("real.local")
    made = prepare(copies=[".env", "config/*", "*.local"])
    assert not (made.path / ".env").exists()
    assert not (made.path / "config").exists()
    assert not (made.path / "git.local").exists()
    assert (made.path / "in.local").read_text() == "fine"


def test_no_link_in_the_worktree_leads_a_copy_out(prepare, repository, tmp_path):
    (tmp_path / "out").mkdir()
    sh(repository, "checkout", "-q", "-b", "linked")
    (repository / "config").symlink_to(tmp_path / "out")
    commit(repository, {})
    sh(repository, "checkout", "-q", "main")
    write(repository, {"config/x.local": "x"})
    prepare(base="linked", copies=["config/x.local"])
    assert list((tmp_path / "out").iterdir()) == []


@pytest.mark.parametrize("pattern", ["/etc/passwd", "../x", "a/../../x", ".git/config", "", "a\nb"])
def test_a_copy_from_elsewhere_is_refused(prepare, worktrees, pattern):
    with pytest.raises(Invalid, match="cannot be copied"):
        prepare(copies=[pattern])
    assert leave(worktrees) == []


def test_copied_files_are_committed_by_nobody(prepare, repository, worktrees):
    write(repository, {"plain.local": "secret", "odd [name] #1 ": "secret"})
    made = prepare(copies=["*.local", "odd*"])
    write(made.path, {"new.txt": "n"})
    sh(made.path, "add", "-A")
    assert sh(made.path, "diff", "--cached", "--name-only") == "new.txt"
    worktrees.commit(made, "New", allow)
    assert sh(made.path, "ls-tree", "--name-only", "HEAD").split() == [".gitignore", "a.txt", "new.txt"]
    assert worktrees.diff(made).files == ("new.txt",)
    assert "plain.local" in sh(repository, "status", "--porcelain")


# Committing


def test_what_was_left_is_committed_under_the_users_name_with_run_and_task(prepare, worktrees, repository):
    sh(repository, "config", "user.name", "Grace")
    sh(repository, "config", "user.email", "grace@example.org")
    made = prepare()
    write(made.path, {"new": "n"})
    (made.path / "a.txt").unlink()
    head = worktrees.commit(made, "# Add new\n\nBecause.", allow, task=42)
    assert head == sh(repository, "rev-parse", "task/1-x")
    assert sh(made.path, "log", "-1", "--format=%an <%ae>|%cn") == "Grace <grace@example.org>|Grace"
    assert sh(made.path, "log", "-1", "--format=%B") == "# Add new\n\nBecause.\n\nTaskPilot-Run: 1\nTaskPilot-Task: 42"
    assert sh(made.path, "status", "--porcelain") == ""


def test_without_a_name_taskpilot_commits(prepare, worktrees, monkeypatch):
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", "/dev/null")
    monkeypatch.setenv("GIT_AUTHOR_NAME", "Somebody")
    made = prepare()
    write(made.path, {"new": "n"})
    worktrees.commit(made, "", allow)
    assert sh(made.path, "log", "-1", "--format=%an <%ae>|%s") == "TaskPilot <taskpilot@localhost>|Work of run 1"


def test_nothing_to_commit_is_fine_and_asks_nobody(prepare, worktrees):
    def guard():
        raise AssertionError

    made = prepare()
    assert worktrees.commit(made, "x", guard) == made.base_commit


def test_what_the_guard_raises_stops_the_commit(prepare, worktrees):
    def guard():
        raise Conflict("Taken over.")

    made = prepare()
    write(made.path, {"new": "n"})
    with pytest.raises(Conflict, match="Taken over"):
        worktrees.commit(made, "x", guard)
    assert sh(made.path, "rev-parse", "HEAD") == made.base_commit
    assert (made.path / "new").exists()


def test_hooks_and_signatures_do_not_stop_our_commit(prepare, worktrees, repository):
    for name in ("pre-commit", "commit-msg", "post-commit", "prepare-commit-msg"):
        hook = repository / ".git" / "hooks" / name
        hook.parent.mkdir(exist_ok=True)
        hook.write_text("#!/bin/sh\ntouch ran\nexit 1\n")
        hook.chmod(0o755)
    sh(repository, "config", "commit.gpgSign", "true")
    sh(repository, "config", "gpg.program", "/bin/false")
    made = prepare()
    write(made.path, {"new": "n"})
    assert worktrees.commit(made, "x", allow) != made.base_commit
    assert not (made.path / "ran").exists()


def test_huge_files_are_left_and_named(prepare, worktrees):
    made = prepare()
    write(made.path, {"new": "n"})
    with (made.path / "huge.bin").open("wb") as file:
        file.truncate(changes.MOST_FILE + 1)
    worktrees.commit(made, "x", allow)
    assert sh(made.path, "show", "--name-only", "--format=") == "new"
    diff = worktrees.diff(made)
    assert (diff.files, diff.left) == (("new",), ("huge.bin",))
    assert worktrees.commit(made, "again", allow) == diff.commit


def test_submodules_do_not_break_it(prepare, worktrees, repository, tmp_path):
    library = make(tmp_path / "library")
    sh(repository, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(library), "lib")
    commit(repository, {})
    made = prepare()
    write(made.path, {"new": "n"})
    worktrees.commit(made, "x", allow)
    sh(made.path, "-c", "protocol.file.allow=always", "submodule", "update", "--init", "-q")
    write(made.path, {"lib/a.txt": "changed inside"})
    head = worktrees.commit(made, "x", allow)
    assert worktrees.diff(made).files == ("new",)
    commit(made.path / "lib", {"b": "b"})
    assert worktrees.commit(made, "x", allow) != head
    assert worktrees.diff(made).files == ("lib", "new")


def test_lfs_that_is_not_installed_does_not_break_it(worktrees, tmp_path):
    repository = make(tmp_path / "lfs", {".gitattributes": "*.bin filter=lfs diff=lfs -text\n", "x.bin": "pointer"})
    for name, value in (("process", "git-lfs filter-process"), ("clean", "git-lfs clean -- %f"), ("required", "true")):
        sh(repository, "config", f"filter.lfs.{name}", value)
    made = worktrees.prepare(run=1, repository=repository, branch="b")
    write(made.path, {"y": "y"})
    worktrees.commit(made, "x", allow)
    assert worktrees.diff(made).files == ("y",)


def test_repositories_inside_are_left_and_named(prepare, worktrees):
    made = prepare()
    make(made.path / "clone")
    (made.path / "unborn").mkdir()
    sh(made.path / "unborn", "init", "-q")
    write(made.path, {"new": "n"})
    worktrees.commit(made, "x", allow)
    diff = worktrees.diff(made)
    assert diff.files == ("new",)
    assert diff.left == ("clone/", "unborn/")


def test_commits_of_the_agent_stay_and_lead_on(prepare, worktrees):
    made = prepare()
    commit(made.path, {"one": "1"})
    write(made.path, {"two": "2"})
    worktrees.commit(made, "x", allow)
    assert sh(made.path, "rev-list", "--count", f"{made.base_commit}..task/1-x") == "2"


def test_an_agent_that_went_to_a_branch_of_its_own_is_brought_back(prepare, worktrees, repository):
    made = prepare()
    sh(made.path, "checkout", "-q", "-b", "its-own")
    theirs = commit(made.path, {"one": "1"})
    write(made.path, {"two": "2"})
    head = worktrees.commit(made, "x", allow)
    assert sh(made.path, "rev-parse", "--abbrev-ref", "HEAD") == "task/1-x"
    assert sh(repository, "rev-parse", "task/1-x", "its-own").split() == [head, theirs]


def test_an_agent_that_went_back_in_history_loses_nothing(prepare, worktrees, repository):
    made = prepare()
    tip = commit(made.path, {"one": "1"})
    sh(made.path, "checkout", "-q", made.base_commit)
    assert worktrees.commit(made, "x", allow) == tip
    write(made.path, {"two": "2"})
    with pytest.raises(Conflict, match="does not follow from there"):
        worktrees.commit(made, "x", allow)
    assert sh(repository, "rev-parse", "task/1-x") == tip
    assert (made.path / "two").exists()


def test_a_merge_left_in_conflict_is_said(prepare, worktrees, repository):
    made = prepare()
    commit(repository, {"a.txt": "theirs\n"})
    commit(made.path, {"a.txt": "ours\n"})
    subprocess.run(["git", "merge", "-q", "main"], cwd=made.path, capture_output=True, check=False)
    with pytest.raises(Conflict, match=r"unfinished, with conflicts in a\.txt"):
        worktrees.commit(made, "x", allow)


def test_a_lock_that_a_killed_git_left_is_taken_away(prepare, worktrees):
    made = prepare()
    (made.own_dir / "index.lock").touch()
    write(made.path, {"new": "n"})
    worktrees.commit(made, "x", allow)
    assert worktrees.diff(made).files == ("new",)


def test_what_an_agent_writes_into_its_git_files_leads_us_nowhere(prepare, worktrees, repository, tmp_path):
    """The worktree and the git directory are open to an agent in its sandbox; our own git is outside of it."""
    made = prepare()
    evil = make(tmp_path / "evil")
    proof = tmp_path / "proof"
    sh(evil, "config", "filter.x.clean", f"touch {proof}")
    sh(evil, "config", "core.fsmonitor", f"touch {proof}")
    write(made.path, {".git": f"gitdir: {evil}/.git\n", ".gitattributes": "* filter=x\n", "new": "n"})
    write(made.own_dir, {"config.worktree": f'[filter "x"]\n\tclean = touch {proof}\n', "commondir": f"{evil}/.git\n"})
    head = worktrees.commit(made, "x", allow)
    worktrees.diff(made)
    assert sh(repository, "rev-parse", "task/1-x") == head
    assert not proof.exists()


# Comparing


def test_a_diff_has_commits_changes_renames_binaries_and_untracked_files(prepare, worktrees, repository):
    commit(repository, {"old.txt": "".join(f"line {n}\n" for n in range(50)), "gone": "g\n"})
    made = prepare()
    commit(made.path, {"committed": "1\n"})
    (made.path / "old.txt").rename(made.path / "renamed.txt")
    (made.path / "gone").unlink()
    write(made.path, {"a.txt": "one\n2\nthree\n", "untracked": "u\nv\n", "image.png": b"\x89PNG\0\0\xff", "ü": "ü\n"})
    index = (made.own_dir / "index").read_bytes()
    diff = worktrees.diff(made)
    assert sorted(diff.files) == ["a.txt", "committed", "gone", "image.png", "renamed.txt", "untracked", "ü"]
    assert (diff.added, diff.removed) == (5, 2)
    assert "rename from old.txt\nrename to renamed.txt" in diff.patch
    assert "Binary files /dev/null and b/image.png differ" in diff.patch
    assert "+u\n+v\n" in diff.patch
    assert diff.commit == sh(made.path, "rev-parse", "HEAD")
    assert (made.own_dir / "index").read_bytes() == index


def test_a_long_patch_is_cut_and_says_so(prepare, worktrees):
    made = prepare()
    write(made.path, {"long": "0123456789\n" * 200_000})
    diff = worktrees.diff(made)
    assert len(diff.patch) < changes.MOST_PATCH + 200
    assert diff.patch.endswith("the rest is in the branch task/1-x.]\n")
    assert diff.added == 200_000


def test_a_diff_can_always_be_stored(prepare, worktrees):
    made = prepare()
    write(made.path, {"late-nul": "x\n" * 8000 + "a\0b\n", "latin": b"caf\xe9\n"})
    (made.path / "caf\udce9").touch()
    diff = worktrees.diff(made)
    json.dumps([diff.patch, diff.files]).encode()
    "".join([diff.patch, *diff.files]).encode()
    assert "\0" not in diff.patch
    assert "caf\ufffd" in diff.files


def test_no_program_of_the_repository_is_run_for_a_diff(prepare, worktrees, repository, tmp_path):
    sh(repository, "config", "diff.external", f"touch {tmp_path}/ran")
    sh(repository, "config", "diff.t.textconv", f"touch {tmp_path}/ran")
    made = prepare()
    write(made.path, {".gitattributes": "* diff=t\n", "a.txt": "x"})
    worktrees.diff(made)
    assert not (tmp_path / "ran").exists()


# Holding


def test_a_worktree_is_held_by_one_at_a_time(prepare, worktrees):
    made = prepare()
    with worktrees.hold(made):
        with pytest.raises(Conflict, match="in use by another process"), Worktrees(worktrees.root).hold(made):
            pass
        assert worktrees.list_all()[0].live
        with pytest.raises(Conflict, match="in use"):
            worktrees.remove(1)
    with worktrees.hold(made):
        pass
    assert not worktrees.list_all()[0].live


def test_a_process_that_dies_holds_nothing(prepare, worktrees):
    made = prepare()
    code = (
        "import os, sys; from pathlib import Path; from taskpilot.agents.repository.worktrees import Worktrees\n"
        "all = Worktrees(Path(sys.argv[1]))\n"
        "with all.hold(all.find(1)):\n    print('held', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(worktrees.root)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout.readline() == "held\n"
        with pytest.raises(Conflict), worktrees.hold(made):
            pass
        child.kill()
    with worktrees.hold(made):
        pass


# Many at once, and things going wrong


def test_eight_at_once_in_one_repository(worktrees, repository):
    def prepare(run):
        made = worktrees.prepare(run=run, repository=repository, branch="task/1-x", made=True)
        write(made.path, {f"file-{run}": "x"})
        return made, worktrees.commit(made, f"Run {run}", allow)

    with ThreadPoolExecutor(8) as pool:
        done = list(pool.map(prepare, range(1, 9)))
    assert {made.branch for made, _ in done} == {"task/1-x", *(f"task/1-x-{n}" for n in range(2, 9))}
    assert all(sh(repository, "rev-parse", made.branch) == head for made, head in done)


def test_the_same_run_prepared_by_eight_is_made_once(worktrees, repository):
    with ThreadPoolExecutor(8) as pool:
        done = list(
            pool.map(lambda _: worktrees.prepare(run=7, repository=repository, branch="task/1-x", made=True), range(8))
        )
    assert len(set(done)) == 1
    assert sh(repository, "branch", "--list", "task/*").split() == ["+", "task/1-x"]


def test_what_a_crash_left_half_made_is_cleared_away(prepare, worktrees, repository):
    made = prepare(made=True)
    records.update(made, ready=False)
    assert worktrees.find(1) is None
    assert prepare(made=True).branch == "task/1-x"
    assert sh(repository, "worktree", "list").count("\n") == 1


def test_a_worktree_that_someone_deleted_is_made_again_on_its_branch(prepare, worktrees, repository):
    made = prepare(made=True)
    tip = commit(made.path, {"one": "1"})
    subprocess.run(["rm", "-rf", str(made.path)], check=True)
    assert worktrees.find(1) is None
    again = prepare(made=True)
    assert (again.branch, again.base_commit) == (made.branch, made.base_commit)
    assert sh(again.path, "rev-parse", "HEAD") == tip


def test_a_damaged_record_is_not_believed(prepare, worktrees):
    made = prepare()
    (made.place / records.RECORD).write_text('{"worktree": 1}')
    assert worktrees.find(1) is None
    assert worktrees.list_all() == []


def test_a_full_disk_is_said_and_nothing_half_made_stays(repository, tmp_path):
    small = tmp_path / "small"
    small.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", small], capture_output=True, text=True, check=False
    )
    if mounted.returncode:
        pytest.skip(f"mounting a small file system is not permitted here: {mounted.stderr.strip()}")
    try:
        commit(repository, {"big.bin": os.urandom(3_000_000)})
        before = picture(repository)
        with pytest.raises(DiskFull, match=r"is full; nothing was changed\. Free some space"):
            Worktrees(small / "trees").prepare(run=1, repository=repository, branch="task/1-x")
        assert list((small / "trees").iterdir()) == []
        assert picture(repository) == before
    finally:
        subprocess.run(["umount", small], check=True)


def test_a_place_that_cannot_be_written_is_said(repository, tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(Unavailable, match="cannot be written"):
        Worktrees(tmp_path / "file").prepare(run=1, repository=repository, branch="x")


def test_sparse_settings_of_the_users_folder_are_kept_to_it(prepare, repository):
    commit(repository, {"big/x": "x", "small/y": "y"})
    sh(repository, "sparse-checkout", "set", "small")
    made = prepare()
    assert sh(made.path, "status", "--porcelain") == ""
    assert not (repository / "big").exists()
    assert repositories.open_at(repository).path == repository
