"""What is learnt to decide sets and probabilities, around a learner of any kind."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from telex.learners.base import InputError, TelexError, UsageError
from telex.learners.thresholds.score_bins import ScoreBins, best_sets
from telex.learners.thresholds.set_sizes import SetSizes

if TYPE_CHECKING:
    from telex.learners.base import Batch, Ids, Predictions, State

_KINDS = ("sign", "micro", "macro", "rank", "meta")


class Decider:
    """Decides as ``decide`` says; ``bins`` learn from scores and ``sizes`` from documents, where that needs them.

    >>> Decider("rank:3", None).size, Decider("micro", None).bins is None
    (3, False)
    """

    def __init__(self, decide: str, probabilities: str | None) -> None:
        self.kind, colon, size = str(decide).partition(":")
        if self.kind not in _KINDS or bool(colon) != (self.kind == "rank"):
            raise UsageError(f"decide cannot be {decide!r}; give sign, micro, macro, meta or rank:K, such as rank:3")
        if colon and not (size.isascii() and size.isdigit() and 0 < int(size) < 2**31):
            raise UsageError(f"decide cannot be {decide!r}: K is a whole number above 0; try rank:3")
        if probabilities not in {None, "own", "binned"}:
            raise UsageError(f"probabilities cannot be {probabilities!r}; give own, the learner's, or binned")
        self.size = int(size) if colon else None
        by_score = self.kind in {"micro", "macro"}
        self._outputs = probabilities == "binned" or (by_score and probabilities is None)
        self.bins = ScoreBins() if by_score or self._outputs else None
        self.sizes = SetSizes() if self.kind == "meta" else None

    @property
    def memory_bytes(self) -> int:
        """The memory of what is learnt."""
        return sum(one.memory_bytes for one in (self.bins, self.sizes) if one is not None)

    def by_scores(self, predictions: Predictions, batch: Batch, steps: Ids) -> Predictions:
        """Set each ask of ``steps`` by its scores so far, and learn from each answer, which follows its ask."""
        if self.bins is None:
            return predictions
        relevant, probabilities = self.bins.follow(predictions, batch, steps, self.kind)
        return replace(
            predictions,
            relevant=relevant,
            probabilities=probabilities if self._outputs else predictions.probabilities,
        )

    def by_size(self, predictions: Predictions, batch: Batch, sizes: Ids | None) -> Predictions:
        """Set each ask to its best labels, if their number decides; ``sizes`` are those of the model of sizes."""
        if self.size is not None:
            sizes = np.full(len(predictions), self.size, np.int32)
        return predictions if sizes is None else replace(predictions, relevant=best_sets(predictions, batch, sizes))

    def save(self, labels: int) -> State:
        """Return what was learnt of so many labels as plain data."""
        return {
            "bins": None if self.bins is None else self.bins.save(labels),
            "sizes": None if self.sizes is None else self.sizes.save(),
        }

    def load(self, state: State, labels: int) -> None:
        """Restore what :meth:`save` returned for so many labels; a broken state is an InputError."""
        try:
            bins, sizes = state["bins"], state["sizes"]
            if (bins is None) != (self.bins is None) or (sizes is None) != (self.sizes is None):
                raise InputError("the saved thresholds belong to another way to decide; take another checkpoint")
            made = None if bins is None else ScoreBins.of(bins, labels)
            if self.sizes is not None:
                self.sizes.load(sizes)
            self.bins = made
        except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError) as error:
            if isinstance(error, TelexError):
                raise
            raise InputError(f"the saved thresholds are broken ({error!r}); take another checkpoint") from error
