"""The protocol of a learner that follows a stream."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from telex.learners.base import Batch, Events, Names, Predictions


@runtime_checkable
class Learner(Protocol):
    """A learner that predicts and learns online; however the stream is cut into batches, the results agree to the bit.

    Labels and features are not declared ahead: a label is known once it has been learnt, and gets the next column;
    features without a weight have no effect. Several learners may share a batch, so a learner must never write to it.
    ``learn`` and ``progress`` must forget the features in ``batch.forget`` before their rows, once per call, even if a
    row is neither asked nor answered; the learner then treats the feature as new.
    """

    @property
    def labels(self) -> Names:
        """The labels known, by column."""
        ...

    def scores(self, batch: Batch) -> Predictions:
        """Predict every document; learn nothing. Batches that forget features are only for the other two methods."""
        ...

    def learn(self, batch: Batch) -> None:
        """Learn every labelled document; predict nothing."""
        ...

    def progress(self, events: Events) -> Predictions:
        """Predict what is asked and learn what is answered, in the order of the events."""
        ...
