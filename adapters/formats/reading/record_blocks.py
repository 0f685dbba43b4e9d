"""Files of records that are longer than a line, cut into records at a pattern."""

from __future__ import annotations

from typing import TYPE_CHECKING

from telex.adapters.formats.reading.line_blocks import KEPT, LONGEST
from telex.learners.base import BrokenRecordError
from telex.stream.raw_records import GatheredLines
from telex.stream.sources import DeadLetter

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Iterator

    from telex.stream.raw_records import Place

    Piece = tuple[bytes, Place]

_OVERLAP = 64  # bytes; no match of a pattern, lookahead included, is longer
_TOGETHER = 1 << 20


def cut_records(
    chunks: Iterable[bytes],
    path: str,
    cut: re.Pattern[bytes] | None = None,
    longest: int = LONGEST,
    begin: tuple[int, int] = (1, 0),
) -> Iterator[Piece | DeadLetter | None]:
    r"""Yield the records of one file with their places, cut at the end of each match of ``cut``, or all in one piece.

    Blanks alone are not a record. A record of more than ``longest`` bytes, a file that breaks off and an empty file are
    dead letters; the last record of a broken file is dropped, because it may be incomplete. None means that nothing
    more is there for now. The chunks ``begin`` at a line and an offset of the file.

    >>> import re
    >>> [raw for raw, place in cut_records([b"<a>1</a>\n<a>", b"2</a>"], "x", re.compile(b"</a>\n?"))]
    [b'<a>1</a>\n', b'<a>2</a>']
    """
    # `buffer` begins with the first byte of the unfinished record, at `line` and `offset` of the file. A search begins
    # at `looked`, up to _OVERLAP bytes before the new chunk, for a match may straddle two chunks. With the chunks
    # "<a>1</a>\n<a>" and "2</a>" the first search ends a record at offset 9 and leaves "<a>" in the buffer; the second
    # search begins at 0 again and finds the end of "<a>2</a>".
    buffer, looked = bytearray(), 0
    line, offset = begin
    head, dropped, lines_dropped = b"", 0, 0  # an overlong record: its beginning, and how much of it was dropped
    try:
        for chunk in chunks:
            if not chunk:
                yield None
                continue
            buffer += chunk
            start = 0
            for end in [match.end() for match in cut.finditer(buffer, looked)] if cut else ():
                if end == start and not dropped:
                    continue
                raw = bytes(buffer[start:end])
                if dropped or len(raw) > longest:
                    yield _overlong(head or raw, path, line, offset, longest)
                elif not raw.isspace():
                    yield raw, (path, line, offset)
                line += lines_dropped + raw.count(b"\n")
                offset += dropped + len(raw)
                start, head, dropped, lines_dropped = end, b"", 0, 0
            del buffer[:start]
            if dropped or len(buffer) > longest:
                head = head or bytes(buffer[:KEPT])
                drop = max(0, len(buffer) - _OVERLAP)
                lines_dropped += buffer.count(b"\n", 0, drop)
                dropped += drop
                del buffer[:drop]
            looked = max(0, len(buffer) - _OVERLAP)
    except BrokenRecordError as error:
        yield DeadLetter(head or bytes(buffer[:KEPT]), path, line, offset, "read", str(error))
        return
    raw = bytes(buffer)
    if dropped or len(raw) > longest:
        yield _overlong(head or raw, path, line, offset, longest)
    elif raw and not raw.isspace():
        yield raw, (path, line, offset)
    elif offset == 0 and not raw:
        yield DeadLetter(b"", path, line, offset, "read", "the file is empty")


def _overlong(raw: bytes, path: str, line: int, offset: int, longest: int) -> DeadLetter:
    reason = f"the record is longer than {longest >> 20} MiB; its first {KEPT >> 10} KiB are stored"
    return DeadLetter(raw[:KEPT], path, line, offset, "decode", reason)


def blocks_of(records: Iterable[Piece | DeadLetter | None]) -> Iterator[GatheredLines | DeadLetter]:
    """Collect records in blocks of about a megabyte; dead letters stay between them, None is an empty block."""
    raws, places, filled = list[bytes](), list["Place"](), 0
    for record in records:
        whole = isinstance(record, tuple)
        if raws and (not whole or filled >= _TOGETHER):
            yield GatheredLines(raws, places)
            raws, places, filled = [], [], 0
        if isinstance(record, DeadLetter):
            yield record
        elif record is None:
            yield GatheredLines([], [])
        else:
            raws.append(record[0])
            places.append(record[1])
            filled += len(record[0])
    if raws:
        yield GatheredLines(raws, places)
