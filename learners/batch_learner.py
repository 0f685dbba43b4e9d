"""What a learner is that takes a window of documents at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from telex.learners.batch import Batch
    from telex.learners.names import Names
    from telex.learners.predictions import Predictions


@runtime_checkable
class BatchLearner(Protocol):
    """Fits a batch from scratch, and then predicts.

    Whatever has these three can be refitted while a stream goes on (:class:`telex.stream.Refit`), cross-validated and
    compared. ``fit`` is deterministic: the same batch and the same parameters give the same model. Scores of a
    document must not depend, in any bit, on which others stand in the batch with it. Before the first ``fit`` a
    ``copy.deepcopy`` of it is as good as new; a model that is to be fitted in another process can be pickled, fitted
    or not.

    Features are known by their ids: the batch that is fitted may come without ``feature_names``, which stay where the
    stream is.
    """

    @property
    def labels(self) -> Names:
        """The labels of the batch last fitted, by column."""
        ...

    def scores(self, batch: Batch) -> Predictions:
        """Predict every document over all ``labels``; features that were not in the fitted batch count for nothing."""
        ...

    def fit(self, batch: Batch) -> None:
        """Forget all, and learn every document of ``batch``, each of which has an answer."""
        ...
