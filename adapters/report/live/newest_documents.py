"""The newest documents of a run, with what each learner said of them."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from telex.learners.base import best, in_order

if TYPE_CHECKING:
    from collections.abc import Callable

    from telex.learners.base import Batch, Predictions
    from telex.stream.run import StepResult

_KEPT = 12
_TOP = 5
_EVERY = 1.0
"""Seconds between looks at what is being predicted that nobody has asked for."""


class Newest:
    """Keeps the last documents of a stretch of a run, once a second and whenever it is asked to.

    ``title_of`` returns the title of a document by its stream number.
    """

    def __init__(self, title_of: Callable[[int], str]) -> None:
        self._title_of = title_of
        self._documents: deque[dict[str, Any]] = deque(maxlen=_KEPT)
        self._batch: Batch | None = None  # the last documents, which are not kept yet
        self._said: dict[str, Predictions] = {}
        self._asked: frozenset[str] = frozenset()
        self._answers: dict[str, list[str]] = {}  # of those asked about last
        self._next = 0.0

    def step(self, result: StepResult) -> None:
        """Take the last documents of a step, and late answers of documents that are shown without one."""
        batch = result.documents
        if len(batch):
            self._batch = batch.rows(max(0, len(batch) - _KEPT), len(batch))
            self._asked, self._answers = frozenset(self._batch.ids), {}
            self._said = {name: _last(predictions) for name, predictions in result.predictions.items()}
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
        """Keep the last documents, unless they are kept already."""
        batch = self._batch
        if batch is None:
            return
        found = [self._document(batch, row) for row in range(len(batch))]
        for name, predictions in self._said.items():
            for k, (document, top) in enumerate(zip(found, best(predictions, _TOP), strict=True)):
                labels = [str(label) for label in in_order(predictions.set_of(k))]
                document["said"][name] = {"labels": labels, "top": [[str(label), round(x, 6)] for label, x in top]}
        self._documents.extend(found)
        self._batch, self._said = None, {}
        self._next = time.monotonic() + _EVERY

    def _document(self, batch: Batch, row: int) -> dict[str, Any]:
        name = batch.ids[row]
        true = _labels(batch, row) if batch.labelled[row] else self._answers.get(name)
        return {"id": name, "title": self._title_of(int(batch.numbers[row])), "true": true, "said": {}}

    def plain(self) -> list[dict[str, Any]]:
        """Return them, the newest first; any thread may ask."""
        return list(self._documents)[::-1]


def _labels(batch: Batch, row: int) -> list[str]:
    return [str(label) for label in in_order(batch.labels_of(row))]


def _last(predictions: Predictions) -> Predictions:
    """Return what was said of the last documents; the scores of all others may go."""
    if len(predictions) <= _KEPT:
        return predictions
    names = ("scores", "relevant", "known", "rows", "numbers")
    return replace(predictions, **{name: getattr(predictions, name)[-_KEPT:].copy() for name in names})
