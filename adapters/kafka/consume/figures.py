"""The progress of reading from topics, in numbers."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from telex.adapters.kafka.fetch import NO_POLLS, PartitionsAssigned, PartitionsRevoked, PollCounts, PollResult

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from telex.adapters.kafka.consume.positions import PartitionPosition
    from telex.adapters.kafka.fetch import FetchEvent, Partition


@dataclass(frozen=True, slots=True)
class PartitionFigures:
    """An assigned partition: the next offset to learn, and the end of its log.

    None means not known yet.
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

    ``late`` counts records whose time is before that of one taken earlier, ``lost`` partitions that the group took away
    without revoking them first. ``polls`` counts the times between polls, and ``silence`` the seconds since the process
    that fetches was heard last, 0 while there is something else to do than to listen.
    """

    partitions: Sequence[PartitionFigures] = ()
    rebalances: int = 0
    lost: int = 0
    late: int = 0
    polls: PollCounts = NO_POLLS
    silence: float = 0.0


@dataclass(frozen=True, slots=True)
class GroupState:
    """The last reports on the group and the partitions; replaced, never changed, so that any thread may look."""

    assigned: tuple[Partition, ...] = ()
    ends: Mapping[Partition, int] = field(default_factory=dict)
    rebalances: int = 0
    lost: int = 0
    polls: PollCounts = NO_POLLS

    def after(self, event: FetchEvent) -> GroupState:
        """Return the state after an event."""
        match event:
            case PartitionsAssigned(state):
                again = self.rebalances + bool(self.assigned)
                return replace(self, assigned=state.partitions, ends=_ends(state), rebalances=again)
            case PollResult():
                return replace(self, ends=_ends(event), polls=event.poll_counts or self.polls)
            case PartitionsRevoked(partitions):
                left = tuple(one for one in self.assigned if one not in partitions)
                return replace(self, assigned=left, lost=self.lost + len(partitions))
        return self

    def figures(self, positions: Mapping[Partition, PartitionPosition], late: int) -> TopicFigures:
        """Return the figures, with the positions behind what is learnt."""
        partitions = [
            PartitionFigures(*one, positions[one][0] if one in positions else None, self.ends.get(one))
            for one in sorted(self.assigned)
        ]
        return TopicFigures(partitions, self.rebalances, self.lost, late, self.polls)


def _ends(state: PollResult) -> dict[Partition, int]:
    return dict(zip(state.partitions, state.ends.tolist(), strict=True))
