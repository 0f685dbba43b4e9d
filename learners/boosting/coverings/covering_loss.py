"""The error of any covering as a loss of documents, for curves and tables."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import TYPE_CHECKING

import numpy as np

from telex.learners.boosting.coverings.coverings import covering_of, file_of
from telex.learners.losses import Loss

if TYPE_CHECKING:
    from telex.learners.base import Reals
    from telex.learners.boosting.coverings.coverings import Covering
    from telex.learners.losses import Judged


class CoveringLoss(Loss):
    """How many label sets of a covering have a wrong label (AdaBoost.LC).

    ``covering`` is any that AdaBoostLC takes: a name, ``wp:WEIGHT``, ``wn:WEIGHT``, ``sets:FILE``, ``top:FILE`` or a
    function. The function gets, as all labels, those that are true or predicted: what it makes of other labels could
    have no error, unless its sets of some labels depend on which others there are.

    >>> CoveringLoss("wp:8").name
    'cover_wp_8'
    """

    unit = "sets"
    order = 140
    priority = None

    def __init__(self, covering: str | Covering, name: str | None = None) -> None:
        self.covering = covering_of(covering)
        self.name = name or f"cover_{_name(covering)}"
        file = file_of(covering)
        self.files = () if file is None else (file,)

    def of(self, judged: Judged) -> Reals:
        """Return the number of sets, each as often as it occurs."""
        errors, names = np.zeros(len(judged)), judged.label_names
        for row in np.flatnonzero(judged.fp + judged.fn).tolist():
            marks = judged.marks[judged.mark_indptr[row] : judged.mark_indptr[row + 1]].tolist()
            labels = tuple(names[mark >> 2] for mark in marks)
            kinds = [mark & 3 for mark in marks]  # 0: right, 1: too many, 2: missing
            relevant = frozenset(label for label, kind in zip(labels, kinds, strict=True) if kind != 1)
            wrong = {label for label, kind in zip(labels, kinds, strict=True) if kind}
            errors[row] = sum(not wrong.isdisjoint(one) for one in self.covering(relevant, labels))
        return errors


def _name(covering: str | Covering) -> str:
    """Return what distinguishes a covering, in letters, digits and underscores.

    >>> _name("sets:news/our groups.txt"), _name("top:rcv1.topics.hier.orig")
    ('sets_our_groups', 'top_rcv1_topics_hier')
    """
    if not isinstance(covering, str):
        return re.sub(r"\W+", "_", getattr(covering, "__name__", type(covering).__name__)).strip("_")
    kind, _, rest = covering.partition(":")
    return re.sub(r"\W+", "_", f"{kind}_{PurePath(rest).stem}").strip("_")
