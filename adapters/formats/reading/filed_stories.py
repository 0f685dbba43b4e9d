"""What the formats of texts in files, folders and archives have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from telex.adapters.formats.reading.files import files
from telex.adapters.formats.reading.record_blocks import blocks_of, cut_records
from telex.adapters.formats.reading.story_format import StoryFormat
from telex.adapters.formats.reading.unpacker import FoundFile

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Iterator

    from telex.adapters.formats.reading.input import Input
    from telex.adapters.formats.reading.record_blocks import Piece
    from telex.stream.raw_records import GatheredLines
    from telex.stream.sources import DeadLetter


class FiledStories(StoryFormat):
    """Texts in files, folders and archives, each cut into records by a pattern; by default a file is one record."""

    takes_folders: ClassVar = True
    suffixes: ClassVar[tuple[str, ...]] = ()
    """The file name endings to read in folders and archives; empty reads all files."""
    cut: ClassVar[re.Pattern[bytes] | None] = None
    """The pattern at the end of a record; None makes each file one record."""

    def _files(self, inputs: list[Input]) -> Iterator[FoundFile | DeadLetter]:
        return files(inputs, self.suffixes)

    def _records(self, inputs: list[Input]) -> Iterator[GatheredLines | DeadLetter]:
        return blocks_of(self._pieces(self._files(inputs)))

    def _pieces(self, found: Iterable[FoundFile | DeadLetter]) -> Iterator[Piece | DeadLetter | None]:
        for file in found:
            if isinstance(file, FoundFile):
                yield from cut_records(file.chunks, file.path, self.cut)
            else:
                yield file
