"""Features that leave a vocabulary of bounded size, so that their ids can stand for others."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from telex.learners.arrays import Ids


@dataclass(frozen=True, slots=True, eq=False)
class Forget:
    """What learners forget while they follow a batch: before row ``rows[i]`` the weights of feature ``features[i]``.

    ``rows`` ascend, and count from the batch's first row. A row may have several; a feature may leave in several
    rows. From there on the feature is to a learner as one never met.

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
        """Return what happens before the rows ``start`` to ``stop``, None where that is nothing."""
        # Not by numpy, which lets go of the interpreter for it: where a thread reads ahead that is dear.
        first, last = bisect_left(self.rows, start), bisect_left(self.rows, stop)
        return Forget(self.rows[first:last] - np.int32(start), self.features[first:last]) if first < last else None
