"""How the reading from Kafka goes: a collector over what the reader can tell at any moment."""

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
    """A partition that is assigned: the next offset to be learnt, and the next that will be written.

    None is not known yet.
    """

    topic: str
    partition: int
    position: int | None = None
    end: int | None = None

    @property
    def lag(self) -> int | None:
        """How many records are still to come, 0 where all are taken.

        >>> Partition("news", 0, position=7, end=7).lag, Partition("news", 1, position=7).lag
        (0, None)
        """
        return None if self.position is None or self.end is None else max(0, self.end - self.position)


@dataclass(frozen=True, slots=True)
class Standing:
    """What is assigned now, and what has happened since the process began.

    ``late`` are records whose time is earlier than that of one taken before, ``lost`` partitions that were taken away
    without having been given back. ``polls`` holds the seconds from one poll to the next.
    """

    partitions: Sequence[Partition] = ()
    rebalances: int = 0
    lost: int = 0
    late: int = 0
    polls: Histogram = field(default_factory=lambda: Histogram(POLLS))


class Wire(Protocol):
    """Whatever reads from Kafka and can say, in any thread, how that goes."""

    def standing(self) -> Standing:
        """Return what is known now; nobody changes it afterwards."""
        ...


class WireCollector:
    """The figures of a wire: ``metrics.registry.register(WireCollector(wire))``.

    A partition that was taken away is in no later scrape.
    """

    def __init__(self, wire: Wire) -> None:
        self.wire = wire

    def collect(self) -> Iterator[Metric]:
        """Yield the families."""
        now = self.wire.standing()
        yield gauge(
            "telex_consumer_lag_records",
            "Records that were written and not yet learnt: the end of the partition less the position, 0 at the end.",
            [((one.topic, str(one.partition)), one.lag) for one in now.partitions],
            ("topic", "partition"),
        )
        yield gauge("telex_assigned_partitions", "Partitions that this process reads.", len(now.partitions))
        yield counter("telex_rebalances_total", "How often partitions were assigned anew.", now.rebalances)
        yield counter("telex_partitions_lost_total", "Partitions taken away without having been given back.", now.lost)
        yield counter("telex_late_records_total", "Records earlier than one that was taken before.", now.late)
        yield histogram("telex_poll_interval_seconds", "The time from one poll to the next.", now.polls)
