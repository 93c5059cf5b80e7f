"""The conformance fixtures on the product's own HTTP server. `server.py DATA_DIR`"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from mcp.server.lowlevel import Server

from taskpilot import logs, server
from taskpilot.app import App
from taskpilot.settings import Settings
from taskpilot.surfaces.mcp import server as surface
from taskpilot.surfaces.mcp.callers import CallerOf
from taskpilot.surfaces.web.process import serve_web
from taskpilot.toolkit import Contract

sys.path.insert(0, str(Path(__file__).parent))
from dialogues import extend
from fixtures import CONTRACT

serve = surface.serve


def serve_extended(app: App, contract: Contract, caller_of: CallerOf | None = None) -> Server[Any]:
    served = serve(app, contract, caller_of)
    extend(served)
    return served


def main(data_dir: str) -> None:
    settings = Settings(data_dir=Path(data_dir), port=0)
    logs.configure(settings)
    surface.serve = serve_extended
    with server.open_app(settings) as app:
        web = server.build(settings, app, [CONTRACT])
        serve_web(web, settings.host, 0, lambda address: server.greet(settings, address))


if __name__ == "__main__":
    main(sys.argv[1])
