"""Metrics of broken records, by stage and reason."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from telex.adapters.prometheus.families import counter
from telex.stream.sources import REVISED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prometheus_client.metrics_core import Metric

    from telex.stream.sources import DeadLetter

_STAGES = ("read", "decode", "join", "answer", "skip")
OTHER = "_other"


class LetterCounts:
    """Counts dead letters by reason, after removing from it what differs from record to record.

    At most ``most`` reasons have a series, in the order in which they came; all others share one.
    """

    def __init__(self, most: int = 20) -> None:
        self.most = most
        self._counts: Counter[tuple[str, str]] = Counter()
        self._reasons: set[str] = set()

    def add(self, letter: DeadLetter) -> None:
        """Count a broken record; one that is left out because it is revised is not broken."""
        if letter.stage == REVISED:
            return
        reason = plain(letter.reason)
        if reason not in self._reasons:
            if len(self._reasons) >= self.most:
                reason = OTHER
            else:
                self._reasons.add(reason)
        self._counts[letter.stage, reason] += 1

    def families(self) -> Iterator[Metric]:
        """Yield errors by stage, and dead letters by stage and reason."""
        stages = Counter(dict.fromkeys(_STAGES, 0))
        for (stage, _), count in self._counts.items():
            stages[stage] += count
        yield counter(
            "telex_document_errors_total",
            "Records that could not become documents, by the stage at which they failed.",
            [((stage,), count) for stage, count in stages.items()],
            ("stage",),
        )
        yield counter(
            "telex_dead_letters_total",
            "Dead letters, by stage and reason.",
            [(key, count) for key, count in self._counts.items()],
            ("stage", "reason"),
        )


def plain(reason: str) -> str:
    """Return a reason without its numbers and quotes, so that records broken in the same way share one.

    >>> plain("the time '1996-13-01' in line 7, column 3 is none")
    'the time … in line #, column # is none'
    """
    return re.sub(r"\d+", "#", re.sub(r"'[^']*'|\"[^\"]*\"|`[^`]*`", "…", reason))[:120]
