"""Rows of cells from lines; a cell in quotes may contain newlines."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from telex.adapters.formats.reading import KEPT, LONGEST
from telex.stream.sources import DeadLetter

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from telex.stream.raw_records import Place

_MOST_LINES = 1 << 16
_PATIENCE = 4
_FLOOR = 1 << 20


class QuotedRows:
    r"""Joins lines into rows as Python's ``csv`` does, with ``delimiter`` between their cells.

    A row of more than 16 MiB or 65536 lines has a quote that is never closed: its first line becomes a dead letter, and
    reading starts again at the next line. Once that has read everything four times over, the whole row becomes the dead
    letter, so that the time stays proportional to the input.

    >>> rows = QuotedRows(",")
    >>> list(rows.feed([(b'1,"two', ("a.csv", 1, 0)), (b'lines"', ("a.csv", 2, 7))]))
    [(b'1,"two\nlines"', ('a.csv', 1, 0))]
    >>> rows.cells('1,"say ""no"", he said"')
    ['1', 'say "no", he said']
    """

    def __init__(self, delimiter: str) -> None:
        self.delimiter = delimiter
        d = re.escape(delimiter)
        inside = '[^"]*+(?:""[^"]*+)*+'
        cell = f'(?:"{inside}"[^{d}]*+|[^"{d}][^{d}]*+|)'
        more = f"(?:{d}{cell})*+"
        self._whole = re.compile((cell + more).encode()).fullmatch
        self._closes = re.compile(f'{inside}"[^{d}]*+{more}'.encode()).fullmatch
        self._cell = re.compile(f'(?:"({inside})"([^{d}]*+)|([^{d}]*+)){d}')
        self._open = list[tuple[bytes, "Place"]]()
        self._size = self._reread = 0

    def closed(self) -> QuotedRows:
        """Return the same before its first line."""
        return QuotedRows(self.delimiter)

    @property
    def is_open(self) -> bool:
        """Whether the last line ends inside quotes."""
        return bool(self._open)

    def feed(self, lines: Iterable[tuple[bytes, Place]]) -> Iterator[tuple[bytes, Place] | DeadLetter]:
        """Yield the rows that ``lines`` complete; blank lines between rows are skipped."""
        for line in lines:
            yield from self._line(*line)

    def end(self) -> Iterator[tuple[bytes, Place] | DeadLetter]:
        """Yield what is left when no line follows."""
        while self._open:
            yield from self._give_up()

    def cells(self, row: str) -> list[str]:
        """Return the cells of a whole row."""
        row = row.removesuffix("\r")
        if '"' not in row:
            return row.split(self.delimiter)
        found = self._cell.findall(row + self.delimiter)
        return [plain or quoted.replace('""', '"') + rest for quoted, rest, plain in found]

    def _line(self, raw: bytes, place: Place) -> Iterator[tuple[bytes, Place] | DeadLetter]:
        if not self._open:
            if b'"' not in raw or self._whole(raw):
                if raw.strip():
                    yield raw, place
                return
            self._open, self._size = [(raw, place)], len(raw)
            return
        self._open.append((raw, place))
        self._size += len(raw) + 1
        if b'"' in raw and self._closes(raw):
            lines, self._open = self._open, []
            yield b"\n".join(line for line, _ in lines), lines[0][1]
        elif self._size > LONGEST or len(self._open) > _MOST_LINES:
            yield from self._give_up()

    def _give_up(self) -> Iterator[tuple[bytes, Place] | DeadLetter]:
        lines, self._open = self._open, []
        (raw, place), (_, (_, _, last)) = lines[0], lines[-1]
        self._reread += self._size
        if self._reread > _PATIENCE * max(last or 0, _FLOOR):
            raw = b"\n".join(line for line, _ in lines)
            reason = f"a quote is never closed; these {len(lines)} lines are skipped"
            yield DeadLetter(raw[:KEPT], *place, "decode", reason)
            return
        yield DeadLetter(raw[:KEPT], *place, "decode", "a quote is opened in this line and never closed")
        yield from self.feed(lines[1:])


def ends_in_returns(line: bytes) -> bool:
    r"""Tell whether the first line of a table is several that end in a carriage return alone.

    >>> ends_in_returns(b"text,labels\rGold,metals\r"), ends_in_returns(b'"the\rtext",labels\r')
    (True, False)
    """
    return b"\r" in line and b"\r" in re.sub(rb'"[^"]*(?:"|$)', b"", line).rstrip(b"\r")


def likely_delimiter(header: str) -> str:
    """Return the comma, semicolon, tab or pipe that is most frequent outside the quotes of a header.

    >>> likely_delimiter('id;"text, title";labels')
    ';'
    """
    plain = re.sub(r'"[^"]*"', "", header)
    return max(",;\t|", key=plain.count)
