"""Feature scores: document frequency."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from telex.learners.base import Reals
    from telex.learners.selection.document_term_matrix import Table


def document_frequency(table: Table) -> Iterator[Reals]:
    """Yield the number of documents that have each feature (a value other than 0); a row per label, all equal."""
    having = np.bincount(table.presence().indices, minlength=len(table.features)).astype(np.float64)
    yield np.broadcast_to(having, (len(table.labels), len(having)))
