"""The figures of a curve: losses and measures, and which of them a view shows."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from telex.learners.base import UsageError
from telex.learners.losses.label_counts import MEASURES, Measure
from telex.learners.losses.loss import Loss

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

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


@dataclass(frozen=True, slots=True)
class Shown:
    """What is chosen to be shown: ``columns`` in their order, the ``headline`` first, learners in order by ``sort_by``.

    Empty choices stand for the usual. Names are those of figures; :attr:`names` has all of them.

    >>> from telex.learners.losses import LOSSES
    >>> shown = Shown(headline="avgp", sort_by="micro_f1")
    >>> shown.by_priority(list(LOSSES.values()))[:3], Shown(("oneerr", "avgp")).by_priority([])
    (['avgp', 'iserr', 'micro_f1'], ['oneerr', 'avgp'])
    >>> list(shown.sorted({"br": {"micro_f1": None}, "nb": {"micro_f1": 0.5}, "mmp": {"micro_f1": 0.7}}, []))
    ['mmp', 'nb', 'br']
    """

    columns: tuple[str, ...] = ()
    headline: str | None = None
    sort_by: str | None = None

    @property
    def names(self) -> list[str]:
        """The names of all figures that are chosen."""
        return list(dict.fromkeys(filter(None, (self.headline, *self.columns, self.sort_by))))

    def by_priority(self, losses: Sequence[Loss]) -> list[str]:
        """Return the names of the figures that a view shows, the most important first."""
        return self._first(self.columns or by_priority(losses))

    def in_columns(self, losses: Sequence[Loss], most: int | None = None) -> list[str]:
        """Return the same names in the order of columns; without a choice of columns the ``most`` important ones."""
        return self._first(self.columns or usual_figures(losses, most))

    def compact(self, losses: Sequence[Loss], columns: Iterable[str] = COMPACT) -> list[str]:
        """Return the columns of a table with more than one run or part."""
        return self._first(self.columns or compact_columns(losses, columns))

    def sorted(
        self, learners: Mapping[str, Mapping[str, float | None]], losses: Iterable[Loss]
    ) -> dict[str, Mapping[str, float | None]]:
        """Return the learners with their figures, the best by ``sort_by`` first, undefined figures last."""
        best = {figure.name: figure.best for figure in figures_of(losses)}

        def far(name: str) -> float:
            value = None if self.sort_by is None else learners[name].get(self.sort_by)
            return math.inf if value is None else abs(value - best.get(str(self.sort_by), 0.0))

        return {name: learners[name] for name in sorted(learners, key=far)}

    def _first(self, names: Iterable[str]) -> list[str]:
        return list(dict.fromkeys(filter(None, (self.headline, *names))))


USUAL = Shown()
"""Nothing is chosen: views show what they usually show."""


def _in_order(losses: Sequence[Loss], names: Iterable[str]) -> list[str]:
    wanted = set(names)
    return [one.name for one in sorted(figures_of(losses), key=lambda one: one.order) if one.name in wanted]
