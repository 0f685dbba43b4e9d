"""A web address, polled again and again, with bounds on size and time."""

from __future__ import annotations

import http.client
import time
import urllib.error
import urllib.parse
import urllib.request
import zlib
from typing import TYPE_CHECKING, NamedTuple

from telex.adapters.formats.reading import decompress
from telex.learners.base import BrokenRecordError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

_LARGEST = 16 << 20
_PIECE = 1 << 16
_SILENCE = 20.0
"""Seconds without a byte after which a request is given up."""
_PATIENCE = 60.0
"""Seconds after which a request is given up, even if bytes keep coming."""
_REDIRECTS = 5


class _Redirects(urllib.request.HTTPRedirectHandler):
    max_redirections = _REDIRECTS
    max_repeats = 2


class FeedResponse(NamedTuple):
    """A server's response: the body, unpacked, and the header fields by lower-case name."""

    body: bytes
    headers: dict[str, str]


class PolledUrl:
    """One http or https address; while its content has not changed it is not downloaded again.

    Nothing else is ever opened: a redirect to another scheme fails.
    """

    def __init__(self, url: str) -> None:
        try:
            parts = urllib.parse.urlsplit(url)
            named = bool(parts.hostname) and (parts.port is None or parts.port > 0)
        except ValueError:
            named = False
        if not named or not url.isascii() or any(c <= " " for c in url):
            raise UsageError(f"{url} is not an address; give one such as https://HOST/PATH, other characters as %XX")
        if parts.username is not None:
            raise UsageError(f"the address of {parts.hostname} holds a name or password; leave it out")
        self.url = url
        self._known: dict[str, str] = {}
        self._opener = urllib.request.OpenerDirector()
        for handler in (
            urllib.request.ProxyHandler(),
            urllib.request.HTTPHandler(),
            urllib.request.HTTPSHandler(),
            urllib.request.UnknownHandler(),
            urllib.request.HTTPDefaultErrorHandler(),
            _Redirects(),
            urllib.request.HTTPErrorProcessor(),
        ):
            self._opener.add_handler(handler)

    def ask(self) -> FeedResponse | None:
        """Return the response, or None if nothing has changed since the last; a failure raises a BrokenRecordError."""
        headers = {"User-Agent": "telex", "Accept-Encoding": "gzip", **self._known}
        request = urllib.request.Request(self.url, headers=headers)
        deadline = time.monotonic() + _PATIENCE
        try:
            with self._opener.open(request, timeout=_SILENCE) as response:
                body = self._body(response, deadline)
                found = {name.lower(): value for name, value in response.headers.items()}
        except urllib.error.HTTPError as error:
            with error:
                if error.code == http.client.NOT_MODIFIED:
                    return None
                if error.code // 100 == 3:
                    raise BrokenRecordError(f"the server redirects where Telex cannot follow ({error.code})") from error
                raise BrokenRecordError(f"the server answers {error.code} {error.reason}".rstrip()) from error
        except (OSError, http.client.HTTPException, ValueError, zlib.error) as error:
            reason = (error.reason if isinstance(error, urllib.error.URLError) else None) or error
            raise BrokenRecordError(f"fetching the feed fails: {reason or type(error).__name__}") from error
        self._remember(found)
        return FeedResponse(body, found)

    def _body(self, response: http.client.HTTPResponse, deadline: float) -> bytes:
        body, size = list[bytes](), 0
        for piece in decompress(_pieces(response, deadline)):
            body.append(piece)
            size += len(piece)
            if size > _LARGEST:
                raise BrokenRecordError(f"the feed is larger than {_LARGEST >> 20} MiB")
        return b"".join(body)

    def _remember(self, headers: dict[str, str]) -> None:
        given = {"If-None-Match": headers.get("etag"), "If-Modified-Since": headers.get("last-modified")}
        self._known = {name: value for name, value in given.items() if value}


def _pieces(response: http.client.HTTPResponse, deadline: float) -> Iterator[bytes]:
    expected, size = response.length, 0
    while piece := response.read1(_PIECE):
        yield piece
        size += len(piece)
        if size > _LARGEST:
            raise BrokenRecordError(f"the feed is larger than {_LARGEST >> 20} MiB")
        if time.monotonic() > deadline:
            raise BrokenRecordError(f"the feed has not come after {_PATIENCE:.0f} seconds")
    if expected is not None and size < expected:
        raise BrokenRecordError("the feed is incomplete")
