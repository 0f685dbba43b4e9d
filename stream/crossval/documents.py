"""All documents of an archive at hand, whose words can be counted in any part of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.learners.batch import Batch
from telex.learners.errors import BrokenRecordError, UsageError
from telex.learners.names import Names
from telex.learners.strings import Strings
from telex.stream.deadletter import DeadLetter
from telex.stream.features import text_settings
from telex.stream.label_ids import LabelIds
from telex.stream.products import Products
from telex.stream.repeats import Repeats, row_fingerprints
from telex.stream.rows import joined, picked
from telex.stream.stories import Stories
from telex.stream.words.settings import words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from telex.learners.arrays import Ids
    from telex.stream.source import Archive


@dataclass(frozen=True, slots=True, eq=False)
class Documents:
    """The answered documents of one or more archives, in their order, in memory.

    ``batch`` has their answers, ids and times, and their features where they came as such; ``titles`` and ``texts`` are
    those of stories, empty otherwise. ``ends`` tells after how many documents each archive ended. ``unlabelled`` counts
    documents without an answer, ``duplicates`` stories told before under another id, ``letters`` are the records that
    could not be read: all of those but duplicates that are kept are not among the documents.
    """

    batch: Batch
    titles: list[str]
    texts: list[str]
    ends: tuple[int, ...]
    settings: dict[str, Any]
    unlabelled: int
    duplicates: int
    letters: tuple[DeadLetter, ...]

    def __len__(self) -> int:
        return len(self.batch)

    @classmethod
    def read(
        cls,
        *archives: Archive,
        text: str | Mapping[str, Any] = "",
        duplicates: str = "keep",
        limit: int | None = None,
        strict: bool = False,
    ) -> Documents:
        """Read ``archives`` to their ends, or to the first ``limit`` documents of each.

        ``text`` are settings of :class:`~telex.stream.words.Words`; ``fit`` is not among them, as each part is counted
        by itself, and no vocabulary is bounded, as nothing is forgotten here.

        >>> from telex.stream.stories import Story, StoryBuilder
        >>> stories = StoryBuilder()
        >>> for name, text, labels in [("1", "Gold falls", ["metals"]), ("2", "Cup", None), ("3", "Wheat", ["grain"])]:
        ...     stories.add(Story(name, text, labels=labels))
        >>> documents = Documents.read([stories.take()], text="weight=tf")
        >>> list(documents.batch.ids), documents.unlabelled
        (['1', '3'], 1)
        >>> list(documents.features(np.array([0])).feature_names)
        ['fall', 'gold']
        """
        reader = _Reader(text_settings(text), duplicates, limit, strict)
        for archive in archives:
            reader.read(archive)
        return reader.taken()

    def features(self, train: Ids) -> Batch:
        """Return all documents with the features that are known from the rows ``train``.

        Vocabulary and frequencies are counted in those rows alone, as of a fit; terms that no one of them has are
        passed over. Features that came as such are as they came.
        """
        if not self.texts:
            return Products()(self.batch) if _products(self.settings) else self.batch
        made = words({**self.settings, "fit": str(len(train))})
        tokens = made.tokenise(self.titles, self.texts)
        starts = train[np.diff(train, prepend=-2) != 1]
        stops = train[np.diff(train, append=-2) != 1] + 1
        for start, stop in zip(starts.tolist(), stops.tolist(), strict=True):
            made.fit_on(tokens, start, stop)
        made.settle()
        rows = made.features(tokens, 0, len(self), False)
        batch = replace(
            self.batch,
            indptr=rows.indptr,
            features=rows.features,
            values=rows.values,
            feature_names=made.feature_names,
        )
        return Products()(batch) if made.products else batch


class _Reader:
    """Gathers what archives tell."""

    def __init__(self, given: dict[str, Any], duplicates: str, limit: int | None, strict: bool) -> None:
        if "fit" in given:
            raise UsageError(f"fit={given['fit']}: words are fitted on each training part here; leave it out")
        if given.get("vocabulary") == "bounded":
            raise UsageError("a bounded vocabulary forgets on the way, a fitted one does not; give terms=N for it")
        self.given, self.settings, self.limit, self.strict = given, given, limit, strict
        self.repeats = Repeats(duplicates)
        self.repeats.begin()
        self.stories: list[Stories] = []
        self.batches: list[Batch] = []
        self.letters: list[DeadLetter] = []
        self.ends: list[int] = []
        self.answered = self.documents = 0

    def read(self, archive: Archive) -> None:
        """Read an archive to its end."""
        self.settings = {**getattr(archive, "text", {}), **self.given}
        cut = words({**self.settings, "fit": "1"})  # says at once what is wrong with them
        before = self.documents
        for item in archive:
            if isinstance(item, DeadLetter):
                self.letters.append(item)
                if self.strict:
                    raise BrokenRecordError(f"{item}; mend the record, or leave out strict")
                continue
            if isinstance(item, Stories):
                prints = cut.tokenise(item.titles, item.texts).fingerprints
            elif self.given.keys() - {"products"}:
                raise UsageError("these documents come as features, not as text; leave out --text, but for products")
            else:
                prints = row_fingerprints(item)
            for start, stop in self.repeats.stretches(prints, self.documents):
                left = stop - start if self.limit is None else self.limit - (self.documents - before)
                self._take(item, start, min(stop, start + left))
            if self.limit is not None and self.documents - before >= self.limit:
                break
        self.ends.append(self.answered)

    def _take(self, item: Stories | Batch, start: int, stop: int) -> None:
        self.documents += stop - start
        if isinstance(item, Batch):
            rows = (np.flatnonzero(item.labelled[start:stop]) + start).astype(np.int32)
            self.answered += len(rows)
            self.batches.append(picked(item, rows))
            return
        told = [row for row in range(start, stop) if item.labels[row] is not None]
        self.answered += len(told)
        self.stories.append(item.picked(told))

    def taken(self) -> Documents:
        """Return all of it."""
        if self.stories and self.batches:
            raise UsageError("some documents come as texts and some as features; give one kind at a time")
        if not self.answered:
            raise UsageError("no document has an answer, so that nothing can be learnt; give documents with labels")
        if any(one.feature_names is not self.batches[0].feature_names for one in self.batches):
            raise UsageError("features of several archives are numbered apart; read all documents as one archive")
        texts = [text for one in self.stories for text in one.texts]
        batch = joined(self.batches) if self.batches else _of(self.stories)
        return Documents(
            replace(batch, numbers=np.arange(len(batch), dtype=np.int64)),
            [title for one in self.stories for title in one.titles],
            texts,
            tuple(self.ends),
            self.settings,
            self.documents - self.answered,
            self.repeats.among(self.documents),
            tuple(self.letters),
        )


def _of(stories: list[Stories]) -> Batch:
    """Return stories as a batch, as yet without features."""
    ids = LabelIds()
    label_indptr, labels, labelled = ids.rows([one for part in stories for one in part.labels])
    n = len(labelled)
    return Batch(
        np.zeros(n + 1, np.int64),
        np.zeros(0, np.int32),
        np.zeros(0, np.float32),
        label_indptr,
        labels,
        labelled,
        Strings.of(name for part in stories for name in part.ids),
        np.concatenate([part.times for part in stories]),
        np.arange(n, dtype=np.int64),
        Names(),
        ids.names,
    )


def _products(settings: Mapping[str, Any]) -> bool:
    return words({name: value for name, value in settings.items() if name == "products"}).products
