"""The origin of a fitted model, which lets a checkpoint save it without a pickle."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from telex.learners.base import Batch, InputError, Names, as_savable, columns_fit, is_savable
from telex.stream.refit.worker import Failed, fit_model

if TYPE_CHECKING:
    from collections.abc import Mapping

    from telex.learners import BatchLearner


@dataclass(frozen=True, slots=True)
class Provenance:
    """The ``batch`` that a model was fitted on, when ``labels`` labels were known.

    A model with ``save`` and ``load`` saves itself, and its provenance holds no batch. Any other is fitted again when
    it is loaded: the same batch and the same parameters must give the same model.
    """

    documents: int = 0
    batch: Batch | None = None
    labels: int = 0

    @classmethod
    def of(cls, batch: Batch, model: BatchLearner, labels: int) -> Provenance:
        """Return the origin of a copy of ``model`` that is fitted on ``batch``."""
        return cls(len(batch), None if is_savable(model) else batch, labels)

    def save(self, model: BatchLearner) -> dict[str, Any]:
        """Return the fitted model as plain data."""
        if self.batch is None:
            return {"state": as_savable("model", model).save()}
        return {"fitted_on": self.batch.save(), "labels": self.labels}

    @classmethod
    def load(
        cls, state: Mapping[str, Any], new: BatchLearner, names: Names
    ) -> tuple[Provenance, BatchLearner, float | None]:
        """Restore the model that :meth:`save` returned, in a copy of ``new``; return also the seconds of its fit.

        The seconds are None if the model saved itself.
        """
        model = copy.deepcopy(new)
        if is_savable(model):
            as_savable("model", model).load(state["state"])
            return cls(), model, None
        arrays, labels = state["fitted_on"], int(state["labels"])
        if not 0 <= labels <= len(names) or not columns_fit(arrays, labels):
            raise InputError("the documents saved with a model do not fit together; take another checkpoint")
        batch = Batch.load(arrays, Names(), Names(list(names)[:labels]))
        result = fit_model(model, batch)
        if isinstance(result, Failed):
            raise InputError(
                f"a model could not be fitted again on the documents that a checkpoint saved ({result.reason}); use "
                "the versions of the libraries that wrote it"
            )
        return cls(len(batch), batch, labels), result.model, result.seconds
