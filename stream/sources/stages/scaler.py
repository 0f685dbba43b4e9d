"""Running scalers of features: to unit length, to standard deviation 1, or to an absolute value of at most 1."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from telex.stream._scaling import MaxAbs, Standard, unit

if TYPE_CHECKING:
    from telex.learners.base import Batch, State

SCALINGS = ("unit", "standard", "maxabs", "none")
_NONE = np.zeros(0, np.int32)


class Scaler:
    """Scales the rows of batches, each by what came before it and by itself.

    ``unit`` divides a row by its Euclidean length, and has no state. ``standard`` divides each feature by its standard
    deviation over the rows so far, in which a feature that a row does not have is 0; if rows are ``dense`` it first
    subtracts the mean, and a row then has all features that were met; it is divided by the root of how many of them have
    varied, so that its length is about 1, as the steps of learners expect. Sparse rows are not centred: their zeros stay
    zeros. ``maxabs`` divides each feature by its largest absolute value so far. A feature that has not varied is not
    divided. docs/definitions.md, "Scaling", has the formulas.

    Rows from ``learnt`` on are scaled, but not learnt. Rows are the same to the bit however they are cut into batches.
    What a batch forgets of a feature is forgotten here too.

    >>> from telex.learners.base import BatchBuilder
    >>> builder = BatchBuilder()
    >>> for size in (1.0, 3.0):
    ...     builder.add({"size": size}, [])
    >>> Scaler("standard", dense=True)(builder.take()).values.tolist()
    [0.0, 1.0]
    """

    def __init__(self, method: str, *, dense: bool = False) -> None:
        self.method, self.dense = method, dense
        self._standard = Standard(dense) if method == "standard" else None
        self._largest = MaxAbs() if method == "maxabs" else None

    def __call__(self, batch: Batch, learnt: int | None = None) -> Batch:
        """Return the batch scaled; its first ``learnt`` rows, all by default, are learnt."""
        if self.method == "none":
            return batch
        indptr = np.ascontiguousarray(batch.indptr)
        features = batch.features[indptr[0] : indptr[-1]]
        if self._standard is None and self._largest is None:
            values = unit(indptr, batch.features, batch.values)
            return replace(batch, indptr=indptr - indptr[0], features=features, values=values)
        gone = (_NONE, _NONE) if batch.forget is None else (batch.forget.rows, batch.forget.features)
        given = (indptr, batch.features, batch.values, len(batch) if learnt is None else learnt, *gone)
        if self._largest is not None:
            return replace(batch, indptr=indptr - indptr[0], features=features, values=self._largest.scale(*given))
        assert self._standard is not None
        ends, ids, values = self._standard.scale(*given)
        if self.dense:
            return replace(batch, indptr=ends, features=ids, values=values)
        return replace(batch, indptr=indptr - indptr[0], features=features, values=values)

    def save(self) -> State:
        """Return the method, and what was learnt, as plain data."""
        found: State = {"method": self.method, "dense": self.dense}
        if self._largest is not None:
            found["largest"] = self._largest.save()
        if self._standard is not None:
            names = ("documents", "counts", "means", "squares")
            found |= zip(names, self._standard.save(), strict=True)
        return found

    @classmethod
    def of(cls, state: State) -> Scaler:
        """Restore what :meth:`save` returned."""
        if state["method"] not in SCALINGS:
            raise ValueError(f"there is no scaling {state['method']!r}")
        found = cls(state["method"], dense=bool(state["dense"]))
        if found._largest is not None:
            found._largest.load(np.ascontiguousarray(state["largest"], np.float64))
        if found._standard is not None:
            means, squares = (np.ascontiguousarray(state[name], np.float64) for name in ("means", "squares"))
            counts = np.ascontiguousarray(state["counts"], np.int64)
            found._standard.load(int(state["documents"]), counts, means, squares)
        return found
