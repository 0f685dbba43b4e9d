"""How well learners do: the figures of their curves, by what they are counted in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from telex.adapters.prometheus.families import gauge
from telex.learners.losses import counts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prometheus_client.metrics_core import Metric

    from telex.stream.run import Run

_UNITS = {
    **dict.fromkeys(("iserr", "oneerr", "avgp", "zero_one", "cover_zo", *counts.MEASURES), "ratio"),
    **dict.fromkeys(("margin", "coverage"), "ranks"),
    **dict.fromkeys(("hamming", "cover_hm"), "labels"),
    "errsetsize": "pairs",
}
_WHAT = {
    "ratio": "Losses and measures from 0 to 1",
    "ranks": "Losses counted in ranks",
    "labels": "Losses counted in labels of a document",
    "pairs": "Losses counted in pairs of labels",
    "value": "Losses without a unit",
}
_SPAN = "means over the last so many answered documents of this part of the stream, or over all"


def figures(run: Run) -> Iterator[Metric]:
    """Yield a family for each unit that the run's losses are counted in: to add ranks to ratios makes no sense.

    The label ``window`` is the number of documents, or ``all``. A loss of somebody else's has no unit: a ``value``.
    """
    rows: dict[str, list[tuple[tuple[str, str, str], float | None]]] = {}
    part = run.part
    for learner, cumulative in part.so_far(run.learners).items():
        curve = part.curves[learner]
        windowed = curve.over_window(part.labels_of(curve, run.learners[learner]))
        for span, found in (("all", cumulative), (str(run.window), windowed)):
            for name in run.names:
                rows.setdefault(_UNITS.get(name, "value"), []).append(((learner, name, span), found[name]))
    for unit, what in _WHAT.items():
        if unit in rows:
            yield gauge(f"telex_metric_{unit}", f"{what}: {_SPAN}.", rows[unit], ("learner", "name", "window"))
