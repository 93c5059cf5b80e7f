"""A repository as runs see it: worktrees, what was changed in them, and how it gets back."""
