from __future__ import annotations

import subprocess
import time

import pytest

from taskpilot.agents.repository import git
from taskpilot.domain.errors import Conflict, DiskFull, NotFound, Unavailable
from tests.agents.repo import make


@pytest.fixture
def repository(tmp_path):
    return make(tmp_path / "shop")


def test_it_says_what_git_prints(repository):
    assert git.run("rev-parse", "--abbrev-ref", "HEAD", cwd=repository) == "main\n"


def test_an_inherited_git_directory_leads_nowhere(repository, tmp_path, monkeypatch):
    other = make(tmp_path / "other")
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", "/nowhere")
    monkeypatch.setenv("GIT_WORK_TREE", str(other))
    assert git.run("rev-parse", "--show-toplevel", cwd=repository).strip() == str(repository)
    assert git.run("status", "--porcelain", cwd=repository) == ""


def test_only_what_is_harmless_is_inherited():
    env = git.make_environment(
        {
            "PATH": "/bin",
            "GIT_DIR": "x",
            "GIT_SSH_COMMAND": "ssh -v",
            "EDITOR": "vi",
            "SSH_ASKPASS": "ask",
            "LANG": "de",
        }
    )
    assert (env["PATH"], env["GIT_SSH_COMMAND"], env["LC_ALL"], env["GIT_TERMINAL_PROMPT"]) == (
        "/bin",
        "ssh -v",
        "C",
        "0",
    )
    assert not {"GIT_DIR", "EDITOR", "SSH_ASKPASS"} & env.keys()


def test_no_editor_is_opened(repository, monkeypatch):
    monkeypatch.setenv("EDITOR", "sleep 60")
    monkeypatch.setenv("GIT_EDITOR", "sleep 60")
    git.run(
        "-c", "core.editor=sleep 60", "-c", "user.name=A", "-c", "user.email=a@b", "commit", "--amend", cwd=repository
    )


def test_nobody_is_asked_for_a_password(repository, monkeypatch):
    import http.server
    import threading

    class Closed(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(401)
            self.send_header("WWW-Authenticate", 'Basic realm="x"')
            self.end_headers()

        def log_message(self, *args):
            pass

    with http.server.HTTPServer(("127.0.0.1", 0), Closed) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            with pytest.raises(Conflict, match="terminal prompts disabled"):
                git.run("ls-remote", f"http://127.0.0.1:{server.server_port}/x.git", cwd=repository, timeout=20)
        finally:
            server.shutdown()
            thread.join()


def test_git_that_is_not_there_is_said(repository, monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(Unavailable, match=r"Git is not installed on this machine\. Install it"):
        git.run("status", cwd=repository)


def test_a_folder_that_is_not_there_is_said(tmp_path):
    with pytest.raises(NotFound, match="There is no folder"):
        git.run("status", cwd=tmp_path / "away")


def test_a_folder_without_a_repository_is_said(tmp_path):
    with pytest.raises(NotFound, match="is not a git repository"):
        git.run("status", cwd=tmp_path)


def test_an_error_has_gits_own_last_line_and_a_hint(repository):
    with pytest.raises(Conflict) as caught:
        git.run("checkout", "nothing-like-it", cwd=repository)
    assert caught.value.message == (
        "git checkout failed: pathspec 'nothing-like-it' did not match any file(s) known to git"
    )
    assert str(repository) in caught.value.hint


def test_advice_and_passwords_are_left_out_of_errors():
    said = "fatal: unable to access 'https://ada:secret@example.org/x.git'\nhint: do that\n"
    assert git.last_line(said) == "unable to access 'https://example.org/x.git'"


def test_a_full_disk_is_said(tmp_path):
    error = git.explain(["add"], tmp_path, "error: unable to write: No space left on device")
    assert isinstance(error, DiskFull)


def test_what_takes_too_long_is_ended_with_all_it_started(repository):
    begun = time.monotonic()
    with pytest.raises(Unavailable, match=r"took longer than 0\.5 s"):
        git.run("-c", "alias.wait=!sleep 61.25", "wait", cwd=repository, timeout=0.5)
    assert time.monotonic() - begun < 10
    assert subprocess.run(["pgrep", "-f", "sleep 61.2[5]"], capture_output=True, check=False).returncode == 1


def test_a_lock_of_another_git_is_waited_for(repository):
    import threading

    lock = repository / ".git" / "index.lock"
    lock.touch()
    threading.Timer(0.3, lock.unlink).start()
    (repository / "new").touch()
    git.run("add", "new", cwd=repository)
    assert git.run("diff", "--cached", "--name-only", cwd=repository) == "new\n"


def test_a_lock_that_stays_is_named(repository, monkeypatch):
    monkeypatch.setattr(git, "PATIENCE", 0.2)
    (repository / ".git" / "index.lock").touch()
    with pytest.raises(Unavailable, match=r"Another git is at work.*index\.lock"):
        git.run("add", ".", cwd=repository)


def test_names_that_are_not_utf8_survive_the_way_through(repository):
    (repository / "caf\udce9").touch()
    said = git.run("ls-files", "--others", "-z", cwd=repository)
    assert said == "caf\udce9\0"
    assert git.readable(said.rstrip("\0")) == "caf\ufffd"
    assert git.readable("a\0\ud800") == "a\ufffd?"
