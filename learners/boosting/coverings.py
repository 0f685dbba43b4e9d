"""Coverings of labels: which labels stand or fall together, when a labelling is held against the truth."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TYPE_CHECKING

from telex.learners.boosting.cover_files import label_sets, top_topics
from telex.learners.errors import UsageError
from telex.learners.losses.cover_wn import CoverWN
from telex.learners.losses.cover_wp import CoverWP
from telex.learners.registry import meant

if TYPE_CHECKING:
    from collections.abc import Mapping

Labelling = frozenset[Hashable]
Labels = tuple[Hashable, ...]
Sets = Iterable[Iterable[Hashable]]
Covering = Callable[[Labelling, Labels], Sets]
"""From a document's labels, and all labels, to a multiset of label sets: to be wrong in a set is one error.

It must depend on these two alone. A label that it names and nobody has stands for nothing, so do an empty set and a
label twice in one set; a set that is there twice counts twice. A label that is in no set is not learnt.
"""


def zo(relevant: Labelling, labels: Labels) -> Sets:
    """Return one set of all labels: a labelling is right or wrong."""
    del relevant
    return [labels]


def hm(relevant: Labelling, labels: Labels) -> Sets:
    """Return one set for each label: as many errors as wrong labels.

    >>> hm(frozenset({"a"}), ("a", "b"))
    [('a',), ('b',)]
    """
    del relevant
    return [(label,) for label in labels]


def ts(relevant: Labelling, labels: Labels) -> Sets:
    """Return two sets, the relevant labels and the others: something missed, something added."""
    return [relevant, _others(relevant, labels)]


def wp(relevant: Labelling, labels: Labels) -> Sets:
    """Return the relevant labels as one set, 6 times, and each other label alone.

    >>> sorted(map(sorted, wp(frozenset({"a", "b"}), ("a", "b", "c"))))
    [['a', 'b'], ['a', 'b'], ['a', 'b'], ['a', 'b'], ['a', 'b'], ['a', 'b'], ['c']]
    """
    return [relevant] * CoverWP.weight + [(label,) for label in _others(relevant, labels)]


def wn(relevant: Labelling, labels: Labels) -> Sets:
    """Return the irrelevant labels as one set, 4 times, and each relevant label alone."""
    return [_others(relevant, labels)] * CoverWN.weight + [(label,) for label in labels if label in relevant]


COVERINGS: Mapping[str, Covering] = {"zo": zo, "hm": hm, "ts": ts, "wp": wp, "wn": wn}


def covering_of(given: str | Covering) -> Covering:
    """Return the covering of that name or file; a function is one already.

    >>> covering_of("ts") is ts
    True
    """
    if not isinstance(given, str):
        if callable(given):
            return given
        raise UsageError(f"covering is {given!r}; give a name, a file, or a function of (labels of a document, labels)")
    kind, colon, path = given.partition(":")
    if colon and path and kind in _FILES:
        return _FILES[kind](path)
    if given not in COVERINGS:
        names = ", ".join(COVERINGS)
        raise UsageError(
            f"there is no covering {given!r}{meant(given, COVERINGS)}; choose one of {names}, sets:FILE or top:FILE"
        )
    return COVERINGS[given]


_FILES: Mapping[str, Callable[[str], Covering]] = {"sets": label_sets, "top": top_topics}


def _others(relevant: Labelling, labels: Labels) -> Labels:
    return tuple(label for label in labels if label not in relevant)
