"""One module or package per contract, each exporting CONTRACT. What they share is in `taskpilot.toolkit`."""

from __future__ import annotations

import pkgutil
from importlib import import_module
from typing import TYPE_CHECKING

from taskpilot.domain.errors import Invalid

if TYPE_CHECKING:
    from taskpilot.toolkit import Contract


def names() -> list[str]:
    """Every contract there is; none is imported for it."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__))


def check(name: str) -> str:
    if name not in names():
        raise Invalid(f"There is no contract {name!r}.", hint=f"Choose one of: {', '.join(names())}.")
    return name


def load(name: str) -> Contract:
    """One contract; the others stay unimported."""
    return import_module(f"taskpilot.contracts.{check(name)}").CONTRACT
