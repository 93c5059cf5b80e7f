"""Coding agents at work: programs in worktrees, whatever language they speak."""
