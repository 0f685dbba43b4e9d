"""What the fetching process tells: records as arrays, and what became of its partitions."""

from __future__ import annotations

import pickle
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from telex.adapters.kafka.polls import Polled
    from telex.learners.arrays import Flags, Ids, Offsets

Partition = tuple[str, int]
"""A topic and the number of one of its partitions."""
OVERHEAD = 64
"""Bytes that a record is counted for beside its own."""


@dataclass(frozen=True, slots=True)
class Part:
    """Records of one partition, one after another.

    ``timestamps`` are milliseconds since 1970, -1 where nobody said. A key or value that is not there has the size -1.
    ``headers`` has the rows that have any.

    >>> part = Part.of(("wire", 0), [(7, 1000, b"k", b"first"), (9, 1001, None, None)])
    >>> part.offsets.tolist(), part.value_sizes.tolist(), part.keys_of(), part.values_of()
    ([7, 9], [5, -1], [b'k', None], [b'first', None])
    """

    partition: Partition
    offsets: Offsets
    timestamps: Offsets
    key_sizes: Ids
    value_sizes: Ids
    keys: bytes
    values: bytes
    headers: Mapping[int, tuple[tuple[str, bytes | None], ...]]

    @classmethod
    def of(cls, partition: Partition, records: Sequence[tuple[Any, ...]]) -> Part:
        """Make one of (offset, timestamp, key, value) or (offset, timestamp, key, value, headers)."""
        keys, values = [one[2] for one in records], [one[3] for one in records]
        return cls(
            partition,
            np.array([one[0] for one in records], np.int64),
            np.array([one[1] for one in records], np.int64),
            np.array([-1 if key is None else len(key) for key in keys], np.int32),
            np.array([-1 if value is None else len(value) for value in values], np.int32),
            b"".join(key for key in keys if key is not None),
            b"".join(value for value in values if value is not None),
            {row: tuple(one[4]) for row, one in enumerate(records) if len(one) > 4 and one[4]},
        )

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        # The values are nearly all of it: who can, passes them on by themselves.
        values = pickle.PickleBuffer(self.values) if protocol >= 5 else self.values
        columns = (self.offsets, self.timestamps, self.key_sizes, self.value_sizes)
        return Part, (self.partition, *columns, self.keys, values, self.headers)

    def __len__(self) -> int:
        return len(self.offsets)

    @property
    def size(self) -> int:
        """For how many bytes it is counted until it is freed."""
        headers = sum(len(name) + len(value or b"") for row in self.headers.values() for name, value in row)
        return len(self.keys) + len(self.values) + headers + OVERHEAD * len(self)

    def keys_of(self) -> list[bytes | None]:
        """Return the keys one by one."""
        return _split(self.keys, self.key_sizes)

    def values_of(self) -> list[bytes | None]:
        """Return the values one by one."""
        return _split(self.values, self.value_sizes)


@dataclass(frozen=True, slots=True)
class Frame:
    """One poll: records of some partitions, and where all assigned ones stand.

    ``positions`` are the next offsets to be fetched, ``beginnings`` and ``ends`` those of the log as the broker told
    last; of a topic with transactions the end is that of what may be read. ``at_end`` is set where the broker said,
    after all that was asked for before, that there is no more. ``time`` is the clock of :func:`time.monotonic`, which
    the processes of a machine share. ``polled`` is about all polls so far.
    """

    parts: tuple[Part, ...]
    partitions: tuple[Partition, ...]
    positions: Offsets
    beginnings: Offsets
    ends: Offsets
    at_end: Flags
    time: float
    polled: Polled | None = None

    def __len__(self) -> int:
        return sum(map(len, self.parts))


@dataclass(frozen=True, slots=True)
class Assigned:
    """All partitions that are fetched from now on; ``state`` says where they stand, and has no records."""

    state: Frame


@dataclass(frozen=True, slots=True)
class Revoked:
    """Partitions that are another member's from now on."""

    partitions: tuple[Partition, ...]


class Lost(NamedTuple):
    """Records that were to be fetched, but are no longer there: from ``wanted`` up to ``found``."""

    partition: Partition
    wanted: int
    found: int


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that did not stop the fetching, in a sentence; ``lost`` where records are gone."""

    sentence: str
    lost: Lost | None = None


@dataclass(frozen=True, slots=True)
class Ended:
    """The fetching process could not go on: it is the last that it tells; ``usage`` where a setting is wrong."""

    sentence: str
    usage: bool = field(default=False)


Told = Frame | Assigned | Revoked | Problem
"""What may be taken."""


def _split(data: bytes, sizes: Ids) -> list[bytes | None]:
    ends = np.cumsum(np.maximum(sizes, 0)).tolist()
    return [None if size < 0 else data[end - size : end] for size, end in zip(sizes.tolist(), ends, strict=True)]
