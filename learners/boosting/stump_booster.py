"""The base class of MP-Boost and AdaBoost.MH: fitting in the native core, scoring, reasons and state."""

from __future__ import annotations

import copy
from collections.abc import Mapping  # noqa: TC003  the class has one
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from telex.learners import _boosting
from telex.learners.base import InputError, Names, Predictions, Reasons, TelexError, UsageError, single_document
from telex.learners.boosting.committee import Collapsed, Committee, Stump
from telex.learners.boosting.presence import Presence
from telex.learners.boosting.validated_eps import check_eps, fixed_eps, validated_eps
from telex.learners.losses import judge

if TYPE_CHECKING:
    from collections.abc import Hashable

    from telex.learners.base import Batch, Reals
    from telex.learners.boosting.committee import Sums

VARIANTS = ("R", "RA", "D")
_MOST_THREADS = 64
_RARE = 30
"""For terms in at most this many documents AdaBoost.MH bounds the gain instead of storing sums; only speed depends on
it."""
_TABLE = 1 << 26
"""Feature ids below this are looked up in a table of all ids; larger ones by binary search."""


class StumpBooster:
    """A committee of decision stumps; a subclass says whether each label has a pivot of its own (``multiple``).

    ``fit`` forgets everything and learns a batch in which every document has an answer. Scores are float32 sums of the
    bias and the weights of a document's pivots, in ascending order of ids, so no bit depends on the other documents of
    the batch. Only whether a feature's value is 0 matters.
    """

    multiple: ClassVar[bool]
    earlier: ClassVar[Mapping[str, Any]] = {"eps": 1.0}

    def __init__(
        self,
        rounds: int = 1000,
        variant: Literal["R", "RA", "D"] = "R",
        threads: int = 0,
        seed: int = 0,
        eps: float | Literal["cv"] = 1.0,
    ) -> None:
        if variant not in VARIANTS:
            raise UsageError(f"variant is {variant!r}; choose one of {', '.join(VARIANTS)}")
        if rounds < 1:
            raise UsageError(f"rounds is {rounds}; give 1 or more")
        if not 0 <= threads <= _MOST_THREADS:
            raise UsageError(f"threads is {threads}; give 1 to {_MOST_THREADS}, or 0 to let Telex choose")
        check_eps(eps)
        self.rounds, self.variant, self.threads, self.seed, self.eps = rounds, variant, threads, seed, eps
        self.fitted_eps: float | None = None if isinstance(eps, str) else eps
        self.labels = Names()
        self.committee = Committee.none(0, 0, multiple=self.multiple)
        self._summed: tuple[int, Collapsed] | None = None

    def __repr__(self) -> str:
        given = f"rounds={self.rounds}, variant={self.variant!r}, threads={self.threads}, seed={self.seed}"
        given += f", eps={self.eps!r}" if self.eps != 1 else ""
        return f"{type(self).__name__}({given})"

    def fit(self, batch: Batch) -> None:
        """Forget everything, and learn every document of ``batch``."""
        if self.eps == "cv":
            chosen = copy.copy(self)
            chosen.eps = self.fitted_eps = validated_eps(self, batch)
            chosen.fit(batch)
            self.set_committee(chosen.labels, chosen.committee)
            return
        presence = Presence.of(batch)
        n, m = len(batch), len(presence.labels)
        self.set_committee(
            presence.labels, self.boost_rounds(presence, np.full((m, n), 1 / max(1, n * m)), self.rounds)
        )

    def errors(self, batch: Batch) -> float:
        """Return how many labels it predicts that a document does not have, or misses."""
        judged = judge(self.scores(batch), batch)
        return float((judged.fp + judged.fn).sum())

    def boost_rounds(self, presence: Presence, weights: Reals, rounds: int, labels: int | None = None) -> Committee:
        """Return ``rounds`` rounds, fitted under ``weights`` (labels x documents); ``eps`` must be a number.

        The weights change in place, to those after the last round. These may be some of all ``labels`` only.
        """
        m, n = weights.shape
        committee = Committee.none(rounds if m else 0, m, multiple=self.multiple)
        if m:
            _boosting.fit(
                self.multiple,
                VARIANTS.index(self.variant),
                presence.indptr,
                presence.places,
                presence.order if len(presence.order) else np.zeros(1, np.int32),  # a term that no document has
                presence.label_indptr,
                presence.columns,
                fixed_eps(self.eps) / (n * (labels or m)),
                weights,
                committee.pivots,
                committee.absent,
                committee.present,
                self._team(),
                _RARE,
            )
            terms = presence.terms if len(presence.terms) else np.full(1, -1, np.int32)
            committee = Committee(terms[committee.pivots], committee.absent, committee.present)
        return committee

    def set_committee(self, labels: Names, committee: Committee) -> None:
        """Use this committee, with a column for each of ``labels``."""
        self.labels, self.committee, self._summed = labels, committee, None

    def scores(self, batch: Batch) -> Predictions:
        """Predict every document over all labels of the batch last fitted."""
        return self._scores(batch, None)

    def staged_scores(self, batch: Batch, rounds: int) -> Predictions:
        """Predict every document with the first ``rounds`` rounds."""
        return self._scores(batch, rounds)

    def _scores(self, batch: Batch, rounds: int | None) -> Predictions:
        # lookup maps a feature id to its row of summed.weights, or to -1; ids beyond the table are replaced by the
        # places of the committee's terms first.
        summed, n = self._collapsed(rounds), len(batch)
        features, known, count = batch.features, summed.terms, len(summed.terms)
        if count and known[-1] >= _TABLE:
            places = np.searchsorted(known, features).clip(max=count - 1)
            features = np.where(known[places] == features, places, count).astype(np.int32)
            known = np.arange(count, dtype=np.int32)
        lookup = np.full(int(known[-1]) + 2 if count else 1, -1, np.int32)
        lookup[known] = np.arange(count, dtype=np.int32)
        scores = np.empty((n, len(summed.bias)), np.float32)
        relevant = np.empty((n, len(summed.bias)), np.uint8)
        _boosting.score(
            batch.indptr, features, batch.values, lookup, summed.rows, summed.columns, summed.weights,
            summed.bias, scores, relevant, self._team(),
        )  # fmt: skip
        return Predictions.of_all(scores, relevant.view(np.bool_), batch, self.labels, self.seed)

    def sums(self) -> Sums:
        """Return the sums over all rounds: the bias of each label, and what the presence of each feature adds to it."""
        return self.committee.sums(len(self.committee))

    def rounds_of(self, label: Hashable) -> list[Stump]:
        """Return each round's stump for a label: the pivot's feature id, the value without it, the value with it."""
        column = self.labels.get(label)
        if column < 0:
            raise InputError(f"the committee does not know the label {label!r}; fit it on documents that have it")
        return self.committee.stumps(column)

    def reasons(self, batch: Batch, row: int) -> Reasons:
        """Return what the presence of each feature of a document adds to each label; the base is the bias."""
        document, summed = single_document(batch, row), self._collapsed(None)
        contributions = np.zeros((len(document.features), len(self.labels)))
        for k, feature in enumerate(document.features.tolist()):
            if document.values[k]:
                contributions[k] = summed.row(feature)
        return Reasons(document.features, self.labels, contributions, summed.bias[: summed.labels].astype(np.float64))

    def save(self) -> dict[str, Any]:
        """Return the labels and rounds as plain data, features by id."""
        return {"labels": self.labels.save(), **self.committee.save()}

    def load(self, state: Mapping[str, Any]) -> None:
        """Restore what :meth:`save` returned; batches must number features as before."""
        try:
            labels = Names.of(state["labels"])
            committee = Committee.of(state, len(labels), multiple=self.multiple)
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
            if isinstance(error, TelexError):
                raise
            raise InputError(f"the saved state is not a committee ({error!r}); take another checkpoint") from error
        self.set_committee(labels, committee)

    def _collapsed(self, rounds: int | None) -> Collapsed:
        wanted = len(self.committee) if rounds is None else rounds
        if not 0 <= wanted <= len(self.committee):
            raise InputError(f"the committee has {len(self.committee)} rounds, not {wanted}; ask for fewer")
        if self._summed is None or self._summed[0] != wanted:
            self._summed = wanted, self.committee.collapsed(wanted)
        return self._summed[1]

    def _team(self) -> int:
        return self.threads or min(4, max(1, _boosting.processors()))
