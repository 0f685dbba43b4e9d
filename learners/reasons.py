"""What speaks for and against each label of a document."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.learners.errors import InputError

if TYPE_CHECKING:
    from telex.learners.arrays import Ids, Reals
    from telex.learners.batch import Batch
    from telex.learners.names import Names


@dataclass(frozen=True, slots=True, eq=False)
class Reasons:
    """A row of ``contributions`` for each of the document's ``features``, a column for each known label.

    The ids are those of the batch; ``base`` is what comes from no feature, by label. What the sum of a column and its
    base is, docs/definitions.md says for each learner ("Reasons"). ``labels`` may have grown since: the first
    ``len(base)`` count.
    """

    features: Ids
    labels: Names
    contributions: Reals
    base: Reals


def top(reasons: Reasons, label_column: int, n: int) -> tuple[list[tuple[int, float]], list[tuple[int, float]]]:
    """Return the up to ``n`` features that speak most for a label, and those most against it, the strongest first.

    Each is (feature id, contribution); equal ones come by id. A feature that contributes 0 is in neither.

    >>> from telex.learners import BR, BatchBuilder
    >>> model, stream = BR(), BatchBuilder()
    >>> stream.add({"cup": 1.0, "final": 2.0}, ["sport"])
    >>> stream.add({"cup": 3.0, "gold": 1.0}, ["trade"])
    >>> batch = stream.take()
    >>> model.learn(batch)
    >>> found = top(model.reasons(batch, 0), model.labels.get("trade"), 2)
    >>> [[(batch.feature_names[f], value) for f, value in side] for side in found]
    [[('cup', 4.0)], [('final', -8.0)]]
    """
    values = reasons.contributions[:, label_column]
    strongest = np.lexsort((reasons.features, -np.abs(values)))
    ordered = values[strongest]
    sides = (strongest[ordered > 0][:n].tolist(), strongest[ordered < 0][:n].tolist())
    speak, oppose = ([(int(reasons.features[i]), float(values[i])) for i in side] for side in sides)
    return speak, oppose


def reasons_of(learner: Any, batch: Batch, row: int) -> Reasons | None:
    """Return the reasons of any learner for what it says of a document, None where it has none to give."""
    reasons = getattr(learner, "reasons", None)
    return None if reasons is None else reasons(batch, row)


def alone(batch: Batch, row: int) -> Batch:
    """Return one document as a batch of its own arrays: to ask about it costs the same in a batch of any size."""
    if batch.forget:
        raise InputError("reasons change no learner, and this batch forgets features; ask without its forget")
    if not 0 <= row < len(batch):
        raise InputError(f"row {row} is none of the batch's {len(batch)}; count them from 0")
    span = slice(int(batch.indptr[row]), int(batch.indptr[row + 1]))
    features, values = batch.features[span].copy(), batch.values[span].copy()
    return replace(
        batch.rows(row, row + 1), indptr=np.array([0, len(features)], np.int64), features=features, values=values
    )
