"""Feeds from files and from a server; `polled_url` is tested by what a feed fetches."""

import gzip
import http.server
import io
import os
import sys
import threading

import pytest

from telex.adapters.formats import open_archive
from telex.adapters.formats.feed import polled_url as fetched
from telex.adapters.formats.feed import rss
from telex.adapters.formats.feed.rss import Rss
from telex.learners.base import UsageError
from telex.stream.sources import DeadLetter


def feed(*items):
    told = (
        f"<item><guid isPermaLink='false'>urn:{name}</guid><title>{name}</title>"
        + (f"<pubDate>Tue, 20 Aug 1996 {hour:02}:00:00 GMT</pubDate>" if hour is not None else "")
        + "</item>"
        for name, hour in items
    )
    return f'<rss version="2.0"><channel>{"".join(told)}</channel></rss>'.encode()


class Wire(http.server.BaseHTTPRequestHandler):
    """Answers as the test's script says: one (status, headers, body) a request, the last again and again."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        server = self.server
        server.asked.append(dict(self.headers))
        status, headers, body = server.script[min(len(server.asked), len(server.script)) - 1]
        headers = {"Content-Length": len(body), **headers}
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, str(value))
        self.end_headers()
        self.wfile.write(body)
        self.close_connection = True

    def log_message(self, *_):
        pass


@pytest.fixture
def wire():
    """A function that starts a server with a script and returns it; ``server.url`` is where it listens."""
    servers = []

    def start(*script):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Wire)
        server.script, server.asked = script, []
        server.url = f"http://127.0.0.1:{server.server_port}/feed"
        servers.append(server)
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        return server

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch):
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


def ids(items):
    return [item.reason if isinstance(item, DeadLetter) else item.id.removeprefix("urn:") for item in items]


def polls(url, count, **options):
    return Rss(url, polls=count, every="0.001s", **options)


def test_new_entries_come_at_each_poll_and_old_ones_do_not_come_again(wire, told):
    server = wire(
        (200, {}, feed(("b", 2), ("a", 1))),
        (200, {}, feed(("d", 4), ("c", 3), ("b", 2))),
        (200, {}, feed(("a", 1), ("e", 5))),
    )
    assert ids(told(polls(server.url, 3))) == ["a", "b", "c", "d", "e"]
    assert len(server.asked) == 3


def test_what_was_read_does_not_wait_for_the_next_poll(wire, monkeypatch):
    server = wire((200, {}, feed(("a", 1))), (200, {}, feed(("b", 1))))
    slept = []
    monkeypatch.setattr(rss.time, "sleep", slept.append)
    source = iter(Rss([server.url], polls="0", every="2h"))
    assert list(next(source).ids) == ["urn:a"]
    assert (len(server.asked), slept) == (1, [])
    assert list(next(source).ids) == ["urn:b"]
    assert (len(server.asked), slept) == (2, [7200.0])
    source.close()


def test_the_marks_of_what_is_known_are_sent_back(wire, told):
    marks = {"ETag": '"v1"', "Last-Modified": "Tue, 20 Aug 1996 12:00:00 GMT"}
    server = wire((200, marks, feed(("a", 1))), (304, {}, b""), (200, {}, feed(("b", 1))), (200, {}, feed()))
    assert ids(told(polls(server.url, 4))) == ["a", "b"]
    known = [(asked.get("If-None-Match"), asked.get("If-Modified-Since")) for asked in server.asked]
    assert known == [(None, None), tuple(marks.values()), tuple(marks.values()), (None, None)]


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ((500, {}, b"oops"), "the server answers 500 Internal Server Error"),
        ((404, {}, b""), "the server answers 404 Not Found"),
        ((200, {}, b"<html>maintenance</html>"), "this is not a feed, neither RSS nor Atom"),
        ((200, {}, b""), "this is not a feed, neither RSS nor Atom"),
        ((200, {"Content-Encoding": "gzip"}, gzip.compress(feed(("x", 1)))[:-20]), "the gzip data are incomplete"),
        ((200, {"Content-Length": 10_000}, feed(("x", 1))), "the feed is incomplete"),
        ((200, {"Transfer-Encoding": "chunked"}, b"zz\r\n"), "fetching the feed fails"),
        ((302, {"Location": "file:///etc/passwd"}, b""), "the server redirects where Telex cannot follow (302)"),
        ((302, {"Location": "ftp://127.0.0.1/x"}, b""), "fetching the feed fails"),
        ((302, {"Location": "/again"}, b""), "the server redirects where Telex cannot follow (302)"),
        ((200, {}, b'<!DOCTYPE rss [<!ENTITY a "b">]>' + feed(("x", 1))), "the feed declares entities"),
    ],
)
def test_a_poll_that_fails_is_a_dead_letter_and_polling_continues(wire, told, answer, reason):
    requests = 3 if "/again" in str(answer) else 1
    server = wire((200, {}, feed(("a", 1))), *[answer] * requests, (200, {}, feed(("b", 2))))
    first, letter, last = told(polls(server.url, 3))
    assert ids([first, last]) == ["a", "b"]
    assert (letter.stage, letter.path) == ("read", server.url)
    assert reason in letter.reason
    assert letter.raw == (answer[2] if "feed declares" in reason or "not a feed" in reason else b"")


def test_a_server_that_is_not_there(told, wire):
    server = wire((200, {}, b""))
    server.shutdown()
    server.server_close()
    [letter] = told(Rss(server.url))
    assert "fetching the feed fails: [Errno" in letter.reason


@pytest.mark.parametrize("body", [b" " * (17 << 20), gzip.compress(bytes(64 << 20), 9)], ids=["plain", "bomb"])
def test_a_feed_too_large_is_given_up(wire, told, body):
    [letter] = told(Rss(wire((200, {}, body)).url))
    assert letter.reason == "the feed is larger than 16 MiB"


def test_a_server_that_says_nothing_and_one_that_drips_are_given_up(wire, told, monkeypatch):
    gate = threading.Event()

    class Drips(Wire):
        def do_GET(self):
            if self.path == "/silent":
                gate.wait(10)
            self.send_response(200)
            self.end_headers()
            while not gate.wait(0.005):
                try:
                    self.wfile.write(b" ")
                except OSError:
                    return

    monkeypatch.setattr(fetched, "_SILENCE", 0.2)
    monkeypatch.setattr(fetched, "_PATIENCE", 0.1)
    server = wire()
    server.RequestHandlerClass = Drips
    [dripping] = told(Rss(server.url))
    [silent] = told(Rss(server.url.replace("feed", "silent")))
    gate.set()
    assert "the feed has not come after" in dripping.reason
    assert "fetching the feed fails: timed out" in silent.reason


def test_redirections_within_http_and_compressed_answers(wire, told):
    body = gzip.compress(feed(("a", 1)))
    server = wire((301, {"Location": "/elsewhere"}, b""), (200, {"Content-Encoding": "gzip"}, body))
    assert ids(told(Rss(server.url))) == ["a"]
    assert server.asked[0]["Accept-Encoding"] == "gzip"


def test_ids_are_forgotten_at_last(wire, told, monkeypatch):
    monkeypatch.setattr(rss, "_REMEMBERED", 3)
    server = wire(
        (200, {}, feed(("a", 1), ("b", 2), ("c", 3))),
        (200, {}, feed(("a", 1), ("d", 4))),
        (200, {}, feed(("a", 1), ("b", 2))),
    )
    assert ids(told(polls(server.url, 3))) == ["a", "b", "c", "d", "b"]


def test_several_feeds_come_in_the_order_of_time(wire, told, file):
    one = wire((200, {}, feed(("c", 3), ("x", None), ("a", 1))))
    two = wire((500, {}, b""), (200, {}, feed(("d", 4))))
    path = file(feed(("b", 2), ("a", 1)), "feed.xml")
    source = polls([one.url, str(path), two.url], 2)
    assert source.title == f"{one.url} and 2 more"
    assert ids(told(source)) == ["the server answers 500 Internal Server Error", "a", "b", "c", "x", "d"]
    one = wire((200, {}, feed(("c", 3), ("a", 1))))
    assert ids(told(Rss(one.url, order="file"))) == ["c", "a"]


def test_an_address_can_be_read_once(wire, told):
    source = Rss(wire((200, {}, feed(("a", 1)))).url)
    assert ids(told(source)) == ["a"]
    with pytest.raises(UsageError, match="can be read only once; save the feed"):
        next(iter(source))


def test_files_and_standard_input(told, file, monkeypatch):
    path = file(gzip.compress(feed(("b", 2), ("a", 1))), "feed")
    source = open_archive(path)
    assert isinstance(source, Rss)
    assert ids(told(source)) == ids(told(source)) == ["a", "b"]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(feed(("a", 1)))))
    source = open_archive("-", "rss", passes=2)
    assert ids(told(source)) == ids(told(source)) == ["a"]
    for data, reason in (
        (b"", "the file is empty"),
        (b" " * (17 << 20), "the feed is larger than 16 MiB"),
        (b"x", "this is not a feed, neither RSS nor Atom"),
    ):
        assert ids(told(Rss(file(data, "feed")))) == [reason]


def test_an_address_is_a_feed_without_being_named(wire, told):
    server = wire((200, {}, feed(("a", 1))))
    assert ids(told(open_archive(server.url))) == ["a"]
    assert ids(told(open_archive([server.url], polls="1"))) == ["a"]


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("http://", "is not an address; give one such as"),
        ("http://x:99999/", "is not an address"),
        ("http://x/a b", "is not an address"),
        ("http://x/\xe9", "is not an address"),
        ("http://x/\r\nEvil: 1", "is not an address"),
        ("https://me:secret@x.org/feed", "the address of x.org holds a name or password; leave it out"),
    ],
)
def test_addresses_that_are_none(url, said):
    with pytest.raises(UsageError, match=said) as caught:
        Rss(url)
    assert "secret" not in str(caught.value)


def test_rows_a_batch(file):
    assert [len(stories) for stories in Rss(file(feed(*((name, 1) for name in "abc"))), rows=2)] == [2, 1]


def test_wrong_options(file):
    path = file(feed())
    for options, said in [
        ({"polls": "-1"}, "polls=-1"),
        ({"every": "often"}, "every is 'often'; give a time such as 30s"),
        ({"order": "id"}, "order=id"),
        ({"rows": "0"}, "rows=0"),
    ]:
        with pytest.raises(UsageError, match=said):
            Rss(path, **options)
    with pytest.raises(UsageError, match="there is no such file"):
        Rss(path.parent / "nowhere")
    with pytest.raises(UsageError, match="no file is given"):
        Rss([])


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (feed(), True),
        (b'\xef\xbb\xbf<?xml version="1.0"?>\n<!-- x -->\n<?xml-stylesheet x?><feed xmlns="x">', True),
        (b"<!DOCTYPE rss PUBLIC 'x'>\n<rss version='0.91'>", True),
        (b"<rdf:RDF xmlns='x'>", True),
        (b"<html>", False),
        (b"<newsitem itemid='1'>", False),
        (b"<!-- -->" * 5000 + b"<x>", False),
        (b"", False),
    ],
)
def test_what_is_recognised(head, expected):
    assert Rss.recognises(head, "x.xml") is expected
    assert Rss.recognises(b" ", f"x{os.extsep}rss")
