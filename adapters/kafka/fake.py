"""A scripted replacement for a broker, to test a source without a network."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.adapters.kafka.fetch import PartitionsAssigned, PollResult, RecordSet
from telex.learners.base import TelexError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from telex.adapters.kafka.fetch import FetchEvent, LastRead, Partition


def poll_result(
    records: Mapping[Partition, Sequence[tuple[Any, ...]]],
    *,
    positions: Mapping[Partition, int] | None = None,
    ends: Mapping[Partition, int] | None = None,
    time: float = 0.0,
) -> PollResult:
    """Return the result of a poll: (offset, timestamp[, key, value[, headers]]) by partition.

    A partition named only in ``ends`` or ``positions`` has no records. Without an entry in ``positions``, a partition
    is behind its last record, or at 0; without an entry in ``ends``, its end is its position.

    >>> state = poll_result({("wire", 0): [(4, 1000, None, b"{}")]}, ends={("wire", 0): 9})
    >>> state.positions.tolist(), state.ends.tolist(), state.at_end.tolist()
    ([5], [9], [False])
    """
    positions, ends = positions or {}, ends or {}
    there = tuple(sorted({*records, *positions, *ends}))
    stands = [positions.get(one, records[one][-1][0] + 1 if records.get(one) else 0) for one in there]
    until = [ends.get(one, stand) for one, stand in zip(there, stands, strict=True)]
    record_sets = tuple(
        RecordSet.of(one, [(*row, None, None)[:4] if len(row) < 5 else row for row in records[one]])
        for one in there
        if records.get(one)
    )
    return PollResult(
        record_sets,
        there,
        np.array(stands, np.int64),
        np.zeros(len(there), np.int64),
        np.array(until, np.int64),
        np.array(stands, np.int64) >= np.array(until, np.int64),
        time,
    )


class FakeFetcher:
    """Yields what is in ``script``, one item after another: poll results and problems; an error in it is raised.

    The first poll result names the partitions. The attributes record the requests: ``place``, ``last_read``,
    ``freed`` bytes by partition, ``committed`` (offsets, metadata) pairs, and ``closed``. After the last item
    :meth:`take` returns None, as if nothing came in time. With ``behind``, all of the script has come already;
    otherwise an item comes only to a caller that waits. ``topic_ids`` are the ids of the topics.

    >>> polls = [poll_result({}, ends={("wire", 0): 1}), poll_result({("wire", 0): [(0, 1000, None, b"{}")]})]
    >>> fetching = FakeFetcher(polls)
    >>> fetching.begin({}).state.partitions
    (('wire', 0),)
    >>> [some.values_of() for some in fetching.take(1.0).record_sets], fetching.take(1.0)
    ([[b'{}']], None)
    """

    def __init__(
        self,
        script: Iterable[FetchEvent | TelexError],
        *,
        behind: bool = False,
        topic_ids: Mapping[str, str] | None = None,
    ) -> None:
        self._script = deque(script)
        self._topic_ids = dict(topic_ids or {})
        self._behind = behind
        self.place: dict[Partition, int] = {}
        self.last_read: dict[Partition, LastRead] = {}
        self.freed: dict[Partition, int] = {}
        self.committed: list[tuple[dict[Partition, int], str]] = []
        self.closed = False
        self.silence = 0.0

    def begin(
        self,
        place: Mapping[Partition, int],
        last_read: Mapping[Partition, LastRead] | None = None,
        say: Callable[[str], object] = lambda _: None,
    ) -> PartitionsAssigned:
        """Return the partitions of the first poll result."""
        self.place, self.last_read = dict(place), dict(last_read or {})
        first = self.take(1.0)
        if not isinstance(first, PollResult):
            message = "a script must begin with a poll result that names the partitions"
            raise TypeError(message)
        return PartitionsAssigned(first, self._topic_ids)

    def take(self, timeout: float) -> FetchEvent | None:
        """Return the next item."""
        message = self._script.popleft() if self._script and (timeout > 0.0 or self._behind) else None
        if isinstance(message, TelexError):
            raise message
        return message

    def free(self, sizes: Mapping[Partition, int]) -> None:
        """Record the sizes."""
        for partition, size in sizes.items():
            self.freed[partition] = self.freed.get(partition, 0) + size

    def commit(self, offsets: Mapping[Partition, int], metadata: str) -> None:
        """Record the commit."""
        self.committed.append((dict(offsets), metadata))

    def close(self) -> None:
        """Record that it was closed."""
        self.closed = True
