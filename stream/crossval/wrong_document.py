"""A document that was labelled wrongly, and what in it made the learner do so."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from telex.learners.base import reasons_of
from telex.stream.crossval.shuffled import shuffled

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from telex.learners.base import Batch, Predictions, Reasons

Errors = Literal["within", "out"]
"""Which mistakes are listed: of the documents that a learner learnt, or of those that it had not seen."""
TOP = 5
"""How many of the best labels, and of the words that did it, are listed for a document."""
EXPLAINED = 20
"""For how many documents of a fold it is said which words did it."""


@dataclass(frozen=True, slots=True)
class Why:
    """What made a learner prefer a wrong label to a true one.

    ``wrong`` is the label ranked highest of those predicted wrongly, ``missed`` that of those missed; one of them may
    be None. ``words`` are those that add most to the score of ``wrong`` less that of ``missed``, with what they add;
    ``base`` is the part that comes from no word of the document. Boosted learners put there what absent words add.
    """

    wrong: Hashable | None
    missed: Hashable | None
    words: list[tuple[Hashable, float]]
    base: float


@dataclass(frozen=True, slots=True)
class WrongDocument:
    """A document whose predicted labels are wrong; ``row`` is its place among all documents.

    ``why`` is None for a learner that gives no reasons, and for all but some documents of a fold.
    """

    row: int
    predicted: list[Hashable]
    top: list[tuple[Hashable, float]]
    why: Why | None = None

    @classmethod
    def of(cls, predictions: Predictions, batch: Batch, row: int) -> WrongDocument:
        """Return what was predicted for the ``row``, unexplained."""
        return cls(int(batch.numbers[row]), predictions.set_of(row), predictions.ranking(row, TOP))


def explained(learner: Any, batch: Batch, wrong: Sequence[WrongDocument], seed: int) -> list[WrongDocument]:
    """Return the same documents, all of ``batch``, some of them with the words that did it: chosen by the seed."""
    found = list(wrong)
    chosen = shuffled(np.array([one.row for one in wrong], np.int64), seed)[:EXPLAINED].tolist()
    for k, row in zip(chosen, np.searchsorted(batch.numbers, [wrong[k].row for k in chosen]).tolist(), strict=True):
        if reasons := reasons_of(learner, batch, row):
            ranked = [label for label, _ in learner.scores(batch.rows(row, row + 1)).ranking(0)]
            found[k] = replace(found[k], why=_why(reasons, ranked, wrong[k].predicted, batch, row))
    return found


def _why(reasons: Reasons, ranked: list[Hashable], predicted: list[Hashable], batch: Batch, row: int) -> Why:
    truth = batch.labels_of(row)
    ranked = [*ranked, *(label for label in truth if label not in ranked)]  # the learner has not met the last
    wrong = next((label for label in ranked if label in predicted and label not in truth), None)
    missed = next((label for label in ranked if label in truth and label not in predicted), None)
    added, base = np.zeros(len(reasons.features)), 0.0
    for label, sign in ((wrong, 1.0), (missed, -1.0)):
        column = -1 if label is None else reasons.labels.get(label)
        if 0 <= column < len(reasons.base):
            added += sign * reasons.contributions[:, column]
            base += sign * float(reasons.base[column])
    order = [place for place in np.lexsort((reasons.features, -added))[:TOP].tolist() if added[place] > 0]
    words = [(batch.feature_names[int(reasons.features[place])], float(added[place])) for place in order]
    return Why(wrong, missed, words, base)
