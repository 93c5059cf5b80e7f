"""The HTTP client: where it goes, how long it waits, and what it never says."""

from __future__ import annotations

import datetime as dt
import logging
import socket
import ssl
import threading
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address

import pytest

from taskpilot.domain.errors import Forbidden, NotFound, Unavailable
from taskpilot.domain.remote import Reach
from taskpilot.remotes import client as module
from taskpilot.remotes.client import Client
from taskpilot.remotes.guard import admit
from tests.remotes.services import TOKEN, Service

LOOPBACK = Reach(hosts=("127.0.0.1",), timeout=1)


class Echo(Service):
    ROUTES = (("GET", "/api/echo", "echo"), ("POST", "/api/echo", "echo"), ("GET", "/api/here", "lead"))

    def echo(self, request):
        return (
            200,
            {"host": request.headers["host"], "agent": request.headers["user-agent"], "query": request.query},
            {},
        )

    def lead(self, _):
        return 301, None, {"location": "/api/echo?from=here"}


@pytest.fixture
def echo(clock):
    with Echo(clock).running() as service:
        yield service


@contextmanager
def connect(url: str, reach: Reach = LOOPBACK):
    with closing(Client("The service", url, reach, {"Authorization": f"Bearer {TOKEN}"}, (TOKEN,))) as client:
        yield client


@pytest.mark.parametrize(
    "url",
    [
        "https://127.0.0.1/",
        "https://localhost/",
        "https://10.1.2.3/",
        "https://192.168.1.1/",
        "https://169.254.169.254/latest/meta-data",
        "https://0.0.0.0/",
        "https://2130706433/",
        "https://0x7f.1/",
        "https://[::1]/",
        "https://[::ffff:127.0.0.1]/",
        "https://[64:ff9b::7f00:1]/",
        "https://[2002:7f00:1::]/",
        "https://[fe80::1]/",
        "https://[fd00::1]/",
        "https://[ff02::1]/",
        "https://224.0.0.1/",
        "https://100.64.0.1/",
    ],
)
def test_private_addresses_are_not_reached_in_any_spelling(url):
    with pytest.raises((Forbidden, Unavailable), match=r"not a public address|no host"):
        admit(url, Reach())


def test_public_addresses_are_reached_over_https_only():
    assert admit("https://93.184.215.14/x", Reach()).address == "93.184.215.14"
    assert admit("https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/", Reach()).port == 443
    with pytest.raises(Forbidden, match="https only"):
        admit("http://93.184.215.14/", Reach())


def test_a_host_is_exempt_by_its_name_or_with_its_port():
    assert admit("http://127.0.0.1:8123/", Reach(hosts=("127.0.0.1",))).port == 8123
    assert admit("http://127.0.0.1:8123/", Reach(hosts=("127.0.0.1:8123",))).port == 8123
    with pytest.raises(Forbidden):
        admit("http://127.0.0.1:8124/", Reach(hosts=("127.0.0.1:8123",)))


def test_a_name_that_changes_its_address_leads_nowhere_new(echo, monkeypatch):
    asked = []
    port = echo.url.rpartition(":")[2]
    with connect(f"http://localhost:{port}/api", Reach(hosts=("localhost",), timeout=1)) as client:
        real = socket.getaddrinfo
        monkeypatch.setattr("socket.getaddrinfo", lambda host, *rest, **more: asked.append(host) or real(host, *rest))
        client.get("echo")
    assert asked in (["127.0.0.1"], ["::1"])


def test_the_host_is_named_as_it_was_given(echo):
    port = echo.url.rpartition(":")[2]
    with connect(f"http://localhost:{port}/api", Reach(hosts=("localhost",), timeout=1)) as client:
        assert client.get("echo").data["host"] == f"localhost:{port}"
        assert client.get("echo").data["agent"].startswith("TaskPilot/")


def test_a_redirect_on_the_same_host_is_followed_when_looking(echo):
    with connect(f"{echo.url}/api") as client:
        assert client.get("here").data["query"] == {"from": "here"}
        echo.fail(307, headers={"location": "/api/echo"})
        with pytest.raises(Unavailable, match="has moved elsewhere"):
            client.send("POST", "echo", body={})
        for _ in range(10):
            echo.fail(302, headers={"location": "/api/here"})
        with pytest.raises(Unavailable, match="has moved elsewhere"):
            client.get("here")


@pytest.mark.parametrize(
    "elsewhere", ["https://127.0.0.1/", "http://localhost/x", "//evil.example/", "file:///etc/passwd"]
)
def test_a_redirect_to_another_host_is_not_followed(echo, elsewhere):
    with connect(f"{echo.url}/api") as client:
        echo.fail(302, headers={"location": elsewhere})
        with pytest.raises(Unavailable, match="another host"):
            client.get("here")


def test_a_next_page_on_another_host_is_not_followed(echo):
    with connect(f"{echo.url}/api") as client:
        echo.fail(200, body=b"[]", headers={"link": '<https://evil.example/api?page=2>; rel="next"'})
        following = client.get("echo").next
        with pytest.raises(Unavailable, match="another host"):
            client.get(following)


def test_an_answer_that_is_too_large_is_cut_off(echo, monkeypatch):
    monkeypatch.setattr(module, "MOST_BYTES", 100_000)
    with connect(f"{echo.url}/api") as client:
        echo.fail(200, body=b"[" + b"1," * 100_000 + b"1]")
        with pytest.raises(Unavailable, match="too much"):
            client.get("echo")


def test_an_answer_that_drips_is_given_up():
    class Drip(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.end_headers()
            for _ in range(40):
                try:
                    self.wfile.write(b" ")
                    self.wfile.flush()
                except OSError:
                    return
                gone.wait(0.1)

        def log_message(self, *_):
            pass

    gone = threading.Event()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Drip)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    reach = Reach(hosts=("127.0.0.1",), timeout=0.5)
    late = pytest.raises(Unavailable, match="did not answer within")
    with connect(f"http://127.0.0.1:{server.server_port}", reach) as client, late:
        client.get("x")
    gone.set()
    server.shutdown()
    server.server_close()
    thread.join()


def test_nobody_at_home():
    with connect("http://127.0.0.1:9") as client, pytest.raises(Unavailable, match="cannot be reached at 127"):
        client.get("x")
    with pytest.raises(Unavailable, match="no host"):
        admit("https://nowhere.invalid/", Reach())


def test_proxies_of_the_environment_are_not_used(echo, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    with connect(f"{echo.url}/api") as client:
        assert client.get("echo").data["query"] == {}


def test_the_token_is_in_no_error_and_no_log(echo, caplog):
    caplog.set_level(logging.DEBUG)
    with connect(f"{echo.url}/api") as client:
        client.get("echo")
        echo.fail(404, body=f'{{"message": "no {TOKEN} here"}}'.encode())
        with pytest.raises(NotFound, match="no ••• here") as caught:
            client.get("echo")
    assert caught.value.__cause__ is None
    assert TOKEN not in caplog.text


def make_certificate(folder, name: str):
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    now = dt.datetime.now(dt.UTC)
    alternative = x509.IPAddress(ip_address(name)) if name[0].isdigit() else x509.DNSName(name)
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(7)
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([alternative]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = folder / f"{name}.pem"
    plain = serialization.NoEncryption()
    pem = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
    file.write_bytes(pem + made.public_bytes(serialization.Encoding.PEM))
    return file


def test_a_certificate_must_be_valid_for_the_name_that_was_given(clock, tmp_path, monkeypatch):
    """The address is pinned, the name is what is checked."""
    file = make_certificate(tmp_path, "localhost")
    echo = Echo(clock)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    echo.server.socket = context.wrap_socket(echo.server.socket, server_side=True)
    echo.server.handle_error = lambda *_: None
    port = echo.server.server_port
    reach = Reach(hosts=("127.0.0.1", "localhost"), timeout=2)
    unproven = pytest.raises(Unavailable, match="cannot prove who it is")
    with echo.running():
        with connect(f"https://localhost:{port}/api", reach) as client, unproven:
            client.get("echo")
        monkeypatch.setenv("SSL_CERT_FILE", str(file))
        with connect(f"https://localhost:{port}/api", reach) as client:
            assert client.get("echo").data["host"] == f"localhost:{port}"
        with connect(f"https://127.0.0.1:{port}/api", reach) as client, unproven:
            client.get("echo")
