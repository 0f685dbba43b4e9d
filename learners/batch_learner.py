"""The protocol of a learner that is fitted on a batch of documents at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from telex.learners.base import Batch, Names, Predictions


@runtime_checkable
class BatchLearner(Protocol):
    """A learner that fits a batch from scratch, and then predicts.

    Any object with these three members can be refitted during a stream (:class:`telex.stream.Refit`), cross-validated
    and compared. ``fit`` must be deterministic: the same batch and the same parameters give the same model. The scores
    of a document must not depend, in any bit, on the other documents of the batch. Before the first ``fit``, a
    ``copy.deepcopy`` must be as good as new. A model that is fitted in another process must be picklable, fitted or
    not.

    Learners must know features by their ids: a batch to fit may come without ``feature_names``.
    """

    @property
    def labels(self) -> Names:
        """The labels of the batch last fitted, by column."""
        ...

    def scores(self, batch: Batch) -> Predictions:
        """Predict every document over all ``labels``; features that were not in the fitted batch have no effect."""
        ...

    def fit(self, batch: Batch) -> None:
        """Forget everything, and learn every document of ``batch``, each of which has an answer."""
        ...
