"""What is learnt to decide sets and probabilities, around a learner of any kind."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from telex.learners.base import InputError, TelexError, UsageError
from telex.learners.thresholds.score_bins import ScoreBins, best_sets
from telex.learners.thresholds.set_sizes import SetSizes
from telex.learners.trees import Projection, Tree

if TYPE_CHECKING:
    from telex.learners.base import Batch, Ids, Predictions, State

_KINDS = ("sign", "micro", "macro", "rank", "meta")


class Decider:
    """Decides as ``decide`` says; ``bins`` learn from scores and ``sizes`` from documents, where that needs them.

    With ``tree="project"`` it then makes the sets closed, on the tree that :meth:`use_tree` gets.

    >>> Decider("rank:3", None).size, Decider("micro", None).bins is None
    (3, False)
    """

    def __init__(self, decide: str, probabilities: str | None, tree: str | None = None) -> None:
        self.kind, colon, size = str(decide).partition(":")
        if self.kind not in _KINDS or bool(colon) != (self.kind == "rank"):
            raise UsageError(f"decide cannot be {decide!r}; give sign, micro, macro, meta or rank:K, such as rank:3")
        if colon and not (size.isascii() and size.isdigit() and 0 < int(size) < 2**31):
            raise UsageError(f"decide cannot be {decide!r}: K is a whole number above 0; try rank:3")
        if probabilities not in {None, "own", "binned"}:
            raise UsageError(f"probabilities cannot be {probabilities!r}; give own, the learner's, or binned")
        if tree is not None and tree != "project":
            raise UsageError(f"tree cannot be {tree!r}; give project, for sets that the tree of labels allows")
        self.size = int(size) if colon else None
        self._by_probability = self.kind in {"micro", "macro"}
        self._outputs = probabilities == "binned" or (self._by_probability and probabilities is None)
        self._projects = tree is not None
        self.projection: Projection | None = None
        self.bins = ScoreBins() if self._by_probability or self._outputs else None
        self.sizes = SetSizes() if self.kind == "meta" else None

    @property
    def memory_bytes(self) -> int:
        """The memory of what is learnt."""
        return sum(one.memory_bytes for one in (self.bins, self.sizes) if one is not None)

    def use_tree(self, tree: Tree) -> None:
        """Make sets closed on this tree from now on, if that is to be."""
        if self._projects:
            self.projection = Projection(tree)

    def check_tree(self) -> None:
        """Raise a UsageError if sets are to be closed and there is no tree."""
        if self._projects and self.projection is None:
            raise UsageError("tree=project needs the tree of labels; give it by --tree, in Python by Run(.., tree=..)")

    def by_scores(self, predictions: Predictions, batch: Batch, steps: Ids) -> Predictions:
        """Set each ask of ``steps`` by its scores so far, and learn from each answer, which follows its ask.

        Sets that thresholds of probabilities decide are made closed here, others by :meth:`by_size`.
        """
        if self.bins is None:
            return predictions
        projection = self.projection if self._by_probability else None
        cuts = None if projection is None else np.zeros_like(predictions.scores)
        relevant, probabilities = self.bins.follow(predictions, batch, steps, self.kind, cuts)
        decided = replace(predictions, relevant=relevant)
        if projection is not None:
            decided = replace(decided, relevant=projection.of(decided, probabilities, cuts))
        return replace(decided, probabilities=probabilities) if self._outputs else decided

    def by_size(self, predictions: Predictions, batch: Batch, sizes: Ids | None) -> Predictions:
        """Set each ask to its best labels, if their number decides; ``sizes`` are those of the model of sizes."""
        if self.size is not None:
            sizes = np.full(len(predictions), self.size, np.int32)
        if sizes is not None:
            predictions = replace(predictions, relevant=best_sets(predictions, batch, sizes))
        if self.projection is None or self._by_probability:
            return predictions
        return replace(predictions, relevant=self.projection.of(predictions, predictions.scores))

    def save(self, labels: int) -> State:
        """Return what was learnt of so many labels as plain data."""
        return {
            "bins": None if self.bins is None else self.bins.save(labels),
            "sizes": None if self.sizes is None else self.sizes.save(),
            "tree": None if self.projection is None else self.projection.tree.save(),
        }

    def load(self, state: State, labels: int) -> None:
        """Restore what :meth:`save` returned for so many labels; a broken state is an InputError.

        A tree that was given already stays.
        """
        try:
            saved = state.get("tree")  # an older state has none
            tree = None if saved is None else Tree.load(saved)
            bins, sizes = state["bins"], state["sizes"]
            if (bins is None) != (self.bins is None) or (sizes is None) != (self.sizes is None):
                raise InputError("the saved thresholds belong to another way to decide; take another checkpoint")
            made = None if bins is None else ScoreBins.of(bins, labels)
            if self.sizes is not None:
                self.sizes.load(sizes)
            self.bins = made
            if tree is not None and self.projection is None:
                self.use_tree(tree)
        except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError) as error:
            if isinstance(error, TelexError):
                raise
            raise InputError(f"the saved thresholds are broken ({error!r}); take another checkpoint") from error
