from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import argon2
import pytest

from taskpilot.access import entry, passwords
from taskpilot.access.doorkeeper import Doorkeeper
from taskpilot.access.entry import Claim, Newcomer, NewPassword, Profile
from taskpilot.access.guesses import AT_ONCE
from taskpilot.access.secrets import hash_secret
from taskpilot.app import Errand
from taskpilot.domain.caller import Caller
from taskpilot.domain.errors import Conflict, Forbidden, Invalid, OutOfScope, Unauthenticated, Unavailable
from taskpilot.domain.scopes import PERSONAL, USUAL
from taskpilot.ops import invitations, users

EMAIL, PASSWORD = "ann@example.com", "correct horse"


@pytest.fixture
def ann(errand):
    return entry.sign_up(errand, Newcomer(EMAIL, PASSWORD, "open", name="Ann", client="pytest"))


@pytest.fixture
def inside(app, ann):
    """Ann, signed in."""
    credential = f"login:{ann.login.id}"
    return Errand(app, Caller(ann.user.id, "ann", "rest", scopes=PERSONAL, address="10.0.0.1", credential=credential))


def test_signing_up_lets_one_in_and_signing_in_does_again(app, errand, ann):
    again = entry.sign_in(errand, Claim(" ANN@Example.com", PASSWORD))
    assert (again.user, again.login.address) == (ann.user, "10.0.0.1")
    assert again.login.id != ann.login.id
    with app.database.reading() as db:
        stored = str(
            [
                dict(row)
                for table in ("login", "refresh_token", "event", "user_account")
                for row in db.all(f"SELECT * FROM {table}")
            ]
        )
    for secret in (PASSWORD, ann.token, ann.refresh_token, again.refresh_token):
        assert secret not in stored
        assert secret not in repr(again) + repr(ann) + repr(Claim(EMAIL, PASSWORD))


@pytest.mark.anyio
async def test_the_token_is_what_the_keeper_of_the_door_knows(app, ann):
    keeper = Doorkeeper(app)
    caller = await keeper.admit(ann.token, "rest")
    assert (caller.user, caller.scopes, caller.credential) == (ann.user.id, PERSONAL, f"login:{ann.login.id}")
    keeper.close()


def test_an_unknown_address_is_told_like_a_wrong_password_after_as_much_work(errand, ann, monkeypatch):
    worked = []
    verify = argon2.PasswordHasher.verify
    monkeypatch.setattr(
        argon2.PasswordHasher,
        "verify",
        lambda self, hashed, given: worked.append(hashed) or verify(self, hashed, given),
    )
    told = []
    for claim in (Claim(EMAIL, "wrong"), Claim("nobody@example.com", "wrong"), Claim("no address\0", "wrong")):
        with pytest.raises(Unauthenticated) as error:
            entry.sign_in(errand, claim)
        told.append(str(error.value))
    assert len(set(told)) == 1
    settings = {"$".join(hashed.split("$")[:4]) for hashed in worked}
    assert len(worked) == 3
    assert len(settings) == 1


def test_guessing_becomes_slow_for_accounts_that_exist_and_others_alike(app, errand, ann, monkeypatch):
    monkeypatch.setattr(entry, "is_right", lambda hashed, password: password == PASSWORD)
    stranger = Errand(app, replace(errand.caller, address="6.6.6.6"))
    for email in (EMAIL, "nobody@example.com"):
        for _ in range(AT_ONCE):
            with pytest.raises(Unauthenticated):
                entry.sign_in(stranger, Claim(email, "wrong"))
        with pytest.raises(Unavailable, match="too many"):
            entry.sign_in(stranger, Claim(email, PASSWORD))


def test_a_password_kept_with_old_settings_is_kept_better_after_signing_in(app, do, errand, ann):
    old = argon2.PasswordHasher(time_cost=1, memory_cost=64).hash(PASSWORD)
    do(users.reset_password, EMAIL, old)
    assert entry.sign_in(errand, Claim(EMAIL, PASSWORD))
    kept = do(users.find_proof, EMAIL).hashed
    assert kept != old
    assert not passwords.needs_rehash(kept)
    assert entry.sign_in(errand, Claim(EMAIL, PASSWORD))


@pytest.mark.parametrize(("email", "password"), [("ann", PASSWORD), (EMAIL, "1234567"), (EMAIL, "x" * 1001)])
def test_what_cannot_be_an_account_is_refused(do, errand, email, password):
    with pytest.raises(Invalid):
        entry.sign_up(errand, Newcomer(email, password, "open"))
    assert do(users.list_all)[1] == 1


def test_one_address_is_one_account_also_at_the_same_moment(do, errand):
    def sign_up(_):
        try:
            return entry.sign_up(errand, Newcomer(EMAIL, PASSWORD, "open"))
        except Conflict:
            return None

    with ThreadPoolExecutor(4) as threads:
        made = list(threads.map(sign_up, range(4)))
    assert len([each for each in made if each]) == 1
    assert do(users.list_all)[1] == 2


def test_signing_up_closed_or_by_invitation(do, errand):
    with pytest.raises(Forbidden):
        entry.sign_up(errand, Newcomer(EMAIL, PASSWORD, "closed"))
    with pytest.raises(Forbidden):
        entry.sign_up(errand, Newcomer(EMAIL, PASSWORD, "invitation", invitation="guess"))
    do(invitations.create, hash_secret("the code"), email=EMAIL)
    assert entry.sign_up(errand, Newcomer(EMAIL, PASSWORD, "invitation", invitation="the code")).user.email == EMAIL


def test_a_refresh_token_brings_a_new_pair_and_a_copy_ends_the_login(errand, ann):
    second = entry.refresh(errand, ann.refresh_token)
    assert second.login.id == ann.login.id
    assert len({ann.token, second.token}) == len({ann.refresh_token, second.refresh_token}) == 2
    with pytest.raises(Unauthenticated, match="used before"):
        entry.refresh(errand, ann.refresh_token)
    for each in (second.refresh_token, "never seen", "", "\ud800\0"):
        with pytest.raises(Unauthenticated):
            entry.refresh(errand, each)


def test_of_many_at_the_same_moment_one_refresh_wins_and_then_all_is_over(errand, ann):
    def refresh(_):
        try:
            return entry.refresh(errand, ann.refresh_token)
        except Unauthenticated:
            return None

    with ThreadPoolExecutor(4) as threads:
        won = [each for each in threads.map(refresh, range(4)) if each]
    assert len(won) == 1
    with pytest.raises(Unauthenticated):
        entry.refresh(errand, won[0].refresh_token)


def test_another_password_takes_the_current_one_and_ends_the_other_logins(errand, inside):
    other = entry.sign_in(errand, Claim(EMAIL, PASSWORD))
    with pytest.raises(Unauthenticated, match="current password"):
        entry.change_password(inside, NewPassword("wrong", "better horse"))
    with pytest.raises(Invalid, match="at least 8"):
        entry.change_password(inside, NewPassword(PASSWORD, "short"))
    assert entry.change_password(inside, NewPassword(PASSWORD, "better horse")) == 1
    with pytest.raises(Unauthenticated):
        entry.refresh(errand, other.refresh_token)
    with pytest.raises(Unauthenticated):
        entry.sign_in(errand, Claim(EMAIL, PASSWORD))
    assert entry.sign_in(errand, Claim(EMAIL, "better horse"))


def test_another_address_takes_the_password_too(inside):
    assert entry.change_profile(inside, Profile(name="Anna", handle="anna")).handle == "anna"
    with pytest.raises(Forbidden, match="current password"):
        entry.change_profile(inside, Profile(email="new@example.com"))
    with pytest.raises(Unauthenticated):
        entry.change_profile(inside, Profile(email="new@example.com", password="wrong"))
    assert entry.change_profile(inside, Profile(email="NEW@example.com", password=PASSWORD)).email == "new@example.com"


def test_the_local_user_has_no_password_to_change(app, me):
    with pytest.raises(Conflict, match="no password"):
        entry.change_password(Errand(app, me), NewPassword("", "better horse"))


@pytest.mark.anyio
async def test_a_token_can_neither_change_a_password_nor_sign_in_for_others(app, inside):
    tool = replace(inside.caller, scopes=USUAL)
    with pytest.raises(OutOfScope, match="signed in"):
        await app.send(tool, entry.change_password, NewPassword(PASSWORD, "better horse"))
    with pytest.raises(OutOfScope):
        await app.send(tool, entry.sign_in, Claim(EMAIL, PASSWORD))
