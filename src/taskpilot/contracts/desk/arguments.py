"""What the desk's tools take."""

from __future__ import annotations

from typing import Annotated

from pydantic import BeforeValidator, Field, WithJsonSchema

from taskpilot.domain.task import parse_id
from taskpilot.toolkit import Args
from taskpilot.toolkit.budget import Tokens

USUAL = 4_000
TaskId = Annotated[int, BeforeValidator(parse_id), WithJsonSchema({"type": "integer"})]


class Get(Args):
    max_tokens: Tokens = USUAL


class Log(Args):
    text: str
    progress: int | None = Field(None, description="percent, 0-99")


class Split(Args):
    titles: list[str]


class One(Args):
    id: TaskId


class Report(Args):
    done: str = ""
    tried: str = ""
    failed: str = ""
    next: str = ""

    def said(self) -> dict[str, str]:
        return {name: words for name, words in self.model_dump().items() if words}
