"""A small HTTP server beside a run: pages by path, each made on request."""

from __future__ import annotations

import asyncio
import socket
import ssl
import sys
import threading
import time
from typing import TYPE_CHECKING, Any

from telex.adapters.http.connections import Client, Connections, client_address
from telex.adapters.http.exchange import Exchange, Site
from telex.adapters.http.host_names import HostNames
from telex.adapters.http.limits import Limits
from telex.adapters.http.page_maker import PageMaker
from telex.learners.base import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from telex.adapters.http.pages import Route
    from telex.adapters.http.password import Password

HOME = "127.0.0.1"
_BACKLOG = 512
_FAREWELL, _PARTING = 1.0, 1.5
"""Seconds in which a closing server sends its last answers, and in which the threads of its pages end."""


class Server:
    """Serves ``routes`` at ``address`` (``HOST:PORT``, or ``PORT`` of this machine alone) from its construction on.

    With ``tls`` it speaks only HTTPS; with a ``password`` it asks for one. It answers under its own names and those in
    ``hosts`` (see :class:`~telex.adapters.http.host_names.HostNames`). Port 0 is any free port: ``port`` is the one
    found. With ``shared`` other processes may serve at the same port, each of them a part of the clients.
    ``answered`` and ``json_errors`` are those of :class:`~telex.adapters.http.exchange.Site`.

    One thread serves all connections and makes the pages of free routes, so that no client can keep others from them.
    Each other route makes its pages in a thread of its own.
    """

    def __init__(
        self,
        address: str,
        routes: Mapping[str, Route],
        *,
        tls: ssl.SSLContext | None = None,
        password: Password | None = None,
        hosts: Iterable[str] = (),
        limits: Limits = Limits(),  # noqa: B008 - it is frozen
        shared: bool = False,
        answered: Callable[[str, int, float], object] = lambda path, status, seconds: None,
        json_errors: bool = False,
    ) -> None:
        host, port = host_and_port(address)
        try:
            self._listener = _listener(host, port, shared=shared)
        except (OSError, OverflowError, UnicodeError) as error:
            why = getattr(error, "strerror", None) or str(error)
            raise UsageError(f"nothing can be served at {address}: {why}; choose another address or port") from error
        self.host, self.port = self._listener.getsockname()[:2]
        scheme = "http" if tls is None else "https"
        self.url = f"{scheme}://{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}"
        self._tls = tls
        self._makers = {
            path: PageMaker(f"{path} of {self.port}", limits.waiting)
            for path, route in routes.items()
            if not route.free
        }
        self._connections = Connections(limits)
        names = HostNames(host, hosts)
        self._site = Site(routes, self._makers, password, names, limits, self._connections, answered, json_errors)
        self._loop = asyncio.new_event_loop()
        self._closing, self._draining = asyncio.Event(), False
        self._thread = threading.Thread(target=self._serve, name=f"serving {self.port}", daemon=True)
        self._thread.start()

    def drain(self, seconds: float) -> None:
        """Take no new clients, and answer those that are there, for at most so many seconds; then close."""
        if self._thread.is_alive():
            asyncio.run_coroutine_threadsafe(self._drained(seconds), self._loop).result()
        self.close()

    def close(self) -> None:
        """Send the answers that are on their way, close all connections and release the port."""
        until = time.monotonic() + _PARTING
        for maker in self._makers.values():
            maker.end()
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._closing.set)
            self._thread.join()
        for maker in self._makers.values():
            maker.join(max(0.0, until - time.monotonic()))

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- in the thread of the event loop

    def _serve(self) -> None:
        with self._listener, asyncio.Runner(loop_factory=lambda: self._loop) as runner:  # its end cancels all tasks
            self._loop.set_exception_handler(_report)
            runner.run(self._accept_until_closed())

    async def _accept_until_closed(self) -> None:
        self._listen()
        await self._closing.wait()
        if not self._draining:
            self._loop.remove_reader(self._listener)
        if leaving := self._connections.being_answered():
            await asyncio.wait(leaving, timeout=_FAREWELL)

    async def _drained(self, seconds: float) -> None:
        self._draining = True
        self._loop.remove_reader(self._listener)
        while self._accept():  # those that have connected already
            await asyncio.sleep(0)
        self._listener.close()
        if tasks := self._connections.tasks():
            await asyncio.wait(tasks, timeout=seconds)

    def _listen(self) -> None:
        if not (self._closing.is_set() or self._draining):
            self._loop.add_reader(self._listener, self._accept)

    def _accept(self) -> bool:
        """Accept one client, and tell whether there was one; whoever is there already goes before the next one."""
        try:
            connection, place = self._listener.accept()
        except (BlockingIOError, ConnectionAbortedError):  # the client has left
            return False
        except OSError:  # there are no more files for this process
            self._connections.end_oldest()
            self._loop.remove_reader(self._listener)
            self._loop.call_later(0.1, self._listen)
            return False
        connection.setblocking(False)
        self._newest = self._loop.create_task(self._answer(connection, client_address(place[0])))
        return True

    async def _answer(self, connection: socket.socket, address: str) -> None:
        task = asyncio.current_task()
        assert task is not None
        client, writer = Client(address, task), None
        due = self._loop.time() + self._site.limits.head_seconds
        self._connections.enter(client)
        try:
            async with asyncio.timeout_at(due):
                reader, writer = await self._streams(connection)
            await Exchange(self._site, client, reader, writer, due).run()
        except OSError:  # also from TLS: a client left, was too slow, or speaks another protocol
            return
        finally:
            self._connections.leave(client)
            if writer is None:
                connection.close()
            else:
                writer.transport.abort()

    async def _streams(self, connection: socket.socket) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader = asyncio.StreamReader()
        protocol = asyncio.StreamReaderProtocol(reader)
        transport, _ = await self._loop.connect_accepted_socket(lambda: protocol, connection, ssl=self._tls)
        return reader, asyncio.StreamWriter(transport, protocol, reader, self._loop)


def _listener(host: str, port: int, *, shared: bool = False) -> socket.socket:
    family, *_, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    both = family == socket.AF_INET6 and socket.has_dualstack_ipv6()
    listener = socket.create_server(place[:2], family=family, backlog=_BACKLOG, dualstack_ipv6=both, reuse_port=shared)
    listener.setblocking(False)
    return listener


def _report(_: asyncio.AbstractEventLoop, context: Mapping[str, Any]) -> None:
    """Report a mistake of this server's own in one line: it must not end the run."""
    print(f"telex: the web server has failed at a connection: {context.get('exception')!r}", file=sys.stderr)


def host_and_port(address: str) -> tuple[str, int]:
    """Return the host and the port of an address.

    >>> host_and_port("0.0.0.0:9464"), host_and_port("9464"), host_and_port("[::1]:9464")
    (('0.0.0.0', 9464), ('127.0.0.1', 9464), ('::1', 9464))
    """
    host, _, port = address.rpartition(":")
    if not (port.isascii() and port.isdecimal() and len(port) < 6 and int(port) < 1 << 16):
        raise UsageError(f"{address!r} is not an address to serve at; give HOST:PORT, such as {HOME}:9464")
    return host.removeprefix("[").removesuffix("]") or HOME, int(port)


def tls_of(cert: str, key: str) -> ssl.SSLContext:
    """Return a TLS context with a certificate and its key, both PEM files."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    try:
        context.load_cert_chain(cert, key)
    except OSError as error:  # ssl.SSLError is an OSError
        raise UsageError(
            f"the certificate {cert} and the key {key} cannot be used ({error.strerror or error}); give two PEM files "
            "that belong together"
        ) from error
    return context
