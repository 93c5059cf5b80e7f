from __future__ import annotations

import os
import threading
import time

import pytest

from taskpilot import folder
from taskpilot.domain.errors import Conflict, NotFound, Unavailable


def test_files_are_written_once_and_whole(tmp_path):
    root = str(tmp_path)
    folder.write(root, {"a.md": "A", "rules/b.md": "B"})
    first = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.md")}
    time.sleep(0.01)
    folder.write(root, {"a.md": "A", "rules/b.md": "B2"})
    assert (tmp_path / ".task/a.md").stat().st_mtime_ns == first[tmp_path / ".task/a.md"]
    assert (tmp_path / ".task/rules/b.md").read_text() == "B2"
    assert sorted(os.listdir(tmp_path / ".task")) == ["a.md", "rules"]


def test_half_a_letter_does_not_stop_it(tmp_path):
    folder.write(str(tmp_path), {"a.md": "x\ud800y"})
    assert (tmp_path / ".task/a.md").read_text() == "x?y"


def test_a_folder_in_the_place_of_a_file_is_an_error_and_leaves_no_scraps(tmp_path):
    (tmp_path / ".task/a.md").mkdir(parents=True)
    with pytest.raises(Unavailable, match="cannot be written"):
        folder.write(str(tmp_path), {"a.md": "A"})
    assert os.listdir(tmp_path / ".task") == ["a.md"]


def test_a_workspace_that_is_itself_a_link_is_followed(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    folder.write(str(tmp_path / "link"), {"a.md": "A"})
    assert (tmp_path / "real/.task/a.md").read_text() == "A"


def test_our_folder_must_be_one(tmp_path):
    (tmp_path / ".task").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(Conflict, match="is not a folder"):
        folder.write(str(tmp_path), {"a.md": "A"})
    assert not (tmp_path / "elsewhere").exists()


def test_preparing_takes_our_folder_away_again_when_it_fails(tmp_path):
    with pytest.raises(ValueError, match="no"), folder.preparing(str(tmp_path)):
        assert (tmp_path / ".task").is_dir()
        raise ValueError("no")
    assert not (tmp_path / ".task").exists()
    (tmp_path / ".task").mkdir()
    with pytest.raises(ValueError, match="no"), folder.preparing(str(tmp_path)):
        raise ValueError("no")
    assert (tmp_path / ".task").is_dir()
    with pytest.raises(NotFound, match="There is no folder"), folder.preparing(str(tmp_path / "nowhere")):
        pass


def test_missing_files_are_found_without_leaving_the_folder(tmp_path):
    root = tmp_path / "root"
    (root / "src").mkdir(parents=True)
    (root / "src/a.py").write_text("")
    (tmp_path / "outside").write_text("")
    (root / "out").symlink_to(tmp_path / "outside")
    (root / "in").symlink_to(root / "src/a.py")
    paths = ["src/a.py", "src", "in", "out", "../outside", "b.py"]
    assert folder.find_missing(str(root), paths) == {"out", "../outside", "b.py"}
    assert folder.find_missing(str(tmp_path / "nowhere"), paths) is None


def test_writers_take_turns(tmp_path):
    seen: list[str] = []

    def work(name: str) -> None:
        with folder.taking_turns(str(tmp_path)):
            seen.append(name)
            time.sleep(0.02)
            seen.append(name)

    threads = [threading.Thread(target=work, args=(str(number),)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen[::2] == seen[1::2]
