"""Feature scores: information gain, how much the presence of a feature reveals about a label."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from telex.learners.base import Reals
    from telex.learners.selection.document_term_matrix import Table

_UNIT = 2.0**24


def information_gain(table: Table) -> Iterator[Reals]:
    """Yield the information gain of each feature, in nats, for some labels at a time, a row per label.

    It is the mutual information of two events: a document has the feature (a value other than 0), and it has the label.
    x ln x is rounded to multiples of 2^-24, so that its sums are exact: features that divide the documents equally, or
    the opposite way, have equal gains, and a feature that all documents have has gain 0.
    """
    n, there = len(table), table.presence()
    h = np.array([0.0, *(round(i * math.log(i) * _UNIT) / _UNIT for i in range(1, n + 1))])
    having = np.bincount(there.indices, minlength=len(table.features))
    split = h[having] + h[n - having]
    for members, both in table.inside(there):
        # With n documents, ``of`` of them with the label, ``having`` with the feature and a with both, the four cells
        # of the table have a, of - a, having - a and n - of - having + a documents. h[i] is i ln i.
        of, a = members.astype(np.int64), both.astype(np.int64)
        cells = h[a] + h[of - a] + h[having - a] + h[n - of - having + a]
        yield (cells - split - h[of] - h[n - of] + h[n]) / n
