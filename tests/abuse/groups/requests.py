"""Hostile clients of ``--serve``: whatever they send, the run goes on, and /healthz answers."""

from __future__ import annotations

import contextlib
import re
import signal
import socket
import time
from functools import partial
from typing import TYPE_CHECKING

from abuse.case import Case

if TYPE_CHECKING:
    from collections.abc import Iterator

    from abuse.box import Box

HOST = b"Host: 127.0.0.1\r\n"
JSON = b"Content-Type: application/json\r\n"
HEALTH = 15.0  # seconds, in which /healthz answers on the busiest machine; hostile clients hold a connection for longer


def post(body: bytes, *headers: bytes, path: bytes = b"/predict") -> bytes:
    """Return a request with a body."""
    length = (
        b"" if any(b"Length" in one or b"chunked" in one for one in headers) else b"Content-Length: %d\r\n" % len(body)
    )
    return (
        b"POST "
        + path
        + b" HTTP/1.1\r\n"
        + HOST
        + JSON
        + length
        + b"".join(one + b"\r\n" for one in headers)
        + b"\r\n"
        + body
    )


def get(path: bytes, *headers: bytes, host: bytes = HOST) -> bytes:
    """Return a request without a body."""
    return (
        b"GET "
        + path
        + b" HTTP/1.1\r\n"
        + host
        + b"".join(one + b"\r\n" for one in headers)
        + b"Connection: close\r\n\r\n"
    )


REQUESTS: dict[str, bytes] = {
    "nothing": b"",
    "line ends": b"\r\n" * 1000,
    "NUL": bytes(10_000),
    "all bytes": bytes(range(256)) * 50,
    "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(500),
    "no method": b" / HTTP/1.1\r\n" + HOST + b"\r\n",
    "a long method": b"G" * 100_000 + b" / HTTP/1.1\r\n\r\n",
    "an unknown method": b"MYSTERY / HTTP/1.1\r\n" + HOST + b"\r\n",
    "CONNECT": b"CONNECT example.org:443 HTTP/1.1\r\n" + HOST + b"\r\n",
    "TRACE": b"TRACE / HTTP/1.1\r\n" + HOST + b"\r\n",
    "HTTP/0.9": b"GET /\r\n",
    "HTTP/9.9": b"GET / HTTP/9.9\r\n" + HOST + b"\r\n",
    "HTTP/x": b"GET / HTTP/x\r\n" + HOST + b"\r\n",
    "a long path": get(b"/" + b"x" * 1_000_000),
    "a path that leads out": get(b"/../../../../etc/passwd"),
    "an encoded path that leads out": get(b"/%2e%2e/%2e%2e/etc/passwd"),
    "a path of NUL": get(b"/%00"),
    "a path of escapes": get(b"/\x1b[2J"),
    "an absolute path": get(b"http://127.0.0.1/"),
    "a path of //": get(b"//evil.example/%2e%2e"),
    "a query of a megabyte": get(b"/?" + b"a=b&" * 250_000),
    "a bad Host": get(b"/", host=b"Host: evil.example\r\n"),
    "no Host": get(b"/", host=b""),
    "two Hosts": get(b"/", b"Host: evil.example"),
    "a Host of escapes": get(b"/", host=b"Host: \x1b[2J\r\n"),
    "an Origin": post(b'{"text": "gold"}', b"Origin: http://evil.example"),
    "100,000 headers": get(b"/", *(b"X-%d: y" % i for i in range(100_000))),
    "a long header": get(b"/", b"X: " + b"y" * 1_000_000),
    "a folded header": get(b"/", b"X: y\r\n z"),
    "a header without a colon": get(b"/", b"mystery"),
    "a huge Content-Length": post(b"{}", b"Content-Length: 99999999999999999999"),
    "Content-Length of 1 GB": post(b"{}", b"Content-Length: 1000000000"),
    "a negative Content-Length": post(b"{}", b"Content-Length: -1"),
    "a Content-Length of 5,000 digits": post(b"{}", b"Content-Length: " + b"9" * 5000),
    "a Content-Length of other digits": post(b"{}", "Content-Length: \u0663".encode()),
    "Content-Length with +": post(b"{}", b"Content-Length: +2"),
    "two Content-Lengths": post(b"{}", b"Content-Length: 2", b"Content-Length: 200"),
    "chunked": post(b"5\r\nhello\r\n0\r\n\r\n", b"Transfer-Encoding: chunked"),
    "a chunk of 2^64": post(b"ffffffffffffffff\r\n", b"Transfer-Encoding: chunked"),
    "gzip": post(__import__("gzip").compress(bytes(50_000_000)), b"Content-Encoding: gzip"),
    "Expect": post(b"{}", b"Expect: 100-continue"),
    "a Range": get(b"/", b"Range: bytes=0-" + b",0-" * 1000),
    "Upgrade": get(b"/", b"Upgrade: websocket", b"Connection: Upgrade"),
    "no JSON": post(b"gold"),
    "deep JSON": post(b"[" * 100_000),
    "deep objects": post(b'{"a":' * 100_000),
    "a long number": post(b'{"text": ' + b"9" * 10_000 + b"}"),
    "a number for a text": post(b'{"text": 5}'),
    "a list": post(b"[]"),
    "100,000 lines": post(b'{"text": "gold"}\n' * 50_000),
    "two megabytes": post(b'{"text": "' + b"gold " * 400_000 + b'"}'),
    "no UTF-8": post(b'{"text": "\xff\xfe"}'),
    "lone surrogates": post(b'{"text": "\\ud800", "id": "\\udfff"}'),
    "an id of escapes": post(b'{"text": "gold", "id": "\\u001b[2J\\r\\nX: y"}'),
    "NUL in a text": post(b'{"text": "\\u0000"}'),
    "an unknown learner": post(b'{"text": "gold"}', path=b"/predict?learner=mystery"),
    "top of 5,000 digits": post(b'{"text": "gold"}', path=b"/predict?top=" + b"9" * 5000),
    "top -1": post(b'{"text": "gold"}', path=b"/predict?top=-1"),
    "top NaN": post(b'{"text": "gold"}', path=b"/predict?top=nan"),
    "reasons of escapes": post(b'{"text": "gold"}', path=b"/predict?reasons=%1b%5b2J"),
    "another type": post(b'{"text": "gold"}').replace(b"application/json", b"text/plain"),
    "a type of escapes": post(b"{}").replace(b"application/json", b"\x1b[2J"),
    "pipelined": get(b"/healthz").replace(b"close", b"keep-alive") * 200,
    "smuggled": post(b"0\r\n\r\nGET /x HTTP/1.1\r\n\r\n", b"Content-Length: 4", b"Transfer-Encoding: chunked"),
}


class Served:
    """A run that goes on and is served."""

    def __init__(self, box: Box) -> None:
        self.box = box
        box.run_folder()
        with socket.socket() as one:
            one.bind(("127.0.0.1", 0))
            self.port = one.getsockname()[1]
        words = (
            "replay",
            "synthetic:n=1000000",
            "--learner",
            "mmp",
            "--run",
            "n",
            "--serve",
            f"127.0.0.1:{self.port}",
            "--serve-predict",
            "--checkpoint-every",
            "256",
        )
        self.process = box.start(*words, seconds=90, megabytes=900)
        end = time.perf_counter() + 60
        while time.perf_counter() < end and not self.process.ended_within(0.02):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                return
        box.note(self.process, "did not begin to serve")

    def send(self, data: bytes, seconds: float = 3.0) -> bytes:
        """Send bytes, and return what comes back."""
        found = b""
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), HEALTH) as one:
            one.settimeout(seconds)
            with contextlib.suppress(OSError):
                one.sendall(data)
                one.shutdown(socket.SHUT_WR)
            while len(found) < 1 << 20 and (piece := one.recv(65536)):
                found += piece
        return found

    def healthy(self, why: str) -> None:
        """See that the health is told, and soon."""
        began = time.perf_counter()
        found = self.send(get(b"/healthz"), HEALTH)
        seconds = time.perf_counter() - began
        self.box.demand(
            b" 200 " in found[:20] and seconds < HEALTH, f"{why}: /healthz took {seconds:.1f} s and said {found[:60]!r}"
        )

    def end(self) -> None:
        """End the run in order."""
        self.process.send(signal.SIGTERM)
        ended = self.process.wait()
        self.box.check(self.process, ended, 0)
        for trace in re.findall(rb"Traceback.*|Exception occurred.*", ended.err)[:1]:
            self.box.demand(False, f"the server wrote {trace!r}")


def requests(box: Box, part: int, parts: int) -> None:
    """Some of the requests, one after the other."""
    served = Served(box)
    for name, data in list(REQUESTS.items())[part::parts]:
        box.calls += 1
        found = served.send(data, 2.0)
        box.demand(b" 500 " not in found[:20] and b"Traceback" not in found, f"{name}: answered {found[:100]!r}")
        box.demand(b"root:" not in found, f"{name}: a file of the system was served")
        box.demand(not re.search(rb"\r\nX: y", found), f"{name}: a header was smuggled into the answer")
        served.healthy(name)
    served.end()


def slow(box: Box, what: str) -> None:
    """Forty clients that send one byte after the other, or read nothing."""
    served = Served(box)
    start = {"headers": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n", "a body": post(b"", b"Content-Length: 1000"), "nothing": b"",
             "read nothing": get(b"/"), "keep alive": b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"}[what]  # fmt: skip
    clients = []
    for _ in range(40):
        with contextlib.suppress(OSError):
            client = socket.create_connection(("127.0.0.1", served.port), 2)
            client.sendall(start)
            clients.append(client)
    for turn in range(3):
        time.sleep(0.3)
        served.healthy(f"40 clients, {what}, turn {turn}")
        for client in clients:
            with contextlib.suppress(OSError):
                client.send(b"X")
    for client in clients:
        client.close()
    served.healthy("after the slow clients")
    served.end()


def gone(box: Box) -> None:
    """Clients that reset their connections in the midst of an answer."""
    served = Served(box)
    for _ in range(50):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", served.port), 2) as one:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            one.sendall(get(b"/"))
    served.healthy("after 50 resets")
    served.end()


def ports(box: Box) -> None:
    """Places that nothing can be served at."""
    box.wire()
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        for place in (
            f"127.0.0.1:{taken.getsockname()[1]}",
            "127.0.0.1:99999",
            "127.0.0.1:-1",
            "127.0.0.1:x",
            "256.0.0.1:80",
            "",
            ":",
            "127.0.0.1",
            "mystery.invalid:80",
            "[::1]:x",
            "127.0.0.1:" + "9" * 5000,
            "\u0663:\u0663",
        ):
            for option in ("--serve", "--metrics"):
                box.telex("replay", "w.jsonl", "--learner", "mmp", option, place, codes={1, 2})


def cases() -> Iterator[Case]:
    """Yield the cases."""
    parts = 8
    for part in range(parts):
        yield Case(f"requests, part {part + 1} of {parts}", partial(requests, part=part, parts=parts), 8 if part else 2)
    for what in ("headers", "a body", "nothing", "read nothing", "keep alive"):
        yield Case(f"40 slow clients: {what}", partial(slow, what=what), 2 if what == "headers" else 4)
    yield Case("clients that go", gone, 2)
    yield Case("ports", ports, 2)
