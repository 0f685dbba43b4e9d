"""What the reproductions of AdaBoost.LC's paper have in common: RCV1 as it prepares it, and how tables are shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from telex.adapters.formats import LyrlTokens
from telex.adapters.reproductions.catalogue import collection
from telex.learners.base import Batch, UsageError
from telex.learners.boosting.coverings import COVERINGS
from telex.learners.losses import LOSSES
from telex.learners.selection import best_of_each, keep_terms, pooled
from telex.stream.sources import Features

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping, Sequence

    from telex.learners.base import Reals
    from telex.learners.losses import Judged

MEASURES = (*(f"cover_{name}" for name in COVERINGS), "oneerr", "coverage", "avgp")
EPS = 1.0
_TOKENS = "lyrl2004_tokens*.dat*"
_TEXT = "weight=Lou,slope=0.3"
"""Pivoted length-normalised tf-idf: log tf over the log of its mean, ln(n / occurrences) where above 0, pivoted."""


class Topics(NamedTuple):
    """The training and the test documents, with the best terms of each topic."""

    train: Batch
    test: Batch
    terms: int

    def settings(self, **chosen: Any) -> dict[str, Any]:
        """Return what is said of a reproduction: its documents, and the settings that were ``chosen``."""
        return {
            "train": len(self.train), "test": len(self.test), "terms": self.terms, "rocchio": [16, 4], "text": _TEXT,
            "update": "parallel", **chosen,
        }  # fmt: skip


def read_topics(
    data: str | os.PathLike[str],
    per_label: int,
    progress: Callable[[str], None],
    train: int | None = None,
    test: int | None = None,
) -> Topics:
    """Read all token files of RCV1 in ``data``, and keep the ``per_label`` terms of highest Rocchio score a topic.

    The first ``train`` documents in order of id train (by default three in four of those with topics, as in the paper),
    the next ``test`` test (by default the rest). Frequencies and terms come from the training part.
    """
    progress("reading RCV1")
    files = sorted(collection(data, "rcv1", _TOKENS).glob(_TOKENS))
    if train is None:
        counted = Features(LyrlTokens(files), text="weight=binary")
        labelled = np.concatenate([np.zeros(0, np.bool_), *(one.labelled for one in counted if isinstance(one, Batch))])
        wanted = int(labelled.sum()) * 3 // 4
        train = int(np.flatnonzero(labelled)[wanted - 1]) + 1 if wanted else 0
    features = Features(LyrlTokens(files), text=f"{_TEXT},fit={train}")
    features.prepare(None, None if test is None else train + test)
    whole = Batch.concat([batch for batch in features if isinstance(batch, Batch)])
    parts = (np.arange(train, dtype=np.int32), np.arange(train, len(whole), dtype=np.int32))
    training, testing = (whole.take(part[whole.labelled[part]]) for part in parts)
    if not len(training) or not len(testing):
        raise UsageError(f"RCV1 in {data} has {len(whole)} documents, too few to train and test; give more of it")
    chosen = pooled(best_of_each(training, "rocchio", per_label))
    return Topics(keep_terms(training, chosen), keep_terms(testing, chosen), len(chosen))


def losses_of(judged: Judged, names: Sequence[str] = MEASURES) -> dict[str, Reals]:
    """Return the losses of each document by name."""
    return {name: LOSSES[name].of(judged) for name in names}


def best(table: Mapping[str, Mapping[str, float]]) -> dict[str, str]:
    """Return which row is lowest in the column of each covering, the first of equals.

    >>> rows = {name: {f"cover_{other}": float(name != other) for other in COVERINGS} for name in COVERINGS}
    >>> best(rows) == {name: name for name in COVERINGS}
    True
    """
    found = {}
    for name in COVERINGS:
        column = name if name in table[name] else f"cover_{name}"
        found[name] = min(table, key=lambda row: table[row][column])
    return found


def diagonal_line(title: str, found: Mapping[str, str]) -> str:
    """Return in how many columns the diagonal is best, and what is best in the others."""
    held = [column for column, name in found.items() if column == name]
    others = ", ".join(f"{column} (best: {name})" for column, name in found.items() if column != name)
    return f"{title}: the diagonal is best in {len(held)} of {len(found)} columns{others and '; not in '}{others}"


def settings_line(found: dict[str, Any]) -> str:
    """Return the settings in one line."""
    return "settings: " + ", ".join(f"{key} {value}" for key, value in found["settings"].items())
