"""The pages of a run: its metrics, its health, its readiness."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from prometheus_client.exposition import choose_encoder

from telex.adapters.http import Page, Password, Request, Route
from telex.adapters.prometheus.sink import MetricsSink
from telex.learners.base import UsageError

if TYPE_CHECKING:
    import ssl
    from collections.abc import Callable, Mapping

    from prometheus_client import CollectorRegistry

    from telex.adapters.http import Server

_STUCK = 900.0
"""Seconds without a step after which a run counts as stuck; a refit in the foreground may take long."""


def routes(metrics: MetricsSink, patience: float = _STUCK) -> dict[str, Route]:
    """Return the pages of a run: ``/metrics``, and for supervisors ``/healthz`` and ``/readyz``.

    The run is healthy if it waits for its source, or has made progress in the last ``patience`` seconds.
    """

    def healthy(_: Request) -> Page:
        if metrics.alive(patience):
            return Page(b"ok\n")
        stuck = metrics.silent or f"the run has made no progress for {patience:.0f} s"
        return Page(f"{stuck}\n".encode(), status=503)

    def ready(_: Request) -> Page:
        why = metrics.unready
        return Page(b"ok\n") if why is None else Page(f"{why}\n".encode(), status=503)

    free = {"/healthz": Route(healthy, free=True), "/readyz": Route(ready, free=True)}
    return {"/metrics": scrape_route(metrics.registry), **free}


def scrape_route(registry: CollectorRegistry) -> Route:
    """Return the page that Prometheus scrapes."""

    def scraped(request: Request) -> Page:
        encode, kind = choose_encoder(request.headers.get("accept", ""))
        return Page(encode(registry), kind)

    return Route(scraped)


def serve_metrics(
    address: str, environment: Mapping[str, str] = os.environ, say: Callable[[str], object] | None = None
) -> MetricsSink:
    """Return a sink whose metrics are served at ``address`` until its run ends; ``say`` gets the line with the address.

    Secrets come from the environment: ``TELEX_METRICS_CERT`` and ``TELEX_METRICS_KEY`` name the PEM files for HTTPS,
    ``TELEX_METRICS_USER`` and ``TELEX_METRICS_PASSWORD_FILE`` say who may scrape. So do further names of this server:
    ``TELEX_METRICS_HOSTS``, with commas between them.
    """
    metrics = MetricsSink()
    metrics.server = server(address, routes(metrics), environment)
    if say is not None:
        say(f"metrics are served at {metrics.server.url}/metrics")
    return metrics


def server(
    address: str, pages: Mapping[str, Route], environment: Mapping[str, str] = os.environ, **settings: Any
) -> Server:
    """Return a server of these pages, with TLS, password and names from the environment as in :func:`serve_metrics`.

    ``settings`` are further ones of :class:`~telex.adapters.http.Server`.
    """
    from telex.adapters.http import Server  # noqa: PLC0415 - an event loop takes 20 ms to import, only to serve

    hosts = environment.get("TELEX_METRICS_HOSTS", "").split(",")
    secrets: dict[str, Any] = {"tls": _tls(environment), "password": _password(environment)}
    return Server(address, pages, **secrets, hosts=filter(None, hosts), **settings)


def _tls(environment: Mapping[str, str]) -> ssl.SSLContext | None:
    both = _both(environment, "TELEX_METRICS_CERT", "TELEX_METRICS_KEY")
    if both is None:
        return None
    from telex.adapters.http import tls_of  # noqa: PLC0415 - see `server`

    return tls_of(*both)


def _password(environment: Mapping[str, str]) -> Password | None:
    both = _both(environment, "TELEX_METRICS_USER", "TELEX_METRICS_PASSWORD_FILE")
    return None if both is None else Password.of_file(*both)


def _both(environment: Mapping[str, str], one: str, other: str) -> tuple[str, str] | None:
    found = environment.get(one, ""), environment.get(other, "")
    if bool(found[0]) != bool(found[1]):
        missing = other if found[0] else one
        raise UsageError(f"{missing} is not set, but the two work only together; set both, or neither")
    return found if found[0] else None
