"""`python -m bench` runs all there is, `python -m bench http scale` the ones named, and prints the ratios."""

from __future__ import annotations

import os
import platform
import sqlite3
import sys
from importlib import import_module, metadata

ALL = (
    *("size", "start", "stdio", "http", "contracts", "rest", "writers"),
    *("claims", "runs", "scale", "changes", "chat", "board"),
)


def main() -> None:
    names = sys.argv[1:] or list(ALL)
    unknown = [name for name in names if name not in ALL]
    if unknown:
        sys.exit(f"No bench called {', '.join(unknown)}. There are: {', '.join(ALL)}.")
    print(
        f"{os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}, "
        f"SQLite {sqlite3.sqlite_version}, mcp {metadata.version('mcp')}"
    )
    for name in names:
        print(f"\n== {name}", flush=True)
        import_module(f"bench.{name}").run()


main()
