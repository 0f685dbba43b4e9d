"""Thresholds: predicted sets by score instead of the learner's own decision."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.learners import did_you_mean
from telex.learners.base import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from telex.learners.base import Flags, Predictions

_SHOWN = 5
"""How many labels the error for an unknown label names."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The scores from which labels are predicted.

    A label in ``own`` is predicted if its score is at least its number there, whatever the learner decides. Any other
    label is predicted if the learner predicts it and its score is at least ``least``. The range of scores depends on
    the learner: some give probabilities, others any number.

    >>> Thresholds.read(["GCAT=0.5", "a=b=-2"], least=0.1)
    Thresholds(own={'GCAT': 0.5, 'a=b': -2.0}, least=0.1)
    """

    own: Mapping[Any, float] = field(default_factory=dict)
    least: float = -math.inf

    @classmethod
    def read(cls, texts: list[str], least: float | None = None) -> Thresholds:
        """Read thresholds such as ``LABEL=0.5``; a label may contain ``=``."""
        own = {}
        for text in texts:
            label, _, number = text.rpartition("=")
            try:
                own[label] = float(number)
            except ValueError:
                own[label] = math.nan
            if not label or math.isnan(own[label]):
                raise UsageError(f"the threshold {text!r} is not of the form LABEL=NUMBER; try GCAT=0.5")
        return cls(own, -math.inf if least is None else least)

    def relevant(self, predictions: Predictions) -> Flags:
        """Return the predicted sets: a row per document, a column per label."""
        columns = {str(label): column for column, label in enumerate(predictions.labels)}
        relevant: Flags = predictions.relevant & (predictions.scores >= np.float32(self.least))
        for label, least in self.own.items():
            if str(label) not in columns:
                some = ", ".join(list(columns)[:_SHOWN])
                close = did_you_mean(str(label), columns)
                raise UsageError(
                    f"there is no label {label!r} for a threshold{close}; the learner knows "
                    + (f"{len(columns):,}, such as {some}" if columns else "none yet")
                )
            column = columns[str(label)]
            relevant[:, column] = predictions.scores[:, column] >= np.float32(least)
        return relevant
