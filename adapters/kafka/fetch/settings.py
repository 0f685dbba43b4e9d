"""Which topics are fetched, by which member, and how far ahead."""

from __future__ import annotations

from collections.abc import Mapping  # noqa: TC003 - a dataclass's fields are looked at
from dataclasses import dataclass, field
from typing import Any

from telex.adapters.kafka.topic_names import TopicNames
from telex.learners.base import UsageError

STARTS = ("earliest", "latest")
GAPS = ("fail", "skip")
ATTEMPT = 20.0  # seconds that an attempt to connect may take


@dataclass(frozen=True, slots=True)
class FetchSettings:
    """The topics that a run reads, or patterns of their names, as ``member`` of ``group``.

    No pattern stands for a topic in ``never``. ``start`` is where partitions without a checkpoint begin:
    ``earliest``, ``latest``, or a time in milliseconds. Partitions that appear later begin at their first record
    even with ``latest``: all their records came after the run had begun. ``on_gap`` says what to do when the wanted
    offset is gone. ``ahead`` is how many bytes may be fetched and not yet freed; each partition has an equal share,
    so that a partition from which nothing is taken cannot block another that the merge waits for. ``patience`` is
    for how many seconds a broker may be silent, or the fetching process, and ``connecting`` for how many the first
    answer may take. ``consumer`` has further options of kafka-python's consumer.
    """

    topics: tuple[str, ...]
    group: str
    member: str
    start: str | int = "earliest"
    on_gap: str = "fail"
    read_committed: bool = True
    ahead: int = 64 << 20
    patience: float = 300.0
    connecting: float = 30.0
    consumer: Mapping[str, Any] = field(default_factory=dict)
    never: tuple[str, ...] = ()
    names: TopicNames = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", TopicNames(self.topics, self.never))
        if not self.topics:
            raise UsageError("no topic is named; give one with --topic")
        if isinstance(self.start, str) and self.start not in STARTS:
            raise UsageError(f"{self.start!r} is not a place to begin at; give earliest, latest or a time")
        if not isinstance(self.start, str) and self.start < 0:
            raise UsageError("the time to begin at is before 1970, and no record is so old; give earliest")
        if self.on_gap not in GAPS:
            raise UsageError(f"{self.on_gap!r} is not a way to handle a gap; give fail or skip")
