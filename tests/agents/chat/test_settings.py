from __future__ import annotations

import pytest

from taskpilot.domain.errors import Invalid
from taskpilot.settings import Settings, load


def settle(**environment: str) -> Settings:
    return load(environment={f"TASKPILOT_{name.upper()}": value for name, value in environment.items()} | NOWHERE)


NOWHERE = {"TASKPILOT_CONFIG": "/nonexistent/config.toml"}


def test_without_settings_chat_needs_no_model():
    found = settle()
    assert (found.chat_model, found.chat_url, found.chat_api_key, found.chat_tools) == ("", "", "", "native")
    assert (found.chat_rounds, found.chat_tokens, found.chat_seconds) == (10, 100_000, 120)


def test_chat_is_set_by_the_environment_and_the_key_is_not_shown():
    found = settle(
        chat_model="openai:gpt", chat_url="http://localhost:11434/v1/", chat_api_key="sk-hush", chat_tools="todo"
    )
    assert (found.chat_model, found.chat_url, found.chat_tools) == ("openai:gpt", "http://localhost:11434/v1", "todo")
    assert "sk-hush" not in f"{found} {found!r} {found.chat_api_key}"
    assert found.chat_api_key.reveal() == "sk-hush"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("chat_rounds", "0"),
        ("chat_rounds", "101"),
        ("chat_tokens", "-1"),
        ("chat_tokens", "many"),
        ("chat_seconds", "0"),
        ("chat_seconds", "1.5"),
        ("chat_tools", "all"),
        ("chat_url", "localhost:11434"),
        ("chat_url", "http://user:secret@localhost/v1"),
    ],
)
def test_what_makes_no_sense_is_refused(name, value):
    with pytest.raises(Invalid) as refused:
        settle(**{name: value})
    assert "secret@" not in str(refused.value)


def test_any_number_of_tokens_can_be_allowed():
    assert settle(chat_tokens="0").chat_tokens == 0
