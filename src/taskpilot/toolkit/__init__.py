"""What contracts are made of. Knows none of them by name."""

from taskpilot.toolkit.content import Annotations, Audio, Document, Image, Link, Reply
from taskpilot.toolkit.contract import Contract, Library, Prompt, PromptArgument, Resource, Suggestion, Template
from taskpilot.toolkit.schemas import QUIET, Schema
from taskpilot.toolkit.tools import Args, Choice, Step, Tool, errand, tool

__all__ = [
    "QUIET",
    "Annotations",
    "Args",
    "Audio",
    "Choice",
    "Contract",
    "Document",
    "Image",
    "Library",
    "Link",
    "Prompt",
    "PromptArgument",
    "Reply",
    "Resource",
    "Schema",
    "Step",
    "Suggestion",
    "Template",
    "Tool",
    "errand",
    "tool",
]
