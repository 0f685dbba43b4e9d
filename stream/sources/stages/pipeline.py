"""The way of a document from its archive to the batches that learners see, written down as a list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from telex.stream.sources.source import Wire
from telex.stream.sources.stages.duplicate_ids import DuplicateIds
from telex.stream.sources.stages.featurizer import AddProducts, Featurizer
from telex.stream.sources.stages.limit import Limit
from telex.stream.sources.stages.read_ahead import ReadAhead
from telex.stream.sources.stages.repeated_texts import RepeatedTexts
from telex.stream.sources.stages.skip_ahead import SkipAhead
from telex.stream.sources.stages.tokenised import Tokenise

if TYPE_CHECKING:
    from telex.stream.sources.source import Archive
    from telex.stream.sources.stages.stage import Stage
    from telex.stream.words import Words

REMEMBERED = 100_000
"""Documents of a live source by whose ids it goes on."""
_DISTINCT = 1_000_000
"""Documents whose ids are not taken a second time."""


def make_pipeline(
    archive: Archive, words: Words, duplicates: str, *, wordless: bool, ahead: bool, unique_ids: bool
) -> list[Stage]:
    """Return the stages that the documents of ``archive`` pass, first to last.

    The stages up to the limit know no positions: what a resumed run has had is read again and skipped. So ids are
    compared there where an archive can be read again. Those of a wire, which goes on at its place, are compared behind.
    """
    wire = isinstance(archive, Wire)
    featurizer = Featurizer(words, wordless=wordless)
    stages = [
        ahead and ReadAhead(),
        unique_ids and DuplicateIds(_DISTINCT, archive),
        SkipAhead(),
        Tokenise(words),
        ahead and ReadAhead(),
        Limit(archive, lambda: featurizer.number),
        (wire or archive.live) and DuplicateIds(_DISTINCT if wire else REMEMBERED, archive, kept=True),
        RepeatedTexts(duplicates, lambda: featurizer.number),
        featurizer,
        words.products and AddProducts(),
        ahead and ReadAhead(),
    ]
    return [stage for stage in stages if stage]
