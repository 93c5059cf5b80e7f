"""TaskPilot: one task list that people, AI assistants and coding agents share."""

__version__ = "0.1.0"
