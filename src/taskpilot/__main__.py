"""Where the program starts and its parts meet. Nothing is imported here before it is needed.

Assistants start `taskpilot mcp` for every window, so that one command is recognised before the
command line is even loaded, and becomes a relay where a server is already running.
"""

from __future__ import annotations

import sys

if sys.version_info < (3, 11):  # noqa: UP036  a friendlier message than a syntax error further down
    sys.exit("TaskPilot needs Python 3.11 or newer.")

TYPE_CHECKING = False
if TYPE_CHECKING:
    from taskpilot.settings import Settings
    from taskpilot.surfaces.cli.worker import Hire
    from taskpilot.surfaces.mcp.relay import Handover

HINT = (
    "Waiting for an MCP client on standard input; Ctrl+D ends it.\n"
    "Assistants start this command themselves: `taskpilot connect` tells them how.\n"
)
MCP_FLAGS = {"--contract": "contract", "--data-dir": "data_dir", "--database-url": "database_url"}


def main(argv: list[str] | None = None) -> int:
    """Run one command; the number is the exit code."""
    argv = sys.argv[1:] if argv is None else argv
    try:
        flags = read_mcp_flags(argv)
        if flags is not None:
            return speak_mcp(flags)
        from taskpilot.surfaces.cli.main import main as run_command

        return run_command(argv, serve=run_server, mcp=run_mcp, worker=run_worker)
    except KeyboardInterrupt:
        return 130


def read_mcp_flags(argv: list[str]) -> dict[str, str] | None:
    """The flags of a plain `taskpilot mcp …`. None for all else, mistakes included: the CLI explains those."""
    if argv[:1] != ["mcp"]:
        return None
    flags: dict[str, str] = {}
    words = iter(argv[1:])
    for word in words:
        flag, joined, value = word.partition("=")
        given = value if joined else next(words, None)
        if flag not in MCP_FLAGS or given is None:
            return None
        flags[MCP_FLAGS[flag]] = given
    return flags


def speak_mcp(flags: dict[str, str]) -> int:
    """`taskpilot mcp`, with as little loaded as it takes."""
    from taskpilot.domain.errors import TaskPilotError
    from taskpilot.surfaces.mcp import place

    contract = flags.pop("contract", "native")
    try:
        found = place.find(flags)
        handover = relay(contract, found.data_dir, found.database_url, found.token)
        if handover is not None:
            from taskpilot.settings import load

            run_stdio(load(flags), contract, handover)
    except TaskPilotError as error:
        from taskpilot.surfaces.cli.errors import report

        return report(error)
    return 0


def relay(contract: str, data_dir: str, database_url: str, token: str) -> Handover | None:
    """Relay to the running server. None when the client has been served to its end."""
    from taskpilot import __version__, address
    from taskpilot.surfaces.mcp.relay import run

    if sys.stdin is not None and sys.stdin.isatty():
        sys.stderr.write(HINT)
    return run(data_dir, address.introduce(__version__, contract, database_url, token))


def run_server(settings: Settings) -> None:
    from taskpilot.server import run

    run(settings)


def run_worker(settings: Settings, terms: Hire) -> None:
    from taskpilot.server import run_worker as run

    run(settings, terms)


def run_mcp(settings: Settings, contract: str) -> None:
    """Relay to the running server; without one, be the server."""
    handover = relay(contract, str(settings.data_dir), settings.database_url, settings.token.reveal())
    if handover is not None:
        run_stdio(settings, contract, handover)


def run_stdio(settings: Settings, contract: str, handover: Handover) -> None:
    import gc

    gc.disable()  # nothing imported is garbage, and looking for it takes a tenth of the start
    from taskpilot.server import run_stdio as run

    run(settings, contract, handover)


if __name__ == "__main__":
    sys.exit(main())
