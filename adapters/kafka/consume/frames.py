"""The messages of the fetching process: records as arrays, and changes of its partitions."""

from __future__ import annotations

import pickle
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from telex.adapters.kafka.consume.poll_intervals import Polled
    from telex.learners.base import Flags, Ids, Offsets

Partition = tuple[str, int]
"""A topic and the number of one of its partitions."""
OVERHEAD = 64
"""Bytes that a record counts beside its own."""


@dataclass(frozen=True, slots=True)
class Part:
    """Consecutive records of one partition.

    ``timestamps`` are milliseconds since 1970, -1 if unknown. A missing key or value has size -1. ``headers`` has the
    rows that have any.

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
        """Make a part from (offset, timestamp, key, value) or (offset, timestamp, key, value, headers)."""
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
        # Values are nearly all of the bytes; out-of-band buffers avoid a copy of them.
        values = pickle.PickleBuffer(self.values) if protocol >= 5 else self.values
        columns = (self.offsets, self.timestamps, self.key_sizes, self.value_sizes)
        return Part, (self.partition, *columns, self.keys, values, self.headers)

    def __len__(self) -> int:
        return len(self.offsets)

    @property
    def size(self) -> int:
        """The bytes that it counts until it is freed."""
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
    """One poll: records of some partitions, and the state of all assigned ones.

    ``positions`` are the next offsets to fetch; ``beginnings`` and ``ends`` are those of the log as last reported by
    the broker, of a topic with transactions the end of what may be read. ``at_end`` is set if the broker said, after
    all earlier requests, that there is no more. ``time`` is :func:`time.monotonic`, a clock that the processes of a
    machine share. ``polled`` counts all polls so far.
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
    """All partitions that are fetched from now on; ``state`` has their positions, and no records."""

    state: Frame


@dataclass(frozen=True, slots=True)
class Revoked:
    """Partitions that another member has from now on."""

    partitions: tuple[Partition, ...]


class Lost(NamedTuple):
    """Records that were to be fetched but are gone: from ``wanted`` up to ``found``."""

    partition: Partition
    wanted: int
    found: int


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that did not stop the fetching, as a sentence; with ``lost`` if records are gone."""

    sentence: str
    lost: Lost | None = None


@dataclass(frozen=True, slots=True)
class Ended:
    """The last message of a fetching process that could not continue; with ``usage`` if a setting is wrong."""

    sentence: str
    usage: bool = field(default=False)


Told = Frame | Assigned | Revoked | Problem
"""What :meth:`Fetching.take` may return."""


def _split(data: bytes, sizes: Ids) -> list[bytes | None]:
    ends = np.cumsum(np.maximum(sizes, 0)).tolist()
    return [None if size < 0 else data[end - size : end] for size, end in zip(sizes.tolist(), ends, strict=True)]
