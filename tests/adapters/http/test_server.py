"""The server: what it answers, to whom, and that no client can block it."""

import base64
import contextlib
import gzip
import json
import select
import socket
import ssl
import subprocess
import threading
import time
import urllib.error
import urllib.request

import pytest
from deploy.exported import batches, changing
from prometheus_client.openmetrics.parser import text_string_to_metric_families

from telex.adapters.http import Page, Password, Route, Server, tls_of
from telex.adapters.http.limits import Limits
from telex.adapters.prometheus import MetricsSink, routes, serve_metrics
from telex.learners import MMP
from telex.learners.base import UsageError
from telex.stream import Run


def got(url, headers=None, method="GET", context=None, body=None):
    """Status, headers and body of a page."""
    request = urllib.request.Request(url, body, headers=headers or {}, method=method)
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=context))
    try:
        with opener.open(request, timeout=10) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.headers, error.read()


def page(text):
    return Route(lambda _: Page(text.encode()))


@pytest.fixture
def hello():
    with Server("127.0.0.1:0", {"/": page("hello"), "/long": page("x" * 5000)}) as server:
        yield server


@pytest.fixture
def metrics():
    """Metrics of a run that is over."""
    found = MetricsSink()
    list(Run(batches(changing(100)), {"mmp": MMP()}, sinks=[found]))
    return found


def test_what_is_sent_is_taken_up_to_a_size():
    echo = Route(lambda request: Page(request.body + request.query["a"].encode()), most=10)
    with Server("127.0.0.1:0", {"/echo": echo}) as server:
        url = f"{server.url}/echo?a=%20!"
        assert got(url, method="POST", body=b"0123456789")[::2] == (200, b"0123456789 !")
        status, _, body = got(url, method="POST", body=b"0123456789a")
        assert (status, body) == (413, b"this is too much at once; send at most 10 bytes\n")
        assert got(url, {"Content-Length": "x"}, method="POST", body=b"1")[0] == 400
        status, headers, _ = got(url)
        assert (status, headers["Allow"]) == (405, "POST")


def test_who_sends_less_than_announced_is_not_waited_for():
    echo = Route(lambda request: Page(request.body), most=10)
    server = Server("127.0.0.1:0", {"/echo": echo}, limits=Limits(body_seconds=0.2))
    with server, socket.create_connection((server.host, server.port), timeout=10) as client:
        client.sendall(b"POST /echo HTTP/1.0\r\nContent-Length: 9\r\n\r\nfive!")
        assert client.recv(1000).startswith(b"HTTP/1.1 408 ")


def test_pages_are_found_by_their_path(hello):
    assert got(f"{hello.url}/?a=b")[::2] == (200, b"hello")
    status, _, body = got(f"{hello.url}/elsewhere")
    assert (status, body) == (404, b"there is nothing here; try one of /, /long\n")
    status, headers, body = got(f"{hello.url}/", method="HEAD")
    assert (status, headers["Content-Length"], body) == (200, "5", b"")
    status, headers, _ = got(f"{hello.url}/", method="POST")
    assert (status, headers["Allow"]) == (405, "GET, HEAD")
    assert got(f"{hello.url}/", method="PUT")[0] == 405


def test_long_pages_are_packed_for_those_who_take_it(hello):
    _, headers, body = got(f"{hello.url}/long", {"Accept-Encoding": "gzip"})
    assert headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(body) == b"x" * 5000
    assert len(body) < 500
    assert got(f"{hello.url}/long")[2] == b"x" * 5000


def test_a_page_that_cannot_be_made_is_an_error_of_that_page():
    with Server("127.0.0.1:0", {"/bad": Route(lambda _: 1 / 0), "/good": page("good")}) as server:
        assert got(f"{server.url}/bad")[::2] == (
            500,
            b"this page could not be made: ZeroDivisionError: division by zero\n",
        )
        assert got(f"{server.url}/good")[0] == 200


def test_metrics_are_text_or_openmetrics_as_asked_for(metrics):
    with Server("127.0.0.1:0", routes(metrics)) as server:
        _, headers, body = got(f"{server.url}/metrics")
        assert headers["Content-Type"].startswith("text/plain")
        assert b'telex_documents_predicted_total{learner="mmp"} 100.0' in body
        accept = "application/openmetrics-text;version=1.0.0,text/plain;q=0.1"
        _, headers, body = got(f"{server.url}/metrics", {"Accept": accept})
        assert headers["Content-Type"].startswith("application/openmetrics-text")
        assert "telex_documents_predicted" in {family.name for family in text_string_to_metric_families(body.decode())}


def test_a_run_is_ready_between_its_begin_and_its_end():
    metrics = MetricsSink()
    with Server("127.0.0.1:0", routes(metrics)) as server:
        assert got(f"{server.url}/readyz")[0] == 503
        assert got(f"{server.url}/healthz")[0] == 200
        run = Run(batches(changing(300)), {"mmp": MMP()}, sinks=[metrics])
        next(run)
        assert got(f"{server.url}/readyz")[::2] == (200, b"ok\n")
        run.stop()
        assert got(f"{server.url}/readyz")[0] == 503
        list(run)
        assert got(f"{server.url}/readyz")[0] == 503
        assert got(f"{server.url}/healthz")[0] == 200


def test_a_run_that_does_not_come_further_is_not_healthy():
    metrics = MetricsSink()
    with Server("127.0.0.1:0", routes(metrics, patience=0.0)) as server:
        run = Run(batches(changing(300)), {"mmp": MMP()}, sinks=[metrics])
        next(run)
        status, _, body = got(f"{server.url}/healthz")
        assert (status, body) == (503, b"the run has made no progress for 0 s\n")
        run.close()


@pytest.mark.parametrize(
    "address", ["nowhere", "127.0.0.1:", "127.0.0.1:99999", "127.0.0.1:-1", "a:b", f"a:{'9' * 5000}"]
)
def test_what_is_no_address_is_a_sentence(address):
    with pytest.raises(UsageError, match="HOST:PORT"):
        Server(address, {})


def test_a_port_in_use_is_a_sentence(hello):
    with pytest.raises(UsageError, match="another address or port"):
        Server(f"127.0.0.1:{hello.port}", {})


def test_closed_the_port_is_free_and_no_thread_is_left():
    before = set(threading.enumerate())
    server = Server("127.0.0.1:0", {"/": page("hello")})
    held = socket.create_connection(("127.0.0.1", server.port))
    assert got(f"{server.url}/")[0] == 200
    assert any(thread.name == f"serving {server.port}" for thread in threading.enumerate())
    server.close()
    assert set(threading.enumerate()) <= before
    assert held.recv(1) == b""
    held.close()
    Server(f"127.0.0.1:{server.port}", {}).close()


def answered(server, path="/", seconds=9.0):
    """Assert that a page comes, within a generous budget of seconds."""
    begun = time.monotonic()
    assert got(f"{server.url}{path}")[0] == 200
    assert time.monotonic() - begun < seconds


def connected(server, sends=b""):
    client = socket.create_connection((server.host, server.port), timeout=20)
    client.sendall(sends)
    return client


@pytest.mark.parametrize("sends", [b"", b"GET / HT"])
def test_who_sends_no_whole_request_is_let_go_and_holds_nobody(sends):
    with Server("127.0.0.1:0", {"/": page("hello")}, limits=Limits(head_seconds=0.2)) as server:
        silent = connected(server, sends)
        answered(server)
        assert silent.recv(1000).startswith(b"HTTP/1.1 408 ")
        silent.close()


def test_who_drips_is_let_go_too():
    with Server("127.0.0.1:0", {"/": page("hello")}, limits=Limits(head_seconds=0.3)) as server:
        dripping, sent = connected(server), 0
        while dripping.fileno() >= 0 and sent < 200:  # 20 s: each byte comes in time, all of them never
            try:
                dripping.sendall(b"G")
                sent += 1
                time.sleep(0.1)
            except OSError:
                dripping.close()
        assert 0 < sent < 200


def test_where_there_are_too_many_the_oldest_ends():
    with Server("127.0.0.1:0", {"/": page("hello")}, limits=Limits(connections=2, head_seconds=20.0)) as server:
        first, second = connected(server), connected(server)
        third = connected(server)
        assert first.recv(1) == b""
        third.sendall(b"GET / HTTP/1.0\r\n\r\n")
        assert third.recv(1000).startswith(b"HTTP/1.1 200 ")
        second.sendall(b"GET / HTTP/1.0\r\n\r\n")
        assert second.recv(1000).startswith(b"HTTP/1.1 200 ")
        for one in (first, second, third):
            one.close()


class Slow:
    """A page that is being made until nobody waits for it, or until it is told to come."""

    def __init__(self):
        self.begun, self.ended, self.come = threading.Event(), threading.Event(), threading.Event()

    def __call__(self, request):
        self.begun.set()
        while not (request.left.wait(0.01) or self.come.is_set()):
            pass
        self.ended.set()
        return Page(b"slow")


@pytest.fixture
def busy():
    """A server with a slow path beside a free one and a quick one."""
    slow = Slow()
    pages = {
        "/slow": Route(slow, most=1000),
        "/healthz": Route(lambda _: Page(b"ok"), free=True),
        "/large": Route(lambda _: Page(b"x" * 8_000_000)),
        "/": page("hello"),
    }
    with Server("127.0.0.1:0", pages, limits=Limits(head_seconds=3.0)) as server:
        yield server, slow


SLOW = b"POST /slow HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}"


@pytest.mark.parametrize(
    "sends",
    [b"", b"GET /healthz HT", b"POST /slow HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{", SLOW,
     b"GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n"],
    ids=["nothing", "half a head", "half a body", "for a slow page", "and reads no answer"],
)  # fmt: skip
def test_health_is_told_beside_two_hundred_clients(busy, sends):
    server, _ = busy
    before = threading.active_count()
    clients = []
    for _ in range(200):
        clients.append(connected(server, sends))
        if len(clients) % 50 == 0:
            answered(server, "/healthz")
    for _ in range(5):
        answered(server, "/healthz")
    if b"/large" not in sends:
        answered(server)
    assert threading.active_count() <= before
    for client in clients:
        client.close()


def test_health_is_told_beside_clients_who_send_a_byte_at_a_time(busy):
    server, _ = busy
    clients = [connected(server) for _ in range(100)]
    for byte in b"GET /":
        for client in clients:
            with contextlib.suppress(OSError):  # it has been let go
                client.sendall(bytes([byte]))
        answered(server, "/healthz")
    for client in clients:
        client.close()


def test_a_probe_is_answered_whoever_comes_after_it():
    """Two hundred come between the request of a probe and the moment at which it reads its answer."""
    large = Route(lambda _: Page(b"x" * 30_000_000), free=True)  # more than the system holds for a client
    with Server("127.0.0.1:0", {"/": page("hello"), "/healthz": large}) as server:
        probe = connected(server, b"GET /healthz HTTP/1.0\r\n\r\n")
        found = [probe.recv(12)]
        others = [connected(server) for _ in range(200)]
        while piece := probe.recv(1 << 20):
            found.append(piece)
        assert len(b"".join(found).partition(b"\r\n\r\n")[2]) == 30_000_000
        for one in (probe, *others):
            one.close()


def test_a_page_is_not_made_for_clients_who_have_left(busy):
    server, slow = busy
    first, second = connected(server, SLOW), connected(server, SLOW)
    assert slow.begun.wait(20)
    second.close()
    first.close()
    assert slow.ended.wait(20)
    slow.come.set()
    assert got(f"{server.url}/slow", method="POST", body=b"{}")[2] == b"slow"


def test_more_than_can_wait_are_told_to_come_again(busy):
    server, slow = busy
    first = connected(server, SLOW)
    assert slow.begun.wait(20)
    others = [connected(server, SLOW) for _ in range(Limits().waiting + 1)]
    refused = select.select(others, [], [], 20)[0]
    answer = refused[0].recv(1000)
    assert answer.startswith(b"HTTP/1.1 503 ")
    assert b"Retry-After: 1\r\n" in answer
    slow.come.set()
    for client in (first, *others):
        if client not in refused:
            assert client.recv(1000).startswith(b"HTTP/1.1 200 ")
        client.close()


def test_closing_does_not_wait_for_what_clients_want(busy):
    server, slow = busy
    clients = [connected(server, sends) for sends in (SLOW, SLOW, b"", b"GET /large HTTP/1.0\r\n\r\n")]
    assert slow.begun.wait(20)
    begun = time.monotonic()
    server.close()
    assert time.monotonic() - begun < 10
    assert slow.ended.wait(20)
    for client in clients:
        client.close()


def test_a_password_is_asked_for_where_there_is_one():
    right = {"Authorization": "Basic " + base64.b64encode(b"prometheus:open").decode()}
    wrong = {"Authorization": "Basic " + base64.b64encode(b"prometheus:shut").decode()}
    free = Route(lambda _: Page(b"ok"), free=True)
    with Server("127.0.0.1:0", {"/": page("x"), "/healthz": free}, password=Password("prometheus", "open")) as server:
        status, headers, _ = got(f"{server.url}/")
        assert (status, headers["WWW-Authenticate"]) == (401, 'Basic realm="telex"')
        assert got(f"{server.url}/", wrong)[0] == 401
        assert got(f"{server.url}/", right)[::2] == (200, b"x")
        assert got(f"{server.url}/healthz")[0] == 200


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tls")
    cert, key = str(folder / "cert.pem"), str(folder / "key.pem")
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    command += ["-keyout", key, "-out", cert, "-days", "2", "-subj", "/CN=localhost", "-addext"]
    try:
        subprocess.run([*command, "subjectAltName=IP:127.0.0.1"], check=True, capture_output=True)
    except FileNotFoundError:
        pytest.skip("openssl is not installed, which makes the certificate of this test")
    return cert, key


def test_tls_is_spoken_with_a_certificate(certificate):
    cert, key = certificate
    with Server("127.0.0.1:0", {"/": page("safe")}, tls=tls_of(cert, key)) as server:
        assert server.url.startswith("https://")
        context = ssl.create_default_context(cafile=cert)
        assert got(f"{server.url}/", context=context)[::2] == (200, b"safe")
        with pytest.raises(OSError):  # noqa: PT011 - plain HTTP is refused, one way or the other
            got(f"http://127.0.0.1:{server.port}/")
        assert got(f"{server.url}/", context=context)[0] == 200


def test_who_never_ends_its_handshake_is_let_go(certificate):
    """A handshake and a head have one time together."""
    limits = Limits(head_seconds=0.3)
    with Server("127.0.0.1:0", {"/": page("hello")}, tls=tls_of(*certificate), limits=limits) as server:
        silent = connected(server)
        assert silent.recv(1) == b""
        silent.close()


@pytest.mark.parametrize("place", [0, 1])
def test_a_certificate_that_is_none_is_a_sentence(certificate, tmp_path, place):
    (tmp_path / "none.pem").write_text("nothing")
    files = list(certificate)
    files[place] = str(tmp_path / "none.pem")
    with pytest.raises(UsageError, match="two PEM files"):
        tls_of(*files)


def test_what_is_secret_comes_from_the_environment(certificate, tmp_path):
    (tmp_path / "password").write_text("open\n")
    names = ("TELEX_METRICS_CERT", "TELEX_METRICS_KEY", "TELEX_METRICS_USER", "TELEX_METRICS_PASSWORD_FILE")
    settings = dict(zip(names, (*certificate, "prometheus", str(tmp_path / "password")), strict=True))
    metrics = serve_metrics("127.0.0.1:0", settings)
    try:
        with pytest.raises(UsageError, match="TELEX_METRICS_KEY is not set"):
            serve_metrics("127.0.0.1:0", {names[0]: certificate[0]})
        context = ssl.create_default_context(cafile=certificate[0])
        url = metrics.server.url
        assert got(f"{url}/metrics", context=context)[0] == 401
        right = {"Authorization": "Basic " + base64.b64encode(b"prometheus:open").decode()}
        assert got(f"{url}/metrics", right, context=context)[0] == 200
    finally:
        metrics.close()


def test_further_names_come_from_the_environment():
    metrics = serve_metrics("127.0.0.1:0", {"TELEX_METRICS_HOSTS": "telex.example, telex.monitoring.svc"})
    try:
        for name, status in (("telex.example", 200), ("telex.monitoring.svc:80", 200), ("other.example", 403)):
            assert got(f"{metrics.server.url}/metrics", {"Host": name})[0] == status
    finally:
        metrics.close()


def test_what_is_served_ends_with_the_run():
    metrics = serve_metrics("127.0.0.1:0", {})
    list(Run(batches(changing(100)), {"mmp": MMP()}, sinks=[metrics]))
    with pytest.raises(OSError):  # noqa: PT011
        got(f"{metrics.server.url}/metrics")


def test_drained_it_answers_who_is_there_and_takes_nobody_else():
    slow, answered = Slow(), []
    server = Server("127.0.0.1:0", {"/slow": Route(slow, most=1000)}, answered=lambda *one: answered.append(one[:2]))
    first, second = connected(server, SLOW), connected(server, SLOW)
    assert slow.begun.wait(20)
    draining = threading.Thread(target=server.drain, args=(20.0,))
    draining.start()
    deadline = time.monotonic() + 20
    with contextlib.suppress(ConnectionRefusedError):
        while time.monotonic() < deadline:
            connected(server).close()
    slow.come.set()
    for client in (first, second):
        assert client.recv(1000).startswith(b"HTTP/1.1 200 ")
        client.close()
    draining.join(20)
    assert not draining.is_alive()
    assert answered.count(("/slow", 200)) == 2


def test_who_does_not_come_to_an_end_is_not_drained_for_ever(busy):
    server, slow = busy
    client = connected(server, SLOW)
    assert slow.begun.wait(20)
    begun = time.monotonic()
    server.drain(0.2)
    assert time.monotonic() - begun < 10
    client.close()


def test_refusals_may_be_json():
    pages = {"/echo": Route(lambda request: Page(request.body), most=10)}
    with Server("127.0.0.1:0", pages, json_errors=True) as server:
        for path, body, status in (("/echo", b"x" * 11, 413), ("/none", b"", 404), ("/echo", None, 405)):
            found = got(f"{server.url}{path}", method="GET" if body is None else "POST", body=body)
            assert found[0] == status
            assert found[1]["Content-Type"] == "application/json"
            assert set(json.loads(found[2])) == {"error"}
        assert got(f"{server.url}/echo", method="POST", body=b"1")[2] == b"1"


def test_processes_may_share_a_port():
    with Server("127.0.0.1:0", {"/": page("one")}, shared=True) as one:
        with Server(f"127.0.0.1:{one.port}", {"/": page("other")}, shared=True):
            met = {got(f"{one.url}/")[2] for _ in range(200)}
        assert met == {b"one", b"other"}
        assert got(f"{one.url}/")[2] == b"one"
