"""The data of learning curves on a page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.adapters.report.thinned_points import LEAST, MOST, rounded, thin

if TYPE_CHECKING:
    from collections.abc import Mapping

    from telex.learners.base import Offsets, Reals

SPANS = ("", "_window")
"""The two curves of a figure on a page: over all documents so far, and over the sliding window."""
ROOM = 50_000
"""The stretches that all lines of a page share: with up to four points each they take less than 3 MB."""


@dataclass(frozen=True, slots=True)
class Curves:
    """The points of all learners: their places, and each learner's columns, NaN where undefined.

    ``times`` are epoch seconds, NaN before the first document with a time. ``figures`` are the names of losses and
    measures; a learner has each of them once for each of :data:`SPANS`.
    """

    documents: Offsets
    times: Reals
    figures: tuple[str, ...]
    learners: Mapping[str, Mapping[str, Reals]]

    def as_json(self, room: int = ROOM) -> dict[str, Any]:
        """Return plain data, thinned by :func:`~telex.adapters.report.thinned_points.thin` to fit the ``room``.

        A thinned line has its own places (``d``, each as the step from the one before); any other uses those of all
        (``documents``). Figures without a value for any learner are left out.

        >>> line = np.arange(1.0, 101.0)
        >>> curves = Curves(np.arange(1, 101), line, ("iserr",), {"mmp": {"iserr": line / 10, "iserr_window": line}})
        >>> curves.as_json()["learners"]["mmp"]["iserr"]["v"][:3]
        [0.1, 0.2, 0.3]
        >>> {name: numbers[:3] for name, numbers in curves.as_json(room=1)["learners"]["mmp"]["iserr"].items()}
        {'v': [0.1, 0.5, 0.6], 'd': [1, 4, 1]}
        """
        there = tuple(
            name for name in self.figures
            if any(not np.isnan(columns[name + span]).all() for columns in self.learners.values() for span in SPANS)
        )  # fmt: skip
        stretches = max(LEAST, min(MOST, room // max(1, len(self.learners) * len(there) * len(SPANS))))
        thin = len(self.documents) > 4 * stretches
        clock = np.flatnonzero(~np.isnan(self.times))
        clock = clock[np.unique(np.linspace(0, len(clock) - 1, min(len(clock), 4 * stretches)).astype(int))]
        return {
            "points": len(self.documents),
            "last": int(self.documents[-1]),
            "documents": [] if thin else self.documents.tolist(),
            "clock": {"d": self.documents[clock].tolist(), "t": np.round(self.times[clock], 3).tolist()},
            "figures": there,
            "learners": {
                name: {
                    figure + span: self._line(columns[figure + span], stretches) for figure in there for span in SPANS
                }
                for name, columns in self.learners.items()
            },
        }

    def _line(self, values: Reals, stretches: int) -> dict[str, Any]:
        if len(values) <= 4 * stretches:
            return {"v": rounded(values)}
        at = thin(values, stretches)
        return {"v": rounded(values[at]), "d": np.diff(self.documents[at], prepend=0).tolist()}
