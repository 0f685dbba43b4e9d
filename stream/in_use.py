"""A fitted model in a stream that has gone on since."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.learners.errors import InputError, StoppedError, TelexError
from telex.learners.reasons import Reasons, alone, reasons_of
from telex.learners.recycled_ids import Gone
from telex.stream.fitting import said
from telex.stream.origin import Origin

if TYPE_CHECKING:
    from collections.abc import Mapping

    from telex.learners.arrays import Flags, Ids, Values
    from telex.learners.batch import Batch
    from telex.learners.batch_learner import BatchLearner
    from telex.learners.names import Names


class StrangerError(Exception):
    """A model has labels that its window did not have."""


@dataclass(slots=True)
class InUse:
    """A model, fitted when so many documents had been answered (``end``), and what was forgotten since.

    Its labels stand in these ``columns`` of all that are known. A feature that was forgotten is, to the model, one
    never met; a label that it does not have is ranked last, and not predicted.
    """

    model: BatchLearner
    origin: Origin
    end: int
    columns: Ids
    seconds: float | None
    gone: Gone = field(default_factory=Gone)

    @classmethod
    def of(
        cls, model: BatchLearner, origin: Origin, labels: Names, *, end: int, seconds: float | None, gone: Gone
    ) -> InUse:
        """Take a fitted model into use, over the ``labels`` known."""
        columns = model.labels.columns(labels)
        if columns.min(initial=0) < 0:
            raise StrangerError
        return cls(model, origin, end, columns, seconds, gone)

    def next(self, new: BatchLearner) -> BatchLearner:
        """Return what is to be fitted next: a copy of ``new``, or of the model in use where it goes on from fit to fit.

        Such a model has ``renewed(gone)``: the copy, to which the features ``gone`` mean something else now.
        """
        renewed = getattr(self.model, "renewed", None)
        return copy.deepcopy(new) if renewed is None else renewed(self.gone.features())

    def predict(self, batch: Batch, rows: Ids, moment: int, scores: Values, relevant: Flags) -> None:
        """Fill the arrays, a row for each of ``rows``, the first of which is the ask of that ``moment``."""
        if not len(self.columns) or not len(rows):
            return
        asked = batch.take(rows)
        if self.gone:
            span = slice(int(asked.indptr[0]), int(asked.indptr[-1]))
            asked = asked.keep_features(self.gone.stands(asked.features[span], moment + asked.row_of_entry()))
        try:
            found = self.model.scores(asked)
        except TelexError:
            raise
        except Exception as error:  # a stranger's model may raise what it likes
            raise StoppedError(
                f"the model fitted after {self.end:,} answers cannot predict what comes now ({said(error)}); "
                "give refit another model, or other parameters of it"
            ) from error
        own = found.scores[:, : len(self.columns)]
        scores[:] = own.min(axis=1, keepdims=True) - np.float32(1)
        scores[:, self.columns] = own
        relevant[:, self.columns] = found.relevant[:, : len(self.columns)]

    def reasons(self, batch: Batch, row: int, moment: int, labels: Names) -> Reasons | None:
        """Return what each feature of a row says to the model; None where that cannot tell."""
        document = asked = alone(batch, row)
        if self.gone:
            moments = np.full(len(document.features), moment)
            asked = document.keep_features(self.gone.stands(document.features, moments))
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
        """Return the model and what was forgotten since, as plain data."""
        return {"model": self.origin.save(self.model), "end": self.end, "gone": self.gone.save()}

    @classmethod
    def load(cls, state: Mapping[str, Any], new: BatchLearner, labels: Names) -> InUse:
        """Return what :meth:`save` told of, a copy of ``new``."""
        gone = Gone()
        gone.load(state["gone"])
        origin, model, seconds = Origin.load(state["model"], new, labels)
        try:
            return cls.of(model, origin, labels, end=int(state["end"]), seconds=seconds, gone=gone)
        except StrangerError:
            raise InputError("a kept model has labels that its window did not have; take another checkpoint") from None
