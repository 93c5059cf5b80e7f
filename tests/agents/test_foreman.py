"""Who sees to it that there is a worker."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from taskpilot.agents import foreman
from taskpilot.agents.foreman import is_taken, summon, take_place
from taskpilot.domain.errors import Conflict
from taskpilot.settings import Secret, Settings

HOLD = """
import sys
from pathlib import Path
from taskpilot.agents.foreman import take_place
with take_place(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_place_is_taken_by_one_at_a_time_and_free_when_it_is_left(tmp_path: Path) -> None:
    assert not is_taken(tmp_path)
    with take_place(tmp_path):
        assert is_taken(tmp_path)
        assert not is_taken(tmp_path, "other")
        with take_place(tmp_path, "other"):
            assert is_taken(tmp_path, "other")
    assert not is_taken(tmp_path)


def test_whoever_finds_a_place_taken_is_told_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(foreman, "PATIENCE", 0.1)
    with take_place(tmp_path), pytest.raises(Conflict, match="--name"), take_place(tmp_path):
        pass


def test_a_folder_that_is_not_there_has_no_worker(tmp_path: Path) -> None:
    assert not is_taken(tmp_path / "nowhere")


def test_the_place_of_a_process_that_was_killed_is_free(tmp_path: Path) -> None:
    argv = [sys.executable, "-c", HOLD, str(tmp_path)]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout
        assert holder.stdout.readline() == "held\n"
        assert is_taken(tmp_path)
        holder.kill()
        holder.wait()
    assert not is_taken(tmp_path)


def test_nobody_is_summoned_where_that_is_not_wanted_or_somebody_is_there(tmp_path: Path) -> None:
    assert summon(Settings(data_dir=tmp_path, workers="off")) is None
    with take_place(tmp_path):
        assert summon(Settings(data_dir=tmp_path)) is None


def test_a_worker_gets_the_settings_of_whoever_starts_it_and_none_in_its_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[tuple[list[str], dict[str, str]]] = []
    monkeypatch.setattr(subprocess, "Popen", lambda argv, env, **_: started.append((argv, env)) or Started())
    url = "postgresql://me:secret@host/tasks"

    summon(Settings(data_dir=tmp_path, database_url=url, secret_key=Secret("sesame"), runs_per_user=3))

    ((argv, env),) = started
    assert "secret" not in " ".join(argv)
    assert argv[1:4] == ["-m", "taskpilot", "worker"]
    assert (env["TASKPILOT_DATABASE_URL"], env["TASKPILOT_SECRET_KEY"]) == (url, "sesame")
    assert env["TASKPILOT_RUNS_PER_USER"] == "3"
    assert (tmp_path / "worker.log").stat().st_mode & 0o777 == 0o600


class Started:
    pid = 1
