"""What the first records of topics would become, without a run."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from telex.adapters.formats.detection import Findings
from telex.adapters.kafka.consume.detected_format import SAMPLE, Detected
from telex.adapters.kafka.consume.held_records import HeldRecords
from telex.stream.sources import Arrivals, place_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from telex.adapters.kafka.consume.decoder import RecordDecoder
    from telex.adapters.kafka.consume.held_records import RecordBlock
    from telex.adapters.kafka.consume.record_format import RecordFormat
    from telex.adapters.kafka.fetch import RecordSet
    from telex.stream.sources import DeadLetter, Stories


class LookedDocument(NamedTuple):
    """A document as it would be learnt, and the place of its record."""

    place: str
    document: Stories


class LookedAnswer(NamedTuple):
    """An answer, and the id of its document."""

    id: str
    labels: Sequence[str]


@dataclass(frozen=True, slots=True)
class LookedTopics:
    """What was found about the format by the first records, and what the first of these would become."""

    findings: Findings
    items: Sequence[LookedDocument | LookedAnswer | DeadLetter]

    @classmethod
    def of(
        cls,
        sets: Sequence[RecordSet],
        decoder: RecordDecoder,
        count: int,
        *,
        whole: bool = False,
        asked: RecordFormat | None = None,
        labelled: bool = True,
    ) -> LookedTopics:
        """Return what the first ``count`` records become; ``sets`` are ``whole`` if the topics hold no others.

        The format is found by the first 200 documents, as in a run, beside what was ``asked``. While it leaves
        something open, no record is decoded.

        >>> from telex.adapters.kafka.consume.decoder import RecordDecoder
        >>> from telex.adapters.kafka.fetch import RecordSet
        >>> rows = [(7, 5000, b"k7", b'{"headline": "Gold", "content": "Gold fell."}'), (8, 5001, b"k8", b"{")]
        >>> found = LookedTopics.of([RecordSet.of(("news", 0), rows)], RecordDecoder(), 20)
        >>> found.findings.spec(), found.items[0].place, found.items[0].document.ids[0]
        ('jsonl:text=content,title=headline', 'news/0/7', 'k7')
        >>> print(found.items[1])
        news/0/8: Input data was truncated
        """
        block = _merged(sets)
        sample = decoder.documents_of(block.records())[:SAMPLE]
        found = Detected.of(sample, asked, decoder.values, labelled=labelled) if sample else None
        if found is None:
            name, given = (asked.name, dict(asked.settings)) if asked else ("jsonl", {})
            findings = Findings(name, records=len(sample), given=given)
        else:
            findings = found.findings
            decoder.settle(found.format)
        block = decoder.without_gone(block)
        items = [] if findings.questions else list(_items(decoder, block.select(np.arange(len(block)) < count)))
        return cls(replace(findings, whole=whole and len(sample) < SAMPLE), items)


def _merged(sets: Sequence[RecordSet]) -> RecordBlock:
    """Return the records that have values in the order of docs/live-wire.md."""
    table = sorted({some.partition for some in sets})
    held = HeldRecords(table)
    stamps, partitions, offsets = (list[np.ndarray[tuple[int], np.dtype[np.int64]]]() for _ in range(3))
    newest = dict.fromkeys(table, np.iinfo(np.int64).min)
    for some in sorted(sets, key=lambda one: (one.partition, int(one.offsets[0]))):
        held.add(some)
        stamps.append(np.maximum.accumulate(np.maximum(some.timestamps, newest[some.partition])))
        newest[some.partition] = int(stamps[-1][-1])
        partitions.append(np.full(len(some), table.index(some.partition), np.int64))
        offsets.append(some.offsets)
    empty = [np.empty(0, np.int64)]
    columns = [np.concatenate(one or empty) for one in (offsets, partitions, stamps)]
    block, _ = held.take(columns[1][np.lexsort(columns)].astype(np.int32))
    return block.select(block.value_sizes >= 0)


def _items(decoder: RecordDecoder, block: RecordBlock) -> Iterator[LookedDocument | LookedAnswer | DeadLetter]:
    records = deque(block.records())
    for item in decoder.of(block) if len(block) else ():
        if not isinstance(item, Arrivals):
            records.popleft()
            yield item
            continue
        answers = deque(zip(item.answers.rows.tolist(), item.answers.ids, item.answers.labels, strict=True))
        for row in range(len(item) + 1):
            while answers and answers[0][0] <= row:
                records.popleft()
                _, name, labels = answers.popleft()
                yield LookedAnswer(name, labels or ())
            if row < len(item):
                (topic, number), offset, *_ = records.popleft()
                yield LookedDocument(place_text(f"{topic}/{number}", None, offset), item.documents.rows(row, row + 1))
