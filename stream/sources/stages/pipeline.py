"""The pipeline: the stages from an archive to the batches that learners see, as a list."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from telex.stream.sources.source import Wire
from telex.stream.sources.stages.bias import AddBias
from telex.stream.sources.stages.check_records import CheckRecords
from telex.stream.sources.stages.duplicate_ids import DuplicateIds
from telex.stream.sources.stages.featurizer import AddProducts, Featurizer
from telex.stream.sources.stages.limit import Limit
from telex.stream.sources.stages.read_ahead import ReadAhead
from telex.stream.sources.stages.repeated_texts import RepeatedTexts
from telex.stream.sources.stages.revised_ids import RevisedIds
from telex.stream.sources.stages.scale import Scale
from telex.stream.sources.stages.skip_ahead import SkipAhead
from telex.stream.sources.stages.tokenised import Tokenise

if TYPE_CHECKING:
    from telex.stream.sources.source import Archive
    from telex.stream.sources.stages.stage import Stage
    from telex.stream.words import Words

REMEMBERED = 100_000
"""How many ids of a live source a position stores, by which the source resumes."""
_DISTINCT = 1_000_000
"""Among how many documents each id may come only once."""


def reading_stages(archive: Archive, *, ahead: bool, unique_ids: bool) -> list[Stage]:
    """Return the stages after which the documents of ``archive`` are what they are, whatever becomes of them."""
    stages = [
        not archive.checks_records and CheckRecords(archive),
        ahead and ReadAhead(),
        unique_ids and DuplicateIds(_DISTINCT, archive),
    ]
    return [stage for stage in stages if stage]


def _identities(archive: Archive) -> Stage | None:
    """Return the stage that knows the ids of an archive that cannot be read again."""
    if isinstance(archive, Wire):
        if archive.revisions is not None:
            return RevisedIds(archive, _DISTINCT)
        return DuplicateIds(_DISTINCT, archive, stored=True)
    return DuplicateIds(REMEMBERED, archive, stored=True) if archive.live else None


def make_pipeline(
    archive: Archive,
    words: Words,
    duplicates: str,
    scaling: str,
    *,
    bias: bool,
    wordless: bool,
    ahead: bool,
    unique_ids: bool,
) -> list[Stage]:
    """Return the stages that the documents of ``archive`` pass, first to last.

    The stages before the limit know no positions: a resumed run reads again what it has had, and skips it. So the ids
    of an archive that can be read again are compared there; those of a wire, which resumes at its place, behind the
    limit.
    """
    wire, ahead = isinstance(archive, Wire), ahead and not archive.is_quick
    featurizer = Featurizer(words, wordless=wordless)
    reading = reading_stages(archive, ahead=ahead, unique_ids=unique_ids)
    ids = next((stage.hashes for stage in reading if isinstance(stage, DuplicateIds)), None)
    stages: list[Stage | Literal[False] | None] = [
        *reading,
        SkipAhead(),
        Tokenise(words),
        ahead and ReadAhead(),
        Limit(archive, lambda: featurizer.number, None if wire or archive.live else ids),
        _identities(archive),
        RepeatedTexts(duplicates, lambda: featurizer.number),
        featurizer,
        Scale(archive, scaling),
        words.products and AddProducts(),
        bias and AddBias(),
        ahead and ReadAhead(),
    ]
    return [stage for stage in stages if stage]
