"""Metrics of results that go to topics: a collector of their delivery's figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

from telex.adapters.prometheus.families import counter, gauge

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prometheus_client.metrics_core import Metric

    from telex.adapters.kafka.produce import DeliveryFigures


@runtime_checkable
class Delivering(Protocol):
    """Delivers results: :class:`~telex.adapters.kafka.produce.ResultsSink`."""

    def delivery_figures(self) -> DeliveryFigures:
        """Return what is known now; another thread may ask."""


class DeliveryCollector:
    """The metrics of a sink of results: ``metrics.registry.register(DeliveryCollector(results))``."""

    def __init__(self, results: Delivering) -> None:
        self.results = results

    def collect(self) -> Iterator[Metric]:
        """Yield the families."""
        now = self.results.delivery_figures()
        yield gauge(
            "telex_results_pending_messages",
            "Messages that are not in their topics yet: not acknowledged, or not committed.",
            now.pending_messages,
        )
        yield gauge("telex_results_pending_bytes", "Bytes of those messages.", now.pending_bytes)
        yield counter("telex_results_delivered_total", "Messages that are in their topics.", now.delivered)
        if (made := now.transactions) is None:
            return
        yield counter("telex_transactions_total", "Transactions that were committed.", made.commits)
        yield counter(
            "telex_transaction_seconds_total",
            "Seconds that commits took, with the messages that were left to send and with further tries.",
            made.seconds,
        )
        yield counter(
            "telex_transaction_failures_total",
            "How often a producer failed in a transaction, and another took over.",
            made.failures,
        )
        yield gauge(
            "telex_transaction_open_seconds",
            "For how long a transaction has been open; brokers abort it after 15 minutes at the most.",
            made.open_seconds,
        )
