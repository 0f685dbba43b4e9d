"""Sets of labels by name, as plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from telex.learners.base.names import Names

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from telex.learners.base.savable import State

LabelSet = tuple["Hashable", ...]


def save_label_sets(sets: Sequence[LabelSet]) -> State:
    """Return sets as plain data.

    >>> load_label_sets(save_label_sets([("war", "trade"), ()]))
    [('war', 'trade'), ()]
    """
    names = Names()
    ids = [names.id(label) for one in sets for label in one]
    sizes = np.array([len(one) for one in sets], np.int64)
    return {"names": names.save(), "ids": np.array(ids, np.int32), "sizes": sizes}


def load_label_sets(state: State) -> list[LabelSet]:
    """Restore what :func:`save_label_sets` returned."""
    names, ids = list(Names.of(state["names"])), state["ids"].tolist()
    found, start = [], 0
    for size in state["sizes"].tolist():
        found.append(tuple(names[i] for i in ids[start : start + size]))
        start += size
    return found
