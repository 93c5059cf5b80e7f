"""Where tasks live. SQL is written here and nowhere else."""

from taskpilot.store.database import Database, open_database

__all__ = ["Database", "open_database"]
