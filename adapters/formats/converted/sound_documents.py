"""The documents of an archive that a run would learn from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from telex.stream.sources import Archive, DeadLetter
from telex.stream.sources.stages import reading_stages

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class SoundDocuments(Archive):
    """The documents of an archive, where records beyond the budget and ids that come again are dead letters too."""

    def __init__(self, archive: Archive) -> None:
        self.archive, self.title, self.live = archive, archive.title, archive.live
        self.dead_letters = 0
        """How many came so far."""

    def __iter__(self) -> Iterator[Any]:
        items: Iterable[Any] = self.archive
        for stage in reading_stages(self.archive, ahead=True, unique_ids=True):
            items = stage(items)
        for item in items:
            self.dead_letters += isinstance(item, DeadLetter)
            yield item

    @property
    def share_read(self) -> float | None:
        """How much of the archive is read, from 0 to 1; None if unknown."""
        return self.archive.share_read
