"""Real programs, real signals: whatever they do, nothing of them is left."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
import uuid
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from taskpilot.agents.programs import supervisor
from taskpilot.agents.programs.processes import COMPLAINTS, Launch, Process, launch
from taskpilot.domain.errors import Invalid, NotFound, Unavailable

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(sys.platform != "linux", reason="what is left of a program is counted in /proc"),
]

ENV = {"PATH": os.environ["PATH"]}

STUBBORN = """
    import os, signal, sys, time
    def ignore():
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
            signal.signal(number, signal.SIG_IGN)
    ignore()
    if os.fork() == 0:
        os.setsid()
        if os.fork():
            os._exit(0)
        if os.fork() == 0:
            os.setsid()
        print("orphan", flush=True)
        time.sleep(1000)
    print("program", flush=True)
    time.sleep(1000)
"""


@pytest.fixture
def tag() -> str:
    """In the environment of a test's programs, to find what is left of them."""
    return f"TEST_TAG={uuid.uuid4().hex}"


@pytest.fixture
def alive(tag: str) -> Callable[[], list[int]]:
    return lambda: supervisor.find_marked(tag.encode())


@pytest.fixture
async def start(tmp_path: Path, tag: str) -> AsyncIterator[Callable[..., object]]:
    """Starts Python code, or the argv given."""
    started: list[Process] = []

    async def begin(code: str, *argv: str, **env: str) -> Process:
        name, _, value = tag.partition("=")
        given = argv or (sys.executable, "-I", "-S", "-c", textwrap.dedent(code))
        process = await launch(Launch(argv=given, cwd=tmp_path, env={**ENV, name: value, **env}))
        started.append(process)
        return process

    yield begin
    for process in started:
        await process.stop(0)


async def read_lines(process: Process, many: int) -> list[str]:
    return [(await asyncio.wait_for(process.stdout.readline(), 10)).decode().strip() for _ in range(many)]


def is_gone(pid: int) -> bool:
    """Not even a zombie."""
    return not Path(f"/proc/{pid}").exists()


def test_a_supervisor_is_light_to_start():
    code = f"import sys; sys.argv = []; exec(open({supervisor.__file__!r}).read().partition('if __name__')[0])"
    loaded = subprocess.check_output([sys.executable, "-I", "-S", "-c", f"{code}\nprint(*sys.modules)"], text=True)
    assert not {"enum", "re", "subprocess", "typing", "signal", "functools", "asyncio"} & set(loaded.split())


async def test_streams_pass_through(start):
    process = await start("import sys; print(sys.stdin.read().upper()); print('oh', file=sys.stderr)")
    process.stdin.write(b"hello")
    process.stdin.close()
    assert await process.stdout.read() == b"HELLO\n"
    assert await process.wait() == 0
    assert process.complaints == "oh\n"


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("", 0),
        ("raise SystemExit(3)", 3),
        ("raise SystemExit(255)", 255),
        ("import os; os.kill(os.getpid(), 9)", 137),
        ("import os; os.kill(os.getpid(), 15)", 143),
        ("import os; os.abort()", 134),
    ],
)
async def test_the_exit_code_is_the_programs(start, code, said):
    process = await start(code)
    assert await process.wait() == said
    assert is_gone(process.pid)


async def test_arguments_and_environment_arrive_as_they_were_given(start):
    code = "import os, sys; print(sys.argv[1:], os.environ['WORD'], sorted(os.environ)[0], os.getcwd())"
    process = await start("", sys.executable, "-c", code, "a b", "$HOME", "", "é;'\"", WORD="ä")
    said = (await process.stdout.read()).decode()
    assert said.startswith("""['a b', '$HOME', '', 'é;\\'"'] ä""")
    assert os.environ.get("HOME", "nowhere") not in said


async def test_a_program_starts_with_signals_as_they_are_by_default(start):
    process = await start("""
        import signal
        print(signal.getsignal(signal.SIGINT) is signal.default_int_handler, signal.pthread_sigmask(0, ()))
        print(open("/proc/self/status").read().partition("SigIgn:")[2].split()[0])
    """)
    first, ignored = await read_lines(process, 2)
    assert first == "True set()"
    ours = 1 << 12 | 1 << 24  # Python's own: SIGPIPE and SIGXFSZ
    assert int(ignored, 16) & 0x7FFFFFFF & ~ours == 0  # of those beyond, the system keeps some for itself


async def test_sigpipe_is_not_ignored(start):
    process = await start("", "sh", "-c", "grep SigIgn /proc/self/status")
    assert int((await process.stdout.read()).split()[1], 16) & (1 << 12) == 0


async def test_a_closed_stdout_is_seen_while_the_program_goes_on(start):
    process = await start("import os, time; os.close(1); time.sleep(1000)")
    assert await asyncio.wait_for(process.stdout.read(), 10) == b""
    assert not process._end.done()


async def test_a_polite_program_ends_in_its_own_way(start, alive):
    process = await start("""
        import sys, time
        try:
            print("on", flush=True); time.sleep(1000)
        except KeyboardInterrupt:
            print("bye", flush=True); sys.exit(7)
    """)
    await read_lines(process, 1)
    await process.stop()
    assert await process.wait() == 7
    assert await process.stdout.read() == b"bye\n"
    assert alive() == []


async def test_a_shell_and_what_it_waits_for_are_interrupted_together(start, alive):
    process = await start("", "sh", "-c", "echo on; sleep 1000; echo never")
    await read_lines(process, 1)
    await asyncio.sleep(0.2)  # a shell that is about to start something can miss a signal
    began = time.monotonic()
    await process.stop(30)
    assert time.monotonic() - began < 20
    assert alive() == []


async def test_nothing_survives_a_stop(start, alive):
    process = await start(STUBBORN)
    await read_lines(process, 3)
    assert len(alive()) >= 4
    began = time.monotonic()
    await process.stop(0.3)
    assert time.monotonic() - began < 5
    assert alive() == []
    assert is_gone(process.pid)
    assert await process.wait() == 137


async def test_what_a_program_leaves_behind_ends_with_it(start, alive):
    process = await start(STUBBORN.replace('print("program", flush=True)', "time.sleep(0.2); os._exit(5)"))
    assert await asyncio.wait_for(process.wait(), 10) == 5
    assert alive() == []
    assert await process.stdout.read() == b"orphan\norphan\n"


@pytest.mark.slow
async def test_nothing_forks_its_way_out(start, alive):
    process = await start("""
        import os, signal, time
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        print("on", flush=True)
        for _ in range(4):
            if os.fork() == 0:
                while True:  # each lives for an instant, and its child goes on
                    if os.fork():
                        os._exit(0)
                    time.sleep(0.001)
        time.sleep(1000)
    """)
    await read_lines(process, 1)
    await asyncio.sleep(0.2)
    await asyncio.wait_for(process.stop(0.1), 5)
    assert alive() == []


async def test_a_stopped_program_can_be_stopped(start, alive):
    process = await start("import os, signal; print('on', flush=True); os.kill(os.getpid(), signal.SIGSTOP)")
    await read_lines(process, 1)
    os.kill(process.pid, signal.SIGSTOP)
    await asyncio.wait_for(process.stop(0.1), 5)
    assert alive() == []


async def test_stopping_is_safe_to_repeat_and_the_shortest_grace_counts(start, alive):
    process = await start(STUBBORN)
    await read_lines(process, 3)
    slow = asyncio.create_task(process.stop(60))
    await asyncio.sleep(0.05)
    await asyncio.wait_for(asyncio.gather(process.stop(0.1), process.stop(), slow), 10)
    await process.stop()
    assert alive() == []


async def test_a_cancelled_stop_goes_on(start, alive):
    process = await start(STUBBORN)
    await read_lines(process, 3)
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(process.stop(0.2), 0.05)
    assert await asyncio.wait_for(process.wait(), 5) == 137
    assert alive() == []


async def test_a_cancelled_wait_changes_nothing(start):
    process = await start("import sys; sys.stdin.read(); sys.exit(4)")
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(process.wait(), 0.05)
    process.stdin.close()
    assert await process.wait() == 4


@pytest.mark.parametrize("after", [0, 0.0005, 0.002, 0.01, 0.02, 0.03])
async def test_a_launch_that_is_cancelled_leaves_nothing(start, alive, after):
    launching = asyncio.create_task(start(STUBBORN))
    await asyncio.sleep(after)
    launching.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await (await launching).stop(0)
    assert alive() == []


async def test_sigterm_to_the_supervisor_is_a_stop(start, alive):
    process = await start("", "sh", "-c", "trap 'exit 9' INT; echo on; while :; do sleep 0.05; done")
    await read_lines(process, 1)
    os.kill(process.pid, signal.SIGTERM)
    assert await asyncio.wait_for(process.wait(), 10) == 9
    assert alive() == []


async def test_nothing_survives_a_supervisor_that_is_killed(start, alive):
    process = await start(STUBBORN)
    await read_lines(process, 3)
    os.kill(process.pid, signal.SIGKILL)
    assert await asyncio.wait_for(process.wait(), 10) == 137
    assert alive() == []


LAUNCHER = f"""
import asyncio, os
from pathlib import Path
from taskpilot.agents.programs.processes import Launch, launch
async def main():
    argv = ({sys.executable!r}, "-I", "-S", "-c", {textwrap.dedent(STUBBORN)!r})
    process = await launch(Launch(argv=argv, cwd=Path("/"), env=dict(os.environ)))
    for _ in range(3):
        await process.stdout.readline()
    print("on", flush=True)
    await process.wait()
asyncio.run(main())
"""


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_nothing_survives_a_launcher_that_is_killed(tag, alive, number):
    name, _, value = tag.partition("=")
    argv = [sys.executable, "-c", LAUNCHER]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, env={**os.environ, name: value}) as launcher:
        assert launcher.stdout
        assert launcher.stdout.readline() == b"on\n"
        assert len(alive()) >= 5
        launcher.send_signal(number)
        launcher.wait()
    until = time.monotonic() + 5
    while alive() and time.monotonic() < until:
        time.sleep(0.05)
    assert alive() == []


@pytest.mark.slow
def test_the_end_of_the_event_loop_is_the_end_of_its_programs(tmp_path, tag, alive):
    name, _, value = tag.partition("=")

    async def forget() -> Process:
        argv = (sys.executable, "-I", "-S", "-c", textwrap.dedent(STUBBORN))
        process = await launch(Launch(argv=argv, cwd=tmp_path, env={**ENV, name: value}))
        await read_lines(process, 3)
        return process

    process = asyncio.run(forget())
    assert alive() == []
    assert is_gone(process.pid)


def test_a_program_outlives_the_thread_that_launched_it(tmp_path, tag, alive):
    """The kernel takes the end of a thread for the end of a parent."""
    name, _, value = tag.partition("=")
    given = Launch(argv=("sleep", "1000"), cwd=tmp_path, env={**ENV, name: value})
    loop = asyncio.new_event_loop()
    launched: list[Process] = []
    thread = threading.Thread(target=lambda: launched.append(loop.run_until_complete(launch(given))))
    thread.start()
    thread.join()
    time.sleep(0.2)
    assert len(alive()) == 2
    loop.run_until_complete(launched[0].stop(0))
    loop.close()
    assert alive() == []


async def test_a_flood_on_stderr_blocks_nothing_and_its_end_is_kept(start):
    process = await start("""
        import os
        for _ in range(100):
            os.write(2, b"x" * 99_999 + b"\\n")
        os.write(2, "last wörds\\n".encode())
    """)
    assert await asyncio.wait_for(process.wait(), 20) == 0
    assert process.complaints == "last wörds\n"


async def test_complaints_stay_short(start):
    process = await start("import os; [os.write(2, b'x' * 80 + b'\\n') for _ in range(10_000)]")
    await process.wait()
    assert COMPLAINTS - 200 < len(process.complaints) <= COMPLAINTS
    assert set(process.complaints.splitlines()) == {"x" * 80}


async def test_a_flood_on_stdout_that_nobody_reads_can_be_stopped(start, alive):
    process = await start("import os\nwhile True: os.write(1, b'x' * 65536)")
    await asyncio.sleep(0.3)
    await asyncio.wait_for(process.stop(0.1), 5)
    assert alive() == []


async def test_a_long_line_is_one_line(start):
    process = await start("print('x' * 5_000_000)")
    assert len(await process.stdout.readline()) == 5_000_001
    assert await process.wait() == 0


async def test_writing_to_a_program_that_is_gone_does_not_hurt(start):
    process = await start("")
    await process.wait()
    with contextlib.suppress(ConnectionError):
        process.stdin.write(b"x" * 1_000_000)
        await process.stdin.drain()
    await process.stop()


@pytest.mark.slow
async def test_many_at_once(start, alive):
    processes = await asyncio.gather(*(start(f"print({n}); raise SystemExit({n})") for n in range(20)))
    assert await asyncio.gather(*(process.wait() for process in processes)) == list(range(20))
    assert [await process.stdout.read() for process in processes] == [f"{n}\n".encode() for n in range(20)]
    assert alive() == []


async def refuse(tmp_path: Path, *argv: str, cwd: Path | None = None, **env: str) -> str:
    before = len(os.listdir("/proc/self/fd"))
    with pytest.raises((Invalid, NotFound, Unavailable)) as refused:
        await launch(Launch(argv=argv, cwd=cwd or tmp_path, env=ENV | env))
    await asyncio.sleep(0)
    assert len(os.listdir("/proc/self/fd")) == before
    return f"{refused.value.kind}: {refused.value}"


async def test_a_missing_program_is_named(tmp_path):
    said = await refuse(tmp_path, "no-such-agent", "--json")
    assert said == (
        "not_found: The program no-such-agent is not installed on this machine. "
        "Install it, or add its folder to PATH where the worker runs."
    )
    assert "not_found" in await refuse(tmp_path, "./none")
    assert "not_found" in await refuse(tmp_path, "sh", PATH="/nowhere")


async def test_what_cannot_be_run_is_named(tmp_path):
    (tmp_path / "notes").write_text("hello")
    assert "chmod +x" in await refuse(tmp_path, "./notes")
    (tmp_path / "broken").write_text("#!/no/such/interpreter\n")
    (tmp_path / "broken").chmod(0o755)
    assert "could not be started: No such file or directory" in await refuse(tmp_path, "./broken")
    (tmp_path / "garbage").write_bytes(b"\x7fELF nonsense")
    (tmp_path / "garbage").chmod(0o755)
    assert "could not be started: Exec format error" in await refuse(tmp_path, "./garbage")


async def test_a_missing_folder_is_named(tmp_path):
    assert f"The folder {tmp_path / 'gone'} is not there." in await refuse(tmp_path, "sh", cwd=tmp_path / "gone")


async def test_what_no_program_can_be_given_is_refused(tmp_path):
    assert "no program to run" in await refuse(tmp_path)
    assert "no program to run" in await refuse(tmp_path, "")
    assert "NUL" in await refuse(tmp_path, "sh", "a\0b")
    assert "NUL" in await refuse(tmp_path, "sh", WORD="a\0b")
    assert "too long" in await refuse(tmp_path, "sh", "x" * 200_000)


async def test_a_relative_program_is_found_where_it_is_run(tmp_path):
    (tmp_path / "hello").write_text("#!/bin/sh\necho hello\n")
    (tmp_path / "hello").chmod(0o755)
    process = await launch(Launch(argv=("./hello",), cwd=tmp_path, env=ENV))
    assert await process.stdout.read() == b"hello\n"
    await process.stop()
