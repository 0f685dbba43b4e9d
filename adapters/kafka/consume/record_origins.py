"""The records that documents came from, stored until their predictions are made."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from telex.adapters.kafka.consume.decoder import RecordLetter
from telex.adapters.kafka.consume.record_reader import path_of
from telex.learners.base import StoppedError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence, Set

    from telex.adapters.kafka.consume.held_records import RecordBlock
    from telex.adapters.kafka.fetch import Partition
    from telex.learners.base import Ids, Offsets, Reals, Strings


Headers = dict[int, list[tuple[str, bytes]]]


class RecordOrigin(NamedTuple):
    """The record that a document came from; ``timestamp`` are milliseconds since 1970, -1 if unknown."""

    topic: str
    partition: int
    offset: int
    timestamp: int


@dataclass(slots=True)
class _OriginPiece:
    """Documents that a wire yielded at once: ``partitions`` are indices into a table that only grows."""

    ids: Strings | Sequence[str]
    table: Sequence[Partition]
    partitions: Ids
    offsets: Offsets
    timestamps: Offsets
    held: HeldRows | None = None
    headers: Headers = field(default_factory=dict)


class HeldRows(NamedTuple):
    """Records by their rows of a block."""

    block: RecordBlock
    rows: Offsets


@dataclass(frozen=True, slots=True, eq=False)
class OriginColumns:
    """The records of documents as columns; ``places`` are indices into ``topics``.

    The records themselves are ``held``, piece by piece, if they were to be ``whole``. ``headers`` are those that were
    asked for, by the rows of the documents that have them.
    """

    topics: Sequence[str]
    places: Ids
    partitions: Ids
    offsets: Offsets
    timestamps: Offsets
    held: Sequence[HeldRows] = ()
    headers: Headers = field(default_factory=dict)

    def __iter__(self) -> Iterator[RecordOrigin]:
        """Yield the record of each document."""
        rest = self.partitions.tolist(), self.offsets.tolist(), self.timestamps.tolist()
        for place, *row in zip(self.places.tolist(), *rest, strict=True):
            yield RecordOrigin(self.topics[place], *row)

    def letter(self, row: int, stage: str, reason: str) -> RecordLetter:
        """Return a dead letter with the record of a document."""
        for block, rows in self.held:
            if row < len(rows):
                record = block.record(int(rows[row]))
                return RecordLetter(record.value, path_of(record), None, record.offset, stage, reason, record)
            row -= len(rows)
        raise IndexError("the records of the documents are not held")


class RecordOrigins:
    """The origins of the documents of a wire, stored until a caller asks for them.

    Ask for documents by their ids, in the order of the wire. Asking for one discards those before it that were left out
    on the way, so only the origins of what was read ahead are stored, ``whole`` with their records, else with those of
    their headers that are ``named``. One thread may add while another asks.

    >>> origins = RecordOrigins()
    >>> two = np.array([0, 1], np.int32), np.array([7, 3]), np.array([1000, -1])
    >>> origins.add(["a", "b"], [("wire", 0), ("wire", 1)], *two)
    >>> list(origins.columns(["b"]))
    [RecordOrigin(topic='wire', partition=1, offset=3, timestamp=-1)]
    """

    def __init__(self, *, whole: bool = False, named: Set[str] = frozenset()) -> None:
        self.whole, self.named = whole, named
        self._pieces: deque[_OriginPiece] = deque()
        self._row = 0  # how many documents of the first piece are done with
        self._lock = Lock()

    def __len__(self) -> int:
        return sum(len(piece.ids) for piece in tuple(self._pieces)) - self._row

    def add(
        self,
        ids: Strings | Sequence[str],
        table: Sequence[Partition],
        partitions: Ids,
        offsets: Offsets,
        timestamps: Offsets,
        *,
        held: HeldRows | None = None,
    ) -> None:
        """Add documents that the wire yields next; ``partitions`` are indices into ``table``."""
        headers = {} if held is None else held.block.headers(held.rows, self.named)
        held = held if self.whole else None
        with self._lock:
            self._pieces.append(_OriginPiece(ids, table, partitions, offsets, timestamps, held, headers))

    def columns(self, ids: Strings | Sequence[str]) -> OriginColumns:
        """Return the origins of documents; ask for each document once."""
        topics, columns, held = list[str](), [(np.empty(0, np.int64),) * 4], list[HeldRows]()
        headers: Headers = {}
        at = 0
        for piece, start, stop in self._found(ids):
            rows = piece.partitions[start:stop].astype(np.int64)
            numbers = np.array([number for _, number in piece.table], np.int64)
            columns.append((rows + len(topics), numbers[rows], piece.offsets[start:stop], piece.timestamps[start:stop]))
            topics += [topic for topic, _ in piece.table]
            if piece.held is not None:
                held.append(HeldRows(piece.held.block, piece.held.rows[start:stop]))
            headers |= {at + row - start: one for row, one in piece.headers.items() if start <= row < stop}
            at += stop - start
        places, partitions, offsets, stamps = (np.concatenate(one) for one in zip(*columns, strict=True))
        return OriginColumns(
            topics, places.astype(np.int32), partitions.astype(np.int32), offsets, stamps, held, headers
        )

    def times(self, ids: Strings | Sequence[str]) -> Reals:
        """Return the records' times in epoch seconds, NaN if unknown; call it instead of :meth:`columns`."""
        stamps = [piece.timestamps[start:stop] for piece, start, stop in self._found(ids)]
        found = np.concatenate(stamps) if stamps else np.empty(0, np.int64)
        return np.where(found < 0, np.nan, found / 1000)

    def _found(self, ids: Strings | Sequence[str]) -> Iterator[tuple[_OriginPiece, int, int]]:
        """Yield the rows of pieces in which ``ids`` are."""
        names, at = list(ids), 0
        with self._lock:
            while at < len(names):
                if not self._pieces:
                    raise StoppedError(
                        f"the record of document {names[at]!r} is not known: documents came in another order than "
                        "they were read in, or twice; resume from the last checkpoint, and report this as an error"
                    )
                piece = self._pieces[0]
                if not isinstance(piece.ids, list):
                    piece.ids = list(piece.ids)  # here, in the caller's thread
                # Skip the documents that were left out, then take as many as follow each other in both: most often all.
                row, count = self._row, len(piece.ids)
                while row < count and piece.ids[row] != names[at]:
                    row += 1
                start, most = row, min(count - row, len(names) - at)
                if piece.ids[row : row + most] == names[at : at + most]:
                    row, at = row + most, at + most
                while row < count and at < len(names) and piece.ids[row] == names[at]:
                    row, at = row + 1, at + 1
                if row > start:
                    yield piece, start, row
                self._row = row
                if row == count:
                    self._pieces.popleft()
                    self._row = 0
