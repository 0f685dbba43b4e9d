"""The array types of the whole house, by what they hold."""

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
