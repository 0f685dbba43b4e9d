"""A small HTTP server beside a run: pages by path, each made on request."""

from __future__ import annotations

import contextlib
import gzip
import socket
import ssl
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

from telex.learners.base import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from telex.adapters.http.password import Password

HOME = "127.0.0.1"
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
    """A request: the headers by lower-case name, the query behind the ``?``, and the body."""

    headers: Mapping[str, str]
    query: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""


@dataclass(frozen=True, slots=True)
class Route:
    """Makes a page for a request; a ``free`` one needs no password.

    With ``most`` above 0 it only takes POST, with up to that many bytes; otherwise GET and HEAD.
    """

    page: Callable[[Request], Page]
    free: bool = False
    most: int = 0


@dataclass(frozen=True, slots=True)
class _Terms:
    """What is served, and to whom."""

    routes: Mapping[str, Route]
    tls: ssl.SSLContext | None
    password: Password | None
    clients: int
    patience: float


@dataclass(slots=True)
class _Client:
    """A connection, and when it will be closed, whatever it does."""

    socket: socket.socket
    until: float
    thread: threading.Thread = field(init=False)


class Server:
    """Serves ``routes`` at ``address`` (``HOST:PORT``, or ``PORT`` of this machine alone) from its construction on.

    With ``tls`` it speaks only HTTPS; with a ``password`` it asks for one. A client has ``patience`` seconds for each
    step and three times as many in all; with more than ``clients`` at a time further ones are refused. Port 0 is any
    free port: ``port`` is the one found.
    """

    def __init__(
        self,
        address: str,
        routes: Mapping[str, Route],
        *,
        tls: ssl.SSLContext | None = None,
        password: Password | None = None,
        clients: int = 16,
        patience: float = 10.0,
    ) -> None:
        host, port = host_and_port(address)
        try:
            self._http = _Http(host, port, _Terms(routes, tls, password, clients, patience))
        except (OSError, OverflowError) as error:
            why = getattr(error, "strerror", None) or str(error)
            raise UsageError(f"nothing can be served at {address}: {why}; choose another address or port") from error
        self.host, self.port = str(self._http.server_address[0]), self._http.server_port
        scheme = "http" if tls is None else "https"
        self.url = f"{scheme}://{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}"
        self._thread = threading.Thread(
            target=self._http.serve_forever, args=(0.25,), name=f"serving {self.port}", daemon=True
        )
        self._thread.start()

    def close(self) -> None:
        """Close all connections and release the port."""
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def host_and_port(address: str) -> tuple[str, int]:
    """Return the host and the port of an address.

    >>> host_and_port("0.0.0.0:9464"), host_and_port("9464"), host_and_port("[::1]:9464")
    (('0.0.0.0', 9464), ('127.0.0.1', 9464), ('::1', 9464))
    """
    host, _, port = address.rpartition(":")
    if not (port.isascii() and port.isdecimal() and int(port) < 1 << 16):
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


class _Http(HTTPServer):
    """Accepts connections; a thread serves each, and does its TLS handshake."""

    def __init__(self, host: str, port: int, terms: _Terms) -> None:
        self.terms = terms
        self._clients: dict[int, _Client] = {}
        self._lock = threading.Lock()
        family, *_, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        self.address_family = family
        super().__init__(place, _Handler)  # type: ignore[arg-type]  # four parts with IPv6

    def server_bind(self) -> None:
        """Bind without asking for the machine's name, which may take seconds."""
        super(HTTPServer, self).server_bind()
        self.server_port = int(self.server_address[1])

    def process_request(self, request: Any, client_address: Any) -> None:
        """Serve a client in a thread of its own, or refuse it if there are too many."""
        client = _Client(request, time.monotonic() + 3 * self.terms.patience)
        with self._lock:
            if len(self._clients) >= self.terms.clients:
                self.shutdown_request(request)
                return
            self._clients[id(client)] = client
        client.thread = threading.Thread(
            target=self._serve, args=(client, client_address), name=f"client of {self.server_port}", daemon=True
        )
        client.thread.start()

    def service_actions(self) -> None:
        """Close the connections whose time is up; called a few times a second."""
        now = time.monotonic()
        with self._lock:
            late = [client for client in self._clients.values() if client.until < now]
        for client in late:
            _break_off(client.socket)

    def server_close(self) -> None:
        """Release the port, and close all connections."""
        super().server_close()
        with self._lock:
            clients = list(self._clients.values())
        for client in clients:
            _break_off(client.socket)
        for client in clients:
            client.thread.join()

    def _serve(self, client: _Client, address: Any) -> None:
        try:
            client.socket.settimeout(self.terms.patience)
            if self.terms.tls is not None:
                client.socket = self.terms.tls.wrap_socket(client.socket, server_side=True)
            self.finish_request(client.socket, address)
        except OSError:  # also from TLS: a client left, was too slow, or speaks another protocol
            return
        finally:
            with self._lock:
                del self._clients[id(client)]
            self.shutdown_request(client.socket)


def _break_off(connection: socket.socket) -> None:
    """Shut a connection down, which wakes its thread."""
    with contextlib.suppress(OSError):  # it is closed already
        connection.shutdown(socket.SHUT_RDWR)


class _Handler(BaseHTTPRequestHandler):
    """Answers one request."""

    server: _Http
    server_version, sys_version = "telex", ""

    def do_GET(self) -> None:
        """Answer with the page of the path."""
        self._answer(body=True)

    def do_HEAD(self) -> None:
        """Answer with the page's headers only."""
        self._answer(body=False)

    def do_POST(self) -> None:
        """Answer with a page made from the body."""
        self._answer(body=True)

    def log_message(self, *_: Any) -> None:
        """Log nothing: standard error belongs to the run."""

    def _answer(self, *, body: bool) -> None:
        more = {}
        route = self.server.terms.routes.get(self.path.partition("?")[0])
        password = self.server.terms.password
        if route is None:
            paths = ", ".join(sorted(self.server.terms.routes))
            page = Page(f"there is nothing here; try one of {paths}\n".encode(), status=404)
        elif password and not route.free and not password.admits(self.headers.get("Authorization", "")):
            page = Page(b"give the name and the password\n", status=401)
            more["WWW-Authenticate"] = 'Basic realm="telex"'
        elif (self.command == "POST") != bool(route.most):
            more["Allow"] = "POST" if route.most else "GET, HEAD"
            page = Page(f"use {more['Allow']}\n".encode(), status=405)
        else:
            page = self._sent(route)
        content = page.body
        if "gzip" in self.headers.get("Accept-Encoding", "") and len(content) > _SMALL:
            content = gzip.compress(content, compresslevel=1)
            more["Content-Encoding"] = "gzip"
        headers = {"Content-Type": page.kind, "Content-Length": str(len(content)), "Cache-Control": "no-store",
                   **page.headers, **more}  # fmt: skip
        self.send_response(page.status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        if body:
            self.wfile.write(content)

    def _sent(self, route: Route) -> Page:
        """Return the page for a body, unless the body is too large."""
        length = self.headers.get("Content-Length", "")
        if not route.most:
            return self._made(route, b"")
        if not (length.isascii() and length.isdecimal()):
            return Page(b"the length of the body is missing: give a Content-Length\n", status=411)
        if int(length) > route.most:
            # A client that is still sending reads no answer, so read and discard some more.
            left = min(int(length), 2 * route.most)
            while left > 0 and (piece := self.rfile.read(min(left, 1 << 16))):
                left -= len(piece)
            return Page(f"this is too much at once; send at most {route.most:,} bytes\n".encode(), status=413)
        body = self.rfile.read(int(length))
        return self._made(route, body) if len(body) == int(length) else Page(b"the body is incomplete\n", status=400)

    def _made(self, route: Route, body: bytes) -> Page:
        headers = {name.lower(): value for name, value in self.headers.items()}
        try:
            return route.page(Request(headers, dict(parse_qsl(self.path.partition("?")[2])), body))
        except Exception as error:  # a failing page must not stop anything else
            return Page(f"this page could not be made: {type(error).__name__}: {error}\n".encode(), status=500)
