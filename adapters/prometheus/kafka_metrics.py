"""Metrics of reading from Kafka: a collector over what the reader reports at any moment."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from telex.adapters.prometheus.families import counter, gauge, histogram
from telex.adapters.prometheus.histogram import POLLS, Histogram

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from prometheus_client.metrics_core import Metric


@dataclass(frozen=True, slots=True)
class Partition:
    """An assigned partition: the next offset to be learnt, and the next that will be written.

    None means that it is not known yet.
    """

    topic: str
    partition: int
    position: int | None = None
    end: int | None = None

    @property
    def lag(self) -> int | None:
        """The number of records that are still to come, 0 if all are taken.

        >>> Partition("news", 0, position=7, end=7).lag, Partition("news", 1, position=7).lag
        (0, None)
        """
        return None if self.position is None or self.end is None else max(0, self.end - self.position)


@dataclass(frozen=True, slots=True)
class Standing:
    """What is assigned now, and what has happened since the process began.

    ``late`` counts records whose time is before that of one taken earlier, ``lost`` partitions that were taken away
    without being given back. ``polls`` holds the seconds between polls.
    """

    partitions: Sequence[Partition] = ()
    rebalances: int = 0
    lost: int = 0
    late: int = 0
    polls: Histogram = field(default_factory=lambda: Histogram(POLLS))


class Wire(Protocol):
    """A reader from Kafka that can report its state in any thread."""

    def standing(self) -> Standing:
        """Return the current state; nobody changes it afterwards."""
        ...


class WireCollector:
    """The metrics of a wire: ``metrics.registry.register(WireCollector(wire))``.

    A partition that was taken away is missing from later scrapes.
    """

    def __init__(self, wire: Wire) -> None:
        self.wire = wire

    def collect(self) -> Iterator[Metric]:
        """Yield the families."""
        now = self.wire.standing()
        yield gauge(
            "telex_consumer_lag_records",
            "Records that were written and not yet learnt: the end of the partition minus the position.",
            [((one.topic, str(one.partition)), one.lag) for one in now.partitions],
            ("topic", "partition"),
        )
        yield gauge("telex_assigned_partitions", "Partitions that this process reads.", len(now.partitions))
        yield counter("telex_rebalances_total", "How often partitions were assigned again.", now.rebalances)
        yield counter("telex_partitions_lost_total", "Partitions taken away without being given back.", now.lost)
        yield counter("telex_late_records_total", "Records whose time is before that of one taken earlier.", now.late)
        yield histogram("telex_poll_interval_seconds", "The time from one poll to the next.", now.polls)
