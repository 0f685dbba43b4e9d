"""The figures of a curve: losses and measures, and which of them a view shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from telex.learners.base import UsageError
from telex.learners.losses.label_counts import MEASURES, Measure
from telex.learners.losses.loss import Loss

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Figure = Loss | Measure
"""A column of a curve: losses and measures have the same facts under the same names."""
COMPACT = ("iserr", "avgp", "oneerr", "hamming", "micro_f1", "macro_f1")
"""The columns of tables that put several runs, or the parts of a cross-validation, side by side."""


def figures_of(losses: Iterable[Loss]) -> tuple[Figure, ...]:
    """Return the figures of a curve: the losses as given, then the measures of label counts.

    >>> from telex.learners.losses import LOSSES
    >>> [figure.name for figure in figures_of([LOSSES["avgp"]])][:3]
    ['avgp', 'micro_precision', 'micro_recall']
    """
    given = tuple(losses)
    for loss in given:
        if not isinstance(loss, Loss):
            raise UsageError(f"{loss!r} is no loss; derive its class from telex.learners.losses.Loss")
        if not (loss.unit.isascii() and loss.unit.isidentifier()):
            raise UsageError(f"the loss {loss.name} has the unit {loss.unit!r}; give one word, such as ranks")
    return (*given, *MEASURES.values())


def by_priority(losses: Sequence[Loss]) -> list[str]:
    """Return the names of the figures that views usually show, the most important first, which is a loss.

    >>> from telex.learners.losses import LOSSES
    >>> by_priority(list(LOSSES.values()))[:4], by_priority([LOSSES["hamming"]])
    (['iserr', 'avgp', 'micro_f1', 'errsetsize'], ['hamming', 'micro_f1', 'macro_f1'])
    """
    ranked = ((one.priority, one.order, one.name) for one in figures_of(losses) if one.priority is not None)
    names = [name for _, _, name in sorted(ranked)]
    own = [loss.name for loss in losses]
    return names if names[0] in own else [*own, *(name for name in names if name not in own)]


def usual_figures(losses: Sequence[Loss], most: int | None = None) -> list[str]:
    """Return the names of the figures that views usually show, or of the ``most`` important, in the order of columns.

    >>> from telex.learners.losses import LOSSES
    >>> usual_figures(list(LOSSES.values()), 5)
    ['iserr', 'errsetsize', 'avgp', 'micro_f1', 'macro_f1']
    """
    return _in_order(losses, by_priority(losses)[:most])


def compact_columns(losses: Sequence[Loss], columns: Iterable[str] = COMPACT) -> list[str]:
    """Return the ``columns`` that exist, and the losses of other packages, in the order of columns."""
    others = (one for one in losses if not type(one).__module__.startswith("telex."))
    return _in_order(losses, {*columns, *(one.name for one in others if one.priority is not None)})


def _in_order(losses: Sequence[Loss], names: Iterable[str]) -> list[str]:
    wanted = set(names)
    return [one.name for one in sorted(figures_of(losses), key=lambda one: one.order) if one.name in wanted]
