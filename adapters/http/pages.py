"""Requests, the pages that answer them, and the routes that make pages."""

from __future__ import annotations

import gzip
from dataclasses import dataclass, field, replace
from threading import Event
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from telex.adapters.http.password import Password

_SMALL = 1024
"""Bytes below which a page is not worth compressing."""


@dataclass(frozen=True, slots=True)
class Page:
    """A response."""

    body: bytes
    kind: str = "text/plain; charset=utf-8"
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Request:
    """A request: the headers by lower-case name, the query behind the ``?``, and the body.

    ``left`` is set once nobody waits for the page any more: a page that takes long should look at it.
    """

    headers: Mapping[str, str]
    query: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    left: Event = field(default_factory=Event)


@dataclass(frozen=True, slots=True)
class Route:
    """Makes a page for a request.

    A ``free`` one needs no password, and is made in the thread that serves all clients: it must not wait for anything.
    With ``most`` above 0 it only takes POST, with up to that many bytes; otherwise GET and HEAD.
    """

    page: Callable[[Request], Page]
    free: bool = False
    most: int = 0


def message(status: int, text: str, **headers: str) -> Page:
    """Return a page of one line; underscores in the names of headers stand for hyphens."""
    line = " ".join(text.split())
    return Page(f"{line}\n".encode(), status=status, headers={k.replace("_", "-"): v for k, v in headers.items()})


def made(route: Route, request: Request) -> Page:
    """Return the page of a route; a failure is a page too."""
    try:
        return route.page(request)
    except Exception as error:  # a failing page must not stop anything else
        return message(500, f"this page could not be made: {type(error).__name__}: {error}")


def page_of(route: Route, request: Request, password: Password | None) -> Page:
    """Return the page of a route, compressed if the client takes that; a refusal or a failure is a page too."""
    if password and not route.free and not password.admits(request.headers.get("authorization", "")):
        return message(401, "give the name and the password", WWW_Authenticate='Basic realm="telex"')
    page = made(route, request)
    if "gzip" in request.headers.get("accept-encoding", "") and len(page.body) > _SMALL:
        headers = {**page.headers, "Content-Encoding": "gzip"}
        page = replace(page, body=gzip.compress(page.body, compresslevel=1), headers=headers)
    return page
