"""A coding agent that does as it is told: a real program, over the real wire, with no model behind it.

`install(folder)` puts it there under the names of the real ones. By the name and the arguments it is called with, it
speaks the Agent Client Protocol (`claude-agent-acp`, `codex-acp`, `gemini --acp`, `opencode acp`) or the JSON of that
command line (`claude -p …`, `codex exec …`, `gemini -o stream-json …`, `opencode run …`), resuming included.

What it does is in the prompt: all after a line `SCRIPT` is a JSON list of steps (see `write`). Without it, it says
"done". Only the last `SCRIPT` of a prompt counts.

    {"say": text}  {"think": text}  {"plan": [text, …]}
    {"edit": path, "content": text}    a file, really written
    {"run": [argv]}                    a program, really run; its output is the result
    {"ask": title, "kind": "execute"}  a permission, then says "allowed: ID" or "denied: ID"; by JSON it cannot ask;
                                       "input" is what it would call with, {"command": title} unless given
    {"usage": [in, out, dollars]}      on top of what was used so far; told as a sum where the real one tells sums
    {"mcp": [tool, arguments]}         calls the MCP server it was given, then says what that answered
    {"env": name}                      says "name=value"
    {"recall": true}                   says "turn N": how many its session has had, this one included
    {"sleep": s}  {"hang": true}
    {"ignore_signals": true}           and from then on, being told to cancel
    {"orphan": s}                      leaves a child in a session of its own that ignores signals; says "orphan PID"
    {"raw": text}                      a line of its output that is no message
    {"fail": text}                     the model's service fails
    {"crash": code}                    it ends at once

Its sessions are in `$HOME/.scripted`. It needs nothing but Python's own library, and starts in an instant.
"""

import json
import os
import py_compile
import shutil
import signal
import subprocess
import sys
import threading
import uuid
from pathlib import Path

NAMES = ("claude-agent-acp", "codex-acp", "gemini", "opencode", "claude", "codex")
FILES = ("scripted.py", "acp_voice.py", "json_voices.py", "mcp_client.py")
ORPHAN = """
import signal, sys, time
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
time.sleep(float(sys.argv[1]))
"""


def install(folder: Path, *names: str) -> Path:
    """Puts scripted agents into `folder` (made if missing) under the names given: all of NAMES by default.

    The folder holds all they need, so that they run in a sandbox too. Put it first on PATH, and give HOME a folder of
    its own, where sessions are kept. Returns the folder.
    """
    own = folder / "scripted-agent"
    own.mkdir(parents=True, exist_ok=True)
    for name in FILES:
        shutil.copy(Path(__file__).parent / name, own / name)
        py_compile.compile(str(own / name))
    for name in names or NAMES:
        program = folder / name
        start = f"import sys; sys.path.insert(0, {str(own)!r}); import scripted; scripted.main({name!r}, sys.argv[1:])"
        program.write_text(f"#!{sys.executable} -IS\n{start}\n")
        program.chmod(0o755)
    return folder


def write(*steps: dict, before: str = "Do this.") -> str:
    """A prompt with a script in it."""
    return f"{before}\nSCRIPT\n{json.dumps(list(steps))}"


def read(prompt: str) -> list[dict]:
    _, found, script = f"\n{prompt}".rpartition("\nSCRIPT\n")
    return json.JSONDecoder().raw_decode(script.strip())[0] if found else [{"say": "done"}]


class Failure(Exception):
    """The model's service fails."""


class Cancelled(Exception):
    """The client has had enough."""


class Session:
    """How many turns it has had, and what it has used, kept in a file."""

    def __init__(self, name: str = "") -> None:
        folder = Path(os.environ.get("HOME", ".")) / ".scripted"
        folder.mkdir(parents=True, exist_ok=True)
        self.name = name or str(uuid.uuid4())
        self.file = folder / f"{self.name.replace(os.sep, '_')}.json"
        if name and not self.file.exists():
            raise KeyError(name)
        self.kept = json.loads(self.file.read_text()) if name else {"turns": 0, "used": [0, 0, 0.0]}
        self.save()

    def use(self, more: list) -> list:
        """What it has used in all, this included."""
        self.kept["used"] = [before + now for before, now in zip(self.kept["used"], more, strict=True)]
        self.save()
        return self.kept["used"]

    def save(self) -> None:
        self.file.write_text(json.dumps(self.kept))


class Player:
    """Plays a script to a voice, which is how one agent says things."""

    def __init__(self, voice, session: Session, mcp: dict | None) -> None:
        self.voice = voice
        self.session = session
        self.mcp = mcp
        self.stubborn = False
        self.cancelled = threading.Event()

    def play(self, prompt: str) -> None:
        self.session.kept["turns"] += 1
        self.session.save()
        self.cancelled.clear()
        for number, step in enumerate(read(prompt)):
            if self.cancelled.is_set() and not self.stubborn:
                raise Cancelled
            name, value = next(iter(step.items()))
            getattr(self, f"do_{name}")(value, step, f"call_{self.session.kept['turns']}_{number}")

    def do_say(self, text, _step, _call):
        self.voice.say(text)

    def do_think(self, text, _step, _call):
        self.voice.think(text)

    def do_plan(self, steps, _step, _call):
        self.voice.plan(steps)

    def do_edit(self, path, step, call):
        place, content = Path.cwd() / path, step.get("content", "")
        new = not place.exists()
        self.voice.start_edit(call, str(place), content, new)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(content)
        self.voice.end_edit(call, str(place), content, new)

    def do_run(self, argv, _step, call):
        self.voice.start_run(call, argv)
        done = subprocess.run(argv, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
        self.voice.end_run(call, argv, done.stdout + done.stderr, done.returncode)

    def do_ask(self, title, step, call):
        self.voice.ask(call, title, step.get("kind", "execute"), step.get("input", {"command": title}))

    def do_usage(self, used, _step, _call):
        self.voice.use(used, self.session.use(used))

    def do_mcp(self, what, _step, call):
        import mcp_client

        tool, arguments = what
        self.voice.start_tool(call, tool, arguments)
        answer = mcp_client.call(self.mcp, tool, arguments)
        self.voice.end_tool(call, tool, arguments, answer)
        self.voice.say(answer)

    def do_env(self, name, _step, _call):
        self.voice.say(f"{name}={os.environ.get(name, '')}")

    def do_recall(self, _value, _step, _call):
        self.voice.say(f"turn {self.session.kept['turns']}")

    def do_sleep(self, seconds, _step, _call):
        if self.cancelled.wait(seconds) and not self.stubborn:
            raise Cancelled

    def do_hang(self, _value, step, call):
        while True:
            self.do_sleep(1, step, call)
            if self.stubborn:
                self.cancelled.clear()

    def do_ignore_signals(self, _value, _step, _call):
        self.stubborn = True
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)

    def do_orphan(self, seconds, _step, _call):
        argv = [sys.executable, "-IS", "-c", ORPHAN, str(seconds)]
        child = subprocess.Popen(argv, start_new_session=True)
        child.returncode = 0  # nobody is going to wait for it
        self.voice.say(f"orphan {child.pid}")

    def do_raw(self, text, _step, _call):
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()

    def do_fail(self, text, _step, _call):
        raise Failure(text)

    def do_crash(self, code, _step, _call):
        sys.stderr.write("scripted crash\n")
        sys.stderr.flush()
        os._exit(code)


def main(name: str, args: list[str]) -> None:
    """Called by the programs that `install` writes."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if name.endswith("-acp") or args[:1] in (["--acp"], ["acp"]):
        import acp_voice

        acp_voice.serve(name)
    else:
        import json_voices

        json_voices.run(name, args)
