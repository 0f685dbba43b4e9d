"""What the fetching process reports: polls with their records, and changes of its partitions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from telex.adapters.kafka.fetch.poll_intervals import PollCounts
    from telex.adapters.kafka.fetch.record_set import Partition, RecordSet
    from telex.learners.base import Flags, Offsets


@dataclass(frozen=True, slots=True)
class PollResult:
    """One poll: records of some partitions, and the state of all assigned ones.

    ``positions`` are the next offsets to fetch; ``beginnings`` and ``ends`` are those of the log as last reported by
    the broker, of a topic with transactions the end of what may be read. ``at_end`` is set if the broker said, after
    all earlier requests, that there is no more. ``time`` is :func:`time.monotonic`, a clock that the processes of a
    machine share. ``poll_counts`` counts all polls so far.
    """

    record_sets: tuple[RecordSet, ...]
    partitions: tuple[Partition, ...]
    positions: Offsets
    beginnings: Offsets
    ends: Offsets
    at_end: Flags
    time: float
    poll_counts: PollCounts | None = None

    def __len__(self) -> int:
        return sum(map(len, self.record_sets))


@dataclass(frozen=True, slots=True)
class PartitionsAssigned:
    """All partitions that are fetched from now on; ``state`` has their positions, and no records."""

    state: PollResult


@dataclass(frozen=True, slots=True)
class PartitionsRevoked:
    """Partitions that another member has from now on."""

    partitions: tuple[Partition, ...]


class LostRecords(NamedTuple):
    """Records that were to be fetched but are gone: from ``wanted`` up to ``found``."""

    partition: Partition
    wanted: int
    found: int


@dataclass(frozen=True, slots=True)
class FetchProblem:
    """Something that did not stop the fetching, as a sentence; with ``lost`` if records are gone."""

    sentence: str
    lost: LostRecords | None = None


@dataclass(frozen=True, slots=True)
class FetchingEnded:
    """The last message of a fetching process that could not continue; with ``usage`` if a setting is wrong."""

    sentence: str
    usage: bool = field(default=False)


FetchEvent = PollResult | PartitionsAssigned | PartitionsRevoked | FetchProblem
"""What :meth:`ProcessFetcher.take` may return."""
