"""Reasons: what each feature of a document contributes to the score of each label."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np

from telex.learners.base.errors import InputError

if TYPE_CHECKING:
    from telex.learners.base.array_types import Ids, Reals
    from telex.learners.base.batch import Batch
    from telex.learners.base.names import Names


@dataclass(frozen=True, slots=True, eq=False)
class Reasons:
    """The contributions of a document's ``features``: a row per feature, a column per known label.

    Feature ids are those of the batch. ``base`` is the part of each label's score that comes from no feature.
    docs/definitions.md ("Reasons") defines for each learner what the sum of a column and its base is. ``labels`` may
    have grown since: only the first ``len(base)`` belong to the columns.
    """

    features: Ids
    labels: Names
    contributions: Reals
    base: Reals

    def strongest(self, label_column: int, n: int) -> tuple[list[tuple[int, float]], list[tuple[int, float]]]:
        """Return up to ``n`` features that contribute most to a label, and up to ``n`` that count most against it.

        Each is (feature id, contribution), the strongest first, equal ones by id. A feature that contributes 0 is in
        neither list.

        >>> from telex.learners import BR, BatchBuilder
        >>> model, stream = BR(), BatchBuilder()
        >>> stream.add({"cup": 1.0, "final": 2.0}, ["sport"])
        >>> stream.add({"cup": 3.0, "gold": 1.0}, ["trade"])
        >>> batch = stream.take()
        >>> model.learn(batch)
        >>> found = model.reasons(batch, 0).strongest(model.labels.get("trade"), 2)
        >>> [[(batch.feature_names[f], value) for f, value in side] for side in found]
        [[('cup', 4.0)], [('final', -8.0)]]
        """
        values = self.contributions[:, label_column]
        strongest = np.lexsort((self.features, -np.abs(values)))
        ordered = values[strongest]
        sides = (strongest[ordered > 0][:n].tolist(), strongest[ordered < 0][:n].tolist())
        pro, con = ([(int(self.features[i]), float(values[i])) for i in side] for side in sides)
        return pro, con


@runtime_checkable
class Explains(Protocol):
    """A learner that can say why it scores a document as it does."""

    def reasons(self, batch: Batch, row: int) -> Reasons | None:
        """Return what each feature adds to the score of each label, or None if that is unknown; learn nothing."""
        ...


def reasons_of(learner: object, batch: Batch, row: int) -> Reasons | None:
    """Return any learner's reasons for its scores of a document, or None if it gives none."""
    return learner.reasons(batch, row) if isinstance(learner, Explains) else None


def single_document(batch: Batch, row: int) -> Batch:
    """Return one document as a batch with its own arrays, so that its cost does not depend on the size of the batch."""
    if batch.forget:
        raise InputError("reasons change no learner, and this batch forgets features; ask without its forget")
    if not 0 <= row < len(batch):
        raise InputError(f"row {row} is not one of the batch's {len(batch)} rows, which count from 0; give another")
    span = slice(int(batch.indptr[row]), int(batch.indptr[row + 1]))
    features, values = batch.features[span].copy(), batch.values[span].copy()
    return replace(
        batch.rows(row, row + 1),
        indptr=np.array([0, len(features)], np.int64),
        features=features,
        values=values,
        counts=None if batch.counts is None else batch.counts[span].copy(),
    )
