"""The API keeps what its description promises: every operation, every check, signed in and not.

Many cases are made from the description, good ones and bad ones. Good ones must be accepted (or meet a 404 or a 409:
nobody can describe what there is), bad ones refused, and every answer must look as described.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.config import SchemathesisConfig
from schemathesis.generation.feedback import FeedbackSources
from schemathesis.pytest._test_builder import build_operation_test
from schemathesis.python import asgi
from schemathesis.specs.openapi.checks import unsupported_method
from schemathesis.specs.openapi.schemas import OpenApiSchema

from taskpilot.access.secrets import hash_secret, make_secret
from taskpilot.access.tickets import Signer
from taskpilot.app import App
from taskpilot.domain.caller import Caller, unknown
from taskpilot.domain.errors import Unauthenticated
from taskpilot.domain.operation import writes
from taskpilot.domain.question import PERMISSION, Asking
from taskpilot.domain.run import Agent
from taskpilot.domain.scopes import EVERY, Scope
from taskpilot.domain.user import User
from taskpilot.ops import conversations, logins, questions, run_orders, tasks
from taskpilot.server import build
from taskpilot.settings import Settings
from taskpilot.store import open_database
from taskpilot.store.vault import Vault
from taskpilot.store.work import Work
from taskpilot.surfaces.rest.application import build_rest
from taskpilot.surfaces.rest.description import OPEN
from tests.conftest import SOAK

CASES = 500 if SOAK else 50
SETTINGS: dict[str, Any] = {
    "auth": "required",
    "allowed_hosts": asgi.HOST,
    "rate_limit": 0,
    "address_rate_limit": 0,
    "sign_in_limit": 0,
}
GENERATION = {"deterministic": True, "max-examples": CASES}
# It depends on the settings alone: no store is needed.
DESCRIPTION = build_rest(None, None, Settings(**SETTINGS)).openapi()  # type: ignore[arg-type]
# A slow machine is nobody's fault.
patient = settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much], deadline=None)
OPERATIONS = [f"{method.upper()} {path}" for path, methods in DESCRIPTION["paths"].items() for method in methods]


class Person:
    """Somebody signed in; somebody else whenever an operation has ended that."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._signer = Signer(app.vault)
        self._number = 0
        self._login = 0
        self._token = ""

    def token(self, *, fresh: bool) -> str:
        """What they show. `fresh`: of somebody who was never here, and never gave a wrong password."""
        if fresh:
            self._login = 0
        try:
            self._app.run(unknown("rest"), logins.verify, self._login)
        except Unauthenticated:
            self._enter()
        return self._token

    def _enter(self) -> None:
        self._number += 1
        user = self._app.run(unknown("rest"), join, f"ann{self._number}@example.com")
        self._app.run(Caller(user.id, user.handle, "rest", scopes=EVERY), furnish)
        entry = self._app.run(unknown("rest"), logins.open_login, user.id, hash_secret(make_secret()))
        self._login = entry.login.id
        self._token, _ = self._signer.sign(entry.user, entry.login, self._app.now())


@writes(scope=Scope.ACCOUNT)
def join(work: Work, email: str) -> User:
    user = work.users.add(email.partition("@")[0], work.now)
    return work.users.save(replace(user, email=email, admin=True))


@writes
def furnish(work: Work) -> None:
    """Enough things of every kind that small numbers find something."""
    made = tasks.create(
        work,
        [
            {"title": f"Task {n}", "project": f"Project {n % 5}", "tags": ["home"], "workspace": "/srv/shop"}
            for n in range(50)
        ],
    ).tasks
    for task in made[:10]:
        started = run_orders.start(work, task.id, agent=Agent.CODEX)
        assert started.run is not None
        questions.ask(work, started.run, Asking.PERMISSION, "May it?", PERMISSION, {"kind": "execute"})
        conversations.add_message(work, conversations.start(work).id, "user", "What next?")


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty, migrated store that each test copies."""
    path = tmp_path_factory.mktemp("fuzz") / "template.db"
    database = open_database(path)
    database.migrate()
    database.close()
    return path


@pytest.fixture
def store(template: Path, tmp_path: Path) -> Iterator[App]:
    shutil.copy(template, tmp_path / "taskpilot.db")
    app = App(open_database(tmp_path / "taskpilot.db"), vault=Vault(tmp_path / "secret.key"))
    yield app
    app.close()


@pytest.fixture
def schema(request: pytest.FixtureRequest, store: App, tmp_path: Path) -> Iterator[OpenApiSchema]:
    """Of a server of its own. Whoever has a token shows it and no other."""
    generation = GENERATION | {"with-security-parameters": "person" not in request.fixturenames}
    config = SchemathesisConfig.from_dict({"generation": generation})
    schema = schemathesis.openapi.from_dict(DESCRIPTION, config=config)
    schema.app = build(Settings(data_dir=tmp_path, **SETTINGS), store, [])
    yield schema
    asgi.shutdown_lifespans()


@pytest.fixture
def person(store: App) -> Person:
    return Person(store)


def prove(schema: OpenApiSchema, operation: str, act: Callable[[schemathesis.Case], object]) -> None:
    """What `schema.parametrize` would do, for one operation: that one makes every case of all when it collects."""
    method, path = operation.split()
    test = build_operation_test(
        config=schema.config,
        operation=schema[path][method],
        test_func=patient(act),
        given_kwargs={},
        feedback=FeedbackSources(),
    )
    test()


def schema_of_body(operation: str) -> Any:
    method, path = operation.split()
    content = DESCRIPTION["paths"][path][method.lower()].get("requestBody", {}).get("content", {})
    name = next(iter(content.values()), {}).get("schema", {}).get("$ref", "").rpartition("/")[2]
    return DESCRIPTION["components"]["schemas"].get(name)


def patience(case: schemathesis.Case) -> float:
    """Seconds to wait for an answer. A stream may stay open for an hour; what came first is looked at."""
    return 0.5 if case.path == "/api/events" else 30


@pytest.mark.parametrize("operation", OPERATIONS)
def test_the_api_keeps_its_promises_to_a_user(operation: str, schema: OpenApiSchema, person: Person):
    asks_password = "password" in str(schema_of_body(operation))

    def act(case: schemathesis.Case) -> None:
        token = person.token(fresh=asks_password)
        case.call_and_validate(headers={"Authorization": f"Bearer {token}"}, timeout=patience(case))

    prove(schema, operation, act)


@pytest.mark.parametrize("operation", OPERATIONS)
def test_the_api_keeps_its_promises_to_a_stranger(operation: str, schema: OpenApiSchema):
    # Strangers may only post there: the gate asks whoever tries another method to sign in, before anything is routed.
    excluded = [unsupported_method] if operation.split()[1] in OPEN else []

    def act(case: schemathesis.Case) -> None:
        case.call_and_validate(excluded_checks=excluded)

    prove(schema, operation, act)
