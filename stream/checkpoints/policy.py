"""The policy of checkpoints: when a run writes one."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from telex.learners.base import Span, span

if TYPE_CHECKING:
    from collections.abc import Sequence


LEAST_LAG = Span(documents=256, seconds=1.0)
"""A checkpoint is overdue after another interval, but not sooner than this."""


class CheckpointPolicy:
    """Says when a checkpoint is due: every N documents, or after a time in which at least one record came.

    It is overdue when it has been due for another interval: then the run waits for the checkpoint before it, so that
    two of them are never much further apart than two intervals.

    ``documents`` counts those of the whole run. ``records`` counts what this pass has read: documents, answers and
    dead letters.

    >>> policy = CheckpointPolicy(100)
    >>> policy.due(99, [99, 0, 0]), policy.due(100, [100, 0, 0]), policy.overdue(100)
    (False, True, False)
    >>> policy.overdue(355), policy.overdue(356)
    (False, True)
    """

    def __init__(self, every: int | str) -> None:
        self.every: Span = span("checkpoint-every", every)
        self._documents, self._records = 0, [0, 0, 0]
        self._time = time.monotonic()

    def due(self, documents: int, records: Sequence[int]) -> bool:
        """Return whether a checkpoint is due."""
        if self.every.documents is not None:
            return documents - self._documents >= self.every.documents
        return list(records) != self._records and time.monotonic() - self._time >= (self.every.seconds or 0.0)

    def overdue(self, documents: int) -> bool:
        """Return whether a checkpoint, which is due, has been due for long."""
        if self.every.documents is not None:
            lag = max(self.every.documents, LEAST_LAG.documents or 0)
            return documents - self._documents >= self.every.documents + lag
        seconds = self.every.seconds or 0.0
        return time.monotonic() - self._time >= seconds + max(seconds, LEAST_LAG.seconds or 0.0)

    def resumed(self, documents: int, records: Sequence[int]) -> None:
        """Count from here, where the run resumed."""
        self._documents, self._records = documents, list(records)

    def saved(self, documents: int, records: Sequence[int]) -> None:
        """Count from here, where a checkpoint was saved."""
        self.resumed(documents, records)
        self._time = time.monotonic()
