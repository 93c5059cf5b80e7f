"""The API's description as JSON, for `npm run types` in `web/`: the page's types are made from it."""

from __future__ import annotations

import json

from taskpilot.settings import Settings
from taskpilot.surfaces.rest.application import build_rest

print(json.dumps(build_rest(None, None, Settings(auth="required")).openapi()))  # type: ignore[arg-type]
