"""One shard of a learner: a core that has some of the labels, or of the pairs."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.learners import _core
from telex.learners.shards.divisions import DIVISIONS
from telex.learners.shards.work import Reply

if TYPE_CHECKING:
    from telex.learners.base import State
    from telex.learners.shards.work import Work


@dataclass(frozen=True, slots=True)
class ShardPlan:
    """What a learner is, and into how many parts it is divided."""

    kernel: str
    options: dict[str, Any]
    seed: int
    parts: int


class Shard:
    """A part of a learner; it may be in another process or on another machine, and needs nothing of the other parts."""

    def __init__(self, plan: ShardPlan, part: int) -> None:
        self._division, self._part, self._parts = DIVISIONS[plan.kernel], part, plan.parts
        self._core = _core.Core(plan.kernel, plan.options | self._division.options(part, plan.parts), plan.seed)
        self._hashes = np.empty(0, np.uint64)

    def follow(self, work: Work) -> Reply:
        """Predict the documents asked and learn those answered, in their order."""
        began = time.process_time()
        self._hashes = np.concatenate([self._hashes, self._division.hashes(work, self._part, self._parts)])
        width = len(self._hashes)
        scores = np.zeros((work.asks, max(1, width)), np.float32)
        relevant, known = np.zeros(scores.shape, np.uint8), np.zeros(work.asks, np.int32)
        batch, asks = self._batch(work), _core.Asks(scores, relevant, known)
        if work.steps is None:
            self._core.scores(batch, asks)
        else:
            self._core.follow(batch, work.steps, asks)
        return Reply(scores[:, :width], relevant[:, :width], self._core.bytes, time.process_time() - began)

    def finite(self) -> bool:
        """Return whether no weight is NaN or infinite."""
        return self._core.finite

    def save(self) -> State:
        """Return the state of the part, as the core packs it."""
        return self._core.pack()

    def load(self, state: State) -> None:
        """Restore what :meth:`save` returned, or what the division has made for this part."""
        self._core.unpack(dict(state))
        self._hashes = state["hashes"]

    def _batch(self, work: Work) -> _core.Batch:
        indptr, labels = self._division.labels(work, self._part, self._parts)
        columns = np.arange(len(self._hashes), dtype=np.int32)
        columns[self._core.known :] = -1  # the core gives the new ones these very columns, as it learns them
        return _core.Batch(
            work.indptr,
            work.features,
            work.values,
            indptr,
            labels,
            np.ones(len(indptr) - 1, np.uint8),
            work.numbers,
            self._hashes,
            columns,
            work.forget_rows,
            work.forget_features,
            work.counts,
            None,
            None,
        )
