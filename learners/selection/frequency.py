"""Features by document frequency: how many documents have them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from telex.learners.arrays import Reals
    from telex.learners.selection.table import Table


def document_frequency(table: Table) -> Iterator[Reals]:
    """Yield, a row a label, how many documents have each feature, a value other than 0; the same for all labels."""
    having = np.bincount(table.presence().indices, minlength=len(table.features)).astype(np.float64)
    yield np.broadcast_to(having, (len(table.labels), len(having)))
