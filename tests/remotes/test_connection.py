"""Configuration: what is taken, what is kept, where a token goes and where it never does."""

from __future__ import annotations

import sqlite3
from dataclasses import replace

import pytest

from taskpilot.app import Errand
from taskpilot.domain.errors import Invalid, Unavailable
from taskpilot.ops import history, remotes
from taskpilot.remotes.connection import prepare, reached, read_config, store
from taskpilot.store import backup
from taskpilot.store.vault import Vault
from tests.remotes.services import TOKEN

HERE = {"repository": "acme/site", "token": TOKEN}


def git_folder(folder, url: str, *, head: str = "feature/walls") -> None:
    from pathlib import Path

    git = Path(folder, ".git")
    git.mkdir()
    (git / "config").write_text(f'[core]\n\tbare = false\n[remote "fork"]\n\turl = https://github.com/me/fork\n'
                                f'[remote "origin"]\n\turl = {url}\n\tfetch = +refs/*\n')  # fmt: skip
    (git / "HEAD").write_text(f"ref: refs/heads/{head}\n")


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("{", "not a JSON object"),
        ("[]", "not a JSON object"),
        ("[" * 5_000, "not a JSON object"),
        ('"x"', "not a JSON object"),
        ('{"repository": 7}', "Must be text: repository"),
        ('{"repositoy": "a/b"}', "no option repositoy"),
        ('{"repository": "a"}', "not one"),
        ('{"repository": "../../user"}', "not one"),
        ('{"repository": "a/b?x=1"}', "not one"),
        ('{"repository": "a/b", "token": "tök"}', "strange letters"),
        ('{"repository": "a/b", "token": "two words"}', "strange letters"),
        ('{"repository": "a/b", "url": "ftp://x"}', "not a web address"),
        ('{"repository": "a/b", "url": "https://x:99999/"}', "not a web address"),
        ('{"repository": "a/b", "url": "https://me:pw@x/"}', "more than an address"),
        ('{"repository": "a/b", "url": "https://x/?key=1"}', "more than an address"),
        ('{"token": "' + "x" * 3_000 + '"}', "3000 characters"),
        ('{"x": "' + "y" * 30_000 + '"}', "longer than"),
    ],
)
def test_a_broken_config_is_refused_and_nothing_is_stored(errand, folder, do, given, words):
    with pytest.raises(Invalid, match=words) as caught:
        setup = prepare(errand, folder, "github", {"token": TOKEN} | read_config(given))
        with reached(errand, setup):
            pass
    assert TOKEN not in str(caught.value)
    assert do(remotes.find, folder, "github") is None


@pytest.mark.parametrize("system", ["jira", "linear", "asana", "trello", "custom"])
def test_what_is_missing_is_named(errand, folder, system):
    with pytest.raises(Invalid, match="needs"):
        prepare(errand, folder, system, {})


def test_a_token_is_sealed_at_rest_and_hidden_everywhere(errand, folder, do, tmp_path, app):
    setup = prepare(errand, folder, "github", HERE)
    store(errand, setup)
    assert setup.shown["token"] == "•••"
    assert TOKEN not in repr(setup)
    known = do(remotes.find, folder, "github")
    assert TOKEN not in known.secrets
    assert known.secrets not in repr(known)
    assert TOKEN not in repr(do(history.list_page, limit=50))
    backup.write(app.database, tmp_path / "copy.db")
    with sqlite3.connect(tmp_path / "copy.db") as raw:
        dump = "\n".join(raw.iterdump())
    raw.close()
    assert "acme/site" in dump
    assert TOKEN not in dump
    again = prepare(errand, folder, "github", {})
    assert again.secrets == {"token": TOKEN}
    assert not again.is_new


def test_storing_the_same_again_changes_nothing(errand, folder, do):
    store(errand, prepare(errand, folder, "github", HERE))
    events = do(history.list_page).items
    store(errand, prepare(errand, folder, "github", {}))
    assert do(history.list_page).items == events
    store(errand, prepare(errand, folder, "github", {"base": "dev"}))
    assert do(history.list_page).items[0].kind == "remote.configured"


def test_a_token_does_not_follow_to_another_host(errand, folder):
    store(errand, prepare(errand, folder, "github", HERE))
    elsewhere = prepare(errand, folder, "github", {"url": "https://evil.example"})
    assert elsewhere.secrets == {}
    with pytest.raises(Invalid, match="needs token"), reached(errand, elsewhere):
        pass


def test_the_servers_own_token_is_lent_at_home_only(office, errand, folder, do, app, stranger, github):
    office.reach = replace(office.reach, github_url=github.url, github_token=TOKEN)
    setup = prepare(errand, folder, "github", {"repository": "acme/site"})
    assert setup.secrets == {"token": TOKEN}
    store(errand, setup)
    assert do(remotes.find, folder, "github").secrets == ""
    assert prepare(errand, folder, "github", {}).secrets == {"token": TOKEN}
    assert prepare(errand, folder, "github", {"url": "https://evil.example"}).secrets == {}
    assert prepare(Errand(app, stranger), folder, "github", {"repository": "acme/site"}).secrets == {}
    assert TOKEN not in repr(office.reach)


def test_the_repository_comes_from_git_where_it_is_not_given(errand, folder):
    git_folder(folder, "git@github.com:acme/site.git")
    assert prepare(errand, folder, "github", {}).target == "acme/site"
    assert prepare(errand, folder, "github", {"repository": "other/one"}).target == "other/one"


def test_a_key_that_is_not_there_any_more_is_told(errand, office, folder, tmp_path):
    store(errand, prepare(errand, folder, "github", HERE))
    office.vault = Vault(tmp_path / "other.key")
    with pytest.raises(Unavailable, match="sealed with another key"):
        prepare(errand, folder, "github", {})
    office.vault = Vault()
    with pytest.raises(Unavailable, match="no secret key"):
        prepare(errand, folder, "github", {})


def test_two_places_of_one_kind_are_kept_apart(errand, folder, do, clock):
    store(errand, prepare(errand, folder, "github", HERE))
    clock.forward(minutes=1)
    store(errand, prepare(errand, folder, "github", {"repository": "acme/api", "token": "other-1"}))
    assert do(remotes.find, folder, "github").remote.target == "acme/api"
    assert prepare(errand, folder, "github", {"repository": "acme/site"}).secrets == {"token": TOKEN}
