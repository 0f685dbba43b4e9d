"""The order of a stream: raw records brought into the order of a key before anything is numbered.

Ids of features and labels follow the stream, so an archive that was shuffled on disk gives the same run, to
the bit, as the one it was shuffled from. Three rules:

- Records with equal keys stay in their order on disk, file after file.
- What has no key (a document without a time, a broken line, a file that breaks off) follows the record read
  before it; at the very beginning it comes first.
- Ids made of digits come before all others and compare as numbers; others compare as texts. Times compare as
  numbers.
"""

from __future__ import annotations

import heapq
import struct
from itertools import chain
from operator import attrgetter
from typing import TYPE_CHECKING

import msgspec

from telex.stream.raw_records.order_scan import ascend, ends_of_keys
from telex.stream.raw_records.raw_lines import GatheredLines, RawLines
from telex.stream.raw_records.scratch_file import ScratchFile
from telex.stream.sources import DeadLetter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from telex.stream.raw_records.order_scan import Ends
    from telex.stream.raw_records.raw_lines import Place

    Blocks = Iterator[RawLines | GatheredLines | DeadLetter]

ORDERS = ("time", "id", "file")
_FAN = 64  # runs merged at a time: open files, and read buffers, stay few
_BUFFER = 1 << 18
_OVERHEAD = 400  # bytes of a record in memory beside its text
_LENGTH = struct.Struct("<I")


def id_key(text: bytes) -> bytes:
    """Return bytes that compare as ids do.

    >>> sorted([b"x1", b"10", b"9", b"010"], key=id_key)
    [b'9', b'10', b'010', b'x1']
    """
    if not text.isdigit():
        return b"1" + text
    digits = text.lstrip(b"0")
    return b"0" + len(digits).to_bytes(4, "big") + digits


def time_key(seconds: float) -> bytes:
    """Return bytes that compare as times do.

    >>> sorted([3.5, -1.0, 2e9, 0.0], key=time_key)
    [-1.0, 0.0, 3.5, 2000000000.0]
    """
    bits: int = struct.unpack(">Q", struct.pack(">d", seconds + 0.0))[0]
    return struct.pack(">Q", bits ^ (1 << 64) - 1 if bits >> 63 else bits | 1 << 63)


class KeyedRecord(msgspec.Struct, array_like=True, gc=False):
    """A raw record, or a dead letter (then it has a stage), as it lies in a sorted run."""

    key: bytes
    raw: bytes
    place: tuple[str, int | None, int | None]
    stage: str = ""
    reason: str = ""


class SortedLines:
    """Blocks in the order of their records' keys.

    ``blocks()`` starts to read again from the beginning; ``keys`` returns a key for each record of a block, None if it
    has none. The first pass only checks, in constant memory, whether the records are in order; if they are, the blocks
    are yielded unchanged. If not, runs of at most ``memory`` bytes are sorted, written to temporary files, and merged
    in each pass. ``ends_of`` may look at a block faster, and ``in_order`` at all of them; that one returns None if it
    cannot tell.
    """

    def __init__(
        self,
        blocks: Callable[[], Blocks],
        keys: Callable[[RawLines | GatheredLines], list[bytes | None]],
        memory: int = 64 << 20,
        ends_of: Callable[[RawLines | GatheredLines], Ends | None] | None = None,
        in_order: Callable[[], bool | None] = lambda: None,
    ) -> None:
        self._blocks, self._keys, self._memory = blocks, keys, memory
        self._ends_of, self._look = ends_of, in_order
        self._runs: list[ScratchFile] | None = None
        self._sorted = self._passed = 0

    def __iter__(self) -> Blocks:
        runs = self.settle()
        return gather(self._counted(_merge(runs))) if runs else self._blocks()

    def settle(self) -> list[ScratchFile]:
        """Find out whether the records are in order, unless that is known; return the sorted runs if they are not."""
        if self._runs is None:
            self._runs = [] if self._in_order() else self._sort()
        return self._runs

    @property
    def direct(self) -> bool:
        """Whether the records were found to be in order, so that blocks are yielded unchanged."""
        return self._runs == []

    @property
    def share_read(self) -> float | None:
        """How much of the sorted records this pass has read, from 0 to 1; None if nothing was sorted."""
        return self._passed / self._sorted if self._runs else None

    def _counted(self, records: Iterable[KeyedRecord]) -> Iterator[KeyedRecord]:
        self._passed = 0
        for record in records:
            self._passed += 1
            yield record

    def _in_order(self) -> bool:
        known = self._look()
        return ascend(map(self._ends, self._blocks())) if known is None else known

    def _ends(self, item: RawLines | GatheredLines | DeadLetter) -> Ends | None:
        if isinstance(item, DeadLetter):
            return b"", b""
        return ends_of_keys(self._keys(item)) if self._ends_of is None else self._ends_of(item)

    def _records(self) -> Iterator[KeyedRecord]:
        last = b""
        for item in self._blocks():
            if isinstance(item, DeadLetter):
                place = (item.path, item.line, item.offset)
                yield KeyedRecord(last, item.raw, place, item.stage, item.reason)
                continue
            for key, (raw, place) in zip(self._keys(item), item.records(), strict=True):
                if key is not None:
                    last = key
                if raw.strip(b" \t\r\n"):
                    yield KeyedRecord(last, raw, place)

    def _sort(self) -> list[ScratchFile]:
        # A run of level n holds _FAN of level n - 1, all older than those below it.
        levels: list[list[ScratchFile]] = [[]]
        size, waiting = 0, list[KeyedRecord]()
        for record in self._records():
            self._sorted += 1
            waiting.append(record)
            size += len(record.raw) + _OVERHEAD
            if size >= self._memory:
                _put(levels, waiting)
                size, waiting = 0, []
        if waiting:
            _put(levels, waiting)
        return list(chain.from_iterable(reversed(levels)))


def gather(records: Iterable[KeyedRecord], size: int = 1 << 20) -> Blocks:
    """Put records together into blocks of about ``size`` bytes; dead letters stay between them."""
    raws, places, filled = list[bytes](), list["Place"](), 0
    for record in records:
        if raws and (record.stage or filled >= size):
            yield GatheredLines(raws, places)
            raws, places, filled = [], [], 0
        if record.stage:
            yield DeadLetter(record.raw, *record.place, record.stage, record.reason)
        else:
            raws.append(record.raw)
            places.append(record.place)
            filled += len(record.raw) + 1
    if raws:
        yield GatheredLines(raws, places)


def _put(levels: list[list[ScratchFile]], waiting: list[KeyedRecord]) -> None:
    waiting.sort(key=attrgetter("key"))
    levels[0].append(ScratchFile(_packed(waiting)))
    for i, level in enumerate(levels):
        if len(level) < _FAN:
            break
        if i + 1 == len(levels):
            levels.append([])
        levels[i + 1].append(ScratchFile(_packed(_merge(level))))
        level.clear()


def _merge(runs: list[ScratchFile]) -> Iterator[KeyedRecord]:
    return heapq.merge(*(_unpacked(run) for run in runs), key=attrgetter("key"))


def _packed(records: Iterable[KeyedRecord]) -> Iterator[bytes]:
    pack = msgspec.msgpack.Encoder().encode
    for record in records:
        data = pack(record)
        yield _LENGTH.pack(len(data))
        yield data


def _unpacked(run: ScratchFile) -> Iterator[KeyedRecord]:
    unpack = msgspec.msgpack.Decoder(KeyedRecord).decode
    rest = b""
    for chunk in run.chunks(_BUFFER):
        data, at = rest + chunk, 0
        while at + 4 <= len(data):
            end = at + 4 + _LENGTH.unpack_from(data, at)[0]
            if end > len(data):
                break
            yield unpack(memoryview(data)[at + 4 : end])
            at = end
        rest = data[at:]
