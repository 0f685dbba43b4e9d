"""Metrics of reading from Kafka: a collector of the wire's figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from telex.adapters.kafka.fetch import POLL_BOUNDS
from telex.adapters.prometheus.families import counter, gauge, histogram
from telex.adapters.prometheus.histogram import Histogram

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prometheus_client.metrics_core import Metric

    from telex.adapters.kafka.consume import TopicFigures
    from telex.stream.sources import Wire


class WireCollector:
    """The metrics of a wire: ``metrics.registry.register(WireCollector(wire))``.

    A partition that this process no longer has is missing from later scrapes.
    """

    def __init__(self, wire: Wire) -> None:
        self.wire = wire

    def collect(self) -> Iterator[Metric]:
        """Yield the families."""
        now: TopicFigures = self.wire.figures()
        polls = Histogram(POLL_BOUNDS)
        polls.counts, polls.sum = list(now.polls.counts), now.polls.seconds
        yield gauge(
            "telex_consumer_lag_records",
            "Records that were written and not yet learnt: the end of the partition minus the position.",
            [((one.topic, str(one.partition)), one.lag) for one in now.partitions],
            ("topic", "partition"),
        )
        yield gauge("telex_assigned_partitions", "Partitions that this process reads.", len(now.partitions))
        yield counter("telex_rebalances_total", "How often partitions were assigned again.", now.rebalances)
        yield counter(
            "telex_partitions_lost_total", "Partitions that the group took away without revoking them first.", now.lost
        )
        yield counter("telex_late_records_total", "Records whose time is before that of one taken earlier.", now.late)
        yield gauge(
            "telex_fetch_silence_seconds",
            "For how long the stream has waited without a word of the process that fetches; beyond 30 it hangs.",
            now.silence,
        )
        yield histogram("telex_poll_interval_seconds", "The time from one poll to the next.", polls)
