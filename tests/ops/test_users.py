from __future__ import annotations

from dataclasses import replace

import pytest

from taskpilot.domain.caller import Caller, unknown
from taskpilot.domain.errors import Conflict, Forbidden, Invalid, NotFound, OutOfScope, Unauthenticated
from taskpilot.domain.scopes import PERSONAL
from taskpilot.ops import history, invitations, logins, tokens, users
from taskpilot.store.users import Users


@pytest.fixture
def ann(do):
    return do(users.add, "ann@example.com", "hash", name="Ann")


@pytest.fixture
def as_ann(ann):
    return Caller(ann.id, ann.handle, "rest", scopes=PERSONAL)


def events(app):
    with app.database.reading() as db:
        return [(row["kind"], row["owner_id"], row["actor"]) for row in db.all("SELECT * FROM event ORDER BY id")]


def test_the_local_user_is_there_from_the_start(do):
    assert do(users.me).handle == "dev-user"


def test_a_user_named_by_number_is_made_once(do):
    assert do(users.ensure, 42) == do(users.ensure, 42)


def test_a_generated_number_never_meets_a_named_one(app, do, clock):
    do(users.ensure, 2**31 - 1)
    with app.database.writing() as db:
        generated = Users(db).add("ada", clock.now)
    assert generated.id == 2**31


@pytest.mark.parametrize("number", [0, -1, 2**31])
def test_a_number_out_of_range_is_refused(do, number):
    with pytest.raises(Invalid, match="cannot be"):
        do(users.ensure, number)


def test_a_number_whose_handle_somebody_has_still_gets_its_user(do):
    do(users.add, "user-42@example.com", "hash")
    assert do(users.ensure, 42).handle == "user-42-2"


def test_an_account_has_an_address_in_lower_case_and_a_handle_from_it(do):
    user = do(users.add, " Ann.Lee+x@Example.COM ", "hash", name=" Ann\u202e  Lee ", admin=True)
    assert (user.email, user.handle, user.name, user.admin) == ("ann.lee+x@example.com", "ann.lee-x", "Ann Lee", True)
    assert do(users.find, user.id) == user
    assert do(users.find_proof, user.email).hashed == "hash"


@pytest.mark.parametrize(
    ("email", "handle"), [("9@example.com", "user-9"), ("__@example.com", "user"), (f"{'a' * 64}@b", "a" * 40)]
)
def test_every_address_gives_a_handle_that_begins_with_a_letter(do, email, handle):
    assert do(users.add, email, "hash").handle == handle


def test_people_of_one_name_are_told_apart(do):
    handles = [do(users.add, f"ann@{number}.example", "hash").handle for number in range(12)]
    assert handles[:3] == ["ann", "ann-2", "ann-3"]
    assert len(set(handles)) == 12


def test_an_address_is_one_account(do, ann):
    with pytest.raises(Conflict, match="already"):
        do(users.add, "ANN@example.com", "other")
    assert do(users.find_proof, ann.email).hashed == "hash"


@pytest.mark.parametrize(
    "email",
    ["", "ann", "@b", "ann@", "a b@c", "a@b@c", "änn@b.de", "a@b.", "a@b\0c", "a@-b", "\ud800@b", "x" * 65 + "@b"],
)
def test_what_is_no_address_is_refused(do, email):
    with pytest.raises(Invalid):
        do(users.add, email, "hash")
    assert do(users.list_all)[1] == 1


def test_an_unknown_address_is_told_like_one_without_a_password(do):
    assert do(users.find_proof, "nobody@example.com").hashed is None
    assert do(users.find_proof, "nobody\x7f'--").hashed is None


def test_the_local_user_can_be_given_an_address_once(do):
    user = do(users.add, "me@example.com", "hash", local=True, name="Me")
    assert (user.id, user.handle, user.email, user.admin) == (1, "dev-user", "me@example.com", False)
    with pytest.raises(Conflict, match=r"me@example\.com already"):
        do(users.add, "other@example.com", "hash", local=True)


def test_signing_up_makes_an_ordinary_account_and_a_login(app):
    entry = app.run(unknown("rest"), users.sign_up, "ann@example.com", "hash", "refresh", mode="open", client="curl")
    assert (entry.user.admin, entry.login.client, entry.login.scopes) == (False, "curl", PERSONAL)
    assert events(app) == [("user.created", 2, "ann"), ("login.created", 2, "ann")]


def test_signing_up_can_be_closed_or_by_invitation(app, do):
    def sign_up(mode, code=""):
        return app.run(unknown("rest"), users.sign_up, "ann@example.com", "h", "r", mode=mode, invitation=code)

    with pytest.raises(Forbidden, match="Nobody can sign up"):
        sign_up("closed")
    with pytest.raises(Forbidden, match="takes an invitation"):
        sign_up("invitation")
    with pytest.raises(Forbidden, match="not valid"):
        sign_up("invitation", "made up")
    do(invitations.create, "code")
    assert sign_up("invitation", "code").user.email == "ann@example.com"
    with pytest.raises(Forbidden, match="not valid"):
        app.run(unknown("rest"), users.sign_up, "bob@example.com", "h", "r2", mode="invitation", invitation="code")
    assert do(users.list_all)[1] == 2


def test_an_invitation_is_not_used_up_by_somebody_who_has_an_account(app, do, ann):
    do(invitations.create, "code")
    with pytest.raises(Conflict):
        app.run(unknown("rest"), users.sign_up, ann.email, "h", "r", mode="invitation", invitation="code")
    assert do(invitations.list_all)[1] == 1


def test_a_profile_is_changed_on_its_latest_version(app, as_ann, ann):
    after = app.run(as_ann, users.update, name="Anna", handle="Anna", email="ANNA@example.com", version=1)
    assert (after.name, after.handle, after.email, after.version) == ("Anna", "anna", "anna@example.com", 2)
    with pytest.raises(Conflict, match="version 2"):
        app.run(as_ann, users.update, name="Other", version=1)
    assert app.run(as_ann, users.update, name="Anna") == after


def test_handles_and_addresses_of_others_are_taken(app, do, as_ann):
    do(users.add, "bob@example.com", "hash")
    with pytest.raises(Conflict, match="taken"):
        app.run(as_ann, users.update, handle="bob")
    with pytest.raises(Conflict, match="already"):
        app.run(as_ann, users.update, email="bob@example.com")
    for wrong in ("", "1", "a b", "a'--", "x" * 41, "ä"):
        with pytest.raises(Invalid):
            app.run(as_ann, users.update, handle=wrong)
    with pytest.raises(Conflict, match="dev-user"):
        do(users.update, handle="other")


def test_settings_have_defaults_and_keep_what_is_not_named(app, as_ann, ann):
    assert ann.preferences == {"time_zone": "UTC", "theme": "system", "week_start": "monday"}
    app.run(as_ann, users.change_settings, {"theme": "dark"})
    after = app.run(as_ann, users.change_settings, {"time_zone": "Europe/Berlin"})
    assert after.preferences == {"time_zone": "Europe/Berlin", "theme": "dark", "week_start": "monday"}
    whole = app.run(as_ann, users.change_settings, {"week_start": "sunday"}, whole=True)
    assert whole.preferences == {"time_zone": "UTC", "theme": "system", "week_start": "sunday"}


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"theme": "pink"}, Invalid),
        ({"week_start": 1}, Invalid),
        ({"other": "x"}, Invalid),
        ({"time_zone": "Mars/Base"}, NotFound),
        ({"time_zone": "../../etc/passwd"}, NotFound),
    ],
)
def test_settings_that_mean_nothing_are_refused(app, as_ann, ann, given, error):
    with pytest.raises(error):
        app.run(as_ann, users.change_settings, given)
    assert app.run(as_ann, users.me) == ann


def test_another_password_ends_the_other_logins_and_is_not_in_the_log(app, as_ann, ann):
    mine = app.run(as_ann, logins.open_login, ann.id, "one").login
    app.run(as_ann, logins.open_login, ann.id, "two")
    here = replace(as_ann, credential=f"login:{mine.id}")
    assert app.run(here, users.change_password, "hash", "$argon2 new") == 1
    assert [login.id for login in app.run(here, logins.list_all)[0]] == [mine.id]
    with app.database.reading() as db:
        assert "$argon2" not in str(
            [(row["before_fields"], row["after_fields"]) for row in db.all("SELECT * FROM event")]
        )


def test_a_password_that_was_changed_meanwhile_is_not_changed_again(app, as_ann, ann):
    with pytest.raises(Unauthenticated, match="just been changed"):
        app.run(as_ann, users.change_password, "old", "new")
    assert app.run(as_ann, users.own_proof).hashed == "hash"


def test_an_account_without_a_password_has_none_to_show(do):
    with pytest.raises(Conflict, match="no password"):
        do(users.own_proof)
    with pytest.raises(Conflict, match="no email"):
        do(users.reset_password, "dev-user", "hash")


def test_a_disabled_account_is_out_at_once_and_can_come_back(app, do, as_ann, ann):
    login = app.run(as_ann, logins.open_login, ann.id, "refresh").login
    token = app.run(as_ann, tokens.create, "bot", "secret", frozenset({"tasks:read"}))
    do(users.disable, "ann@example.com")
    assert not do(users.disable, ann.uuid).active
    for op, *args in ((logins.verify, login.id), (tokens.verify, token.id, "secret"), (logins.open_login, ann.id, "x")):
        with pytest.raises(Unauthenticated):
            app.run(unknown("rest"), op, *args)
    assert do(users.enable, "ann").active
    assert app.run(unknown("rest"), tokens.verify, token.id, "secret").user.id == ann.id
    with pytest.raises(Unauthenticated):  # its owner signs in anew
        app.run(unknown("rest"), logins.verify, login.id)
    assert [each for each in events(app) if each[0].startswith("user.")] == [
        ("user.created", ann.id, "dev-user"),
        ("user.disabled", ann.id, "dev-user"),
        ("user.enabled", ann.id, "dev-user"),
    ]


def test_nobody_disables_themselves(do):
    with pytest.raises(Conflict, match="yourself"):
        do(users.disable, "dev-user")


def test_a_reset_password_ends_every_login(app, do, as_ann, ann):
    app.run(as_ann, logins.open_login, ann.id, "refresh")
    assert do(users.reset_password, ann.email, "new") == 1
    assert do(users.find_proof, ann.email).hashed == "new"


def test_administrators_are_made_by_administrators(app, do, as_ann, ann):
    for op, *args in (
        (users.list_all,),
        (users.find, ann.id),
        (users.disable, 1),
        (users.set_admin, ann.id, True),
        (users.reset_password, 1, "x"),
        (users.add, "x@y", "x"),
    ):
        with pytest.raises(OutOfScope):
            app.run(as_ann, op, *args)
    assert do(users.set_admin, "ann", True).admin
    assert not do(users.set_admin, "ann", False).admin


def test_users_are_listed_by_number(do, ann):
    assert do(users.list_all) == ([do(users.me), ann], 2)
    assert do(users.list_all, limit=1, offset=1) == ([ann], 2)
    with pytest.raises(NotFound):
        do(users.find, "nobody")


def test_what_happens_to_accounts_is_no_history_that_can_be_undone(app, do, as_ann, ann):
    app.run(as_ann, users.update, name="Anna")
    assert app.run(as_ann, history.list_page).items == ()
    with pytest.raises(NotFound):
        app.run(as_ann, history.undo)
