"""The documents of an archive that are not published yet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from telex.adapters.kafka.publish.progress import recent_keys
from telex.learners.base import UsageError
from telex.stream.sources import Archive, DeadLetter

if TYPE_CHECKING:
    from collections.abc import Iterator

    from telex.adapters.kafka.publish.publisher import Publisher

_REMEMBERED = 100_000


class SkipPublished(Archive):
    """The documents of ``archive`` that ``wire`` has not published before.

    It reads an archive again, and skips as many documents as were published. A feed cannot be read again: of its
    entries, it skips those whose ids are among the last 100,000 records of the topic, and still publishes their labels
    if the topic of labels does not have them.
    """

    def __init__(self, archive: Archive, wire: Publisher) -> None:
        self.archive, self.wire = archive, wire
        self.title, self.live = archive.title, archive.live

    @property
    def share_read(self) -> float | None:
        """How much of the archive is read, from 0 to 1; None if unknown."""
        return self.archive.share_read

    def __iter__(self) -> Iterator[Any]:
        done = self.wire.documents
        if done and self.archive.live:
            yield from self._unknown()
            return
        left = done
        for item in self.archive:
            if not left:
                yield item
            elif not isinstance(item, DeadLetter) and len(item):
                count = min(left, len(item))
                self.wire.recall(item.rows(0, count))
                left -= count
                if not left:
                    self.wire.check_recalled(item.ids[count - 1])
                    if count < len(item):
                        yield item.rows(count, len(item))
        if left:
            raise UsageError(
                f"the archive has {done - left:,} documents, and {done:,} were published; name the archive that was "
                "begun, or begin another with --name"
            )

    def _unknown(self) -> Iterator[Any]:
        target, brokers = self.wire.target, self.wire.brokers
        known = recent_keys(brokers, target.topic, _REMEMBERED)
        answered = recent_keys(brokers, target.labels_topic, _REMEMBERED) if target.labels_topic else known
        for item in self.archive:
            if isinstance(item, DeadLetter) or not len(item):
                yield item
                continue
            start = 0
            for row, name in enumerate(item.ids):
                if name in known:
                    if row > start:
                        yield item.rows(start, row)
                    if name not in answered:
                        self.wire.recall(item.rows(row, row + 1))
                        answered.add(name)
                    start = row + 1
            if start < len(item):
                yield item.rows(start, len(item))
