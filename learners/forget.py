"""Features that leave a vocabulary of bounded size, so that their ids can be given to other features."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from telex.learners.arrays import Ids


@dataclass(frozen=True, slots=True, eq=False)
class Forget:
    """What learners forget as they follow a batch: before row ``rows[i]``, all they have learnt of ``features[i]``.

    ``rows`` ascend and count from the batch's first row. Several features may leave before one row, and one feature
    before several rows. From that row on the learner must treat the feature as new.

    >>> gone = Forget(np.array([2, 5], np.int32), np.array([40, 7], np.int32))
    >>> part = gone.rows_of(3, 9)
    >>> len(gone), part.rows.tolist(), part.features.tolist()
    (2, [2], [7])
    """

    rows: Ids
    features: Ids

    def __len__(self) -> int:
        return len(self.rows)

    def rows_of(self, start: int, stop: int) -> Forget | None:
        """Return what is forgotten before the rows ``start`` to ``stop``, or None if nothing is."""
        # Not numpy's searchsorted, which releases the interpreter's lock: costly if another thread reads ahead.
        first, last = bisect_left(self.rows, start), bisect_left(self.rows, stop)
        return Forget(self.rows[first:last] - np.int32(start), self.features[first:last]) if first < last else None
