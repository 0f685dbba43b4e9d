"""Records that have come, and blocks of records taken from them, stored as columns."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from telex.adapters._records import lines

if TYPE_CHECKING:
    from collections.abc import Sequence, Set

    from telex.adapters.kafka.fetch import Partition, RecordSet
    from telex.learners.base import Flags, Ids, Offsets, Reals


class TopicRecord(NamedTuple):
    """A record of a topic; ``time`` is its timestamp in epoch seconds, NaN where it has none.

    A ``tombstone`` has no value.
    """

    partition: Partition
    offset: int
    time: float
    key: bytes | None
    value: bytes
    headers: tuple[tuple[str, bytes | None], ...] = ()
    tombstone: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class RecordBlock:
    """Consecutive records of the partitions in ``table``.

    Each record is a row of one of ``sets``: record ``i`` is row ``rows[i]`` of ``sets[which[i]]``, and its key and its
    value begin there at the given bytes. A missing key or value has size -1.
    """

    table: Sequence[Partition]
    sets: Sequence[RecordSet]
    partitions: Ids
    which: Offsets
    rows: Offsets
    offsets: Offsets
    timestamps: Offsets
    key_begins: Offsets
    key_sizes: Offsets
    value_begins: Offsets
    value_sizes: Offsets

    def __len__(self) -> int:
        return len(self.offsets)

    @property
    def _columns(self) -> list[Offsets]:
        begins = (self.key_begins, self.key_sizes, self.value_begins, self.value_sizes)
        return [self.which, self.rows, self.offsets, self.timestamps, *begins]

    def select(self, chosen: Flags) -> RecordBlock:
        """Return the selected records."""
        if chosen.all():
            return self
        columns = (column[chosen] for column in self._columns)
        return RecordBlock(self.table, self.sets, self.partitions[chosen], *columns)

    def of_topic(self, topic: str | None) -> Flags:
        """Tell which records are of a topic."""
        return np.array([name == topic for name, _ in self.table], np.bool_)[self.partitions]

    def times(self) -> Reals:
        """Return the times of the records, as in :class:`TopicRecord`."""
        return np.array(list(map(_seconds, self.timestamps.tolist())), np.float64)

    def lines(self) -> bytes | None:
        r"""Return the values, each ended by a newline; None if a value contains a newline.

        All have values: records without one are left out before.
        """
        return lines([some.values for some in self.sets], self.which, self.value_begins, self.value_sizes)

    def headers(self, rows: Offsets, names: Set[str]) -> dict[int, list[tuple[str, bytes]]]:
        """Return, for those of some records that have headers of these names, these headers; an empty one is b""."""
        if not names or not any(some.headers for some in self.sets):
            return {}
        found: dict[int, list[tuple[str, bytes]]] = {}
        for at, (which, row) in enumerate(zip(self.which[rows].tolist(), self.rows[rows].tolist(), strict=True)):
            headers = self.sets[which].headers.get(row, ())
            if some := [(name, value or b"") for name, value in headers if name in names]:
                found[at] = some
        return found

    def record(self, row: int) -> TopicRecord:
        """Return one record by itself."""
        chosen = np.zeros(len(self), np.bool_)
        chosen[row] = True
        return self.select(chosen).records()[0]

    def records(self) -> list[TopicRecord]:
        """Return each record by itself."""
        columns = (column.tolist() for column in self._columns)
        return [
            TopicRecord(
                self.table[index],
                offset,
                _seconds(stamp),
                None if key_size < 0 else self.sets[which].keys[key_at : key_at + key_size],
                self.sets[which].values[value_at : value_at + max(value_size, 0)],
                self.sets[which].headers.get(row, ()),
                value_size < 0,
            )
            for index, which, row, offset, stamp, key_at, key_size, value_at, value_size in zip(
                self.partitions.tolist(), *columns, strict=True
            )
        ]


class HeldRecords:
    r"""The records of the partitions in ``table`` that have come and are not taken yet.

    >>> from telex.adapters.kafka.fetch import RecordSet
    >>> held = HeldRecords([("wire", 0), ("wire", 1)])
    >>> held.add(RecordSet.of(("wire", 0), [(7, 1000, b"k", b"a"), (9, 1001, None, b"c")]))
    >>> held.add(RecordSet.of(("wire", 1), [(3, 1000, None, b"b")]))
    >>> block, used_up = held.take(np.array([0, 1, 0], np.int32))
    >>> block.lines(), [record.offset for record in block.records()], len(used_up)
    (b'a\nb\nc\n', [7, 3, 9], 2)
    """

    def __init__(self, table: Sequence[Partition]) -> None:
        self._table = table
        self._sets: dict[Partition, deque[tuple[RecordSet, Offsets]]] = {}
        self._firsts: dict[Partition, int] = {}  # the row of the first record that is held

    def add(self, some: RecordSet) -> None:
        """Append records to those held of their partition."""
        sizes = (some.key_sizes, some.value_sizes)
        (keys, key_sizes), (values, value_sizes) = ((_begins(one), one) for one in sizes)
        rows = np.arange(len(some))
        columns = np.stack([rows, some.offsets, some.timestamps, keys, key_sizes, values, value_sizes])
        self._sets.setdefault(some.partition, deque()).append((some, columns))

    def take(self, partitions: Ids) -> tuple[RecordBlock, list[RecordSet]]:
        """Return the next record of each of these partitions in turn, and the record sets that are used up by it."""
        found: list[Offsets] = []
        sets: list[RecordSet] = []
        used_up: list[RecordSet] = []
        for index, count in enumerate(np.bincount(partitions).tolist()):
            self._next(self._table[index], count, found, sets, used_up)
        # ``found`` has the records partition by partition; a stable sort of the partitions tells where each belongs.
        # For partitions 0, 1, 0 it has records of 0, 0, 1, and ``order`` [0, 2, 1] puts them into columns 0, 2 and 1.
        order = np.argsort(partitions, kind="stable")
        columns = np.empty((8, len(partitions)), np.int64)
        columns[:, order] = np.concatenate(found, axis=1) if found else columns
        return RecordBlock(self._table, sets, partitions, *columns), used_up

    def _next(
        self, one: Partition, count: int, found: list[Offsets], sets: list[RecordSet], used_up: list[RecordSet]
    ) -> None:
        first = self._firsts.get(one, 0)
        while count:
            some, columns = self._sets[one][0]
            piece = columns[:, first : first + count]
            found.append(np.concatenate((np.full((1, piece.shape[1]), len(sets)), piece)))
            sets.append(some)
            count, first = count - piece.shape[1], first + piece.shape[1]
            if first == len(some):
                used_up.append(self._sets[one].popleft()[0])
                first = 0
        self._firsts[one] = first


def _begins(sizes: Ids) -> Offsets:
    lengths = np.maximum(sizes, 0, dtype=np.int64)
    begins: Offsets = np.cumsum(lengths) - lengths
    return begins


def _seconds(stamp: int) -> float:
    return stamp / 1000 if stamp >= 0 else float("nan")
