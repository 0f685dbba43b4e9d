"""Metrics of a run for Prometheus, and the HTTP server that serves them."""

from telex.adapters.prometheus.metrics import Metrics
from telex.adapters.prometheus.served import routes, served, server
from telex.adapters.prometheus.server import Page, Request, Route, Server
from telex.adapters.prometheus.wire import Partition, Standing, Wire, WireCollector

__all__ = [
    "Metrics",
    "Page",
    "Partition",
    "Request",
    "Route",
    "Server",
    "Standing",
    "Wire",
    "WireCollector",
    "routes",
    "served",
    "server",
]
