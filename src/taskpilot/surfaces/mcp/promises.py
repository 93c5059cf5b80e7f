"""What a contract's server promises before anything is asked of it. Known without the SDK."""

from __future__ import annotations

from typing import Any

from taskpilot import __version__
from taskpilot.toolkit import Contract, Library


def promise(contract: Contract) -> dict[str, Any]:
    """The capabilities a client may rely on: nothing is said to change that does not."""
    promised: dict[str, Any] = {"tools": {}}
    if contract.library is not None:
        promised["resources"] = _kept(
            subscribe=contents_change(contract.library), listChanged=lists_change(contract.library)
        )
    if contract.prompts:
        promised["prompts"] = {}
    if contract.complete is not None:
        promised["completions"] = {}
    if contract.extensions:
        promised["extensions"] = {name: dict(settings) for name, settings in contract.extensions.items()}
    return promised


def introduce(contract: Contract) -> dict[str, str]:
    """The server's name and version as the contract has them."""
    said = {"name": contract.server_name, "version": contract.server_version or __version__, "title": contract.title}
    return {name: value for name, value in said.items() if value}


def contents_change(library: Library) -> bool:
    """Whether this library ever says that a resource has changed."""
    return library.touched is not Library.touched


def lists_change(library: Library) -> bool:
    return library.reshelved is not Library.reshelved


def _kept(**promises: bool) -> dict[str, bool]:
    return {name: True for name, holds in promises.items() if holds}
