"""What is odd about the labels of a sample."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from telex.adapters.formats.detection.markup import without_entities

if TYPE_CHECKING:
    from collections.abc import Sequence

_MANY_LABELS, _MANY_DOCUMENTS, _RARE = 50, 20, 0.9


def histogram(labels: Sequence[Sequence[str] | None]) -> tuple[tuple[str, int], ...]:
    """Return the number of documents with each label, most frequent first.

    >>> histogram([["war", "trade"], None, ["trade"]])
    (('trade', 2), ('war', 1))
    """
    counts = Counter(label for some in labels for label in set(some or ()))
    return tuple(sorted(counts.items(), key=lambda one: (-one[1], one[0])))


def seen_once(counts: Sequence[tuple[str, int]]) -> str | None:
    """Return a sentence if nine in ten of many labels occur once.

    >>> print(seen_once([(f"doc {i}", 1) for i in range(60)]))
    60 of 60 labels occur in one document alone, such as 'doc 0': nothing can be learnt of a label before it recurs
    """
    once = [label for label, count in counts if count == 1]
    if len(counts) < _MANY_LABELS or len(once) < _RARE * len(counts):
        return None
    return (
        f"{len(once):,} of {len(counts):,} labels occur in one document alone, such as {once[0][:40]!r}: nothing can "
        "be learnt of a label before it recurs"
    )


def seen_always(counts: Sequence[tuple[str, int]], documents: int) -> str | None:
    """Return a sentence if a label is on every document.

    >>> seen_always([("news", 40), ("war", 3)], 40)
    "every one of the 40 documents has the label 'news', which tells none from another"
    """
    always = [label for label, count in counts if count == documents]
    if documents < _MANY_DOCUMENTS or not always:
        return None
    return f"every one of the {documents:,} documents has the label {always[0][:40]!r}, which tells none from another"


def with_entities(counts: Sequence[tuple[str, int]]) -> str | None:
    """Return a sentence if a label holds an entity of HTML.

    >>> with_entities([("war", 7), ("Arts &amp; Leisure", 3)])
    "the label 'Arts &amp; Leisure' holds an entity of HTML, which stays as it is; write the sign that it stands for"
    """
    odd = next((label for label, _ in counts if without_entities(label) != label), None)
    if odd is None:
        return None
    return f"the label {odd[:40]!r} holds an entity of HTML, which stays as it is; write the sign that it stands for"


def one_hot_digits(counts: Sequence[tuple[str, int]]) -> bool:
    """Tell whether the labels are 0 and 1 alone, as in a column of a one-hot table."""
    return bool(counts) and {label for label, _ in counts} <= {"0", "1", "0.0", "1.0"}
