"""The newest documents of a run, with what each learner said of them."""

from __future__ import annotations

import time
from collections import deque
from typing import TYPE_CHECKING, Any

from telex.learners.names import in_order
from telex.stream.best import best

if TYPE_CHECKING:
    from collections.abc import Callable

    from telex.learners.batch import Batch
    from telex.learners.predictions import Predictions

_KEPT = 12
_TOP = 5
_EVERY = 0.5
"""Seconds between looks at what is being predicted: no eye is faster, and a run has other things to do."""


class Newest:
    """Keeps the last documents of a stretch of a run, a few times a second.

    ``title_of`` returns the title of a document by its stream number.
    """

    def __init__(self, learners: int, title_of: Callable[[int], str]) -> None:
        self._learners, self._title_of = learners, title_of
        self._documents: deque[dict[str, Any]] = deque(maxlen=_KEPT)
        self._taken: list[dict[str, Any]] = []
        self._next = 0.0

    def asked(self, batch: Batch) -> None:
        """Be told what learners are asked about next."""
        self._taken = []
        if not len(batch) or time.monotonic() < self._next:
            return
        for row in range(max(0, len(batch) - _KEPT), len(batch)):
            true = [str(label) for label in in_order(batch.labels_of(row))] if batch.labelled[row] else None
            title = self._title_of(int(batch.numbers[row]))
            self._taken.append({"id": batch.ids[row], "title": title, "true": true, "said": {}})

    def predicted(self, name: str, predictions: Predictions) -> None:
        """Take what a learner said; the last one ends the look."""
        if not self._taken:
            return
        stop = len(predictions)
        start = stop - len(self._taken)
        tops = best(predictions, _TOP, start, stop)
        for k, document, top in zip(range(start, stop), self._taken, tops, strict=True):
            labels = [str(label) for label in in_order(predictions.set_of(k))]
            document["said"][name] = {"labels": labels, "top": [[str(label), round(x, 6)] for label, x in top]}
        if len(self._taken[0]["said"]) == self._learners:
            self._documents.extend(self._taken)
            self._taken = []
            self._next = time.monotonic() + _EVERY

    def plain(self) -> list[dict[str, Any]]:
        """Return them, the newest first."""
        return list(self._documents)[::-1]
