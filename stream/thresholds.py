"""Predicted sets by scores instead of a learner's own decision."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.learners.errors import UsageError
from telex.learners.registry import meant

if TYPE_CHECKING:
    from collections.abc import Mapping

    from telex.learners.arrays import Flags
    from telex.learners.predictions import Predictions

_SHOWN = 5
"""How many labels are named where one is not known."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """A label in ``own`` is predicted where its score is not below its number there, whatever the learner decides.

    Any other is predicted where the learner predicts it and its score is not below ``least``. Scores are the
    learner's: a probability for one, any number for another.

    >>> Thresholds.read(["GCAT=0.5", "a=b=-2"], least=0.1)
    Thresholds(own={'GCAT': 0.5, 'a=b': -2.0}, least=0.1)
    """

    own: Mapping[Any, float] = field(default_factory=dict)
    least: float = -math.inf

    @classmethod
    def read(cls, texts: list[str], least: float | None = None) -> Thresholds:
        """Read ``LABEL=X``."""
        own = {}
        for text in texts:
            label, _, number = text.rpartition("=")
            try:
                own[label] = float(number)
            except ValueError:
                own[label] = math.nan
            if not label or math.isnan(own[label]):
                raise UsageError(f"the threshold {text!r} is no LABEL=NUMBER; try GCAT=0.5")
        return cls(own, -math.inf if least is None else least)

    def relevant(self, predictions: Predictions) -> Flags:
        """Return what is predicted: a row a document, a column a label."""
        columns = {str(label): column for column, label in enumerate(predictions.labels)}
        found: Flags = predictions.relevant & (predictions.scores >= np.float32(self.least))
        for label, least in self.own.items():
            if str(label) not in columns:
                some = ", ".join(list(columns)[:_SHOWN])
                raise UsageError(
                    f"there is no label {label!r} to have a threshold{meant(str(label), columns)}; the learner knows "
                    + (f"{len(columns):,}, such as {some}" if columns else "none yet")
                )
            column = columns[str(label)]
            found[:, column] = predictions.scores[:, column] >= np.float32(least)
        return found
