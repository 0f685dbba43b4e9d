"""LYRL2004's token files of RCV1-v2: ``.I id``, ``.W``, stems; with labels in a qrels file beside them."""

from __future__ import annotations

import re
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar

from telex.adapters import _plain
from telex.adapters.formats.lyrl_vectors import load_qrels, qrels_beside
from telex.adapters.formats.reading import (
    KEPT,
    Input,
    NativeStories,
    WholeRecords,
    blocks_of,
    check_order,
    cut_records,
    newlines,
)
from telex.learners.base import BrokenRecordError
from telex.stream.raw_records import GatheredLines, RawLines, id_key
from telex.stream.sources import DeadLetter, Story

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator

    from telex.adapters import _vectors
    from telex.adapters.formats.reading import Paths, StoryColumns
    from telex.stream.raw_records import Ends, Place
    from telex.stream.sources import Stories

FORMATS = {"lyrl-tokens": ("LyrlTokens", 20)}
_RECORD = re.compile(rb"\s*\.I[ \t]+(\S+)\s*\n\.W[ \t\r]*(?:\n(.*))?", re.DOTALL)
_LONG = 1 << 20  # bytes; from a record that is longer on, a file is cut record by record
_CUT = re.compile(rb"\n(?=\.I\s)")
_BEGIN = re.compile(rb"\s*\.I[ \t]+\S+[ \t\r]*\n\.W\s")


class LyrlTokens(NativeStories):
    r"""The documents of one or several token files, labelled by a qrels file.

    The tokens are already stems without stop words; the attribute ``text`` has the settings that leave them unchanged.
    A document that the qrels do not name is unlabelled; without qrels all are.

    >>> import tempfile
    >>> from pathlib import Path
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "tokens.dat").write_text(".I 2287\n.W\nstock stock jump\n\n.I 2286\n.W\nmin recov\n")
    >>> _ = (folder / "topics.qrels").write_text("ECAT 2286 1\n")
    >>> [stories] = LyrlTokens([folder / "tokens.dat"])
    >>> list(stories.ids), list(stories.texts), list(stories.labels)
    (['2286', '2287'], ['min recov', 'stock stock jump'], [['ECAT'], None])
    """

    summary: ClassVar = "LYRL2004 tokens of RCV1-v2 (.I id, .W, stems), labels from a qrels file beside them"
    options: ClassVar = {
        "qrels": "file of labels (lines: label id 1); by default the one beside the first file, named *qrels*",
        "order": "id (default) or file",
        "rows": "documents a batch (1024)",
        "passes": "how often standard input will be read (1)",
    }
    text = MappingProxyType({"tokens": "blanks", "stop": "none", "stem": "none"})

    def __init__(
        self,
        paths: Paths,
        *,
        qrels: str | os.PathLike[str] | Input | None = None,
        order: str | None = None,
        rows: int | str = 1024,
        passes: int | str = 1,
    ) -> None:
        wanted = check_order(order or "id", ("id", "file"), "these documents have no time")
        self._open(paths, wanted, rows, passes)
        self.qrels = qrels_beside(self._inputs[0]) if qrels is None else Input.all(qrels)[0]
        self.files = () if self.qrels is None else (self.qrels.path,)
        self.inputs = [*self._inputs, *([self.qrels] if self.qrels else [])]
        self._truth: tuple[_vectors.Qrels | None, list[DeadLetter]] | None = None

    def __iter__(self) -> Iterator[Stories | DeadLetter]:
        if self._truth is None:
            self._truth = (None, []) if self.qrels is None else load_qrels(self.qrels)
        yield from self._truth[1]
        yield from self._stories()

    def _stories(self) -> Iterator[Stories | DeadLetter]:
        return super().__iter__()

    @classmethod
    def recognises(cls, head: bytes, path: str) -> bool:
        """Look at the first record, or at the name of an empty file."""
        return bool(_BEGIN.match(head)) if head.strip() else "lyrl" in path and "tokens" in path

    def _records(self, inputs: list[Input]) -> Iterator[RawLines | GatheredLines | DeadLetter]:
        for source in inputs:
            source.bytes_read = 0
        for source in inputs:
            yield from _blocks(source)

    def _collected(self) -> _plain.Tokens:
        return _plain.Tokens()

    def _read(self, native: _plain.Collected, block: WholeRecords, start: int, columns: StoryColumns) -> int:
        assert isinstance(native, _plain.Tokens)
        return native.add(block.data, start, self._truth[0] if self._truth else None, *columns.limits)

    def _ends(self, block: RawLines | GatheredLines) -> Ends | None:
        found = _plain.ids_of_tokens(block.data, 0, len(block.data)) if isinstance(block, WholeRecords) else None
        if found is None:
            return super()._ends(block)
        first, last, ascend = found
        return (first, last) if ascend else None

    def _story(self, raw: bytes, place: tuple[str, int | None, int | None]) -> Story:
        name, tokens = _split(raw)
        try:
            document, text = name.decode(), tokens.decode()
        except UnicodeDecodeError as error:
            raise BrokenRecordError("this is not UTF-8") from error
        truth = self._truth[0] if self._truth else None
        return Story(document, text.strip(), labels=None if truth is None else truth.get(document))

    def _id_key(self, raw: bytes, place: Any) -> bytes | None:
        try:
            return id_key(_split(raw)[0])
        except BrokenRecordError:
            return None


def _blocks(source: Input) -> Iterator[RawLines | GatheredLines | DeadLetter]:
    """Cut a file into blocks of whole records."""
    line, offset, rest = 1, 0, b""
    chunks = source.chunks()
    try:
        for chunk in chunks:
            data = rest + chunk
            cut = _last_cut(data)
            if len(data) - cut > _LONG:
                records = cut_records(chain([data], chunks), source.name, _CUT, begin=(line, offset))
                yield from blocks_of(records)
                return
            whole, rest = data[:cut], data[cut:]
            if whole or not chunk:
                yield WholeRecords(whole, source.name, line, offset, _cut)
            line, offset = line + newlines(whole), offset + cut
    except BrokenRecordError as error:
        yield DeadLetter(rest[:KEPT], source.name, line, offset, "read", str(error))
        return
    if rest and not rest.isspace():
        yield WholeRecords(rest, source.name, line, offset, _cut)
    elif not (rest or offset):
        yield DeadLetter(b"", source.name, line, offset, "read", "the file is empty")


def _last_cut(data: bytes) -> int:
    """Return where the last record begins that another comes before, 0 if there is none."""
    at = len(data)
    while (at := data.rfind(b"\n.I", 0, at)) >= 0:
        if data[at + 3 : at + 4].isspace():
            return at + 1
        at += 2  # the next one begins before it
    return 0


def _cut(data: bytes, place: Place) -> Iterator[tuple[bytes, Place]]:
    for piece in cut_records([data], place[0], _CUT, len(data), begin=(place[1] or 1, place[2] or 0)):
        if isinstance(piece, tuple):
            yield piece


def _split(raw: bytes) -> tuple[bytes, bytes]:
    record = _RECORD.fullmatch(raw)
    if record is None:
        raise BrokenRecordError("this is not a document, which begins with the lines `.I id` and `.W`")
    return record[1], record[2] or b""
