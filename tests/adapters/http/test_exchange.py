"""What a client may send, and what it is told."""

import socket

import pytest

from telex.adapters.http import Page, Route, Server


@pytest.fixture(scope="module")
def server():
    pages = {
        "/": Route(lambda request: Page(request.query.get("a", "hello").encode())),
        "/free": Route(lambda _: Page(b"free"), free=True),
        "/take": Route(lambda request: Page(request.body), most=100),
        "/bad": Route(lambda _: 1 / 0),
    }
    with Server("127.0.0.1:0", pages, hosts=["telex.example"]) as found:
        yield found


def exchanged(server, *sent):
    """All that comes back, until the server closes the connection."""
    with socket.create_connection((server.host, server.port), timeout=20) as client:
        for piece in sent:
            client.sendall(piece)
        return b"".join(iter(lambda: client.recv(65536), b""))


def get(path="/free", *headers, host="localhost"):
    return "\r\n".join([f"GET {path} HTTP/1.1", f"Host: {host}", *headers, "", ""]).encode("latin-1")


def post(*headers, body=b""):
    return "\r\n".join(["POST /take HTTP/1.1", "Host: localhost", *headers, "", ""]).encode() + body


REFUSED = {
    "a length of 5,000 digits": (post("Content-Length: " + "9" * 5000), 400),
    "a huge length": (post("Content-Length: " + "9" * 18), 413),
    "a negative length": (post("Content-Length: -1"), 400),
    "a length that is no number": (post("Content-Length: 0x10"), 400),
    "two lengths": (post("Content-Length: 1", "Content-Length: 2", body=b"{}"), 400),
    "no length": (post(), 411),
    "a body in chunks": (post("Transfer-Encoding: chunked", body=b"2\r\n{}\r\n0\r\n\r\n"), 411),
    "chunks and a length": (post("Transfer-Encoding: chunked", "Content-Length: 2", body=b"{}"), 411),
    "another encoding": (post("Transfer-Encoding: gzip"), 400),
    "a body for a page": (get("/free", "Content-Length: 1") + b"x", 413),
    "NUL in a header": (get("/free", "A: a\0b"), 400),
    "NUL in the line": (get("/\0"), 400),
    "not ASCII in a header": (get("/free", "A: \xe9"), 400),
    "not ASCII in the path": (get("/\xe9"), 400),
    "HTTP/0.9": (b"GET /free\r\n\r\n", 400),
    "HTTP/2": (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400),
    "TLS": (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(100), 400),
    "two requests": (get() + get(), 400),
    "an absolute target": (get("http://localhost/free"), 400),
    "an asterisk": (b"OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    "a tunnel": (b"CONNECT localhost:22 HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    "an encoded NUL": (get("/free%00"), 404),
    "a way out": (get("/../../etc/passwd"), 404),
    "an encoded way out": (get("/%2e%2e/etc/passwd"), 404),
    "another method": (b"DELETE /free HTTP/1.1\r\nHost: localhost\r\n\r\n", 405),
    "too many headers": (get("/free", *(f"A{i}: b" for i in range(200))), 431),
    "a long header": (get("/free", "A: " + "b" * 50_000), 431),
    "a long line": (get("/" + "a" * 50_000), 431),
    "an endless line": (b"G" * 50_000, 431),
    "no host": (b"GET /free HTTP/1.1\r\n\r\n", 400),
    "two hosts": (get("/free", "Host: localhost"), 400),
}


@pytest.mark.parametrize(("sent", "status"), REFUSED.values(), ids=REFUSED)
def test_what_is_malformed_is_refused_in_one_line(server, sent, status, capfd):
    head, _, body = exchanged(server, sent).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 %d " % status), head
    assert 10 < len(body) < 300
    assert body.endswith(b"\n")
    assert body.count(b"\n") == 1
    assert exchanged(server, get()).endswith(b"free")
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("path", ["/", "/free", "/take"])
@pytest.mark.parametrize(
    ("host", "known"),
    [("localhost", True), ("LOCALHOST.:80", True), ("127.0.0.1:1", True), ("10.1.2.3", True), ("[::1]:80", True),
     ("telex.example", True), (socket.gethostname(), True), ("evil.example", False), ("telex.example.evil", False),
     ("localhost@evil.example", False), ("[evil.example]", False), ("", False), ("1.2.3.4.evil.example:80", False)],
)  # fmt: skip
def test_every_page_answers_only_under_known_names(server, path, host, known):
    assert exchanged(server, get(path, host=host)).startswith(b"HTTP/1.1 403 ") != known


def test_a_probe_without_a_host_is_answered(server):
    assert exchanged(server, b"GET /free HTTP/1.0\r\n\r\n").endswith(b"free")


def test_a_request_may_come_in_pieces(server):
    assert exchanged(server, *(bytes([byte]) for byte in get("/?a=b"))).endswith(b"\r\n\r\nb")


def test_a_client_may_ask_before_it_sends_a_body(server):
    found = exchanged(server, post("Expect: 100-continue", "Content-Length: 2"), b"{}")
    assert found.startswith(b"HTTP/1.1 100 \r\n\r\nHTTP/1.1 200 OK\r\n")
    assert found.endswith(b"\r\n\r\n{}")


def test_headers_alone_are_sent_where_they_are_asked_for(server):
    for path, status in (("/free", 200), ("/nowhere", 404)):
        found = exchanged(server, f"HEAD {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        assert found.startswith(b"HTTP/1.1 %d " % status)
        assert found.endswith(b"\r\n\r\n")
