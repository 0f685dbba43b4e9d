"""A step in which documents are answered later than they were asked about."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from telex.learners.losses import judge
from telex.stream.delayed_labels.pending import Found, said
from telex.stream.delayed_labels.pending_block import Said
from telex.stream.delayed_labels.step_input import StepInput

if TYPE_CHECKING:
    from telex.learners.base import Batch, Flags, Ids, Offsets, Predictions
    from telex.learners.losses import Judged
    from telex.stream.delayed_labels.delay_queue import DelayQueue
    from telex.stream.delayed_labels.pending import Waiting


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
class LateStep(StepInput):
    """A stretch in which documents are answered later than they were asked about.

    ``places`` are the places of the answered documents in the stream, ``scored`` tells first answers from corrections,
    ``now`` is how many documents had come when each was answered.
    """

    late: DelayQueue = field(kw_only=True)
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
        """Return the documents that were answered for the first time, and their places."""
        return self.batch.take(self._first.rows), self._first.places

    def done(self) -> None:
        """Keep the predictions for the answers that come later."""
        self.late.done(self)
