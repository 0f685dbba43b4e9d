"""Losses of documents, by name: of rankings, of predicted sets, and AdaBoost.LC's covering errors.

Each loss is a file of this folder: ``LOSSES`` lists the folder, in the losses' own order. Read `loss` first, the base
class; then `judged`, predictions compared with the true labels, and `iserr`, a short loss. `shown_figures` selects what
a view shows, and `label_counts` counts each label's hits and mistakes.

>>> list(LOSSES)[:4]
['iserr', 'errsetsize', 'ranking_loss', 'margin']
>>> [name for name, loss in LOSSES.items() if loss.unit == "ranks"]
['margin', 'coverage']
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from telex.learners.losses.cover_wn import CoverWN
from telex.learners.losses.cover_wp import CoverWP
from telex.learners.losses.judged import Judged, check_judged, judge
from telex.learners.losses.label_counts import MEASURES, measures, no_counts, tally
from telex.learners.losses.loss import Loss
from telex.learners.losses.reliability import count_reliability, no_reliability, tenths
from telex.learners.losses.shown_figures import (
    COMPACT,
    USUAL,
    Figure,
    Shown,
    by_priority,
    compact_columns,
    figures_of,
    usual_figures,
)

__all__ = [
    "COMPACT",
    "LOSSES",
    "MEASURES",
    "USUAL",
    "CoverWN",
    "CoverWP",
    "Figure",
    "Judged",
    "Loss",
    "Shown",
    "by_priority",
    "check_judged",
    "compact_columns",
    "count_reliability",
    "figures_of",
    "judge",
    "measures",
    "no_counts",
    "no_reliability",
    "tally",
    "tenths",
    "usual_figures",
]


def _of_this_folder() -> dict[str, Loss]:
    found = []
    for module in iter_modules(__path__, f"{__name__}."):
        things = vars(import_module(module.name)).values()
        # A module also has the names that it imports: Loss, or another loss from which it derives its own.
        own = (one for one in things if isinstance(one, type) and one.__module__ == module.name)
        found += [kind() for kind in own if issubclass(kind, Loss) and kind is not Loss]
    return {loss.name: loss for loss in sorted(found, key=lambda loss: loss.order)}


LOSSES: dict[str, Loss] = _of_this_folder()
