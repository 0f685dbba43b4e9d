"""What the fetching process reports: polls with their records, and changes of its partitions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

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


class LastRead(NamedTuple):
    """What a partition was when it was read last: its topic's id, and the last record read; None where unknown.

    A topic that is deleted and made again has another id; ids came with Kafka 2.8.
    """

    topic_id: str | None = None
    offset: int | None = None
    timestamp: int | None = None


@dataclass(frozen=True, slots=True)
class PartitionsAssigned:
    """All partitions that are fetched from now on; ``state`` has their positions, and no records.

    ``topic_ids`` are the ids of the topics, as far as the broker has any.
    """

    state: PollResult
    topic_ids: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PartitionsRevoked:
    """Partitions that another member has from now on."""

    partitions: tuple[Partition, ...]


class LostRecords(NamedTuple):
    """Records that were to be fetched but are gone: the log goes on at ``found`` instead of ``wanted``.

    ``end`` is the end of the log now, and ``topic_id`` the id of its topic: another one if the topic was made again.
    """

    partition: Partition
    wanted: int
    found: int
    end: int
    topic_id: str | None = None


@dataclass(frozen=True, slots=True)
class FetchProblem:
    """Something that did not stop the fetching, as a sentence; with ``lost`` if records are gone."""

    sentence: str
    lost: LostRecords | None = None


@dataclass(frozen=True, slots=True)
class SignOfLife:
    """What a fetching process says that has nothing else to say."""


@dataclass(frozen=True, slots=True)
class FetchingEnded:
    """The last message of a fetching process that could not continue; with ``usage`` if a setting is wrong."""

    sentence: str
    usage: bool = field(default=False)


FetchEvent = PollResult | PartitionsAssigned | PartitionsRevoked | FetchProblem
"""What :meth:`ProcessFetcher.take` may return."""
