"""A server in a process of its own: pages of this one, and an end of that one with the run's, however that comes."""

import gzip
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from functools import partial
from pathlib import Path

import pytest
from oracles.working_server import WorkingServer

from telex.adapters.http import Page, Route, ServerProcess
from telex.learners.base import UsageError


def until(sought, seconds=60.0):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if found := sought():
            return found
        time.sleep(0.02)
    return pytest.fail("it does not come")


def got(url, headers=None, method="GET", body=None):
    """Status, headers and body of a page."""
    request = urllib.request.Request(url, body, headers=headers or {}, method=method)
    try:
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=60) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.headers, error.read()


@pytest.fixture
def begun(tmp_path):
    """Serve routes from a process of its own."""
    processes = []

    def go(routes, say=lambda _: None, address="127.0.0.1:0"):
        processes.append(ServerProcess(address, routes, partial(WorkingServer, str(tmp_path / "note")), say))
        return processes[-1]

    yield go
    for one in processes:
        one.close()


def test_pages_of_this_process_are_served_by_the_other(begun):
    said = []
    routes = {
        "/here": Route(lambda request: Page(f"{request.query['a']} {os.getpid()} {request.headers['x']}".encode())),
        "/sent": Route(lambda request: Page(request.body[::-1]), most=5),
        "/long": Route(lambda _: Page(b"x" * 5000)),
        "/bad": Route(lambda _: 1 / 0),
    }
    process = begun(routes, said.append)
    assert process.pid != os.getpid()
    assert got(f"{process.url}/here?a=%20!", {"X": "y"})[::2] == (200, f" ! {os.getpid()} y".encode())
    assert got(f"{process.url}/sent", method="POST", body=b"abc")[2] == b"cba"
    assert got(f"{process.url}/sent", method="POST", body=b"abcdef")[0] == 413
    assert gzip.decompress(got(f"{process.url}/long", {"Accept-Encoding": "gzip"})[2]) == b"x" * 5000
    assert got(f"{process.url}/bad")[::2] == (
        500,
        b"this page could not be made: ZeroDivisionError: division by zero\n",
    )
    assert got(f"{process.url}/say?a=7")[2] == b"said"
    until(lambda: said == ["asked for 7"])
    until(lambda: process.news == {"pid": process.pid})


def asking(process, sent):
    """Ask, and do not wait for the answer."""
    host, port = process.place.address.split(":")
    client = socket.create_connection((host, int(port)), timeout=60)
    client.sendall(sent)
    return client


@pytest.mark.parametrize("end", ["the client leaves", "the run ends"])
def test_work_stops_when_nobody_waits_for_it(begun, tmp_path, end):
    process = begun({})
    with asking(process, b"POST /work HTTP/1.0\r\nContent-Length: 2\r\n\r\n{}") as client:
        until((tmp_path / "note.begun").exists)
        if end == "the client leaves":
            client.close()
            until((tmp_path / "note").exists)
        else:
            process.close()
            assert process.pid is not None
            assert not Path(f"/proc/{process.pid}").exists()
    assert int((tmp_path / "note").read_text()) == os.nice(0) + 10  # it gives way to learning


def test_a_page_that_hangs_here_does_not_keep_it_from_its_end(begun):
    ended, asked = threading.Event(), threading.Event()

    def hangs(_):
        asked.set()
        ended.wait()
        return Page(b"")

    process = begun({"/hangs": Route(hangs)})
    with asking(process, b"GET /hangs HTTP/1.0\r\n\r\n"):
        asked.wait()
        process.close()
        assert not Path(f"/proc/{process.pid}").exists()
    ended.set()


def test_another_process_takes_the_place_of_one_that_ends(begun):
    said = []
    process = begun({"/here": Route(lambda _: Page(b"still here"))}, said.append)
    url, first = process.url, process.pid
    os.kill(first, signal.SIGKILL)
    until(lambda: process.pid != first and process.news == {"pid": process.pid})
    assert got(f"{url}/here")[2] == b"still here"
    assert process.replaced == 1
    assert said == ["the process of the web server ended (exit code -9); another one takes its place"]


def test_a_place_that_is_taken_is_one_sentence(begun):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(UsageError, match=f"nothing can be served at {address}: Address already in use"):
            begun({}, address=address)


_PARENT = """
import sys, time
from functools import partial
if __name__ == "__main__":
    from oracles.working_server import WorkingServer
    from telex.adapters.http import ServerProcess
    process = ServerProcess("127.0.0.1:0", {}, partial(WorkingServer, sys.argv[1]))
    print(process.pid, process.url, flush=True)
    time.sleep(600)
"""


def test_it_ends_with_a_run_that_is_killed(tmp_path):
    (tmp_path / "parent.py").write_text(_PARENT)
    command = [sys.executable, str(tmp_path / "parent.py"), str(tmp_path / "note")]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as parent:
        pid, url = parent.stdout.readline().split()
        assert got(f"{url}/say?a=1")[0] == 200
        parent.kill()
    until(lambda: not Path(f"/proc/{pid}").exists() or ") Z " in Path(f"/proc/{pid}/stat").read_text())
