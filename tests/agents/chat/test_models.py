"""Which model the settings mean."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from taskpilot.agents.chat.models import COMPATIBLE, NotSetUp, open_model, parse_name
from taskpilot.settings import Secret, Settings

LOCAL = "http://localhost:11434/v1"


def settings(model, url="", key="k"):
    return Settings(data_dir=Path("/nowhere"), chat_model=model, chat_url=url, chat_api_key=Secret(key))


@pytest.mark.parametrize(
    ("model", "url", "meant"),
    [
        ("openai:gpt-4o", "", ("openai", "gpt-4o")),
        ("openai:gpt-4o", LOCAL, ("openai", "gpt-4o")),
        ("anthropic:claude-opus-5", "", ("anthropic", "claude-opus-5")),
        ("google:gemini-3-pro", "", ("google", "gemini-3-pro")),
        ("llama3", LOCAL, (COMPATIBLE, "llama3")),
        ("llama3:8b", LOCAL, (COMPATIBLE, "llama3:8b")),
        ("qwen/qwen3", LOCAL, (COMPATIBLE, "qwen/qwen3")),
    ],
)
def test_a_name_says_whose_model_it_is(model, url, meant):
    assert parse_name(settings(model, url)) == meant


@pytest.mark.parametrize("model", ["llama3", "llama3:8b", "openai:", "openai"])
def test_a_name_without_a_maker_needs_an_address(model):
    with pytest.raises(NotSetUp):
        parse_name(settings(model))


@pytest.mark.parametrize(
    ("model", "url", "kind", "address"),
    [
        ("openai:gpt-4o", "", "OpenAIChatModel", "https://api.openai.com/v1/"),
        ("openai:gpt-4o", LOCAL, "OpenAIChatModel", f"{LOCAL}/"),
        ("llama3:8b", LOCAL, "OpenAIChatModel", f"{LOCAL}/"),
        ("anthropic:claude-opus-5", "", "AnthropicModel", "https://api.anthropic.com"),
        ("anthropic:claude-opus-5", "http://localhost:1", "AnthropicModel", "http://localhost:1"),
        ("google:gemini-3-pro", "", "GoogleModel", "https://generativelanguage.googleapis.com/"),
    ],
)
def test_each_kind_of_model_can_be_had(model, url, kind, address, monkeypatch):
    for name in ("OPENAI_BASE_URL", "ANTHROPIC_BASE_URL", "GOOGLE_GEMINI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)

    async def look():
        async with open_model(settings(model, url)) as found:
            return type(found).__name__, found.model_name, str(found.base_url).rstrip("/")

    name = model.partition(":")[2] if model.startswith(("openai", "anthropic", "google")) else model
    assert asyncio.run(look()) == (kind, name, address.rstrip("/"))


def test_a_local_model_needs_no_key():
    async def look():
        async with open_model(settings("llama3", LOCAL, key="")) as found:
            return found.model_name

    assert asyncio.run(look()) == "llama3"
