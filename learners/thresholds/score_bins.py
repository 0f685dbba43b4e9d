"""What has been met of scores, by label and by bin: probabilities, and the F1 that a threshold can have."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from telex.learners import _core
from telex.learners.base import InputError

if TYPE_CHECKING:
    from telex.learners.base import Batch, Flags, Ids, Offsets, Predictions, Reals, State, Values

BINS = 128
"""Bins of the distance of a score from the learner's own cut: two an octave on either side."""
_DECISIONS = {"micro": 1, "macro": 2}
_NO_CUTS = np.zeros((0, 0), np.float32)


class ScoreBins:
    """Counts of answered documents, and of those that had the label, by label and by bin of the score.

    ``counts`` has both for each label and bin, and ``common`` for each bin over all labels. ``positives`` counts the
    answers with each label, ``f1`` is the best F1 that a threshold would have had for it. ``rates`` is the share of
    documents with the label in each bin. ``totals`` are the positives of all labels and the best F1 of one threshold
    for all. ``clock`` is the number of answers so far, and the one after which ``rates`` and F1 are computed again.
    docs/definitions.md ("Thresholds") has the formulas, tests/oracles/score_bins.py follows them slowly.
    """

    def __init__(self) -> None:
        self.counts: Values = np.zeros(0, np.float32)
        self.positives: Values = np.zeros(0, np.float32)
        self.f1: Values = np.zeros(0, np.float32)
        self.rates: Values = np.repeat(np.array([0.05, 0.55], np.float32), BINS // 2)
        self.common: Reals = np.zeros(2 * BINS)
        self.totals: Reals = np.array([0.0, 0.5])
        self.clock: Offsets = np.zeros(2, np.int64)

    @property
    def memory_bytes(self) -> int:
        """The memory of the counts."""
        return self.counts.nbytes + self.positives.nbytes + self.f1.nbytes

    def follow(
        self, predictions: Predictions, batch: Batch, steps: Ids, kind: str, cuts: Values | None = None
    ) -> tuple[Flags, Values]:
        """Return sets and probabilities for each ask of ``steps``, and count each answer, which follows its ask.

        ``cuts``, if given, is filled with the probability from which each label is predicted by micro or macro.
        """
        self._grow(len(predictions.keys))
        relevant, probabilities = np.zeros(predictions.scores.shape, np.uint8), np.zeros_like(predictions.scores)
        _core.set_by_bins(
            predicted(predictions, batch), np.ascontiguousarray(steps, np.int32), self.counts, self.positives, self.f1,
            self.rates, self.common, self.totals, self.clock, _DECISIONS.get(kind, 0), relevant, probabilities,
            _NO_CUTS if cuts is None else cuts,
        )  # fmt: skip
        return relevant.view(np.bool_), probabilities

    def _grow(self, labels: int) -> None:
        if labels > len(self.positives):
            room = max(labels, len(self.positives) * 5 // 4)
            self.counts, self.positives, self.f1 = (
                np.concatenate([one, np.zeros(room * each - len(one), np.float32)])
                for one, each in ((self.counts, 2 * BINS), (self.positives, 1), (self.f1, 1))
            )

    def save(self, labels: int) -> State:
        """Return the counts of so many labels as plain data."""
        self._grow(labels)
        return {
            "counts": self.counts[: labels * 2 * BINS].copy(),
            "positives": self.positives[:labels].copy(),
            "f1": self.f1[:labels].copy(),
            **{name: getattr(self, name).copy() for name in ("rates", "common", "totals", "clock")},
        }

    @classmethod
    def of(cls, state: State, labels: int) -> ScoreBins:
        """Return what :meth:`save` returned for so many labels; a broken state is an InputError."""
        made = cls()
        lengths = {"counts": labels * 2 * BINS, "positives": labels, "f1": labels}
        for name, new in vars(made).items():
            array = np.array(state[name])
            right = array.dtype == new.dtype and array.shape == (lengths.get(name, len(new)),)
            if not right or not (np.isfinite(array) & (array >= 0)).all():
                raise InputError(f"the {name} of saved thresholds cannot be right; take another checkpoint")
            setattr(made, name, array)
        return made


def predicted(predictions: Predictions, batch: Batch) -> _core.Predicted:
    """Return predictions and the answers of their batch for the native core."""
    return _core.Predicted(
        np.ascontiguousarray(predictions.scores, np.float32),
        np.ascontiguousarray(predictions.relevant).view(np.uint8),
        predictions.known,
        np.ascontiguousarray(predictions.rows, np.int32),
        np.ascontiguousarray(predictions.columns, np.int32),
        predictions.keys,
        predictions.seed,
        predictions.numbers,
        batch.label_indptr,
        batch.labels,
        batch.labelled.view(np.uint8),
    )


def best_sets(predictions: Predictions, batch: Batch, sizes: Ids) -> Flags:
    """Return the best labels of each ask, ``sizes[k]`` of them; ties by the named hash, NaN is in no set."""
    relevant = np.zeros(predictions.scores.shape, np.uint8)
    _core.set_best(predicted(predictions, batch), sizes, relevant)
    return relevant.view(np.bool_)
