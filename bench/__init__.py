"""Benchmarks. Everything compared is run side by side in one go, and only ratios are worth quoting."""
