"""Routes over a pipe: here both ends are threads of one process."""

import multiprocessing
import os
import re
import socket
import threading
import time
from contextlib import contextmanager
from itertools import pairwise

import pytest

from telex.adapters.http import Page, Request, Route, relay
from telex.adapters.http.relay import Relayed, answer_relayed, relayed_route


@contextmanager
def relayed(route):
    """The route, as the other process would serve it."""
    mine, theirs = multiprocessing.Pipe()
    answering = threading.Thread(target=answer_relayed, args=(route, mine))
    answering.start()
    yield relayed_route(Relayed("/", route.free, route.most, theirs))
    with socket.socket(fileno=os.dup(theirs.fileno())) as pipe:
        pipe.shutdown(socket.SHUT_RDWR)  # as if the other process had ended, for a thread that waits there too
    answering.join()


def until(sought):
    for _ in range(6000):
        if found := sought():
            return found
        time.sleep(0.01)
    return pytest.fail("it does not come")


def test_a_request_goes_over_and_the_page_comes_back():
    with relayed(Route(lambda one: Page(one.body + one.query["a"].encode(), status=201), most=9)) as route:
        assert (route.free, route.most) == (False, 9)
        assert route.page(Request({}, {"a": "b"}, b"c")) == Page(b"cb", status=201)


def test_a_page_that_cannot_be_made_is_an_error_of_that_page():
    with relayed(Route(lambda one: Page(one.query["a"].encode()))) as route:
        page = route.page(Request({}))
        assert (page.status, page.body) == (500, b"this page could not be made: KeyError: 'a'\n")
        assert route.page(Request({}, {"a": "b"})).body == b"b"


def test_pages_take_a_twentieth_of_a_processor():
    begun = []

    def burning(_):
        begun.append(time.monotonic())
        until_then = time.thread_time() + 0.01
        while time.thread_time() < until_then:
            pass
        return Page(b"")

    with relayed(Route(burning)) as route:
        for _ in range(4):
            route.page(Request({}))
    assert min(after - before for before, after in pairwise(begun)) >= 0.2


def test_a_run_that_has_ended_is_said():
    mine, theirs = multiprocessing.Pipe()
    mine.close()
    page = relayed_route(Relayed("/", False, 0, theirs)).page(Request({}))
    assert (page.status, page.body) == (503, b"the run has ended\n")
    theirs.close()


def test_however_many_ask_for_a_free_page_the_run_is_asked_now_and_then(monkeypatch):
    monkeypatch.setattr(relay, "_EVERY", 0.1)
    asked = []

    def health(_):
        asked.append(time.monotonic())
        return Page(b"%d" % len(asked))

    with relayed(Route(health, free=True)) as route:
        assert route.free
        assert route.page(Request({})).body == b"1"
        seen = until(lambda: (page := route.page(Request({}))).body == b"4" and page)
        assert seen.status == 200
    assert min(after - before for before, after in pairwise(asked)) >= 0.1


def test_an_answer_of_long_ago_counts_no_longer(monkeypatch):
    monkeypatch.setattr(relay, "_EVERY", 0.0)
    monkeypatch.setattr(relay, "_STALE", 0.2)
    going_on = threading.Event()
    going_on.set()

    def health(_):
        going_on.wait()
        return Page(b"ok\n")

    with relayed(Route(health, free=True)) as route:
        assert route.page(Request({})).body == b"ok\n"
        going_on.clear()
        page = until(lambda: (page := route.page(Request({}))).status == 503 and page)
        assert re.fullmatch(rb"the run's process has not answered for \d+ s\n", page.body)
        going_on.set()
        until(lambda: route.page(Request({})).status == 200)
