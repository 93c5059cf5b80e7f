"""Secrets in what agents say."""

from __future__ import annotations

import base64
import json
from urllib.parse import quote

import pytest

from taskpilot.agents.programs.masks import Mask

SECRET = 'correct horse/battery"staple'


def test_a_known_secret_is_masked_wherever_it_is():
    assert Mask([SECRET]).mask(f"a{SECRET}b {SECRET}") == "a***b ***"


@pytest.mark.parametrize(
    "spelled",
    [
        json.dumps({"key": SECRET}),
        f"https://host/?q={quote(SECRET, safe='')}",
        base64.b64encode(SECRET.encode()).decode(),
        base64.b64encode(f"{SECRET}\n".encode()).decode(),
    ],
)
def test_a_known_secret_is_masked_as_programs_write_it(spelled):
    masked = Mask([SECRET]).mask(spelled)
    assert "***" in masked
    assert "horse" not in masked
    assert base64.b64encode(SECRET.encode()).decode()[:20] not in masked


def test_each_line_of_a_long_secret_is_one():
    key = "-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG\n  9w0BAQEFAASCBKcw\n-----END KEY-----\n"
    mask = Mask([key])
    assert [mask.mask(line) for line in key.splitlines()] == ["***", "***", "  ***", "***"]
    assert "MII" not in mask.mask(json.dumps(key))


def test_the_longer_of_two_secrets_is_masked_whole():
    assert Mask(["password", "password-and-more"]).mask("x password-and-more y password") == "x *** y ***"


@pytest.mark.parametrize("text", ["", "hello", "max_tokens: 4000", "naïve ☕", "\ud800"])
def test_other_text_stays_as_it_is(text):
    assert Mask([SECRET]).mask(text) == text
    assert Mask([]).mask(text) == text


def test_what_is_short_is_a_word():
    assert Mask(["", "short", "  seven7 "]).mask("short seven7") == "short seven7"


@pytest.mark.parametrize("text", ["ghp_" + "a1" * 15, "Authorization: Bearer abcdefgh1234", "sk-" + "b" * 20])
def test_what_looks_like_a_secret_is_masked_too(text):
    assert "***" in Mask([]).mask(text)


def test_an_environment_tells_its_secrets_by_their_names():
    mask = Mask.of(
        {
            "ANTHROPIC_API_KEY": "plain-words-1",
            "GITHUB_TOKEN": "plain-words-2",
            "OPENAI_KEY": "plain-words-3",
            "MYSQL_PWD": "plain-words-4",
            "DATABASE_URL": "postgres://ann:plain-words-5@host/db",
            "BROKEN_URL": "http://[not-an-address",
            "PWD": "/home/ann/project",
            "PATH": "/usr/bin:/usr/local/bin",
            "MAX_TOKENS": "4000",
        },
        "plain-words-6",
    )
    said = " ".join(f"plain-words-{n}" for n in range(1, 7))
    assert mask.mask(said) == "*** *** *** *** *** ***"
    assert (
        mask.mask("/home/ann/project /usr/bin:/usr/local/bin 4000") == "/home/ann/project /usr/bin:/usr/local/bin 4000"
    )


def test_data_is_masked_in_all_its_texts_and_by_its_names():
    given = {"input": [f"echo {SECRET}", {"token": "xyz", "n": 4000, "ok": True}], SECRET: None}
    masked = {"input": ["echo ***", {"token": "***", "n": 4000, "ok": True}]}
    assert Mask([SECRET]).mask_data(given) == {**masked, "***": None}
    assert Mask([]).mask_data({"token": "xyz", "n": 1}) == {"token": "***", "n": 1}


def test_odd_characters_in_a_secret_do_not_hurt():
    assert Mask(["caf\udce9-secret", "(.*)+[a-z]"]).mask("caf\udce9-secret (.*)+[a-z] abc") == "*** *** abc"
