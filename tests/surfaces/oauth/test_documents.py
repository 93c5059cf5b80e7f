"""Programs whose id is the address of their description: fetched with care, believed for a while."""

from __future__ import annotations

import time

import pytest

from taskpilot.domain.remote import Reach
from tests.surfaces.oauth.flow import CALLBACK, ask, decide, exchange, obtain_tokens, open_page, read_answer, refresh
from tests.surfaces.oauth.publisher import Publisher


@pytest.fixture
def publisher(app, tmp_path, monkeypatch):
    with Publisher(tmp_path).running() as publisher:
        monkeypatch.setenv("SSL_CERT_FILE", str(publisher.certificate))
        app.reach = Reach(hosts=(publisher.host,), timeout=2)
        yield publisher


def test_a_published_program_needs_no_registration(http, ann, publisher):
    url = publisher.publish()
    page = open_page(http, ask(http, url))
    assert f"published by {publisher.host}" in page.text
    code = read_answer(decide(http, page))["code"]
    tokens = exchange(http, url, code).json()
    assert refresh(http, url, tokens["refresh_token"]).status_code == 200
    assert publisher.asked == ["/client.json"]


def test_a_description_is_believed_for_an_hour(http, ann, publisher, clock):
    url = publisher.publish()
    tokens = obtain_tokens(http, url)
    publisher.publish(redirect_uris=["https://elsewhere.example/cb"])
    assert ask(http, url).status_code == 302
    clock.forward(hours=2)
    assert ask(http, url).status_code == 400
    assert publisher.asked == ["/client.json"] * 2
    publisher.answer("/client.json", {}, 500)
    clock.forward(hours=2)
    assert ask(http, url).status_code == 400
    assert refresh(http, url, tokens["refresh_token"]).status_code == 200


@pytest.mark.parametrize(
    "changes",
    [
        {"client_id": "https://other.example/client.json"},
        {"client_id": None},
        {"redirect_uris": ["http://evil.example/cb"]},
        {"redirect_uris": []},
        {"redirect_uris": None},
        {"redirect_uris": "https://good.example/cb"},
        {"redirect_uris": [7, None]},
        {"redirect_uris": [f"https://good.example/{number}" for number in range(11)]},
        {"token_endpoint_auth_method": "client_secret_post"},
        {"token_endpoint_auth_method": "private_key_jwt"},
    ],
)
def test_a_description_must_be_sound(http, publisher, changes):
    assert ask(http, publisher.publish(**changes)).status_code == 400


@pytest.mark.parametrize("body", [b"", b"not json", b"[]", b"null", b'"x"', b"[" * 10_000, b" " * 30_000 + b"{}"])
def test_what_is_no_description_is_refused(http, publisher, body):
    publisher.answer("/client.json", body)
    answer = ask(http, publisher.url)
    assert (answer.status_code, "location" in answer.headers) == (400, False)


def test_only_usable_addresses_of_a_description_count(http, publisher):
    url = publisher.publish(redirect_uris=["myapp://cb", CALLBACK], client_name=7)
    assert ask(http, url).status_code == 302
    assert ask(http, url, redirect_uri="myapp://cb").status_code == 400


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_no_redirect_is_followed_not_even_at_home(http, publisher, status):
    publisher.publish("/real.json", client_id=publisher.url)
    publisher.answer("/client.json", b"", status, Location="/real.json")
    assert ask(http, publisher.url).status_code == 400
    assert publisher.asked == ["/client.json"]


@pytest.mark.parametrize(
    "url",
    [
        "https://127.0.0.1/client.json",
        "https://localhost/client.json",
        "https://[::1]/client.json",
        "https://[::ffff:127.0.0.1]/client.json",
        "https://10.0.0.1/client.json",
        "https://192.168.1.1/client.json",
        "https://169.254.169.254/latest/meta-data",
        "https://0.0.0.0/client.json",
        "https://2130706433/client.json",
        "https://no-such-host.invalid/client.json",
    ],
)
def test_what_is_inside_somebodys_network_is_never_asked(app, http, url):
    started = time.monotonic()
    answer = ask(http, url)
    assert answer.status_code == 400
    assert "cannot be read" in answer.text
    assert "public" not in answer.text
    assert time.monotonic() - started < 30


def test_the_exemption_is_for_the_port_that_was_named(http, publisher):
    """Every refusal reads alike: nobody can tell from it what there is in a network."""
    with_port = publisher.publish()
    other = with_port.replace(publisher.host, "localhost:1")
    closed = ask(http, other).text
    assert "cannot be read" in closed
    assert publisher.asked == []


@pytest.mark.parametrize(
    "url",
    [
        "https://good.example",
        "https://good.example/",
        "https://user@good.example/client.json",
        "https://good.example/a/../client.json",
        "https://good.example/client.json#x",
        "https://good.example/" + "x" * 2_000,
        "https://",
        "https://good.example:99999/x",
        "https://good example/x",
    ],
)
def test_not_every_address_is_an_id(http, url):
    answer = ask(http, url)
    assert answer.status_code == 400
    assert "not the address of a document" in answer.text


def test_plain_http_is_no_id_at_all(http):
    assert "not known here" in ask(http, "http://good.example/client.json").text
