"""Records that have come, and blocks of records taken from them, as columns until one is wanted by itself."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from telex.adapters._records import lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from telex.adapters.kafka.consume.frames import Part, Partition
    from telex.learners.base import Flags, Ids, Offsets, Reals


class Record(NamedTuple):
    """A record of a topic; ``time`` is its timestamp in epoch seconds, NaN where it has none."""

    partition: Partition
    offset: int
    time: float
    key: bytes | None
    value: bytes
    headers: tuple[tuple[str, bytes | None], ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Consecutive records of the partitions in ``table``.

    Each record is a row of one of ``parts``; its key and its value begin there at the given bytes. A missing key or
    value has size -1.
    """

    table: Sequence[Partition]
    parts: Sequence[Part]
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

    def those(self, wanted: Flags) -> Block:
        """Return the selected records."""
        if wanted.all():
            return self
        return Block(self.table, self.parts, self.partitions[wanted], *(column[wanted] for column in self._columns))

    def of_topic(self, topic: str | None) -> Flags:
        """Tell which records are of a topic."""
        return np.array([name == topic for name, _ in self.table], np.bool_)[self.partitions]

    def times(self) -> Reals:
        """Return the times of the records, as in :class:`Record`."""
        return np.array(list(map(_seconds, self.timestamps.tolist())), np.float64)

    def lines(self) -> bytes | None:
        r"""Return the values, each ended by a newline; None if a value contains a newline.

        All have values: records without one are left out before.
        """
        return lines([part.values for part in self.parts], self.which, self.value_begins, self.value_sizes)

    def records(self) -> list[Record]:
        """Return each record by itself; all have values."""
        columns = (column.tolist() for column in self._columns)
        return [
            Record(
                self.table[index],
                offset,
                _seconds(stamp),
                None if key_size < 0 else self.parts[which].keys[key_at : key_at + key_size],
                self.parts[which].values[value_at : value_at + value_size],
                self.parts[which].headers.get(row, ()),
            )
            for index, which, row, offset, stamp, key_at, key_size, value_at, value_size in zip(
                self.partitions.tolist(), *columns, strict=True
            )
        ]


class Holding:
    r"""The parts of the partitions in ``table`` that have come and are not taken yet.

    >>> from telex.adapters.kafka.consume import Part
    >>> holding = Holding([("wire", 0), ("wire", 1)])
    >>> holding.add(Part.of(("wire", 0), [(7, 1000, b"k", b"a"), (9, 1001, None, b"c")]))
    >>> holding.add(Part.of(("wire", 1), [(3, 1000, None, b"b")]))
    >>> block, empty = holding.take(np.array([0, 1, 0], np.int32))
    >>> block.lines(), [record.offset for record in block.records()], len(empty)
    (b'a\nb\nc\n', [7, 3, 9], 2)
    """

    def __init__(self, table: Sequence[Partition]) -> None:
        self._table = table
        self._parts: dict[Partition, deque[tuple[Part, Offsets]]] = {}
        self._firsts: dict[Partition, int] = {}  # the row of the first record that is held

    def add(self, part: Part) -> None:
        """Append a part to those held of its partition."""
        sizes = (part.key_sizes, part.value_sizes)
        (keys, key_sizes), (values, value_sizes) = ((_begins(one), one) for one in sizes)
        rows = np.arange(len(part))
        columns = np.stack([rows, part.offsets, part.timestamps, keys, key_sizes, values, value_sizes])
        self._parts.setdefault(part.partition, deque()).append((part, columns))

    def take(self, partitions: Ids) -> tuple[Block, list[Part]]:
        """Return the next record of each of these partitions in turn, and the parts that this has emptied."""
        found: list[Offsets] = []
        parts: list[Part] = []
        empty: list[Part] = []
        for index, count in enumerate(np.bincount(partitions).tolist()):
            self._next(self._table[index], count, found, parts, empty)
        order = np.argsort(partitions, kind="stable")
        columns = np.empty((8, len(partitions)), np.int64)
        columns[:, order] = np.concatenate(found, axis=1) if found else columns
        return Block(self._table, parts, partitions, *columns), empty

    def _next(self, one: Partition, count: int, found: list[Offsets], parts: list[Part], empty: list[Part]) -> None:
        first = self._firsts.get(one, 0)
        while count:
            part, columns = self._parts[one][0]
            some = columns[:, first : first + count]
            found.append(np.concatenate((np.full((1, some.shape[1]), len(parts)), some)))
            parts.append(part)
            count, first = count - some.shape[1], first + some.shape[1]
            if first == len(part):
                empty.append(self._parts[one].popleft()[0])
                first = 0
        self._firsts[one] = first


def _begins(sizes: Ids) -> Offsets:
    lengths = np.maximum(sizes, 0, dtype=np.int64)
    begins: Offsets = np.cumsum(lengths) - lengths
    return begins


def _seconds(stamp: int) -> float:
    return stamp / 1000 if stamp >= 0 else float("nan")
