"""Reuters-21578 in its ModApte split, prepared as the papers of its time did."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from telex.adapters.formats import Reuters21578
from telex.adapters.reproductions.catalogue import collection
from telex.learners.base import Batch, UsageError
from telex.stream.sources import Features, Stories

if TYPE_CHECKING:
    import os

    from telex.learners.base import Ids

TEXT = "weight=binary,tokens=letters,stop=smart,stem=porter"
"""Presence of stems: title and body without dateline, all of the text where there is neither tag."""


class Parts(NamedTuple):
    """The training and the test documents, in order of id."""

    train: Batch
    test: Batch

    @property
    def terms(self) -> int:
        """How many terms the training documents have."""
        return len(self.train_terms)

    @property
    def train_terms(self) -> Ids:
        """The ids of the terms that training documents have."""
        return np.unique(self.train.features[int(self.train.indptr[0]) : int(self.train.indptr[-1])])

    @property
    def categories(self) -> Ids:
        """The ids of the labels that occur in training documents."""
        return np.unique(self.train.labels[int(self.train.label_indptr[0]) : int(self.train.label_indptr[-1])])


def modapte(data: str | os.PathLike[str]) -> Parts:
    """Read the split of the collection in ``data``."""
    folder = str(collection(data, "reuters21578", "*.sgm*"))
    first = Reuters21578(folder, split="modapte-train", order="id")
    training = {id_ for stories in first if isinstance(stories, Stories) for id_ in stories.ids}
    features = Features(Reuters21578(folder, split="modapte", order="id"), text=TEXT)
    batches = [batch for batch in features if isinstance(batch, Batch)]
    if not training or not batches:
        raise UsageError(f"{folder} has no document of the ModApte split; give all files of the collection")
    whole = Batch.concat(batches)
    trains = np.array([id_ in training for id_ in whole.ids])
    return Parts(*(whole.take(np.flatnonzero(part).astype(np.int32)) for part in (trains, ~trains)))
