"""What an agent is told beside its orders."""

from __future__ import annotations

DESK = (
    "You work on a task of TaskPilot, in a git worktree of your own. The MCP server {server} is your desk: read the"
    " task there, log how it goes, add subtasks, and report at the end. What you leave in the worktree is committed"
    " for you when you are done."
)
INTERRUPTED = (
    "You were interrupted. See what is already done in the worktree, then go on. This is what you were told last:"
)
BEGUN = "This was begun before, and some of it may be done already. See what is there, then go on. The orders so far:"


def greet(orders: str, server: str) -> str:
    """The first prompt of a session."""
    return f"{DESK.format(server=server)}\n\n{orders}" if server else orders


def resume(last: str) -> str:
    return f"{INTERRUPTED}\n\n{last}"


def restart(whole: str, server: str) -> str:
    """For an agent that knows nothing of what it did before."""
    return greet(f"{BEGUN}\n\n{whole}", server)
