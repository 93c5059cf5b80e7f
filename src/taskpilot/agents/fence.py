"""The program that a worktree's pre-push hook runs: may this attempt still push?

It asks the worker that the attempt belongs to, with the attempt's own token. Whoever was replaced, or has lost their
worker, gets no. The standard library only: it is run by git, without the rest of us.
"""

from __future__ import annotations

import sys
import urllib.error
import urllib.request

PATH = "/fence"
PATIENCE = 5.0


def write_argv(desk: str, token: str) -> list[str]:
    """How the hook runs this program."""
    return [sys.executable, "-I", "-S", __file__, desk + PATH, token]


def ask(url: str, token: str) -> str:
    """Why not; empty: go on."""
    request = urllib.request.Request(url, headers={"Authorization": f"Bearer {token}"})
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with direct.open(request, timeout=PATIENCE):
            return ""
    except urllib.error.HTTPError as error:
        with error:
            return "This run goes on elsewhere, or is over: it may not push."
    except OSError:
        return "The worker of this run is gone: it may not push."


if __name__ == "__main__":
    why = ask(*sys.argv[1:3])
    if why:
        sys.exit(why)
