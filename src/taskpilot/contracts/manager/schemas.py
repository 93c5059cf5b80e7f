"""The input schemas of the eight tools, to the letter."""

from __future__ import annotations

from taskpilot.toolkit import Schema

TEXT: Schema = {"type": "string"}
ENERGY: Schema = {"type": "string", "enum": ["light", "medium", "deep"]}
PRIORITY: Schema = {"type": "integer", "minimum": 1, "maximum": 5}

CREATE: Schema = {
    "type": "object",
    "properties": {
        "title": {**TEXT, "description": "Task title (1-500 characters)"},
        "project": {**TEXT, "description": "Project category (optional)"},
        "priority": {**PRIORITY, "description": "Priority (1=Someday, 5=Critical, default=3)"},
        "energy": {**ENERGY, "description": "Energy level required (default=medium)"},
        "time_estimate": {**TEXT, "description": "Time estimate (e.g., '1hr', default='1hr')"},
        "notes": {**TEXT, "description": "Additional notes (optional)"},
    },
    "required": ["title"],
}

LIST: Schema = {
    "type": "object",
    "properties": {
        "project": {**TEXT, "description": "Filter by project"},
        "priority": {**PRIORITY, "description": "Filter by priority (1-5)"},
        "show_completed": {"type": "boolean", "description": "Include completed tasks (default=false)"},
        "limit": {
            "type": "integer",
            "minimum": 1,
            "maximum": 1000,
            "description": "Maximum results (default=100, max=1000)",
        },
        "offset": {"type": "integer", "minimum": 0, "description": "Pagination offset (default=0)"},
    },
}

UPDATE: Schema = {
    "type": "object",
    "properties": {
        "task_id": {"type": "integer", "description": "Task ID to update"},
        "title": {**TEXT, "description": "New title"},
        "project": {**TEXT, "description": "New project"},
        "priority": {**PRIORITY, "description": "New priority (1-5)"},
        "energy": {**ENERGY, "description": "New energy level"},
        "time_estimate": {**TEXT, "description": "New time estimate"},
        "notes": {**TEXT, "description": "New notes"},
    },
    "required": ["task_id"],
}

SEARCH: Schema = {
    "type": "object",
    "properties": {
        "query": {**TEXT, "description": "Search keywords"},
        "fields": {
            **TEXT,
            "enum": ["title", "notes", "both"],
            "description": 'Fields to search (default="both" for title+notes)',
        },
    },
    "required": ["query"],
}

STATS: Schema = {
    "type": "object",
    "properties": {
        "group_by": {
            **TEXT,
            "enum": ["project", "priority", "status", "all"],
            "description": "Grouping field (project|priority|status, default=all)",
        },
    },
}


def name_task(purpose: str) -> Schema:
    """The schema of a tool that takes nothing but a task's id."""
    return {
        "type": "object",
        "properties": {"task_id": {"type": "integer", "description": f"Task ID to {purpose}"}},
        "required": ["task_id"],
    }
