"""A program that runs another one and leaves nothing of it behind.

    python -I -S supervisor.py CONTROL PARENT WRAPPED PROGRAM [ARGUMENT…]

It starts PROGRAM in a session of its own, with the standard streams it was given, and ends with its exit code (128 + n
for signal n). CONTROL is the number of a socket that the launcher holds the other end of: nothing starts before it has
sent an empty line; each line after it is a number of seconds of grace and means "stop"; its end means that the launcher
is gone. A signal to end means "stop" too. PARENT is the launcher's process id. WRAPPED is 1 when PROGRAM is a sandbox
that would die of a signal instead of passing it on.

To stop is SIGINT, the grace, and then SIGKILL for every descendant until none is left. What the program leaves behind
when it ends by itself gets SIGKILL too. On Linux no descendant can get away, whatever it does with sessions, forks and
signals: as their subreaper this process has a child for as long as one of them lives. Elsewhere only the program's
process group is ended.

It starts with every agent, so it imports next to nothing.
"""

import ctypes
import os
import select
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
else:
    import _signal as signal  # without its enums, which take half as long as all of Python

GRACE = 2.0
PATIENCE = 30.0
"""Seconds after which what will not die, or is not ours to kill, is left to the system."""

_LINUX = sys.platform == "linux"
_SET_DEATH_SIGNAL, _SET_SUBREAPER = 1, 36


def find_processes() -> list[tuple[int, int, int]]:
    """Each process of this machine: its id, its parent's and its group's."""
    found: list[tuple[int, int, int]] = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", "rb") as file:
                    parent, group = file.read().rpartition(b")")[2].split()[1:3]
            except OSError:
                continue
            found.append((int(name), int(parent), int(group)))
    return found


def find_marked(mark: bytes) -> list[int]:
    """The processes that have this in their environment."""
    found: list[int] = []
    for name in os.listdir("/proc") if _LINUX else ():
        if name.isdigit():
            try:
                with open(f"/proc/{name}/environ", "rb") as file:
                    if mark in file.read().split(b"\0"):
                        found.append(int(name))
            except OSError:
                continue
    return found


def find_descendants(root: int) -> list[tuple[int, int]]:
    """Each descendant of a process, and its group."""
    children: dict[int, list[tuple[int, int]]] = {}
    for pid, parent, group in find_processes():
        children.setdefault(parent, []).append((pid, group))
    found: list[tuple[int, int]] = []
    roots = [root]
    while roots:
        below = children.pop(roots.pop(), [])
        found += below
        roots += [pid for pid, _ in below]
    return found


def send(pid: int, number: int) -> bool:
    """To a process, or to a group if it is negative; False if it is gone, or not ours."""
    try:
        os.kill(pid, number)
    except OSError:
        return False
    return True


def ignore(_number: int, _frame: object) -> None:
    """The number was written to the pipe that wakes us; that is all we need."""


class Supervisor:
    def __init__(self, control: int, parent: int, wrapped: bool) -> None:
        self.control = control
        self.parent = parent
        self.wrapped = wrapped
        self.program = 0
        self.code: int | None = None
        self.deadline: float | None = None
        self.watched = [control]
        os.set_inheritable(control, False)
        self.listen()

    def listen(self) -> None:
        self.wake, alarm = os.pipe()
        os.set_blocking(self.wake, False)
        os.set_blocking(alarm, False)
        signal.set_wakeup_fd(alarm, warn_on_full_buffer=False)
        self.watched.append(self.wake)
        ending = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT)
        for number in (*ending, signal.SIGCHLD, signal.SIGUSR1):
            signal.signal(number, ignore)
        self.ending = frozenset(int(number) for number in ending)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        if _LINUX:
            self.libc = ctypes.CDLL(None)
            self.libc.prctl(_SET_SUBREAPER, 1, 0, 0, 0)
            # Not SIGTERM: the kernel also sends this one when only the thread that launched us has ended.
            self.libc.prctl(_SET_DEATH_SIGNAL, int(signal.SIGUSR1), 0, 0, 0)

    def run(self, argv: list[str]) -> int:
        if os.getppid() != self.parent or os.read(self.control, 1) != b"\n":
            return 128 + signal.SIGTERM
        problem = self.start(argv)
        os.write(self.control, f"{problem}\n".encode())
        if not problem:
            self.let_go()
            self.follow()
        self.sweep()
        return 128 + signal.SIGKILL if self.code is None else self.code

    def start(self, argv: list[str]) -> int:
        """0, or the number of the error that kept the program from starting."""
        heard, said = os.pipe()
        self.program = os.fork()
        if self.program == 0:
            try:
                os.setsid()
                for number in (signal.SIGPIPE, signal.SIGXFSZ):  # ignored by Python, and that is inherited
                    signal.signal(number, signal.SIG_DFL)
                if _LINUX:
                    self.libc.prctl(_SET_DEATH_SIGNAL, int(signal.SIGKILL), 0, 0, 0)
                os.execv(argv[0], argv)
            except OSError as error:
                os.write(said, str(error.errno).encode())
            finally:
                os._exit(127)
        os.close(said)
        problem = os.read(heard, 16)
        os.close(heard)
        return int(problem or 0)

    def let_go(self) -> None:
        """What the program closes is closed, and its folder is not kept busy."""
        nothing = os.open(os.devnull, os.O_RDWR)
        os.dup2(nothing, 0)
        os.dup2(nothing, 1)
        os.close(nothing)
        os.chdir("/")

    def follow(self) -> None:
        """Until the program has ended or must end."""
        while self.reap() and self.code is None:
            left = None if self.deadline is None else self.deadline - time.monotonic()
            if left is not None and left <= 0:
                return
            ready = select.select(self.watched, (), (), left)[0]
            if self.wake in ready:
                self.hear_signals()
            if self.control in ready:
                self.hear_launcher()

    def hear_signals(self) -> None:
        numbers = self.take_signals()
        if self.ending.intersection(numbers) or (signal.SIGUSR1 in numbers and os.getppid() != self.parent):
            self.stop(GRACE)

    def take_signals(self) -> bytes:
        try:
            return os.read(self.wake, 4096)
        except BlockingIOError:
            return b""

    def hear_launcher(self) -> None:
        try:
            said = os.read(self.control, 4096)
        except OSError:
            said = b""
        if not said:
            self.watched.remove(self.control)
        for grace in said.split() or [GRACE]:
            self.stop(float(grace))

    def stop(self, grace: float) -> None:
        """Safe to repeat; the shortest grace counts."""
        at = time.monotonic() + grace
        if self.deadline is None:
            self.deadline = at
            self.interrupt()
        self.deadline = min(at, self.deadline)

    def interrupt(self) -> None:
        """As Ctrl+C in a terminal would."""
        if not self.wrapped:
            send(-self.program, signal.SIGINT)
            return
        for pid, group in find_descendants(self.program):
            if group == self.program:
                send(pid, signal.SIGINT)

    def reap(self) -> bool:
        """Whether any child is left."""
        try:
            while True:
                pid, status = os.waitpid(-1, os.WNOHANG)
                if pid == 0:
                    return True
                if pid == self.program:
                    code = os.waitstatus_to_exitcode(status)
                    self.code = code if code >= 0 else 128 - code
        except ChildProcessError:
            return False

    def sweep(self) -> None:
        until = time.monotonic() + PATIENCE
        while self.reap():
            self.kill()
            if time.monotonic() > until:
                os.write(2, b"Some processes of this program could not be ended.\n")
                return
            select.select((self.wake,), (), (), 0.02)
            self.take_signals()

    def kill(self) -> None:
        if not _LINUX:
            send(-self.program, signal.SIGKILL)
            return
        below = find_descendants(os.getpid())
        for group in {group for _, group in below} - {0, 1, os.getpgrp()}:
            send(-group, signal.SIGKILL)  # at once, so that none of it can fork its way out
        for pid, _ in below:
            send(pid, signal.SIGKILL)


def main() -> None:
    control, parent, wrapped, *argv = sys.argv[1:]
    supervisor = Supervisor(int(control), int(parent), wrapped == "1")
    os._exit(supervisor.run(argv))


if __name__ == "__main__":
    main()
