from __future__ import annotations

import base64
import os
import stat
import subprocess
import sys

import pytest

from taskpilot.domain.errors import Invalid, Unavailable
from taskpilot.store.vault import Vault

SEAL = "import sys; from pathlib import Path; from taskpilot.store.vault import Vault; print(Vault(Path(sys.argv[1])).seal({'a': 'b'}))"  # noqa: E501


def test_what_is_sealed_can_be_opened_again_by_the_same_key(tmp_path):
    sealed = Vault(tmp_path / "secret.key").seal({"token": "abc"})
    assert "abc" not in sealed
    assert Vault(tmp_path / "secret.key").open(sealed) == {"token": "abc"}
    with pytest.raises(Unavailable, match="another key"):
        Vault(tmp_path / "other.key").open(sealed)


def test_the_key_is_made_on_first_use_for_its_owner_only(tmp_path):
    vault = Vault(tmp_path / "secret.key")
    assert vault.seal({}) == ""
    assert vault.open("") == {}
    assert not (tmp_path / "secret.key").exists()
    vault.seal({"a": "b"})
    assert stat.S_IMODE((tmp_path / "secret.key").stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["secret.key"]


def test_many_processes_make_one_key(tmp_path):
    file = tmp_path / "secret.key"
    children = [
        subprocess.Popen([sys.executable, "-c", SEAL, str(file)], stdout=subprocess.PIPE, text=True) for _ in range(4)
    ]
    sealed = [child.communicate(timeout=60)[0].strip() for child in children]
    assert [Vault(file).open(each) for each in sealed] == [{"a": "b"}] * 4


def test_a_key_can_be_given(tmp_path):
    key = base64.b64encode(os.urandom(32)).decode()
    sealed = Vault(tmp_path / "secret.key", key=key).seal({"a": "b"})
    assert Vault(key=key).open(sealed) == {"a": "b"}
    assert not (tmp_path / "secret.key").exists()
    assert key not in repr(Vault(key=key))


@pytest.mark.parametrize("key", ["short", "x" * 44, "ü" * 44, base64.b64encode(b"1" * 31).decode()])
def test_a_key_that_is_none_is_refused_without_being_told(tmp_path, key):
    with pytest.raises(Invalid, match="is not a key") as caught:
        Vault(key=key).seal({"a": "b"})
    assert key not in str(caught.value)
    (tmp_path / "secret.key").write_text(key)
    with pytest.raises(Invalid, match="is not a key"):
        Vault(tmp_path / "secret.key").seal({"a": "b"})


def test_a_place_that_cannot_be_written_is_told(tmp_path):
    with pytest.raises(Unavailable, match="cannot be used"):
        Vault(tmp_path / "nowhere" / "secret.key").seal({"a": "b"})


def test_the_key_stays_when_it_is_there(tmp_path):
    Vault(tmp_path / "secret.key").seal({"a": "b"})
    before = (tmp_path / "secret.key").read_bytes()
    Vault(tmp_path / "secret.key").seal({"a": "b"})
    assert (tmp_path / "secret.key").read_bytes() == before
