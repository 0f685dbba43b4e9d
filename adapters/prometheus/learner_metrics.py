"""The figures of the learners' curves, a family for each unit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from telex.adapters.prometheus.families import counter, gauge
from telex.learners.losses import figures_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prometheus_client.metrics_core import Metric

    from telex.stream.run import RunView

_HELP = {
    "ratio": "Losses and measures from 0 to 1",
    "ranks": "Losses counted in ranks",
    "labels": "Losses counted in labels of a document",
    "pairs": "Losses counted in pairs of labels",
    "value": "Losses without a unit",
}
_SPAN = "means over the window of newest answered documents in this part of the stream, or over all"


def not_finite(run: RunView) -> Iterator[Metric]:
    """Yield the count of scored documents with a score that was NaN, or a loss that was infinite."""
    yield counter(
        "telex_not_finite_documents_total",
        "Scored documents with a score that was NaN or a loss that was infinite.",
        [((name,), count) for name, count in run.scores_not_finite.items()],
        ("learner",),
    )


def figures(run: RunView) -> Iterator[Metric]:
    """Yield a family for each unit of the run's figures, since a sum of ranks and ratios makes no sense.

    The label ``window`` is the number of documents, or ``all``.
    """
    rows: dict[str, list[tuple[tuple[str, str, str], float | None]]] = {}
    section, shown = run.section, figures_of(run.losses)
    for learner, cumulative in section.so_far(run.learners).items():
        if learner in run.set_aside:
            continue
        curve = section.curves[learner]
        windowed = curve.over_window(section.labels_of(curve, run.learners[learner]))
        for span, found in (("all", cumulative), (str(run.settings.window), windowed)):
            for one in shown:
                rows.setdefault(one.unit, []).append(((learner, one.name, span), found[one.name]))
    for unit in [*(unit for unit in _HELP if unit in rows), *sorted(rows.keys() - _HELP.keys())]:
        what = _HELP.get(unit, f"Losses counted in {unit}")
        yield gauge(f"telex_metric_{unit}", f"{what}: {_SPAN}.", rows[unit], ("learner", "name", "window"))
