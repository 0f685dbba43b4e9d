"""Records of one partition, as columns."""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from telex.learners.base import Ids, Offsets

Partition = tuple[str, int]
"""A topic and the number of one of its partitions."""
OVERHEAD = 64
"""Bytes that a record counts beside its own."""


@dataclass(frozen=True, slots=True)
class RecordSet:
    """Consecutive records of one partition, as columns.

    ``timestamps`` are milliseconds since 1970, -1 if unknown. A missing key or value has size -1. ``headers`` has the
    rows that have any.

    >>> records = RecordSet.of(("wire", 0), [(7, 1000, b"k", b"first"), (9, 1001, None, None)])
    >>> records.offsets.tolist(), records.value_sizes.tolist(), records.keys_of(), records.values_of()
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
    def of(cls, partition: Partition, records: Sequence[tuple[Any, ...]]) -> RecordSet:
        """Make it from rows of (offset, timestamp, key, value) or (offset, timestamp, key, value, headers)."""
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
        return RecordSet, (self.partition, *columns, self.keys, values, self.headers)

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

    def from_offset(self, first: int) -> RecordSet:
        """Return the records from an offset on.

        >>> records = RecordSet.of(("wire", 0), [(7, 1000, b"k", b"one"), (9, 1001, None, b"two", [("h", b"x")])])
        >>> records.from_offset(8).values_of(), records.from_offset(8).headers, len(records.from_offset(10))
        ([b'two'], {0: (('h', b'x'),)}, 0)
        """
        row = int(np.searchsorted(self.offsets, first))
        keys, values = (
            int(np.maximum(sizes[:row], 0).sum(dtype=np.int64)) for sizes in (self.key_sizes, self.value_sizes)
        )
        return RecordSet(
            self.partition,
            self.offsets[row:],
            self.timestamps[row:],
            self.key_sizes[row:],
            self.value_sizes[row:],
            self.keys[keys:],
            self.values[values:],
            {at - row: headers for at, headers in self.headers.items() if at >= row},
        )

    def values_of(self) -> list[bytes | None]:
        """Return the values one by one."""
        return _split(self.values, self.value_sizes)


def _split(data: bytes, sizes: Ids) -> list[bytes | None]:
    ends = np.cumsum(np.maximum(sizes, 0)).tolist()
    return [None if size < 0 else data[end - size : end] for size, end in zip(sizes.tolist(), ends, strict=True)]
