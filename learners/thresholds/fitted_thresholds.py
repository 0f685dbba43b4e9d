"""A batch learner around another that decides which labels are predicted, by what held-out documents teach."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from telex.learners.base import Names, UsageError, answers_only, as_savable, check_savable, reasons_of, undelayed_steps
from telex.learners.batch_learner import BatchLearner
from telex.learners.learner import files_of
from telex.learners.thresholds.decider import Decider

if TYPE_CHECKING:
    from telex.learners.base import Batch, Predictions, Reasons, State
    from telex.learners.trees import Tree

_FIFTH = 5


class FittedThresholds:
    """Decides by thresholds which labels a batch learner predicts; its specification takes ``decide=micro``.

    To learn from scores, ``fit`` fits the learner twice: first a copy without every fifth document, whose scores of
    these documents are learnt from, then the learner on all documents. Fewer than five documents teach no threshold.

    Parameters
    ----------
    learner
        The batch learner that scores.
    decide, probabilities, tree
        As those of :class:`~telex.learners.thresholds.Thresholded`.
    """

    stored_name: ClassVar[str] = "fitted-thresholds"

    def __init__(
        self,
        learner: BatchLearner,
        decide: str = "micro",
        probabilities: Literal["own", "binned"] | None = None,
        tree: Literal["project"] | None = None,
    ) -> None:
        given: object = learner
        if not isinstance(given, BatchLearner):
            raise UsageError(f"{type(given).__name__} is no batch learner; take Thresholded(learner)")
        self.learner, self.decide, self.probabilities, self.tree = learner, decide, probabilities, tree
        self._decider = Decider(decide, probabilities, tree)

    def __repr__(self) -> str:
        tree = "" if self.tree is None else f", {self.tree!r}"
        return f"FittedThresholds({self.learner!r}, {self.decide!r}, {self.probabilities!r}{tree})"

    def use_tree(self, tree: Tree) -> None:
        """Answer with sets that this tree allows from now on, with ``tree="project"``; else it changes nothing."""
        self._decider.use_tree(tree)

    def check_tree(self) -> None:
        """Raise a UsageError if sets are to be those that a tree allows, and there is none."""
        self._decider.check_tree()

    @property
    def labels(self) -> Names:
        """The labels of the batch last fitted, by column."""
        return self.learner.labels

    @property
    def files(self) -> tuple[str, ...]:
        """The files from which the learner was made."""
        return files_of(self.learner)

    def fit(self, batch: Batch) -> None:
        """Forget everything, and learn every document of ``batch``."""
        decider = Decider(self.decide, self.probabilities, self.tree)
        rows = np.arange(len(batch), dtype=np.int32)
        last = rows % _FIFTH == _FIFTH - 1
        held_out = None
        if decider.bins is not None and last.any():
            first, held_out = copy.deepcopy(self.learner), batch.take(rows[last])
            first.fit(batch.take(rows[~last]))
            found = first.scores(held_out)
        self.learner.fit(batch)
        if held_out is not None:
            decider.by_scores(_over(self.labels, found, held_out), held_out, undelayed_steps(held_out))
        if decider.sizes is not None:
            decider.sizes.follow(batch, answers_only(batch))
        decider.projection = self._decider.projection
        self._decider = decider

    def scores(self, batch: Batch) -> Predictions:
        """Predict every document."""
        self.check_tree()
        asks, sizes = np.arange(len(batch), dtype=np.int32), self._decider.sizes
        predictions = self._decider.by_scores(self.learner.scores(batch), batch, asks)
        return self._decider.by_size(predictions, batch, None if sizes is None else sizes.scores(batch))

    def reasons(self, batch: Batch, row: int) -> Reasons | None:
        """Return the learner's reasons, or None if it gives none."""
        return reasons_of(self.learner, batch, row)

    def check_savable(self) -> None:
        """Raise a UsageError if the learner has no state to save."""
        check_savable(f"learner {type(self.learner).__name__}", self.learner)

    def save(self) -> State:
        """Return what was learnt as plain data."""
        inner = as_savable(f"learner {type(self.learner).__name__}", self.learner)
        return {"learner": inner.save(), **self._decider.save(len(self.labels))}

    def load(self, state: State) -> None:
        """Restore what :meth:`save` returned; the parameters and the numbering of features must be the same."""
        as_savable(f"learner {type(self.learner).__name__}", self.learner).load(state["learner"])
        self._decider.load(state, len(self.labels))


def _over(labels: Names, predictions: Predictions, batch: Batch) -> Predictions:
    """Return predictions over ``labels``; a label that they have not is ranked last and not predicted."""
    at = predictions.labels.columns(labels)  # of each of the model's labels among `labels`
    shape = len(predictions), len(labels)
    scores, relevant = np.full(shape, -np.inf, np.float32), np.zeros(shape, np.bool_)
    scores[:, at], relevant[:, at] = predictions.scores[:, : len(at)], predictions.relevant[:, : len(at)]
    return replace(predictions.of_all(scores, relevant, batch, labels, predictions.seed), probabilities=None)
