"""The features of documents as of a checkpoint: the vocabulary is frozen there."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.learners.base import Batch, BatchBuilder, Names, Strings, UsageError
from telex.stream.sources.cut_stories import tokens_of
from telex.stream.sources.stages import Bias, FeatureProducts, Renumbering, Scaler, factors
from telex.stream.sources.stories import Story, StoryBuilder
from telex.stream.words import Words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from telex.learners.base import State
    from telex.stream.checkpoints import Snapshot
    from telex.stream.sources.cut_stories import CutStories
    from telex.stream.sources.stories import Stories


class FrozenFeatures:
    """Makes the features of documents as of a checkpoint: it counts no words, and leaves out new ones.

    They are scaled as the run scales them, by what it had met there.

    In a run without words, features that the run had never met are numbered as the run would number them: to a learner
    an unknown feature is not the same as no feature. Documents are numbered from the first that the run had not read,
    plus ``ahead``, so that equal scores are ordered as in the run. With ``apart`` each document gets the number that it
    would have alone, so that its prediction does not depend on those beside it.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        source = source_state(snapshot.part("reading", "source"))
        self.words: Words | None = None
        if source is not None and source["words"] is not None:
            self.words = Words(**source["text"])
            self.words.load(source["words"])
            self._tables = Renumbering(self.words.feature_names, Names(), growing=False)
        else:
            self._tables = Renumbering(base_names(source, snapshot.part("features")), Names())
        self._products = FeatureProducts() if source is not None and source["text"]["products"] else None
        self._bias = Bias() if source is not None and source.get("bias") else None
        scaling = None if source is None else source.get("scaling")
        self._scaler = None if scaling is None else Scaler.of(scaling)
        self._first = int(snapshot.part("reading", "counts")[0])

    @property
    def bias(self) -> bool:
        """Whether each document has one more feature, the bias."""
        return self._bias is not None

    def name(self, feature: int) -> str:
        """Return the name of a feature."""
        if self._bias is not None:
            if not feature:
                return str(self._bias.feature_names[0])
            feature -= 1
        parts = (feature,) if self._products is None else factors(feature)
        return "*".join(str(self._tables.feature_names[part]) for part in parts)

    def text(self, text: str, title: str = "") -> Batch:
        """Return a text as a batch of one document."""
        stories = StoryBuilder()
        stories.add(Story("", text, title))
        return self.stories(stories.take())

    def stories(self, stories: Stories | CutStories, ahead: int = 0, *, apart: bool = False) -> Batch:
        """Return texts as a batch."""
        if self.words is None:
            raise UsageError("this run learnt from features, not from texts; give it documents with features")
        tokens = tokens_of(self.words, stories)
        rows = self.words.features(tokens, 0, len(stories), False)
        batch = replace(
            BatchBuilder().take(),
            indptr=rows.indptr,
            features=rows.features,
            values=rows.values,
            counts=rows.counts,
            ids=stories.ids,
            times=stories.times,
            feature_names=self._tables.feature_names,
        )
        return self._finished(batch, ahead, apart=apart)

    def features(self, features: Mapping[Any, float]) -> Batch:
        """Return a dict of features as a batch of one document."""
        builder = BatchBuilder()
        builder.add(features, None)
        return self.batch(replace(builder.take(), ids=Strings.of([""])))

    def batch(self, batch: Batch, ahead: int = 0, *, apart: bool = False) -> Batch:
        """Return the documents of a batch that numbers its features by a table of its own."""
        return self._finished(batch, ahead, apart=apart)

    def _finished(self, batch: Batch, ahead: int, *, apart: bool) -> Batch:
        count, first = len(batch), self._first + ahead
        batch = replace(
            batch,
            label_indptr=np.zeros(count + 1, np.int64),
            labels=np.zeros(0, np.int32),
            labelled=np.zeros(count, np.bool_),
            numbers=np.full(count, first) if apart else np.arange(first, first + count, dtype=np.int64),
            label_names=self._tables.label_names,
        )
        if batch.feature_names is not self._tables.feature_names:
            batch = self._tables(batch)
        if self._scaler is not None:
            batch = self._scaler(batch, 0)
        if self._products is not None:
            batch = self._products(batch)
        return batch if self._bias is None else self._bias(batch)


def source_state(state: State | None) -> State | None:
    """Return the state of the stage that makes features, which may lie inside that of a stage around it."""
    while state is not None and "words" not in state:
        state = state.get("source")
    return state


def base_names(source: State | None, features: State | None) -> Names:
    """Return the names of the features of a run without words, by the ids that they had before products were added.

    ``features`` are the names in its batches, in which each feature comes before its products: a, a*a, b, a*b, b*b, c.
    """
    if source is not None and source["tables"] is not None:
        return Names.of(source["tables"]["features"])
    names = Names() if features is None else Names.of(features)
    if source is not None and source.get("bias"):
        names = Names(list(names)[1:])
    if source is None or not source["text"]["products"]:
        return names
    base, at = Names(), 0
    while at < len(names):
        base.id(names[at])
        at += len(base) + 1  # past its products with all features so far, itself included
    return base
