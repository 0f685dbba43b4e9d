"""The speed of a run, from the seconds at which it reached its documents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from telex.adapters.report.thinned_points import rounded, thin

if TYPE_CHECKING:
    from collections.abc import Sequence

_PIECES = 200


def speed_data(reached: Sequence[tuple[float, int]]) -> dict[str, Any] | None:
    """Return documents per second over a run, from its (seconds, documents) pairs; None for fewer than two.

    Points near the beginning are milliseconds apart and say nothing about speed: each value covers at least a
    two-hundredth of the run.

    >>> speed_data([(0.0, 1), (1.0, 101), (2.0, 301)])
    {'seconds': [1.0, 2.0], 'pace': [100.0, 200.0]}
    """
    if len(reached) < 2:
        return None
    at, documents = np.array(reached, np.float64).T
    least, far = at[-1] / _PIECES, [0]
    for i in range(1, len(at)):
        if at[i] - at[far[-1]] >= least and at[i] > at[far[-1]]:
            far.append(i)
    if len(far) < 2:
        return None
    speed = np.diff(documents[far]) / np.diff(at[far])
    some = thin(speed)
    return {"seconds": rounded(at[far[1:]][some]), "pace": rounded(speed[some])}
