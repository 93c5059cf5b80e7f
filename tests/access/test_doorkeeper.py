from __future__ import annotations

import asyncio
import hmac
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from taskpilot.access import doorkeeper
from taskpilot.access.doorkeeper import TRUSTED_FOR, Doorkeeper
from taskpilot.access.secrets import hash_secret, make_secret
from taskpilot.app import App
from taskpilot.domain.caller import Caller, local, unknown
from taskpilot.domain.errors import Unauthenticated
from taskpilot.domain.login import ACCESS_LIFETIME, LoginKind
from taskpilot.domain.operation import writes
from taskpilot.domain.scopes import EVERY, PERSONAL, USUAL, Scope
from taskpilot.domain.token import write_token
from taskpilot.ops import logins, tokens, users
from taskpilot.store import open_database
from taskpilot.store.vault import Vault

pytestmark = pytest.mark.anyio
ANN = 7
HERE = "http://localhost:8000/mcp"


@writes
def change(work, user_id: int, **fields: Any) -> None:
    before = work.users.find(user_id)
    after = work.users.save(replace(before, **fields))
    work.record("user.updated", before, after)


def make_token(app: App, caller: Caller, scopes=USUAL, **options: Any) -> tuple[int, str]:
    secret = make_secret()
    made = app.run(replace(caller, scopes=EVERY), tokens.create, "tests", hash_secret(secret), scopes, **options)
    return made.id, write_token(made.id, secret)


class Counted(Doorkeeper):
    """Counts how often it had to look."""

    looks = 0

    async def _recognise(self, *args):
        self.looks += 1
        return await super()._recognise(*args)


@pytest.fixture
def vault(tmp_path) -> Vault:
    return Vault(tmp_path / "secret.key")


@pytest.fixture
def keeper(app: App, vault) -> Iterator[Counted]:
    app.vault = vault
    keeper = Counted(app)
    yield keeper
    keeper.close()


@pytest.fixture
def ann(app: App, me: Caller) -> Caller:
    app.run(me, users.ensure, ANN)
    return Caller(ANN, f"user-{ANN}", "cli", scopes=PERSONAL)


@pytest.fixture
def enter(app: App, keeper: Counted):
    """Sign a user in; the login's number and an access token."""

    def enter(user: int = ANN, **options: Any) -> tuple[int, str]:
        entry = app.run(unknown("rest"), logins.open_login, user, hash_secret(make_secret()), **options)
        return entry.login.id, keeper.signer.sign(entry.user, entry.login, app.now())[0]

    return enter


async def until_refused(keeper: Doorkeeper, shown: str) -> None:
    """News of a change travels on the feed's thread."""
    for _ in range(500):
        try:
            await keeper.admit(shown, "rest")
        except Unauthenticated:
            return
        await asyncio.sleep(0.01)
    raise AssertionError("still admitted")


async def test_a_token_stands_for_its_maker_within_its_scopes(app, keeper, ann):
    number, shown = make_token(app, ann, frozenset({Scope.READ}))
    caller = await keeper.admit(shown, "rest", address="203.0.113.9")
    assert caller == Caller(
        ANN, "user-7", "rest", scopes=frozenset({Scope.READ}), address="203.0.113.9", credential=f"token:{number}"
    )
    assert (await keeper.admit(shown, "todo")).door == "todo"
    assert (await keeper.admit(shown, "rest", address="203.0.113.8")).address == "203.0.113.8"


async def test_a_login_stands_for_the_person(keeper, ann, enter):
    number, shown = enter()
    caller = await keeper.admit(shown, "rest")
    assert (caller.user, caller.scopes, caller.trusted) == (ANN, PERSONAL, False)
    assert caller.credential == f"login:{number}"


async def test_whom_it_has_seen_it_knows_for_a_while(app, keeper, ann, enter, clock):
    shown = [make_token(app, ann)[1], enter()[1]]
    await until_quiet(keeper)
    for _ in range(5):
        for each in shown:
            await keeper.admit(each, "rest")
    assert keeper.looks == 2
    clock.forward(seconds=TRUSTED_FOR.total_seconds())
    for each in shown:
        await keeper.admit(each, "rest")
    assert keeper.looks == 4


async def until_quiet(keeper: Counted) -> None:
    """Until the news of what the test itself made has come."""
    before = -1
    while before != keeper._news:
        before = keeper._news
        await asyncio.sleep(0.2)


async def test_strangers_are_not_remembered(keeper, ann):
    for _ in range(3):
        with pytest.raises(Unauthenticated):
            await keeper.admit("tp_1_" + "x" * 43, "rest")
    assert (keeper.looks, len(keeper._passes)) == (3, 0)


async def test_a_token_is_over_on_the_second(app, keeper, ann, clock):
    _, shown = make_token(app, ann, expires_at=app.now() + timedelta(seconds=10))
    await keeper.admit(shown, "rest")
    clock.forward(seconds=9)
    await keeper.admit(shown, "rest")
    clock.forward(seconds=1)
    with pytest.raises(Unauthenticated):
        await keeper.admit(shown, "rest")


async def test_an_access_token_is_over_after_a_quarter_of_an_hour(keeper, enter, ann, clock):
    _, shown = enter()
    clock.forward(seconds=ACCESS_LIFETIME.total_seconds() - 1)
    await keeper.admit(shown, "rest")
    clock.forward(seconds=1)
    with pytest.raises(Unauthenticated, match="run out"):
        await keeper.admit(shown, "rest")


async def test_what_is_revoked_in_another_process_is_forgotten_here(place, app, keeper, ann, enter, clock):
    token, by_token = make_token(app, ann)
    login, by_login = enter()
    _, third = make_token(app, ann)
    for shown in (by_token, by_login, third):
        await keeper.admit(shown, "rest")
    other = App(open_database(place), clock=clock)
    try:
        await asyncio.to_thread(other.run, ann, tokens.revoke, token)
        await until_refused(keeper, by_token)
        await asyncio.to_thread(other.run, ann, logins.revoke, login)
        await until_refused(keeper, by_login)
        await asyncio.to_thread(other.run, local("cli"), change, ANN, disabled_at=clock.now)
        await until_refused(keeper, third)
    finally:
        other.close()


async def test_a_backup_put_back_is_news_for_everybody(app, keeper, ann):
    _, shown = make_token(app, ann)
    await keeper.admit(shown, "rest")
    event = type("Restored", (), {"for_everyone": True})()
    keeper._hear([event])
    assert not keeper._passes


async def test_what_is_revoked_while_it_is_looked_up_is_not_remembered(app, keeper, ann, monkeypatch):
    number, shown = make_token(app, ann)
    await until_quiet(keeper)
    verify = app.call

    async def slow(*args):
        found = await verify(*args)
        await asyncio.to_thread(app.run, ann, tokens.revoke, number)
        keeper.forget(ANN)
        return found

    monkeypatch.setattr(app, "call", slow)
    await keeper.admit(shown, "rest")
    monkeypatch.undo()
    with pytest.raises(Unauthenticated):
        await keeper.admit(shown, "rest")


async def test_a_token_for_one_address_is_good_nowhere_else(keeper, ann, enter):
    _, shown = enter(kind=LoginKind.OAUTH, scopes=frozenset({Scope.READ}), resource=HERE)
    assert (await keeper.admit(shown, "native", resource=HERE)).scopes == {Scope.READ}
    for elsewhere in (
        "",
        "http://localhost:8000",
        HERE + "/",
        HERE + "/todo",
        "http://127.0.0.1:8000/mcp",
        "taskpilot",
    ):
        with pytest.raises(Unauthenticated, match="another address"):
            await keeper.admit(shown, "native", resource=elsewhere)


async def test_a_token_of_who_is_no_administrator_any_more_has_lost_that_scope(app, keeper, ann, me):
    everything = frozenset({Scope.READ, Scope.ADMIN})
    app.run(me, change, ANN, admin=True)
    _, shown = make_token(app, ann, everything)
    assert (await keeper.admit(shown, "rest")).scopes == everything
    app.run(me, change, ANN, admin=False)
    await until_quiet(keeper)
    assert (await keeper.admit(shown, "rest")).scopes == {Scope.READ}


async def test_an_administrator_who_no_longer_is_one_loses_the_scope_of_an_open_login(app, keeper, ann, me, enter):
    app.run(me, change, ANN, admin=True)
    _, shown = enter()
    assert Scope.ADMIN in (await keeper.admit(shown, "rest")).scopes
    app.run(me, change, ANN, admin=False)
    await until_quiet(keeper)
    assert (await keeper.admit(shown, "rest")).scopes == PERSONAL


async def test_it_does_not_remember_without_end(app, keeper, ann, monkeypatch):
    monkeypatch.setattr(doorkeeper, "REMEMBERED", 3)
    shown = [make_token(app, ann)[1] for _ in range(5)]
    await until_quiet(keeper)
    for each in shown:
        await keeper.admit(each, "rest")
    assert len(keeper._passes) == 3


async def test_no_secret_is_kept_in_memory(app, keeper, ann):
    _, shown = make_token(app, ann)
    await keeper.admit(shown, "rest")
    assert shown.rpartition("_")[2] not in repr(keeper._passes)


async def test_last_use_is_written_down_off_the_request_path(app, keeper, ann, clock):
    number, shown = make_token(app, ann)
    await keeper.admit(shown, "rest")
    app.trail.flush()
    bearer = app.run(unknown("door"), tokens.verify, number, hash_secret(shown.split("_", 2)[2]))
    assert bearer.token.last_used_at == clock.now


async def test_hashes_are_compared_in_constant_time(app, keeper, ann, monkeypatch):
    compared = []
    real = hmac.compare_digest

    def compare(one, other):
        compared.append((one, other))
        return real(one, other)

    monkeypatch.setattr(hmac, "compare_digest", compare)
    number, shown = make_token(app, ann)
    await keeper.admit(shown, "rest")
    for wrong in (f"tp_{number}_" + "x" * 43, "tp_999_" + "x" * 43):
        with pytest.raises(Unauthenticated):
            await keeper.admit(wrong, "rest")
    assert [len(one) == len(other) == 64 for one, other in compared] == [True] * 3


@pytest.mark.parametrize(
    "shown",
    ["", "x", "é", "tp_0_" + "x" * 43, "tp_1_x", "tp_99999999999999999999_" + "x" * 43, "a.b.c", "x" * 5_000, "\ud800"],
)
async def test_nonsense_is_refused_with_one_answer(keeper, shown):
    with pytest.raises(Unauthenticated):
        await keeper.admit(shown, "rest")
