"""Losses of documents, by name: of rankings, of predicted sets, and AdaBoost.LC's covering errors.

Each loss is a file of this folder: ``LOSSES`` is made from the folder, in the losses' own order.

>>> list(LOSSES)[:4]
['iserr', 'errsetsize', 'margin', 'avgp']
>>> [name for name, loss in LOSSES.items() if loss.unit == "ranks"]
['margin', 'coverage']
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from telex.learners.losses.figures import Figure, figures_of
from telex.learners.losses.judged import Judged, judge
from telex.learners.losses.protocol import Loss

__all__ = ["LOSSES", "Figure", "Judged", "Loss", "figures_of", "judge"]


def _of_this_folder() -> dict[str, Loss]:
    found = []
    for module in iter_modules(__path__, f"{__name__}."):
        things = vars(import_module(module.name)).values()
        # A module also names what it imports: Loss, or another loss that it derives its own from.
        own = (one for one in things if isinstance(one, type) and one.__module__ == module.name)
        found += [kind() for kind in own if issubclass(kind, Loss) and kind is not Loss]
    return {loss.name: loss for loss in sorted(found, key=lambda loss: loss.order)}


LOSSES: dict[str, Loss] = _of_this_folder()
