"""One request of a client, and its answer."""

from __future__ import annotations

import asyncio
import json
import time
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

import h11

from telex.adapters.http.pages import Page, Request, Route, message, page_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from telex.adapters.http.connections import Client, Connections
    from telex.adapters.http.host_names import HostNames
    from telex.adapters.http.limits import Limits
    from telex.adapters.http.page_maker import PageMaker
    from telex.adapters.http.password import Password

_PIECE, _LARGE_PIECE = 4096, 65_536
"""Bytes that are read at once, of a head and of a body."""
_BUSY = message(503, "too many ask for this page at once; try again", Retry_After="1")
_LEFT = 499
"""What counts as the status where the client has left."""
_LINGER_BYTES, _LINGER_SECONDS = 8_000_000, 2.0


@dataclass(frozen=True, slots=True)
class Site:
    """What is served, and to whom; ``makers`` has the routes that are not free, by path.

    ``answered`` is called with the path of each request, the status of its answer and the seconds that it took to make.
    With ``json_errors`` a refusal is a JSON object, ``{"error": SENTENCE}``.
    """

    routes: Mapping[str, Route]
    makers: Mapping[str, PageMaker]
    password: Password | None
    names: HostNames
    limits: Limits
    connections: Connections
    answered: Callable[[str, int, float], object] = lambda path, status, seconds: None
    json_errors: bool = False


class Exchange:
    """Reads a request, has its page made, and sends the answer; the connection ends with it.

    The head of the request is ``due`` at a time of the event loop.
    """

    def __init__(
        self, site: Site, client: Client, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, due: float
    ) -> None:
        self._site, self._client, self._reader, self._writer = site, client, reader, writer
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=site.limits.head_bytes)
        self._due = due
        self._head_only, self._unread = False, True
        self._path, self._begun = "", time.monotonic()

    async def run(self) -> None:
        """Answer; whatever a client sends, the answer is a page, or nothing if the client has left."""
        try:
            page = await self._answer()
        except h11.RemoteProtocolError as error:
            status = 431 if error.error_status_hint == 431 else 400
            page = message(status, f"this is not a request that can be read: {str(error)[:200]}")
        except UnicodeDecodeError:
            page = message(400, "a request has only ASCII characters before its body; encode others with %")
        except TimeoutError:
            page = message(408, "the request did not come in time")
        status = _LEFT if page is None else page.status
        self._site.answered(self._path, status, time.monotonic() - self._begun)
        if page is not None:
            await self._send(_as_json(page) if self._site.json_errors else page)

    # -- the request

    async def _answer(self) -> Page | None:
        limits = self._site.limits
        async with asyncio.timeout_at(self._due):
            head = await self._event()
        if not isinstance(head, h11.Request):
            return None
        self._head_only = head.method == b"HEAD"
        headers = {name.decode("ascii"): value.decode("ascii") for name, value in head.headers}
        path, _, query = head.target.decode("ascii").partition("?")
        self._path = path
        refusal = self._refusal(head, path, headers)
        if refusal is not None:
            return refusal
        async with asyncio.timeout(limits.body_seconds):
            body = await self._body()
        if self._http.trailing_data[0].strip(b"\r\n"):
            return message(400, "send one request a connection")
        self._unread = False
        request = Request(headers, dict(parse_qsl(query)), body)
        route, maker = self._site.routes[path], self._site.makers.get(path)
        if maker is None:
            self._site.connections.take_for_probe(self._client)
            return page_of(route, request, self._site.password)
        return await self._made(route, maker, request)

    def _refusal(self, head: h11.Request, path: str, headers: Mapping[str, str]) -> Page | None:
        """Return why a request is not taken, before its body is read."""
        site = self._site
        if len(head.headers) > site.limits.headers:
            return message(431, f"these are too many headers; send at most {site.limits.headers}")
        if not path.startswith("/"):
            return message(400, "ask for a path, such as /metrics")
        if not site.names.include(headers.get("host")):
            return message(403, "use this server's own name, such as 127.0.0.1, or add a name to TELEX_METRICS_HOSTS")
        return self._refusal_of_route(head, path, headers)

    def _refusal_of_route(self, head: h11.Request, path: str, headers: Mapping[str, str]) -> Page | None:
        site = self._site
        route = site.routes.get(path)
        if route is None:
            return message(404, f"there is nothing here; try one of {', '.join(sorted(site.routes))}")
        allow = "POST" if route.most else "GET, HEAD"
        if head.method.decode("ascii") not in allow.split(", "):
            return message(405, f"use {allow}", Allow=allow)
        if "transfer-encoding" in headers or (route.most and "content-length" not in headers):
            return message(411, "the length of the body is missing: give a Content-Length")
        if int(headers.get("content-length", "0")) > route.most:
            return message(413, f"this is too much at once; send at most {route.most:,} bytes")
        maker = site.makers.get(path)
        return _BUSY if maker is not None and maker.full else None

    async def _body(self) -> bytes:
        if self._http.they_are_waiting_for_100_continue:
            self._write(h11.InformationalResponse(status_code=100, headers=[]))
        pieces = []
        while isinstance(event := await self._event(_LARGE_PIECE), h11.Data):
            pieces.append(bytes(event.data))
            self._site.connections.hold(self._client, len(event.data))
        return b"".join(pieces)

    async def _event(self, most: int = _PIECE) -> Any:
        while (event := self._http.next_event()) is h11.NEED_DATA:
            self._http.receive_data(await self._reader.read(most))
        return event

    # -- the page

    async def _made(self, route: Route, maker: PageMaker, request: Request) -> Page | None:
        """Return the page, made in another thread; None if the client leaves first."""
        future = maker.submit(lambda: page_of(route, request, self._site.password))
        if future is None:
            return _BUSY
        self._client.stage = "page"
        page: asyncio.Future[Page] = asyncio.wrap_future(future)
        leaving: asyncio.Future[None] = asyncio.create_task(self._discard(_LINGER_BYTES))
        seconds = self._site.limits.page_seconds
        try:
            await asyncio.wait((page, leaving), timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
            if page.done():
                return page.result()
            return None if leaving.done() else message(503, f"this page was not made in {seconds:.0f} s; try again")
        finally:
            request.left.set()
            maker.withdraw(future)
            leaving.cancel()
            await asyncio.wait({leaving})

    async def _discard(self, most: int) -> None:
        """Read until the client leaves, but no more than ``most`` bytes."""
        try:
            while most > 0 and (piece := await self._reader.read(_LARGE_PIECE)):
                most -= len(piece)
                await asyncio.sleep(0)
        except OSError:  # it has left without a goodbye
            return

    # -- the answer

    async def _send(self, page: Page) -> None:
        self._client.stage = "answer"
        headers = {
            "Content-Type": page.kind,
            "Content-Length": str(len(page.body)),
            "Cache-Control": "no-store",
            "X-Content-Type-Options": "nosniff",
            "Connection": "close",
            **page.headers,
        }
        reason = HTTPStatus(page.status).phrase.encode()
        response = h11.Response(status_code=page.status, headers=list(headers.items()), reason=reason)
        body = [] if self._head_only else [h11.Data(data=page.body)]
        self._site.connections.hold(self._client, len(page.body))
        async with asyncio.timeout(self._site.limits.answer_seconds):
            self._writer.transport.set_write_buffer_limits(0)
            for event in (response, *body, h11.EndOfMessage()):
                self._write(event)
            await self._writer.drain()
            if self._unread:
                await self._linger()
            self._writer.close()
            await self._writer.wait_closed()

    async def _linger(self) -> None:
        """Let a client that is still sending finish, because it reads the answer only then."""
        if self._writer.can_write_eof():
            self._writer.write_eof()
        await asyncio.wait({asyncio.create_task(self._discard(_LINGER_BYTES))}, timeout=_LINGER_SECONDS)

    def _write(self, event: Any) -> None:
        self._writer.write(b"".join(self._http.send_with_data_passthrough(event) or ()))  # a body is not copied


def _as_json(page: Page) -> Page:
    if page.status < 400 or not page.kind.startswith("text/plain"):
        return page
    body = json.dumps({"error": page.body.decode().strip()}).encode()
    return replace(page, body=body, kind="application/json")
