from __future__ import annotations

import pytest

from taskpilot.app import Errand
from taskpilot.domain.caller import unknown
from taskpilot.store.vault import Vault


@pytest.fixture(autouse=True)
def vault(app, tmp_path):
    app.vault = Vault(tmp_path / "secret.key")


@pytest.fixture
def errand(app):
    """Somebody at the door."""
    return Errand(app, unknown("rest", "10.0.0.1"))
