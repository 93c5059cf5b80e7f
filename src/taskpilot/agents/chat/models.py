"""Which model answers: the one the settings name, wherever it is, or none."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from taskpilot.domain.errors import Unavailable
from taskpilot.settings import Settings

if TYPE_CHECKING:
    import ssl

    import httpx2
    from pydantic_ai.models import Model

MAKERS = ("openai", "anthropic", "google")
COMPATIBLE = "compatible"
CONNECT_SECONDS = 10.0
NO_KEY = "none"
"""Local models want none; the libraries insist on some text."""


class NotSetUp(Unavailable):
    """The settings name a model that nobody can ask."""


def parse_name(settings: Settings) -> tuple[str, str]:
    """Whose model it is, and its name. At an address of one's own, a name without a maker is OpenAI-compatible."""
    maker, colon, name = settings.chat_model.partition(":")
    if colon and name and maker in MAKERS:
        return maker, name
    if settings.chat_url and settings.chat_model:
        return COMPATIBLE, settings.chat_model
    raise NotSetUp(
        f"chat_model cannot be {settings.chat_model!r}.",
        hint="It looks like openai:NAME, anthropic:NAME or google:NAME; with chat_url, the name alone will do.",
    )


def load(settings: Settings) -> None:
    """Import what the model of the settings needs: the libraries of its maker are large."""
    if settings.chat_model:
        with suppress(NotSetUp):
            maker, _ = parse_name(settings)
            import_module(f"pydantic_ai.models.{'openai' if maker == COMPATIBLE else maker}")
        _trust()


@asynccontextmanager
async def open_model(settings: Settings) -> AsyncGenerator[Model]:
    """The model of the settings, with a connection that is closed afterwards."""
    import httpx2

    maker, name = parse_name(settings)
    timeout = httpx2.Timeout(float(settings.chat_seconds), connect=CONNECT_SECONDS)
    async with httpx2.AsyncClient(timeout=timeout, verify=_trust()) as client:
        yield _make(maker, name, settings, client)


def _make(maker: str, name: str, settings: Settings, client: httpx2.AsyncClient) -> Model:
    from pydantic_ai.exceptions import UserError

    key, url = settings.chat_api_key.reveal() or None, settings.chat_url or None
    try:
        match maker:
            case "anthropic":
                from pydantic_ai.models.anthropic import AnthropicModel
                from pydantic_ai.providers.anthropic import AnthropicProvider

                provider = AnthropicProvider(api_key=key or (NO_KEY if url else None), base_url=url, http_client=client)
                return AnthropicModel(name, provider=provider)
            case "google":
                from pydantic_ai.models.google import GoogleModel
                from pydantic_ai.providers.google import GoogleProvider

                return GoogleModel(name, provider=GoogleProvider(api_key=key, base_url=url, http_client=client))
            case "openai":
                from pydantic_ai.models.openai import OpenAIChatModel
                from pydantic_ai.providers.openai import OpenAIProvider

                return OpenAIChatModel(
                    name, provider=OpenAIProvider(url, key or (NO_KEY if url else None), http_client=client)
                )
            case _:
                from pydantic_ai.models.openai import OpenAIChatModel
                from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

                assert url is not None
                compatible = OpenAICompatibleProvider(
                    COMPATIBLE, base_url=url, api_key=key or NO_KEY, http_client=client
                )
                return OpenAIChatModel(name, provider=compatible)
    except UserError:
        raise NotSetUp(f"There is no key for {settings.chat_model}.", hint="Give it as chat_api_key.") from None


@cache
def _trust() -> ssl.SSLContext:
    """Made once: reading the certificates takes longer than all else of a connection."""
    import httpx2

    return httpx2.create_ssl_context()
