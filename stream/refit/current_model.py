"""The fitted model in use, in a stream whose labels and features have changed since the fit."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.learners import WarmStarts
from telex.learners.base import (
    FirstForgotten,
    InputError,
    Reasons,
    StoppedError,
    TelexError,
    error_line,
    reasons_of,
    single_document,
)
from telex.stream.refit.provenance import Provenance

if TYPE_CHECKING:
    from collections.abc import Mapping

    from telex.learners import BatchLearner
    from telex.learners.base import Batch, Flags, Ids, Names, Values


class UnknownLabelsError(Exception):
    """A model has labels that its window did not have."""


@dataclass(slots=True)
class CurrentModel:
    """A model that was fitted when ``end`` documents had been answered, and the features forgotten since.

    ``columns`` says the column of each of the model's labels among all known labels. A label that the model does not
    have is ranked last and not predicted. A feature that was forgotten since is left out of what the model sees.
    """

    model: BatchLearner
    provenance: Provenance
    end: int
    columns: Ids
    seconds: float | None
    gone: FirstForgotten = field(default_factory=FirstForgotten)

    @classmethod
    def of(
        cls,
        model: BatchLearner,
        provenance: Provenance,
        labels: Names,
        *,
        end: int,
        seconds: float | None,
        gone: FirstForgotten,
    ) -> CurrentModel:
        """Return a fitted model for use over the ``labels`` known."""
        columns = model.labels.columns(labels)
        if columns.min(initial=0) < 0:
            raise UnknownLabelsError
        return cls(model, provenance, end, columns, seconds, gone)

    def warm_start(self) -> BatchLearner | None:
        """Return a model whose fit builds on this one, if it is a :class:`~telex.learners.WarmStarts`."""
        return self.model.copy_for_next_fit(self.gone.features()) if isinstance(self.model, WarmStarts) else None

    def predict(self, batch: Batch, rows: Ids, moment: int, scores: Values, relevant: Flags) -> None:
        """Fill ``scores`` and ``relevant``, a row for each of ``rows``; ``moment`` is the number of the first ask."""
        if not len(self.columns) or not len(rows):
            return
        asked = batch.take(rows)
        if self.gone:
            span = slice(int(asked.indptr[0]), int(asked.indptr[-1]))
            asked = asked.keep_features(self.gone.unchanged(asked.features[span], moment + asked.row_of_entry()))
        try:
            predictions = self.model.scores(asked)
        except TelexError:
            raise
        except Exception as error:  # a third-party model may raise anything
            raise StoppedError(
                f"the model fitted after {self.end:,} answers cannot predict the next documents ({error_line(error)}); "
                "give refit another model, or other parameters"
            ) from error
        own = predictions.scores[:, : len(self.columns)]
        least = own.min(axis=1, keepdims=True)
        # Below all of its own, so ranked last: of large scores, 1 less may be the same number.
        scores[:] = np.minimum(least - np.float32(1), np.nextafter(least, np.float32(-np.inf)))
        scores[:, self.columns] = own
        relevant[:, self.columns] = predictions.relevant[:, : len(self.columns)]

    def reasons(self, batch: Batch, row: int, moment: int, labels: Names) -> Reasons | None:
        """Return what each feature of a row contributes to the model's scores, or None if the model cannot say."""
        document = asked = single_document(batch, row)
        if self.gone:
            moments = np.full(len(document.features), moment)
            asked = document.keep_features(self.gone.unchanged(document.features, moments))
        found = reasons_of(self.model, asked, 0)
        if found is None:
            return None
        contributions, base = np.zeros((len(document.features), len(labels))), np.zeros(len(labels))
        if len(self.columns):
            contributions[np.ix_(np.isin(document.features, asked.features), self.columns)] = found.contributions
            base[:] = (found.contributions.sum(axis=0) + found.base).min() - 1
            base[self.columns] = found.base
        return Reasons(document.features, labels, contributions, base)

    def save(self) -> dict[str, Any]:
        """Return the model and the features forgotten since, as plain data."""
        return {"model": self.provenance.save(self.model), "end": self.end, "gone": self.gone.save()}

    @classmethod
    def load(cls, state: Mapping[str, Any], new: BatchLearner, labels: Names) -> CurrentModel:
        """Restore what :meth:`save` returned, in a copy of ``new``."""
        gone = FirstForgotten()
        gone.load(state["gone"])
        provenance, model, seconds = Provenance.load(state["model"], new, labels)
        try:
            return cls.of(model, provenance, labels, end=int(state["end"]), seconds=seconds, gone=gone)
        except UnknownLabelsError:
            raise InputError("a saved model has labels that its window did not have; take another checkpoint") from None
