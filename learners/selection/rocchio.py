"""Features by Rocchio's score: where the documents with a label are, seen from those without."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from telex.learners.arrays import Reals
    from telex.learners.selection.table import Table

POSITIVE, NEGATIVE = 16.0, 4.0


def rocchio(table: Table) -> Iterator[Reals]:
    """Yield Rocchio's score of each feature, some labels at a time, a row a label.

    It is 16 times the feature's mean value over the documents with the label, less 4 times that over those without.
    """
    n = len(table)
    whole = np.ones((1, n)) @ table.x
    for members, inside in table.inside(table.x):
        yield POSITIVE * inside / members - NEGATIVE * (whole - inside) / np.maximum(n - members, 1)
