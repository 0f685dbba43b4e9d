"""The baseline that knows only how frequent labels are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from telex.learners.native_learner import NativeLearner

if TYPE_CHECKING:
    from collections.abc import Mapping


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

    def predict_proba_one(self, x: Mapping[Any, float], **_: Any) -> dict[Any, dict[bool, float]]:
        """Return each known label's share of the documents so far."""
        return {label: {False: 1 - s, True: s} for label, s in self.scores_one(x).items()}
