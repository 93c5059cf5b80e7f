"""Settings for the way out: read from flags, environment and file; secrets used, never shown."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from taskpilot.domain.errors import Invalid
from taskpilot.server import open_app
from taskpilot.settings import load
from tests.remotes.services import TOKEN


@pytest.fixture
def environment(tmp_path):
    return {
        "TASKPILOT_CONFIG": str(tmp_path / "config.toml"),
        "TASKPILOT_DATA_DIR": str(tmp_path / "data"),
        "TASKPILOT_GITHUB_TOKEN": TOKEN,
        "TASKPILOT_GITHUB_URL": "https://git.example/api/v3/",
        "TASKPILOT_REMOTE_HOSTS": " Git.Example ,127.0.0.1:8080,",
        "TASKPILOT_REMOTE_TIMEOUT": "7",
    }


def test_the_application_is_told_what_it_may_reach_and_as_whom(environment):
    settings = load(environment=environment)
    with open_app(settings) as app:
        assert app.reach.hosts == ("git.example", "127.0.0.1:8080")
        assert app.reach.github_url == "https://git.example/api/v3"
        assert app.reach.github_token == TOKEN
        assert app.reach.timeout == 7
        assert TOKEN not in app.vault.seal({"token": TOKEN})
    assert (settings.data_dir / "secret.key").exists()


def test_hosts_may_be_a_list_in_the_file(environment, tmp_path):
    del environment["TASKPILOT_REMOTE_HOSTS"]
    (tmp_path / "config.toml").write_text('remote_hosts = ["a.example", "b.example"]\n')
    assert load(environment=environment).reach.hosts == ("a.example", "b.example")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("REMOTE_TIMEOUT", "0"),
        ("REMOTE_TIMEOUT", "soon"),
        ("GITHUB_URL", "github.com"),
        ("GITHUB_URL", "https://a:b@c"),
    ],
)
def test_nonsense_is_refused(environment, name, value):
    with pytest.raises(Invalid):
        load(environment=environment | {f"TASKPILOT_{name}": value})


def test_secrets_are_not_shown(environment):
    settings = load(environment=environment)
    assert TOKEN not in f"{settings} {settings!r} {settings.github_token} {settings.github_token!r} {settings.reach}"
    assert settings.github_token.reveal() == TOKEN
    shown = subprocess.run(
        [sys.executable, "-m", "taskpilot", "config", "--json"],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert TOKEN not in shown.stdout + shown.stderr
    assert json.loads(shown.stdout)["github_token"]["value"] == "•••"
