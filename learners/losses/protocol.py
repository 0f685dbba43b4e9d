"""What a loss is: a name, a direction, and a number for each judged document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from telex.learners.arrays import Reals
    from telex.learners.losses.judged import Judged


class Loss(Protocol):
    """A loss of single documents; its mean over documents is the curve.

    A loss of one's own is a class with these three members, passed to ``Run(losses=[...])`` or installed
    under the entry point ``telex.losses``. It must be computed document by document: entry i of the result may depend
    on entry i of ``judged`` alone, or the curve would depend on how the stream was cut into batches. One whose
    values are never outside [0, 1] may say so by ``bounded = True``: learners can then be compared by it while they are
    watched (:mod:`telex.stream.compare`).
    """

    name: str
    best: float
    """The value of a perfect prediction: 0 for most, 1 for average precision."""

    def of(self, judged: Judged) -> Reals:
        """Return the loss of each document, NaN where it is undefined (left out of the mean)."""
        ...
