"""Paths that name a task."""

from __future__ import annotations

import re
from typing import Any

from fastapi.routing import APIRoute


class TaskRoute(APIRoute):
    """Matches only what looks like a task's id: `/api/tasks/bulk` is another path, with methods of its own."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.path_regex = re.compile(self.path_regex.pattern.replace("(?P<task_id>[^/]+)", "(?P<task_id>(TP-)?[0-9]+)"))
