"""The newest documents of a run, with the predictions of each learner."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from telex.learners.base import in_order

if TYPE_CHECKING:
    from collections.abc import Callable

    from telex.learners.base import Batch, Predictions
    from telex.stream.run import StepResult

_KEPT = 12
_TOP = 5
_EVERY = 1.0
"""Seconds between two looks at the newest predictions, unless a thread asks for one."""


class NewestDocuments:
    """Stores the newest documents, once a second and at each call of :meth:`take`.

    ``title_of`` returns the title of a document by its stream number.
    """

    def __init__(self, title_of: Callable[[int], str]) -> None:
        self._title_of = title_of
        self._documents: deque[dict[str, Any]] = deque(maxlen=_KEPT)
        self._batch: Batch | None = None  # the last documents, which are not stored yet
        self._predictions: dict[str, Predictions] = {}
        self._asked: frozenset[str] = frozenset()
        self._answers: dict[str, list[str]] = {}  # true labels of the documents asked for last
        self._next = 0.0

    def step(self, result: StepResult) -> None:
        """Take the last documents of a step, and late answers of documents stored without one."""
        batch = result.documents
        if len(batch):
            self._batch = batch.rows(max(0, len(batch) - _KEPT), len(batch))
            self._asked, self._answers = frozenset(self._batch.ids), {}
            self._predictions = {name: _last(predictions) for name, predictions in result.predictions.items()}
        if result.answered is not None and len(result.answered):
            self._answer(result.answered)
        if len(batch) and time.monotonic() >= self._next:
            self.take()

    def _answer(self, documents: Batch) -> None:
        shown = {document["id"]: document for document in self._documents}
        for row, name in enumerate(documents.ids):
            if name in shown:
                shown[name]["true"] = _labels(documents, row)
            if name in self._asked:
                self._answers[name] = _labels(documents, row)

    def take(self) -> None:
        """Store the last documents, unless they are stored already."""
        batch = self._batch
        if batch is None:
            return
        found = [self._document(batch, row) for row in range(len(batch))]
        for name, predictions in self._predictions.items():
            for k, (document, top) in enumerate(zip(found, predictions.rankings(_TOP), strict=True)):
                labels = [str(label) for label in in_order(predictions.set_of(k))]
                document["predictions"][name] = {
                    "labels": labels,
                    "top": [[str(label), round(x, 6)] for label, x in top],
                }
        self._documents.extend(found)
        self._batch, self._predictions = None, {}
        self._next = time.monotonic() + _EVERY

    def _document(self, batch: Batch, row: int) -> dict[str, Any]:
        name = batch.ids[row]
        true = _labels(batch, row) if batch.labelled[row] else self._answers.get(name)
        return {"id": name, "title": self._title_of(int(batch.numbers[row])), "true": true, "predictions": {}}

    def plain(self) -> list[dict[str, Any]]:
        """Return the documents, the newest first; any thread may ask."""
        return list(self._documents)[::-1]


def _labels(batch: Batch, row: int) -> list[str]:
    return [str(label) for label in in_order(batch.labels_of(row))]


def _last(predictions: Predictions) -> Predictions:
    """Return the predictions for the last documents, without holding the scores of all others."""
    if len(predictions) <= _KEPT:
        return predictions
    names = ("scores", "relevant", "known", "rows", "numbers")
    return replace(predictions, **{name: getattr(predictions, name)[-_KEPT:].copy() for name in names})
