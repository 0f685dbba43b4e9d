"""The reader of whole archives, for callers that need all documents at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from telex.learners.base import Batch, BrokenRecordError, Names, Strings, UsageError
from telex.stream.sources import Arrivals, CutStories, DeadLetter, Stories, as_archive, tokens_of
from telex.stream.sources.stages import CheckRecords, DuplicateIds, LabelEncoder, Repeats, row_fingerprints
from telex.stream.words import make_words

if TYPE_CHECKING:
    from collections.abc import Iterable


class GatheredDocuments:
    """The answered documents of archives, as ``stories`` or ``batches``, with counts of the rest and dead letters."""

    def __init__(
        self, text: dict[str, Any], duplicates: str, limit: int | None, strict: bool, unique_ids: bool
    ) -> None:
        if "fit" in text:
            raise UsageError(f"fit={text['fit']}: words are fitted on each training part here; leave it out")
        if text.get("vocabulary") == "bounded":
            raise UsageError("a bounded vocabulary forgets terms, but words are fitted here; give terms=N instead")
        self._text, self.settings = text, text
        self._limit, self._strict, self._unique_ids = limit, strict, unique_ids
        self._repeats = Repeats(duplicates)
        self._repeats.begin()
        self.stories: list[Stories | CutStories] = []
        self.batches: list[Batch] = []
        self.letters: list[DeadLetter] = []
        self.ends: list[int] = []
        self.answered = self.documents = 0
        self.scaling, self.dense = "none", False

    def read(self, archive: Iterable[Any]) -> None:
        """Read an archive to its end."""
        archive = as_archive(archive)
        self.settings = {**archive.text, **self._text}
        cutter = make_words({**self.settings, "fit": "1"})  # raises at once if the settings are wrong
        before = self.documents
        checked = CheckRecords(archive)(archive)
        for item in DuplicateIds(archive=archive)(checked) if self._unique_ids else checked:
            if isinstance(item, DeadLetter):
                self.letters.append(item)
                if self._strict:
                    raise BrokenRecordError(f"{item}; mend the record, or leave out strict")
                continue
            if isinstance(item, Arrivals):
                raise UsageError("answers come by themselves here; give documents that bring their labels")
            if isinstance(item, (Stories, CutStories)):
                prints = tokens_of(cutter, item).fingerprints
            elif self._text.keys() - {"products"}:
                raise UsageError(
                    "these documents come as features, not as text; of the settings of --text give products alone"
                )
            else:
                prints = row_fingerprints(item)
            for start, stop in self._repeats.stretches(prints, self.documents):
                left = stop - start if self._limit is None else self._limit - (self.documents - before)
                self._gather(item, start, min(stop, start + left))
            if self._limit is not None and self.documents - before >= self._limit:
                break
        self.ends.append(self.answered)
        self.scaling, self.dense = archive.scaling or "none", archive.dense

    def _gather(self, item: Stories | CutStories | Batch, start: int, stop: int) -> None:
        self.documents += stop - start
        if isinstance(item, Batch):
            rows = (np.flatnonzero(item.labelled[start:stop]) + start).astype(np.int32)
            self.answered += len(rows)
            self.batches.append(item.take(rows))
            return
        labels = item.labels
        answered = [row for row in range(start, stop) if labels[row] is not None]
        self.answered += len(answered)
        self.stories.append(item.take(answered))

    @property
    def duplicates(self) -> int:
        """How many documents repeat an earlier one under another id."""
        return self._repeats.count_up_to(self.documents)

    def batch(self) -> Batch:
        """Return all documents over one table of labels; stories have no features yet."""
        if self.stories and self.batches:
            raise UsageError("some documents come as texts and some as features; give one kind at a time")
        if not self.answered:
            raise UsageError("no document has an answer, so nothing can be learnt; give documents with labels")
        if any(one.feature_names is not self.batches[0].feature_names for one in self.batches):
            raise UsageError("each archive numbers its features by itself; read all documents as one archive")
        if len({getattr(one, "terms", None) for one in self.stories}) > 1:
            raise UsageError("each archive numbers its words by itself; read all documents as one archive")
        return Batch.concat(self.batches) if self.batches else _of(self.stories)


def _of(stories: list[Stories | CutStories]) -> Batch:
    """Return stories as a batch without features."""
    ids = LabelEncoder()
    label_indptr, labels, labelled = ids.rows([one for part in stories for one in part.labels])
    n = len(labelled)
    return Batch(
        indptr=np.zeros(n + 1, np.int64),
        features=np.zeros(0, np.int32),
        values=np.zeros(0, np.float32),
        label_indptr=label_indptr,
        labels=labels,
        labelled=labelled,
        ids=Strings.of(name for part in stories for name in part.ids),
        times=np.concatenate([part.times for part in stories]),
        numbers=np.arange(n, dtype=np.int64),
        feature_names=Names(),
        label_names=ids.names,
    )
