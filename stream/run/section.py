"""A section of a run: the documents of one pass that are learnt, or those that only test."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import numpy as np

from telex.learners.base import Names, with_room
from telex.learners.losses import label_counts as counts
from telex.stream.curves import Point
from telex.stream.run.set_aside import SetAside

if TYPE_CHECKING:
    from collections.abc import Mapping

    from telex.learners import Learner
    from telex.learners.base import Batch, Offsets, State
    from telex.stream.curves import Curve, Figures


@dataclass(slots=True)
class Section:
    """Counts and curves of one section.

    ``features`` is the size of the table of features, as far as the documents need it; ``first_seen`` has, by label id,
    the first document that truly has the label, counted from 1. The newest point is at document ``last_point``;
    ``ends_at`` is the document after which the test begins, None while it is not known.
    """

    name: Literal["train", "test"]
    epoch: int
    curves: dict[str, Curve]
    start: int = 0
    documents: int = 0
    answered: int = 0
    features: int = 0
    newest: float = math.nan
    label_names: Names = field(default_factory=Names)
    first_seen: Offsets = field(default_factory=lambda: np.zeros(0, np.int64))
    last_point: int = 0
    ends_at: int | None = None

    def count(self, batch: Batch) -> None:
        """Count the documents of ``batch``."""
        self.documents += len(batch)
        features = batch.features[batch.indptr[0] : batch.indptr[-1]]
        self.features = max(self.features, int(features.max(initial=-1)) + 1)
        self.newest = float(np.fmax.reduce(batch.times, initial=self.newest))

    def point(self, learners: Mapping[str, Learner]) -> Point:
        """Add a point to each curve whose learner is not set aside, and return it."""
        figures = {
            name: curve.point(self.documents, self.newest, self.labels_of(curve, learners[name]))
            for name, curve in self.curves.items()
            if not isinstance(learners[name], SetAside)
        }
        scored = max(curve.docs for curve in self.curves.values())
        self.last_point = self.documents
        return Point(self.name, self.epoch, self.documents, scored, self.time, figures)

    @property
    def time(self) -> float | None:
        """The newest time of a document; None if none had one."""
        return None if math.isnan(self.newest) else self.newest

    def so_far(self, learners: Mapping[str, Learner]) -> dict[str, Figures]:
        """Return each learner's cumulative figures; a learner that was set aside before has none."""
        return {
            name: curve.so_far(self.labels_of(curve, learners[name]))
            for name, curve in self.curves.items()
            if curve.docs or not isinstance(learners[name], SetAside)
        }

    def labels_of(self, curve: Curve, learner: Learner) -> int:
        """Return how many labels the learner knows or should have known."""
        tp, _, fn = counts.columns(curve.counts)
        own, names = learner.labels, list(self.label_names)
        return len(own) + len({names[i] for i in np.flatnonzero(tp + fn).tolist()}.difference(own))

    def count_answers(self, batch: Batch, places: Offsets | None = None) -> None:
        """Count the answers of ``batch``; its documents have these places in the section, the last ones if None."""
        self.label_names = batch.label_names
        self.answered += int(np.count_nonzero(batch.labelled))
        labels = batch.labels[batch.label_indptr[0] : batch.label_indptr[-1]]
        if not len(labels):
            return
        self.first_seen = with_room(self.first_seen, int(labels.max()) + 1, 0)
        unseen = self.first_seen[labels] == 0
        if (
            places is None
        ):  # in the order of the stream: a label that was seen before cannot have an earlier document here
            if not unseen.any():
                return
            places = np.arange(self.documents - len(batch), self.documents)
        self.first_seen[labels[unseen]] = np.iinfo(np.int64).max
        np.minimum.at(self.first_seen, labels, np.repeat(places + 1, np.diff(batch.label_indptr)))

    def save(self) -> State:
        """Return the state."""
        return {
            "name": self.name,
            "epoch": self.epoch,
            "counts": [self.documents, self.answered, self.features, self.start],
            "newest": np.array([self.newest]),
            "labels": self.label_names.save(),
            "first_seen": self.first_seen.copy(),
            "curves": {name: curve.save() for name, curve in self.curves.items()},
        }

    def load(self, state: State) -> None:
        """Restore what :meth:`save` returned."""
        self.documents, self.answered, self.features, self.start = map(int, state["counts"])
        self.newest = float(state["newest"][0])
        self.label_names, self.first_seen = Names.of(state["labels"]), state["first_seen"]
        for name, curve in self.curves.items():
            curve.load(state["curves"][name])
