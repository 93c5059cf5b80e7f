"""What people say, understood without a model: words in, the tool calls they mean out. Nothing here does anything.

A sentence is understood whole or not at all: where a part of it is unclear, nothing of it is done.
"""

from taskpilot.agents.chat.rules.outcome import Answer, Ask, Calls, Confirm, Understanding
from taskpilot.agents.chat.rules.sentence import understand
from taskpilot.agents.chat.rules.talk import HELP, NOT_UNDERSTOOD, confirm
from taskpilot.agents.chat.rules.view import Context, Listed, Shelf, TaskView, View, Wanted

__all__ = [
    "HELP",
    "NOT_UNDERSTOOD",
    "Answer",
    "Ask",
    "Calls",
    "Confirm",
    "Context",
    "Listed",
    "Shelf",
    "TaskView",
    "Understanding",
    "View",
    "Wanted",
    "confirm",
    "understand",
]
