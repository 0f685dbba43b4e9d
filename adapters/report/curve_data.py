"""The data of learning curves on a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from telex.adapters.report.thinned_points import LEAST, MOST, rounded, thin
from telex.stream.run_folder import SPANS

if TYPE_CHECKING:
    from telex.learners.base import Offsets, Reals
    from telex.stream.run_folder import CurveTable

ROOM = 50_000
"""The stretches that all lines of a page share: with up to four points each they take less than 3 MB."""


def curve_data(curves: CurveTable | None, room: int = ROOM) -> dict[str, Any] | None:
    """Return curves as plain data, thinned by :func:`~telex.adapters.report.thinned_points.thin` to fit the ``room``.

    A thinned line has its own places (``d``, each as the step from the one before); any other uses those of all
    (``documents``). Figures without a value for any learner are left out. Without a point it is None.

    >>> from telex.stream.run_folder import CurveTable
    >>> line = np.arange(1.0, 101.0)
    >>> learners = {"mmp": {"iserr": line / 10, "iserr_window": line}}
    >>> curves = CurveTable(np.arange(1, 101), line, ("iserr",), learners)
    >>> curve_data(curves)["learners"]["mmp"]["iserr"]["v"][:3]
    [0.1, 0.2, 0.3]
    >>> {name: numbers[:3] for name, numbers in curve_data(curves, room=1)["learners"]["mmp"]["iserr"].items()}
    {'v': [0.1, 0.5, 0.6], 'd': [1, 4, 1]}
    """
    if curves is None or not len(curves.documents):
        return None
    documents = curves.documents
    there = tuple(
        name for name in curves.figures
        if any(not np.isnan(columns[name + span]).all() for columns in curves.learners.values() for span in SPANS)
    )  # fmt: skip
    stretches = max(LEAST, min(MOST, room // max(1, len(curves.learners) * len(there) * len(SPANS))))
    clock = np.flatnonzero(~np.isnan(curves.times))
    clock = clock[np.unique(np.linspace(0, len(clock) - 1, min(len(clock), 4 * stretches)).astype(int))]
    return {
        "points": len(documents),
        "last": int(documents[-1]),
        "documents": [] if len(documents) > 4 * stretches else documents.tolist(),
        "clock": {"d": documents[clock].tolist(), "t": np.round(curves.times[clock], 3).tolist()},
        "figures": there,
        "learners": {
            name: {
                figure + span: _line(documents, columns[figure + span], stretches) for figure in there for span in SPANS
            }
            for name, columns in curves.learners.items()
        },
    }


def _line(documents: Offsets, values: Reals, stretches: int) -> dict[str, Any]:
    if len(values) <= 4 * stretches:
        return {"v": rounded(values)}
    at = thin(values, stretches)
    return {"v": rounded(values[at]), "d": np.diff(documents[at], prepend=0).tolist()}
