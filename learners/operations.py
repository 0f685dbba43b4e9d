"""What perceptrons do, counted where they do it."""

from __future__ import annotations

from typing import NamedTuple

from telex.learners import _core
from telex.learners.base import UsageError
from telex.learners.native_learner import NativeLearner


class Operations(NamedTuple):
    """How many perceptrons gave their output for a prediction, looked at a document to learn it, and moved.

    Each is an inner product or a step along the document. A document that is predicted and then learnt counts as both,
    though the learner reckons its scores once.
    """

    predicted: int
    tried: int
    moved: int

    @property
    def training(self) -> int:
        """The operations of learning."""
        return self.tried + self.moved


class CountsOperations(NativeLearner):
    """A learner of perceptrons, which counts their operations if it is asked to."""

    def count_operations(self) -> None:
        """Begin to count, from 0; copies of the learner, and one that loads a state, do not count.

        Only the paper's perceptrons count: not the threshold of MMP, nor what stands for labels that never came, nor
        the duels with MLPP's virtual label.

        >>> from telex.learners import MLPP
        >>> model = MLPP(update="perceptron", ties="first")
        >>> model.learn_one({"cup": 1.0}, ["sport"])
        >>> model.count_operations()
        >>> model.learn_one({"tariff": 1.0}, ["trade"])
        >>> model.operations
        Operations(predicted=0, tried=1, moved=1)
        """
        core = self._counted()
        with self._writing:
            core.count_operations()

    @property
    def operations(self) -> Operations:
        """What was counted since :meth:`count_operations`."""
        with self._reading:
            counting, *counts = self._counted().operations
        if not counting:
            raise UsageError("this learner counts no operations; call count_operations first")
        return Operations(*counts)

    def _counted(self) -> _core.Core:
        core = self.core
        if not isinstance(core, _core.Core):
            raise UsageError("the shards of a learner count no operations; take a learner without shards")
        return core
