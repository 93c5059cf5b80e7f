from __future__ import annotations

import stat
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taskpilot.domain.errors import Invalid
from taskpilot.surfaces.cli import textfile


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_any_string_survives_toml(value: str) -> None:
    assert tomllib.loads(f"value = {textfile.write_toml([value])}") == {"value": [value]}


def test_a_table_is_replaced_where_it_stands() -> None:
    before = 'model = "x"\n\n[a.us]  # ours\nold = 1\n\n# about b\n[a.b]\ncommand = "c"\n'
    after = textfile.set_table(before, "a", "us", {"command": "new", "args": ["1"]})
    assert after == 'model = "x"\n\n[a.us]\ncommand = "new"\nargs = ["1"]\n\n# about b\n[a.b]\ncommand = "c"\n'


def test_a_new_table_goes_to_the_end() -> None:
    assert textfile.set_table("x = 1", "a", "us", {"y": 2}) == "x = 1\n\n[a.us]\ny = 2\n"
    assert textfile.set_table("", "a", "us", {"y": 2}) == "[a.us]\ny = 2\n"


@pytest.mark.parametrize(
    "before", ["a = {us = {y = 1}}\n", "[a]\nus.y = 1\n", '[a."us"]\ny = 1\n', "[a.us]\ny = 1\n[a.us.z]\nq = 1\n"]
)
def test_a_table_written_in_a_way_we_cannot_follow_is_left_alone(before: str) -> None:
    with pytest.raises(Invalid, match="cannot be changed safely"):
        textfile.set_table(before, "a", "us", {"y": 2})


def test_a_value_over_many_lines_is_left_alone() -> None:
    with pytest.raises(Invalid, match="cannot be changed safely"):
        textfile.set_top('name = """\na\nb"""\n', "name", "c")


def test_a_value_stays_above_the_tables() -> None:
    assert textfile.set_top("[t]\nname = 1\n", "name", "c") == 'name = "c"\n[t]\nname = 1\n'


def test_replacing_follows_links_and_keeps_permissions(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    real, link = folder / "real", folder / "link"
    real.write_text("old")
    real.chmod(0o600)
    link.symlink_to(real)
    textfile.replace(link, "new", keep_old=True)
    assert link.is_symlink()
    assert real.read_text() == "new"
    assert stat.S_IMODE(real.stat().st_mode) == 0o600
    assert (folder / "real.bak").read_text() == "old"
    assert sorted(path.name for path in folder.iterdir()) == ["link", "real", "real.bak"]
