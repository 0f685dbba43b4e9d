"""Coverings of labels: which labels are right or wrong together when predictions are compared with the truth."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from functools import partial
from typing import TYPE_CHECKING

from telex.learners.base import UsageError
from telex.learners.boosting.coverings.from_files import label_sets, top_topics
from telex.learners.losses import CoverWN, CoverWP
from telex.learners.registry import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping

TrueLabels = frozenset[Hashable]
AllLabels = tuple[Hashable, ...]
Sets = Iterable[Iterable[Hashable]]
Covering = Callable[[TrueLabels, AllLabels], Sets]
"""A function from a document's labels, and all labels, to a multiset of label sets: each wrong set is one error.

It must depend on these two alone. Labels that no document has are ignored, and so are empty sets and a label's second
occurrence in one set; a set that occurs twice counts twice. A label that is in no set is not learnt.
"""


def zo(relevant: TrueLabels, labels: AllLabels) -> Sets:
    """Return one set of all labels: one error, however many labels are wrong."""
    del relevant
    return [labels]


def hm(relevant: TrueLabels, labels: AllLabels) -> Sets:
    """Return one set for each label: an error for each wrong label.

    >>> hm(frozenset({"a"}), ("a", "b"))
    [('a',), ('b',)]
    """
    del relevant
    return [(label,) for label in labels]


def ts(relevant: TrueLabels, labels: AllLabels) -> Sets:
    """Return two sets, the relevant labels and the others: an error if any is missed, and one if any is added."""
    return [relevant, _others(relevant, labels)]


def wp(relevant: TrueLabels, labels: AllLabels, weight: int = CoverWP.weight) -> Sets:
    """Return the relevant labels as one set, ``weight`` times, and each other label alone.

    >>> sorted(map(sorted, wp(frozenset({"a", "b"}), ("a", "b", "c"))))
    [['a', 'b'], ['a', 'b'], ['a', 'b'], ['a', 'b'], ['a', 'b'], ['a', 'b'], ['c']]
    """
    return [relevant] * weight + [(label,) for label in _others(relevant, labels)]


def wn(relevant: TrueLabels, labels: AllLabels, weight: int = CoverWN.weight) -> Sets:
    """Return the irrelevant labels as one set, ``weight`` times, and each relevant label alone."""
    return [_others(relevant, labels)] * weight + [(label,) for label in labels if label in relevant]


COVERINGS: Mapping[str, Covering] = {"zo": zo, "hm": hm, "ts": ts, "wp": wp, "wn": wn}


def covering_of(given: str | Covering) -> Covering:
    """Return the covering of that name or file; a function is returned as it is.

    >>> covering_of("ts") is ts
    True
    >>> len(list(covering_of("wp:2")(frozenset("a"), ("a", "b"))))
    3
    """
    if not isinstance(given, str):
        if callable(given):
            return given
        raise UsageError(f"covering is {given!r}; give a name, a file, or a function of (labels of a document, labels)")
    kind, colon, path = given.partition(":")
    if colon and path and kind in _FILES:
        return _FILES[kind](path)
    if colon and kind in _WEIGHTED:
        if not (path.isdecimal() and int(path) >= 1):
            raise UsageError(
                f"the weight in covering {given!r} is {path!r}; give a whole number from 1 up, as {kind}:8"
            )
        return partial(_WEIGHTED[kind], weight=int(path))
    if given not in COVERINGS:
        names = ", ".join(COVERINGS)
        close = did_you_mean(given, COVERINGS)
        raise UsageError(
            f"there is no covering {given!r}{close}; choose one of {names}, wp:WEIGHT, wn:WEIGHT, sets:FILE or top:FILE"
        )
    return COVERINGS[given]


_FILES: Mapping[str, Callable[[str], Covering]] = {"sets": label_sets, "top": top_topics}
_WEIGHTED = {"wp": wp, "wn": wn}


def file_of(given: str | Covering) -> str | None:
    """Return the file of a covering that is in one.

    >>> file_of("top:tree.tsv"), file_of("wp:8"), file_of("zo")
    ('tree.tsv', None, None)
    """
    kind, _, path = given.partition(":") if isinstance(given, str) else ("", "", "")
    return path if path and kind in _FILES else None


def _others(relevant: TrueLabels, labels: AllLabels) -> AllLabels:
    return tuple(label for label in labels if label not in relevant)
