"""Draw the picture in the README: a real list, as the command line shows it. `python docs/picture.py`"""

from __future__ import annotations

import io
import os
import pty
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.text import Text

TASKPILOT = str(Path(sys.executable).with_name("taskpilot"))
WIDTH = 84
TASKS = (
    ["Renew the TLS certificate", "fri", "5pm", "project:Ops", "!critical"],
    ["Write the release notes", "tomorrow", "+docs", "project:Launch", "!high"],
    ["Review the pull request", "today", "+review", "project:Launch"],
    ["Water the plants", "every:week", "+home"],
    ["Try the new profiler", "!someday"],
    ["Ship version 0.1", "--blocked-by", "2", "--project", "Launch", "--priority", "high"],
)
SHOWN = (["list"], ["next"])


def main() -> None:
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True)
    with tempfile.TemporaryDirectory() as folder:
        for words in TASKS:
            subprocess.run([TASKPILOT, "add", *words, "--data-dir", folder], check=True, capture_output=True)
        subprocess.run(
            [TASKPILOT, "edit", "3", "--status", "in_progress", "--data-dir", folder], check=True, capture_output=True
        )
        for words in SHOWN:
            console.print(Text(f"$ taskpilot {' '.join(words)}", style="bold green"))
            console.print(Text.from_ansi(_on_a_terminal([TASKPILOT, *words, "--data-dir", folder])))
            console.print()
    picture = Path(__file__).with_name("picture.svg")
    drawn = console.export_svg(title="TaskPilot", unique_id="taskpilot")
    # rich names a font on somebody's server; a picture should not call home.
    picture.write_text(re.sub(r"@font-face \{.*?\}", "", drawn, flags=re.DOTALL), encoding="utf-8")


def _on_a_terminal(command: list[str]) -> str:
    ours, theirs = pty.openpty()
    environment = {**os.environ, "COLUMNS": str(WIDTH), "TERM": "xterm-256color"}
    subprocess.run(command, stdout=theirs, env=environment, check=True)
    os.close(theirs)
    said = b""
    try:
        while piece := os.read(ours, 65536):
            said += piece
    except OSError:
        pass  # how Linux says that the other end is closed
    os.close(ours)
    return said.decode().replace("\r\n", "\n").rstrip()


if __name__ == "__main__":
    main()
