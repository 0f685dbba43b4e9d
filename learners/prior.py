"""The baseline that knows only how frequent labels are."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from telex.learners.native_learner import NativeLearner

if TYPE_CHECKING:
    from telex.learners.base import Batch, Ids, Predictions


class Prior(NativeLearner):
    """Ranks labels by how often they have been true, and predicts as many as a document has on average.

    Parameters
    ----------
    seed
        Orders equally frequent labels.

    Examples
    --------
    >>> from telex.learners import Prior
    >>> model = Prior()
    >>> for labels in (["war"], ["trade"], ["trade"]):
    ...     model.learn_one({}, labels)
    >>> model.predict_one({})
    {'war': False, 'trade': True}
    """

    stored_name: ClassVar[str] = "prior"
    kernel: ClassVar[str] = "prior"

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def _predictions(self, batch: Batch, rows: Ids, columns: Ids, arrays: tuple[Any, Any, Any]) -> Predictions:
        predictions = super()._predictions(batch, rows, columns, arrays)
        return replace(predictions, probabilities=predictions.scores)  # a label's share of the documents so far
