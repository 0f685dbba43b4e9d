"""Routes that one process serves and another one answers, over a pipe for each."""

from __future__ import annotations

import time
from threading import Thread
from typing import TYPE_CHECKING, Any, NamedTuple

from telex.adapters.http.pages import Page, Request, Route, made, message

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

_EVERY, _STALE = 0.5, 5.0
"""Seconds between two questions for a free page, and after which its last answer no longer counts."""
_REST = 20
"""For how many times the processor time of a page the next one of its path waits."""
_GONE = message(503, "the run has ended")


class Relayed(NamedTuple):
    """A route without what makes its pages, and this end of its pipe."""

    path: str
    free: bool
    most: int
    connection: Connection[Any, Any]


def answer_relayed(route: Route, connection: Connection[Any, Any]) -> None:
    """Make pages for the process at the other end, until that ends; with rests, so that this one hardly notices."""
    with connection:
        try:
            while True:
                headers, query, body = connection.recv()
                begun = time.thread_time()
                connection.send(made(route, Request(headers, query, body)))
                time.sleep(_REST * (time.thread_time() - begun))
        except (EOFError, OSError):
            return


def relayed_route(relayed: Relayed) -> Route:
    """Return a route whose pages the process at the other end makes.

    A free one must not wait, so its page is asked for twice a second, and the newest one is served.
    """
    if relayed.free:
        return Route(WatchedPage(relayed.connection).page, free=True)
    return Route(lambda request: _asked(relayed.connection, request), most=relayed.most)


class WatchedPage:
    """The newest page that the process at the other end has made; however many ask, that process does not notice."""

    def __init__(self, connection: Connection[Any, Any]) -> None:
        self._connection = connection
        self._newest, self._at = _asked(connection, Request({})), time.monotonic()
        Thread(target=self._watch, name="watching a page", daemon=True).start()

    def page(self, _: Request) -> Page:
        """Return it, or that there is none that still counts."""
        silence = time.monotonic() - self._at
        if silence > _STALE:
            return message(503, f"the run's process has not answered for {silence:.0f} s")
        return self._newest

    def _watch(self) -> None:
        while self._newest is not _GONE:
            time.sleep(_EVERY)
            self._newest, self._at = _asked(self._connection, Request({})), time.monotonic()


def _asked(connection: Connection[Any, Any], request: Request) -> Page:
    try:
        connection.send((dict(request.headers), dict(request.query), request.body))
        page: Page = connection.recv()
    except (EOFError, OSError):
        return _GONE
    return page
