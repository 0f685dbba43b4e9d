"""A step in which documents are answered later than they were asked about."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from telex.learners.losses import judge
from telex.stream.delayed_labels.pending import Found, fill_predictions
from telex.stream.delayed_labels.pending_block import PendingPredictions
from telex.stream.delayed_labels.step_input import StepInput

if TYPE_CHECKING:
    from telex.learners.base import Batch, Flags, Ids, Offsets, Predictions
    from telex.learners.losses import Judged
    from telex.stream.delayed_labels.delay_queue import DelayQueue
    from telex.stream.delayed_labels.pending import PendingDocuments


class _First(NamedTuple):
    """The first answers among those of a step: their rows and places, the new documents and the old ones among them.

    ``new`` and ``old`` are indices of ``rows``; ``asks`` are the rows of the new documents among those asked about.
    """

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

    ``places`` are the places of the answered documents in the stream, ``scored`` is True for first answers and False
    for corrections, and ``moments`` is how many documents had come when each was answered.
    """

    queue: DelayQueue = field(kw_only=True)
    pending: PendingDocuments = field(kw_only=True)
    places: Offsets = field(kw_only=True)
    scored: Flags = field(kw_only=True)
    moments: Offsets = field(kw_only=True)
    predictions: dict[int, Predictions] = field(default_factory=dict)
    _first: _First = field(init=False)

    def __post_init__(self) -> None:
        rows = np.flatnonzero(self.scored).astype(np.int32)
        places = self.places[rows]
        new, old = np.flatnonzero(places >= self.base), np.flatnonzero(places < self.base).astype(np.int32)
        found = self.pending.find(places[old]) if len(old) else []
        self._first = _First(rows, places, new, places[new] - self.base, old, found, self.batch.numbers[rows])

    def moments_of_answers(self) -> Offsets:
        """Return, for each answer in order, how many documents had come when it came."""
        return self.moments

    def scored_answers(self) -> slice | Flags:
        """Return which answers are first answers; corrections are not scored."""
        return self.scored

    def order(self) -> Ids:
        """Return asks (0 and above) and scored answers (below 0) in their order."""
        assert self.steps is not None
        # True for asks and scored answers: the steps [1, ~0, 2, ~1] with scored=[True, False] leave [1, ~0, 2].
        scored = self.steps >= 0
        scored[~scored] = self.scored[~self.steps[~scored]]
        return self.steps[scored]

    def of_asked(self, predictions: Predictions) -> Predictions:
        """Return the predictions for ``documents``, by their own rows and labels."""
        rows = np.arange(len(self.documents), dtype=np.int32)
        return replace(predictions, rows=rows, columns=self.documents.label_names.columns(predictions.labels))

    def judged(self, learner: int, predictions: Predictions) -> Judged:
        """Judge, by its first answer, what the learner predicted for each answered document when the document came."""
        self.predictions[learner] = predictions
        first, width = self._first, max(1, predictions.scores.shape[1])
        then = PendingPredictions.zeros(len(first.rows), width, probabilities=predictions.probabilities is not None)
        if len(first.new):
            then.fill(first.new, PendingPredictions.of(predictions).rows(first.asks))
        fill_predictions(first.found, learner, then, first.old)
        return judge(replace(predictions, **then._asdict(), rows=first.rows, numbers=first.numbers), self.batch)

    def drop(self, learner: int) -> None:
        """Leave out the predictions of the learner of that number, which has failed."""
        self.predictions.pop(learner, None)

    def scored_documents(self) -> tuple[Batch, Offsets | None]:
        """Return the documents that were answered for the first time, and their places."""
        return self.batch.take(self._first.rows), self._first.places

    def finish(self) -> None:
        """Store the predictions for the answers that come later."""
        self.queue.store(self)
