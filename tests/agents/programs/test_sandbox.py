"""The sandbox: what bwrap is told, always; what it then does, where it may run."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
import textwrap
import time
import uuid
from collections.abc import Callable
from pathlib import Path

import pytest

from taskpilot.agents.programs import sandbox, supervisor
from taskpilot.agents.programs.processes import Launch, launch
from taskpilot.agents.programs.sandbox import Sandbox, available, wrap
from taskpilot.agents.repository import records
from taskpilot.domain.errors import Unavailable

works = pytest.mark.skipif(not available(), reason="bwrap (package bubblewrap) is not installed, or not allowed here")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


@pytest.fixture
def inside(tmp_path: Path, home: Path) -> Sandbox:
    """A worktree of a real repository, in the data directory that is hidden from it."""
    repository, data = tmp_path / "repository", tmp_path / "data"
    worktree = data / "worktrees" / "run-1"
    data.mkdir()
    (data / "taskpilot.db").write_text("secret")
    git = ["git", "-c", "user.name=Ann", "-c", "user.email=ann@example.com"]
    for argv in (
        ["init", "-q", "-b", "main", str(repository)],
        ["-C", str(repository), "commit", "-q", "--allow-empty", "-m", "first"],
        ["-C", str(repository), "worktree", "add", "-q", "-b", "work", str(worktree)],
        ["-C", str(repository), "worktree", "add", "-q", "-b", "other", str(data / "worktrees" / "run-2")],
    ):
        subprocess.run([*git, *argv], check=True, capture_output=True)
    return Sandbox(worktree, repository / ".git", (home, tmp_path / "missing"), hidden=(data,))


@pytest.fixture
def bwrap(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A program of that name, so that the argv can be made anywhere."""
    program = tmp_path / "bin" / "bwrap"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    return program


def find_mounts(argv: tuple[str, ...]) -> dict[str, str]:
    """The last word on each path."""
    words = argv[: argv.index("--")]
    return {words[at + 1]: word for at, word in enumerate(words) if word in ("--bind", "--ro-bind", "--tmpfs")}


def test_the_host_is_read_only_and_the_worktree_is_not(bwrap, inside, home):
    argv = wrap(("/bin/echo", "--bind", "x y"), inside)
    assert argv[0] == str(bwrap)
    assert argv[-4:] == ("--", "/bin/echo", "--bind", "x y")
    assert {"--die-with-parent", "--unshare-pid", "--unshare-ipc"} <= set(argv)
    assert "--new-session" not in argv
    assert "--unshare-net" not in argv
    assert argv[argv.index("--cap-drop") + 1] == "ALL"
    assert argv[argv.index("--chdir") + 1] == str(inside.worktree)
    mounts = find_mounts(argv)
    own = inside.git_dir / "worktrees" / "run-1"
    assert mounts["/"] == "--ro-bind"
    assert mounts["/tmp"] == "--tmpfs"
    assert {path for path, how in mounts.items() if how == "--bind"} == {
        str(path) for path in (home, inside.worktree, inside.git_dir, own)
    }
    for path in ("config", "config.worktree", "hooks", "worktrees"):
        assert mounts[str(inside.git_dir / path)] == "--ro-bind"
    for path in ("config.worktree", "commondir", "gitdir"):
        assert mounts[str(own / path)] == "--ro-bind"
    assert mounts[str(inside.worktree / ".git")] == "--ro-bind"


def test_walls_come_before_the_doors_in_them(bwrap, inside):
    argv = wrap(("/bin/true",), inside)
    data = argv.index(str(inside.worktree.parents[1]))
    assert argv.index("/tmp") < data < argv.index(str(inside.worktree)) < argv.index(str(inside.worktree / ".git"))
    assert argv.index(str(inside.git_dir)) < argv.index(str(inside.git_dir / "hooks"))


def test_the_network_can_be_off(bwrap, inside):
    off = Sandbox(inside.worktree, inside.git_dir, network=False)
    assert "--unshare-net" in wrap(("/bin/true",), off)


def test_a_program_in_a_private_folder_is_shown(bwrap, inside, tmp_path, monkeypatch):
    monkeypatch.setattr(sandbox, "PRIVATE", (tmp_path,))
    for folder in ("agent/bin", "tools/bin", "certificates", "scratch"):
        (tmp_path / folder).mkdir(parents=True)
    env = {
        "PATH": f"{tmp_path}/tools/bin:/usr/bin:{tmp_path}/none",
        "SSL_CERT_DIR": f"{tmp_path}/certificates",
        "TMPDIR": f"{tmp_path}/scratch",
    }
    mounts = find_mounts(wrap((f"{tmp_path}/agent/bin/agent",), inside, env))
    assert (
        mounts[f"{tmp_path}/agent"] == mounts[f"{tmp_path}/tools"] == mounts[f"{tmp_path}/certificates"] == "--ro-bind"
    )
    assert f"{tmp_path}/scratch" not in mounts


def test_without_bwrap_it_says_what_to_install(monkeypatch, inside):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    available.cache_clear()
    assert not available()
    available.cache_clear()
    with pytest.raises(Unavailable, match="Install the package bubblewrap"):
        wrap(("/bin/true",), inside)


def test_a_bwrap_that_is_forbidden_is_not_available(bwrap):
    available.cache_clear()
    assert not available()
    available.cache_clear()


def run(inside: Sandbox, home: Path, code: str, tag: str = "TAG=none") -> tuple[int, str, str]:
    """Exit code, output and complaints of a shell script in the sandbox."""

    async def go() -> tuple[int, str, str]:
        name, _, value = tag.partition("=")
        env = {"PATH": os.environ["PATH"], "HOME": str(home), name: value}
        what = Launch(argv=("sh", "-c", textwrap.dedent(code)), cwd=inside.worktree, env=env, sandbox=inside)
        process = await launch(what)
        output = await process.stdout.read()
        code_ = await process.wait()
        await process.stop()
        return code_, output.decode(), process.complaints

    return asyncio.run(go())


@works
def test_an_agent_works_and_commits_in_its_worktree(inside, home):
    code, output, complaints = run(
        inside,
        home,
        """
        set -e
        pwd; echo new > file.txt; echo kept > "$HOME/kept"; echo t > /tmp/scratch; echo "$TMPDIR"
        git add -A
        git -c user.name=Ann -c user.email=ann@example.com commit -q -m "from inside"
        git log --oneline | wc -l
        exit 6
        """,
    )
    assert (code, output.split(), complaints) == (6, [str(inside.worktree), "/tmp", "2"], "")
    assert (home / "kept").read_text() == "kept\n"
    assert not Path("/tmp/scratch").exists()
    log = subprocess.check_output(["git", "-C", inside.git_dir, "log", "-1", "--format=%s", "work"], text=True)
    assert log == "from inside\n"


@works
def test_an_agent_cannot_write_elsewhere(inside, home, tmp_path):
    repository = inside.git_dir.parent
    (repository / "theirs").write_text("theirs")
    targets = [
        repository / "theirs",
        repository / "new",
        inside.git_dir / "config",
        inside.git_dir / "config.worktree",
        inside.git_dir / "hooks" / "post-commit",
        inside.git_dir / "worktrees" / "run-2" / "HEAD",
        inside.git_dir / "worktrees" / "run-1" / "commondir",
        inside.git_dir / "worktrees" / "run-1" / "config.worktree",
        inside.git_dir / "worktrees" / "run-1" / "hooks" / "pre-commit",
        inside.worktree / ".git",
        Path("/etc/hostname-of-nobody"),
    ]
    tries = "\n".join(f"(echo evil > '{path}') 2>/dev/null && echo wrote '{path}'" for path in targets)
    moves = f"""
        mv '{inside.git_dir}/config' '{inside.git_dir}/config2' 2>/dev/null && echo moved config
        mv '{inside.git_dir}/hooks' '{inside.git_dir}/hooks2' 2>/dev/null && echo moved hooks
        rm -f '{inside.worktree}/.git' 2>/dev/null && echo removed .git
        git config core.fsmonitor evil 2>/dev/null && echo configured
        mount -o remount,rw / 2>/dev/null && echo remounted
        exit 0
    """
    assert run(inside, home, tries + textwrap.dedent(moves)) == (0, "", "")
    assert (repository / "theirs").read_text() == "theirs"


@works
def test_the_hooks_beside_a_worktree_run_and_stay_as_they_are(inside, home):
    hooks = inside.worktree.parent / records.HOOKS
    hooks.mkdir()
    (hooks / "pre-push").write_text("#!/bin/sh\necho 'not today' >&2; exit 1\n")
    (hooks / "pre-push").chmod(0o755)
    for name, value in (("extensions.worktreeConfig", "true"), ("core.hooksPath", str(hooks))):
        where = "--worktree" if name.startswith("core") else "--local"
        subprocess.run(["git", "-C", inside.worktree, "config", where, name, value], check=True)
    code, output, complaints = run(
        inside,
        home,
        f"""
        git init -q --bare remote.git
        (echo true > {hooks}/pre-push) 2>/dev/null && echo wrote
        git config --worktree --unset core.hooksPath 2>/dev/null && echo unset
        git push -q ./remote.git work
        """,
    )
    assert (code, output) == (1, "")
    assert "not today" in complaints


@works
def test_an_agent_does_not_see_what_is_hidden(inside, home):
    data = inside.worktree.parents[1]
    secret = Path("/tmp") / f"secret-{uuid.uuid4().hex}"
    secret.write_text("secret")
    try:
        code, output, _ = run(inside, home, f"ls {data} {data}/worktrees; ls -A /tmp; ls /proc | grep -c '^[0-9]'")
    finally:
        secret.unlink()
    assert code == 0
    assert "taskpilot.db" not in output
    assert "run-2" not in output
    assert secret.name not in output
    assert int(output.split()[-1]) < 10


@works
@pytest.mark.parametrize(("network", "seen"), [(True, True), (False, False)])
def test_the_network_is_there_unless_it_is_off(inside, home, network, seen):
    others = {name for name in os.listdir("/sys/class/net") if name != "lo"}
    if not others:
        pytest.skip("this machine has no network")
    there = Sandbox(inside.worktree, inside.git_dir, (home,), network=network)
    output = run(there, home, "cat /proc/net/dev")[1]
    assert any(f"{name}:" in output for name in others) is seen


STUBBORN = """
    trap '' INT TERM HUP
    setsid sh -c "trap '' INT TERM HUP; sleep 1000; sleep 1000" &
    (setsid sleep 1000 &)
    echo on
    sleep 1000; sleep 1000
"""


@pytest.fixture
def tag() -> str:
    return f"TAG={uuid.uuid4().hex}"


@pytest.fixture
def alive(tag: str) -> Callable[[], list[int]]:
    return lambda: supervisor.find_marked(tag.encode())


async def start(inside: Sandbox, tag: str, code: str):
    env = {"PATH": os.environ["PATH"], "TAG": tag.partition("=")[2]}
    argv = ("sh", "-c", textwrap.dedent(code))
    process = await launch(Launch(argv=argv, cwd=inside.worktree, env=env, sandbox=inside))
    assert await asyncio.wait_for(process.stdout.readline(), 10) == b"on\n"
    return process


@works
@pytest.mark.anyio
async def test_nothing_in_a_sandbox_survives_a_stop(inside, tag, alive):
    process = await start(inside, tag, STUBBORN)
    assert len(alive()) >= 5
    await asyncio.wait_for(process.stop(0.2), 5)
    assert alive() == []
    assert await process.wait() == 137


@works
@pytest.mark.anyio
async def test_a_polite_program_in_a_sandbox_ends_in_its_own_way(inside, tag, alive):
    process = await start(inside, tag, "trap 'echo bye; exit 9' INT; echo on; while :; do sleep 0.05; done")
    await process.stop(20)
    assert await process.wait() == 9
    assert await process.stdout.read() == b"bye\n"
    assert alive() == []


@works
@pytest.mark.anyio
async def test_nothing_in_a_sandbox_survives_its_supervisor(inside, tag, alive):
    process = await start(inside, tag, STUBBORN)
    os.kill(process.pid, 9)
    await asyncio.wait_for(process.wait(), 5)
    assert alive() == []


@works
@pytest.mark.slow
def test_nothing_in_a_sandbox_survives_its_launcher(inside, tag, alive):
    code = f"""
        import asyncio, os
        from pathlib import Path
        from taskpilot.agents.programs.processes import Launch, launch
        from taskpilot.agents.programs.sandbox import Sandbox
        async def main():
            there = Path({str(inside.worktree)!r})
            inside = Sandbox(there, Path({str(inside.git_dir)!r}))
            argv = ("sh", "-c", {textwrap.dedent(STUBBORN)!r})
            process = await launch(Launch(argv=argv, cwd=there, env=dict(os.environ), sandbox=inside))
            print((await process.stdout.readline()).decode(), flush=True)
            await process.wait()
        asyncio.run(main())
    """
    env = {**os.environ, "TAG": tag.partition("=")[2]}
    argv = [sys.executable, "-c", textwrap.dedent(code)]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, env=env) as launcher:
        assert launcher.stdout
        assert launcher.stdout.readline() == b"on\n"
        launcher.kill()
    until = time.monotonic() + 5
    while alive() and time.monotonic() < until:
        time.sleep(0.05)
    assert alive() == []
