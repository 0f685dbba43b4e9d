"""How reading from topics goes, in numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from telex.adapters.kafka.fetch import NO_POLLS, PollCounts

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class PartitionFigures:
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

        >>> PartitionFigures("news", 0, position=7, end=7).lag, PartitionFigures("news", 1, position=7).lag
        (0, None)
        """
        return None if self.position is None or self.end is None else max(0, self.end - self.position)


@dataclass(frozen=True, slots=True)
class TopicFigures:
    """What is assigned now, and what has happened since the process began.

    ``late`` counts records whose time is before that of one taken earlier, ``lost`` partitions that were taken away
    without being given back. ``polls`` counts the times between polls.
    """

    partitions: Sequence[PartitionFigures] = ()
    rebalances: int = 0
    lost: int = 0
    late: int = 0
    polls: PollCounts = NO_POLLS
