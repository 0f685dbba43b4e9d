"""A stretch of the stream: who is asked, what is answered, and what is scored, in their order."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from telex.learners.base import undelayed
from telex.learners.losses import judge
from telex.stream.delayed_labels.pending import Found, said
from telex.stream.delayed_labels.pending_block import Said

if TYPE_CHECKING:
    from telex.learners.base import Batch, Flags, Ids, Offsets, Predictions
    from telex.learners.losses import Judged
    from telex.stream.delayed_labels.delay_queue import Late
    from telex.stream.delayed_labels.pending import Waiting


@dataclass(slots=True)
class Work:
    """What learners go through at a time.

    ``documents`` are those asked about, ``asks`` the same without what is not yet known of them. ``batch`` and
    ``steps`` are the :class:`~telex.learners.base.Events` of the learners. Where answers come at once that is
    all: ``batch`` is ``documents``. Else the first rows of ``batch`` are the answered documents, ``told`` by place, and
    those asked follow. ``base`` is the place in the stream of the first document asked about.
    """

    documents: Batch
    asks: Batch
    batch: Batch
    steps: Ids | None = None
    base: int = 0

    def when(self) -> Offsets:
        """Return, for each answer in order, how many documents had come by then."""
        return self.base + 1 + np.flatnonzero(self.batch.labelled)

    def before(self) -> Offsets:
        """Return, for each document asked about, how many of the answers come before it."""
        steps = undelayed(self.batch) if self.steps is None else self.steps
        asks: Offsets = np.flatnonzero(steps >= 0)
        return asks - np.arange(len(asks))

    def scores(self) -> slice | Flags:
        """Tell which of the answers are scored."""
        return slice(None)

    def order(self) -> Ids:
        """Return asks (0 and above) and scored answers (below) in their order."""
        return undelayed(self.batch)

    def asked(self, predictions: Predictions) -> Predictions:
        """Return the predictions of ``documents``, of all that a learner said."""
        return predictions

    def judged(self, learner: int, predictions: Predictions) -> Judged:
        """Hold what the learner of that number said against the answers that came."""
        return judge(predictions, self.batch)

    def answered(self) -> tuple[Batch, Offsets | None]:
        """Return the documents that were answered and scored, and their places; None: as they come."""
        return self.batch, None

    def done(self) -> None:
        """Be told that all learners have gone through it."""


class _First(NamedTuple):
    """First answers: their rows and places, which are of documents just asked about, and which of some that waited."""

    rows: Ids
    places: Offsets
    new: Offsets
    asks: Offsets
    old: Ids
    found: list[Found]
    numbers: Offsets


@dataclass(slots=True)
class LateWork(Work):
    """Work in which documents are answered later than they were asked about.

    ``places`` are the places of the answered documents in the stream, ``scored`` tells first answers from corrections,
    ``now`` is how many documents had come when each was answered.
    """

    late: Late = field(kw_only=True)
    waiting: Waiting = field(kw_only=True)
    places: Offsets = field(kw_only=True)
    scored: Flags = field(kw_only=True)
    now: Offsets = field(kw_only=True)
    said: dict[int, Predictions] = field(default_factory=dict)
    _first: _First = field(init=False)

    def __post_init__(self) -> None:
        rows = np.flatnonzero(self.scored).astype(np.int32)
        places = self.places[rows]
        new, old = np.flatnonzero(places >= self.base), np.flatnonzero(places < self.base).astype(np.int32)
        found = self.waiting.find(places[old]) if len(old) else []
        self._first = _First(rows, places, new, places[new] - self.base, old, found, self.batch.numbers[rows])

    def when(self) -> Offsets:
        """Return, for each answer in order, how many documents had come by then."""
        return self.now

    def scores(self) -> slice | Flags:
        """Tell first answers from corrections."""
        return self.scored

    def order(self) -> Ids:
        """Return asks (0 and above) and scored answers (below) in their order."""
        assert self.steps is not None
        kept = self.steps >= 0
        kept[~kept] = self.scored[~self.steps[~kept]]
        return self.steps[kept]

    def asked(self, predictions: Predictions) -> Predictions:
        """Return the predictions of ``documents``, in terms of their own rows and labels."""
        rows = np.arange(len(self.documents), dtype=np.int32)
        return replace(predictions, rows=rows, columns=self.documents.label_names.columns(predictions.labels))

    def judged(self, learner: int, predictions: Predictions) -> Judged:
        """Hold what was said when each answered document came against its first answer."""
        self.said[learner] = predictions
        first, width = self._first, max(1, predictions.scores.shape[1])
        count = len(first.rows)
        then = Said(np.zeros((count, width), np.float32), np.zeros((count, width), np.bool_), np.zeros(count, np.int32))
        if len(first.new):
            then.scores[first.new], then.relevant[first.new] = (
                predictions.scores[first.asks],
                predictions.relevant[first.asks],
            )
            then.known[first.new] = predictions.known[first.asks]
        said(first.found, learner, then, first.old)
        return judge(replace(predictions, **then._asdict(), rows=first.rows, numbers=first.numbers), self.batch)

    def answered(self) -> tuple[Batch, Offsets | None]:
        """Return the rows that were told for the first time."""
        return self.batch.take(self._first.rows), self._first.places

    def done(self) -> None:
        """Have what was said held for the answers that come later."""
        self.late.done(self)
