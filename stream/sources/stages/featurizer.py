"""From stories and rows of features to the batches that learners see."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.learners.base import Batch, Forget, Names, UsageError
from telex.stream.sources.arrivals import Arrivals
from telex.stream.sources.cut_stories import CutStories
from telex.stream.sources.dead_letter import DeadLetter
from telex.stream.sources.stages.feature_products import FeatureProducts
from telex.stream.sources.stages.label_encoder import LabelEncoder
from telex.stream.sources.stages.renumber import Renumbering
from telex.stream.sources.stages.stage import Stage
from telex.stream.sources.stages.tokenised import Tokenised

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from telex.learners.base import Flags, Ids, Offsets, State, Strings
    from telex.stream.sources.stages.repeated_texts import Repeats
    from telex.stream.sources.stories import Stories
    from telex.stream.sources.train_test import Boundary
    from telex.stream.words import Words

_TITLED = 8
"""How many batches have their titles in memory: more than may be read ahead."""


class Featurizer(Stage):
    """Counts and weighs the words of stories, encodes their labels, and numbers the documents of a pass.

    Words are counted until the test part begins (``test_after``); in later passes, and if they were fitted ahead of the
    stream, the counts are fixed. Rows of features pass unchanged, or renumbered in a run that begins with the tables of
    another. ``wordless`` means that no settings of words were given, so that rows of features are allowed.
    """

    name, takes, gives = "count and weigh", "Tokenised", "Batch"
    summary = "count and weigh words, number the labels"

    def __init__(self, words: Words, *, wordless: bool) -> None:
        self.words, self._wordless = words, wordless
        self.test_after: Boundary | None = None
        self.number = 0
        """How many documents of the pass have come here: the stream number of the next."""
        self.fitted = False
        self._has_words = self._counting = False
        self._labels = LabelEncoder()
        self._tables: Renumbering | None = None
        self._titles: deque[tuple[int, Sequence[str] | Strings]] = deque(maxlen=_TITLED)

    def begin(self, *, first: bool) -> None:
        """Begin a pass; words are counted in the first only."""
        self.number, self._counting = 0, first and not self.fitted

    def title_of(self, number: int) -> str:
        """Return the title of a recent document by its stream number, else ""; any thread may call."""
        for first, titles in list(self._titles):
            if 0 <= number - first < len(titles):
                return titles[number - first]
        return ""

    def each(self, item: Any) -> Iterator[Batch | Arrivals[Batch]]:
        """Yield the documents as batches, in two where the test part begins among them."""
        documents = item.documents if isinstance(item, Arrivals) else item
        if isinstance(documents, Tokenised):
            self._has_words = self._has_words or len(documents) > 0
            if self._tables:
                raise UsageError("these documents are texts, but the learners know features; give documents with those")
            rows = self._training_rows(documents)
            if rows is not None:
                if 0 < rows < len(documents):
                    yield self._to_batch(item.rows(0, rows))
                    item = item.rows(rows, len(documents))
                self._counting = self._counting and rows == len(documents)
                yield self._to_batch(item)
                self._counting = False
                return
        elif len(documents) and not self._wordless:
            raise no_text()
        yield self._to_batch(item)

    def _training_rows(self, documents: Tokenised) -> int | None:
        if not self._counting or self.test_after is None or not len(documents):
            return None
        return self.test_after.training_rows(documents.stories, self.number)

    def _to_batch(self, item: Any) -> Batch | Arrivals[Batch]:
        documents = item.documents if isinstance(item, Arrivals) else item
        batch = self._of_stories(documents) if isinstance(documents, Tokenised) else self._of_batch(documents)
        self.number += len(batch)
        rides = isinstance(item, Arrivals) and (len(item.answers) or len(item.revised))
        return replace(item, documents=batch) if rides else batch

    def _of_batch(self, batch: Batch) -> Batch:
        if len(batch) and batch.numbers[0] != self.number:
            batch = replace(batch, numbers=self._numbers(len(batch)))
        return self._tables(batch) if self._tables else batch

    def _of_stories(self, documents: Tokenised) -> Batch:
        stories, start = documents.stories, documents.start
        rows = self.words.features(documents.tokens, start, start + len(documents), self._counting)
        self._titles.append((self.number, stories.titles))
        label_indptr, labels, labelled = self._labels_of(stories)
        return Batch(
            indptr=rows.indptr,
            features=rows.features,
            values=rows.values,
            label_indptr=label_indptr,
            labels=labels,
            labelled=labelled,
            ids=stories.ids,
            times=stories.times,
            numbers=self._numbers(len(documents)),
            feature_names=self.words.feature_names,
            label_names=self._labels.names,
            forget=Forget(rows.forget_rows, rows.forget_features) if len(rows.forget_rows) else None,
            counts=rows.counts,
        )

    def _labels_of(self, stories: Stories | CutStories) -> tuple[Offsets, Ids, Flags]:
        if not isinstance(stories, CutStories):
            return self._labels.rows(stories.labels)
        ends = stories.label_indptr
        ids = self._labels.renumbered(stories.label_ids[ends[0] : ends[-1]], stories.label_names)
        return ends - ends[0], ids, stories.labelled

    def _numbers(self, count: int) -> Offsets:
        return np.arange(self.number, self.number + count, dtype=np.int64)

    # -- words that are counted ahead

    def fit(self, items: Iterable[Any], until: Boundary, repeats: Repeats, ending: Callable[[], bool]) -> bool:
        """Count the words up to a boundary; return False if the fit was ended before it reached the boundary."""
        repeats.begin(counting=False)
        number = 0
        for item in items:
            if ending():
                return False
            if isinstance(item, DeadLetter):
                continue
            documents = item.documents if isinstance(item, Arrivals) else item
            if not isinstance(documents, Tokenised):
                raise no_text()
            for start, stop in repeats.stretches(documents.fingerprints, number):
                rows = until.training_rows(documents.stories.rows(start, stop), number)
                self.words.fit_on(documents.tokens, start, stop if rows is None else start + rows)
                number += stop - start
                if rows is not None:
                    self.words.settle()
                    self.fitted = self._has_words = True
                    return True
        if ending():
            return False
        raise UsageError(f"fit={self.words.fit}: the stream ends before that; give a smaller number or an earlier date")

    # -- positions

    def save(self) -> State:
        """Return the words, the labels and the count of the pass."""
        return {
            "number": self.number,
            "fitted": self.fitted,
            "counting": self._counting,
            "labels": self._labels.names.save(),
            "text": self.words.settings,
            "words": self.words.save() if self._has_words else None,
            "tables": None if self._tables is None else self._tables.save(),
        }

    def load(self, state: State) -> State:
        """Restore what :meth:`save` returned, within a pass."""
        self.number = int(state["number"])
        self.fitted, self._counting = bool(state["fitted"]), bool(state["counting"])
        self._labels = LabelEncoder(Names.of(state["labels"]))
        self._tables = None if state["tables"] is None else Renumbering.of(state["tables"])
        self._load_words(state)
        return state

    def begin_from(self, state: State | None, tables: Renumbering) -> None:
        """Begin a new stream with the words that another source had at a position.

        If that had features without words, ``tables`` has their names.
        """
        self._labels = LabelEncoder(tables.label_names)
        self.fitted = state is not None and bool(state["fitted"])
        if state is None or state["words"] is None:
            self._tables = tables
        else:
            self._load_words(state)

    def _load_words(self, state: State) -> None:
        if state["words"] is not None:
            self.words.load(state["words"])
            self._has_words = True


class AddProducts(Stage):
    """Adds the products of any two features of each document."""

    name, takes, gives = "products", "Batch", "Batch"
    summary = "add the product of any two features"

    def __init__(self) -> None:
        self._products = FeatureProducts()

    def each(self, item: Any) -> Iterator[Any]:
        """Yield the documents with the products of their features."""
        if isinstance(item, Arrivals):
            yield replace(item, documents=self._products(item.documents))
        else:
            yield self._products(item)


def no_text() -> UsageError:
    """Return the error for settings of words where documents have no text."""
    return UsageError("these documents come as features, not as text; leave out --text, or all of it but products")
