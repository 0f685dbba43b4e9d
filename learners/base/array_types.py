"""Array types by what they hold, and NaN as None."""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

Ids = npt.NDArray[np.int32]
"""Feature ids, label ids, columns."""
Offsets = npt.NDArray[np.int64]
"""Row starts of a compressed table, stream numbers, counts."""
Values = npt.NDArray[np.float32]
"""Feature values, scores, weights."""
Reals = npt.NDArray[np.float64]
"""Losses, times."""
Flags = npt.NDArray[np.bool_]
Keys = npt.NDArray[np.uint64]
Bytes = npt.NDArray[np.uint8]


def without_nan(value: Any) -> Any:
    """Return plain data with None in place of NaN and infinity, which JSON does not have.

    >>> without_nan({"mean": math.nan, "ratios": [1.5, math.inf], "better": "mmp"})
    {'mean': None, 'ratios': [1.5, None], 'better': 'mmp'}
    """
    if isinstance(value, dict):
        return {key: without_nan(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [without_nan(one) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
