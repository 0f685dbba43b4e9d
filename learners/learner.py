"""What a learner is to the stream."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from telex.learners.batch import Batch
    from telex.learners.names import Names
    from telex.learners.predictions import Events, Predictions


@runtime_checkable
class Learner(Protocol):
    """Predicts, is told, and learns, at any cutting of the stream into batches with the same result to the bit.

    Nothing is declared ahead: a label is known once it has been learnt, and takes the next column; features
    without a weight count for nothing. Two learners may be handed the same batch: it is never written. What
    ``batch.forget`` names is forgotten before its row, once a call of ``learn`` or ``progress``, also where that row is
    neither asked nor answered: the feature is then as one never met.
    """

    @property
    def labels(self) -> Names:
        """The labels known, by column."""
        ...

    def scores(self, batch: Batch) -> Predictions:
        """Predict every document and learn nothing; batches that forget are for the other two."""
        ...

    def learn(self, batch: Batch) -> None:
        """Learn every labelled document, predicting nothing."""
        ...

    def progress(self, events: Events) -> Predictions:
        """Predict what is asked and learn what is answered, in the order of the events."""
        ...
