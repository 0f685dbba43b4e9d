"""A loss: a number for each judged document, and the facts about it that files, tables and pages need."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from telex.learners.base import Offsets, Reals
    from telex.learners.losses.judged import Judged


class Loss(ABC):
    """A loss of single documents; its mean over documents is the curve.

    Derive your own from this class, give it a name, define :meth:`of`, and override the facts that differ. Pass an
    instance to ``Run(losses=[...])``, or install the class under the entry point ``telex.losses``. A file in this
    folder needs no more either.

    Compute each document by itself: entry i of the result may depend on entry i of ``judged`` alone. Otherwise the
    curve would depend on how the stream is cut into batches.

    >>> class Missed(Loss):
    ...     name, unit = "missed", "labels"
    ...     def of(self, judged):
    ...         return judged.fn.astype(float)
    >>> Missed().best, Missed().bounded
    (0.0, False)
    """

    name: str
    best: float = 0.0
    """The best possible value. 0: lower is better. Above 0, mostly 1: higher is better, as of average precision."""
    bounded: bool = False
    """Whether all values lie in [0, 1]: confidence sequences need that (:mod:`telex.stream.compare`)."""
    binary: bool = False
    """Whether all values are 0 or 1: drift detectors that count mistakes need that."""
    unit: str = "value"
    """What a value counts: a ``ratio`` from 0 to 1, ``ranks``, ``pairs``, ``labels``, a word of your own; ``value`` is
    a number without a unit. Values of different units never share a Prometheus family."""
    order: int = 1000
    """The place among the columns of files and tables, ascending. Equal orders leave the losses as they were given."""
    priority: int | None = 15
    """Which losses a view shows if it has no room for all: the lowest first. None: only a view of all losses shows it.
    The default comes right after ``iserr``."""
    optional: bool = False
    """Whether only a run that names the loss measures it (``--losses``)."""
    same_as: str | None = None
    """The name of a loss with the same value for every document. If a run has both, losses.bin stores only that one."""

    @abstractmethod
    def of(self, judged: Judged) -> Reals:
        """Return the loss of each document, NaN where it is undefined (left out of the mean)."""

    def following(self, judged: Judged, documents: int, counts: Offsets) -> Reals:
        """Return the loss of documents that follow ``documents`` others, which had the label ``counts`` of a tally.

        Override it only if what is lost hangs on how often labels were true before; entry i may depend on the entries
        before it, too.
        """
        return self.of(judged)
