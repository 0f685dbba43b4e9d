"""Feature scores: Rocchio's, the mean in documents with a label against the mean in those without."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from telex.learners.base import Reals
    from telex.learners.selection.document_term_matrix import Table

POSITIVE, NEGATIVE = 16.0, 4.0


def rocchio(table: Table) -> Iterator[Reals]:
    """Yield Rocchio's score of each feature, for some labels at a time, a row per label.

    It is 16 times the feature's mean value over the documents with the label, minus 4 times its mean over the others.
    """
    n = len(table)
    whole = np.ones((1, n)) @ table.x
    for members, inside in table.inside(table.x):
        yield POSITIVE * inside / members - NEGATIVE * (whole - inside) / np.maximum(n - members, 1)
