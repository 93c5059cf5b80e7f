"""What an agent gets of the environment."""

from __future__ import annotations

import pytest

from taskpilot.agents.programs.environment import BASIC, compose
from taskpilot.agents.programs.masks import Mask
from taskpilot.domain.errors import Invalid

HOST = {
    "PATH": "/bin",
    "HOME": "/home/ann",
    "LC_ALL": "C.UTF-8",
    "SSL_CERT_FILE": "/etc/ca.pem",
    "https_proxy": "http://proxy:8080",
    "AWS_SECRET_ACCESS_KEY": "aws-secret",
    "AWS_REGION": "eu",
    "GITHUB_TOKEN": "ghp_x",
    "SSH_AUTH_SOCK": "/tmp/ssh",
    "LD_PRELOAD": "/tmp/x.so",
    "PYTHONPATH": "/src",
    "TASKPILOT_SECRET_KEY": "ours",
    "TASKPILOT_DATABASE_URL": "postgres://us",
}


def test_programs_find_what_they_need_and_no_more():
    assert sorted(compose(HOST, (), {})) == ["HOME", "LC_ALL", "PATH", "SSL_CERT_FILE", "https_proxy"]


def test_a_name_adds_one_variable_and_a_star_all_that_begin_so():
    assert compose(HOST, ["GITHUB_TOKEN"], {})["GITHUB_TOKEN"] == "ghp_x"
    added = compose(HOST, ["AWS_*", "MISSING"], {})
    assert (added["AWS_SECRET_ACCESS_KEY"], added["AWS_REGION"]) == ("aws-secret", "eu")
    assert "GITHUB_TOKEN" not in added
    assert "MISSING" not in added


def test_what_is_given_wins():
    made = compose(HOST, (), {"HOME": "/elsewhere", "TASKPILOT_RUN": "7"})
    assert (made["HOME"], made["TASKPILOT_RUN"]) == ("/elsewhere", "7")


@pytest.mark.parametrize("name", ["TASKPILOT_*", "TASKPILOT_SECRET_KEY"])
def test_our_own_settings_are_refused(name):
    with pytest.raises(Invalid, match="TaskPilot's own"):
        compose(HOST, [name], {})


@pytest.mark.parametrize("name", ["T*", "TASK*", "TASKPILOT*"])
def test_a_broad_name_does_not_reach_our_own(name):
    assert not [key for key in compose(HOST, [name], {}) if key.startswith("TASKPILOT_")]


@pytest.mark.parametrize("name", ["*", ""])
def test_nobody_gets_everything(name):
    with pytest.raises(Invalid, match="whole environment"):
        compose(HOST, [name], {})


def test_a_star_elsewhere_is_only_a_star():
    assert "AWS_REGION" not in compose(HOST, ["*_REGION", "AWS_*N"], {})


def test_no_basic_name_is_that_of_a_secret():
    values = {name.replace("*", "X"): f"value-of-{name}" for name in BASIC}
    assert [value for value in values.values() if Mask.of(values).mask(value) != value] == []
