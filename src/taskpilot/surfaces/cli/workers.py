"""Somebody has to carry out what was queued."""

from __future__ import annotations

import sys

from taskpilot.surfaces.cli.session import Session


def summon(session: Session) -> None:
    """Make sure that a worker is about, as the settings have it. What was queued stays queued if there is none."""
    from taskpilot.agents import foreman

    try:
        started = foreman.summon(session.settings)
    except OSError as error:
        sys.stderr.write(f"No worker could be started: {error.strerror}. To start one: taskpilot worker\n")
        return
    if started is not None:
        started.returncode = 0  # it outlives this command, and nobody waits for it
