"""The input of one step: a stretch of documents, and the answers that come among them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from telex.learners.base import undelayed_steps
from telex.learners.losses import judge

if TYPE_CHECKING:
    from telex.learners.base import Batch, Flags, Ids, Offsets, Predictions
    from telex.learners.losses import Judged


@dataclass(slots=True)
class StepInput:
    """A stretch of documents that are asked about, and of answers.

    ``documents`` are those asked about, and ``asks`` are the same without answers that come later. ``batch`` and
    ``steps`` are the :class:`~telex.learners.base.Events` of the learners. Where answers come at once, ``batch`` is
    ``documents``. Else the first rows of ``batch`` are the answered documents, and those asked about follow. ``base``
    is how many documents came before the first one asked about.
    """

    documents: Batch
    asks: Batch
    batch: Batch
    steps: Ids | None = None
    base: int = 0

    def moments_of_answers(self) -> Offsets:
        """Return, for each answer in order, how many documents had come when it came."""
        return self.base + 1 + np.flatnonzero(self.batch.labelled)

    def answers_before(self) -> Offsets:
        """Return, for each document asked about, how many of the answers come before it."""
        steps = undelayed_steps(self.batch) if self.steps is None else self.steps
        asks: Offsets = np.flatnonzero(steps >= 0)
        return asks - np.arange(len(asks))

    def scored_answers(self) -> slice | Flags:
        """Return which of the answers are scored."""
        return slice(None)

    def order(self) -> Ids:
        """Return asks (0 and above) and scored answers (below 0) in their order."""
        return undelayed_steps(self.batch)

    def of_asked(self, predictions: Predictions) -> Predictions:
        """Return the predictions for ``documents``, out of all that a learner made."""
        return predictions

    def judged(self, learner: int, predictions: Predictions) -> Judged:
        """Judge the predictions of the learner of that number by the answers that came."""
        return judge(predictions, self.batch)

    def drop(self, learner: int) -> None:
        """Leave out the predictions of the learner of that number, which has failed."""

    def scored_documents(self) -> tuple[Batch, Offsets | None]:
        """Return the documents that were answered and scored, and their places; None if they are the newest ones."""
        return self.batch, None

    def finish(self) -> None:
        """Finish the step, after all learners have gone through it."""
