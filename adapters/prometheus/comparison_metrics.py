"""Metrics that compare learners."""

from __future__ import annotations

from typing import TYPE_CHECKING

from telex.adapters.prometheus.families import gauge

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prometheus_client.metrics_core import Metric

    from telex.stream.run import RunView

_WHAT = {
    "": "How much more a learner loses than the other, as the mean over all documents; the name is that of the loss.",
    "_lower": "The lower bound of that difference: if it is above 0, the other learner is better.",
    "_upper": "The upper bound of that difference: if it is below 0, the learner is better.",
}


def comparisons(run: RunView) -> Iterator[Metric]:
    """Yield the differences of all pairs and their bounds; at most ten learners are compared, so 45 pairs."""
    if run.comparison is None or run.comparison_loss is None:
        return
    standings = run.standings
    for end, what in _WHAT.items():
        rows = [
            ((one.a, one.b, run.comparison_loss.name), getattr(one, end.lstrip("_") or "difference"))
            for one in standings
            if one.n
        ]
        yield gauge(f"telex_compare_difference{end}", what, rows, ("learner", "other", "name"))
