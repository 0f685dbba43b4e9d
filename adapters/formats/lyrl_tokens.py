"""LYRL2004's token files of RCV1-v2: ``.I id``, ``.W``, stems; with labels in a qrels file beside them."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar

from telex.adapters.formats.lyrl_vectors import load_qrels, qrels_beside
from telex.adapters.formats.reading import FiledStories, FoundFile, Input, option_checks
from telex.learners.base import BrokenRecordError
from telex.stream.raw_records import id_key
from telex.stream.sources import Story

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator

    from telex.adapters import _vectors
    from telex.adapters.formats.reading import Paths
    from telex.stream.sources import DeadLetter, Stories

FORMATS = {"lyrl-tokens": ("LyrlTokens", 20)}
_RECORD = re.compile(rb"\s*\.I[ \t]+(\S+)\s*\n\.W[ \t\r]*(?:\n(.*))?", re.DOTALL)
_BEGIN = re.compile(rb"\s*\.I[ \t]+\S+[ \t\r]*\n\.W\s")


class LyrlTokens(FiledStories):
    r"""The documents of one or several token files, labelled by a qrels file.

    The tokens are already stems without stop words; the attribute ``text`` has the settings that leave them unchanged.
    A document that the qrels do not name is unlabelled; without qrels all are.

    >>> import tempfile
    >>> from pathlib import Path
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "tokens.dat").write_text(".I 2287\n.W\nstock stock jump\n\n.I 2286\n.W\nmin recov\n")
    >>> _ = (folder / "topics.qrels").write_text("ECAT 2286 1\n")
    >>> [stories] = LyrlTokens([folder / "tokens.dat"])
    >>> list(stories.ids), stories.texts, stories.labels
    (['2286', '2287'], ['min recov', 'stock stock jump'], [['ECAT'], None])
    """

    summary: ClassVar = "LYRL2004 tokens of RCV1-v2 (.I id, .W, stems), labels from a qrels file beside them"
    options: ClassVar = {
        "qrels": "file of labels (lines: label id 1); by default the one beside the first file, named *qrels*",
        "order": "id (default) or file",
        "rows": "documents a batch (256)",
        "passes": "how often standard input will be read (1)",
    }
    text = MappingProxyType({"tokens": "blanks", "stop": "none", "stem": "none"})
    takes_folders: ClassVar = False
    cut: ClassVar = re.compile(rb"\n(?=\.I\s)")

    def __init__(
        self,
        paths: Paths,
        *,
        qrels: str | os.PathLike[str] | Input | None = None,
        order: str | None = None,
        rows: int | str = 256,
        passes: int | str = 1,
    ) -> None:
        wanted = option_checks.check_order(order or "id", ("id", "file"), "these documents have no time")
        self._open(paths, wanted, rows, passes)
        self.qrels = qrels_beside(self._inputs[0]) if qrels is None else Input.all(qrels)[0]
        self.files = () if self.qrels is None else (self.qrels.path,)
        self.inputs = [*self._inputs, *([self.qrels] if self.qrels else [])]
        self._truth: tuple[_vectors.Qrels | None, list[DeadLetter]] | None = None

    def __iter__(self) -> Iterator[Stories | DeadLetter]:
        if self._truth is None:
            self._truth = (None, []) if self.qrels is None else load_qrels(self.qrels)
        yield from self._truth[1]
        yield from super().__iter__()

    @classmethod
    def recognises(cls, head: bytes, path: str) -> bool:
        """Look at the first record, or at the name of an empty file."""
        return bool(_BEGIN.match(head)) if head.strip() else "lyrl" in path and "tokens" in path

    def _files(self, inputs: list[Input]) -> Iterator[FoundFile]:
        for source in inputs:
            source.bytes_read = 0
        return (FoundFile(source.name, source.chunks()) for source in inputs)

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


def _split(raw: bytes) -> tuple[bytes, bytes]:
    record = _RECORD.fullmatch(raw)
    if record is None:
        raise BrokenRecordError("this is not a document, which begins with the lines `.I id` and `.W`")
    return record[1], record[2] or b""
