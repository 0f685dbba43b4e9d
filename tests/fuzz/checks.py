"""What must hold of the items of a source, whatever bytes it reads."""

from __future__ import annotations

import json
import math
import os
from dataclasses import astuple, dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.learners.base import Batch
from telex.stream.sources import DeadLetter, Stories

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from telex.learners.base import Strings

STAGES = {"read", "decode", "join"}
LONGEST = 16 << 20


@dataclass(slots=True)
class Told:
    """What one pass yielded: documents, and dead letters."""

    documents: int = 0
    letters: int = 0
    ids: list[str] = field(default_factory=list)


def drained(items: Iterable[Any]) -> Told:
    """Go through the items of a pass and see that each is sound."""
    told = Told()
    for item in items:
        if isinstance(item, DeadLetter):
            check_letter(item)
            told.letters += 1
            continue
        if isinstance(item, Stories):
            check_stories(item)
        else:
            assert isinstance(item, Batch), type(item)
            check_batch(item, told.documents)
        assert len(item) > 0
        told.documents += len(item)
        told.ids.extend(check_ids(item.ids))
    return told


def check_letter(letter: DeadLetter) -> None:
    """See that a dead letter can be shown and written down."""
    assert letter.stage in STAGES, letter.stage
    assert letter.reason, letter
    assert len(letter.raw) <= LONGEST
    assert letter.line is None or letter.line >= 1
    assert letter.offset is None or letter.offset >= 0
    _, path, *others = astuple(letter)
    os.fsencode(path)
    json.dumps(others, ensure_ascii=False).encode()
    str(letter).replace(path, "").encode()


def check_stories(stories: Stories) -> None:
    """See that the columns are of one length, and labels distinct texts that can be written down."""
    count = len(stories)
    assert len(stories.ids) == len(stories.times) == len(stories.titles) == len(stories.labels) == count
    assert all(isinstance(text, str) for text in (*stories.titles, *stories.texts))
    check_times(stories.times)
    for labels in stories.labels:
        if labels is not None:
            check_names(labels)


def check_batch(batch: Batch, before: int) -> None:
    """See that a batch is what learners may rely on."""
    count = len(batch)
    assert len(batch.ids) == len(batch.times) == len(batch.numbers) == len(batch.labelled) == count
    assert batch.numbers.tolist() == list(range(before, before + count))
    check_times(batch.times)
    for indptr, ids, names in (
        (batch.indptr, batch.features, batch.feature_names),
        (batch.label_indptr, batch.labels, batch.label_names),
    ):
        assert (np.diff(indptr) >= 0).all()
        assert indptr[-1] <= len(ids)
        used = ids[indptr[0] : indptr[-1]]
        assert not len(used) or (used.min() >= 0 and used.max() < len(names))
    assert np.isfinite(batch.values[batch.indptr[0] : batch.indptr[-1]]).all()
    for a, b in pairwise(batch.indptr.tolist()):
        assert (np.diff(batch.features[a:b]) > 0).all()
    for row in range(count):
        labels = batch.labels_of(row)
        assert labels == sorted(labels)
        assert batch.labelled[row] or not labels
        check_names(labels)


def check_names(labels: Sequence[Any]) -> None:
    """See that labels are distinct and can be written down."""
    assert len(set(labels)) == len(labels)
    assert all(labels)
    "\n".join(labels).encode()


def check_times(times: np.ndarray) -> None:
    """See that times lie in the years 1 to 9999, or are NaN."""
    assert all(math.isnan(time) or -62135596800 <= time < 253402300800 for time in times.tolist()), times


def check_ids(ids: Strings) -> list[str]:
    """See that ids are there and can be written down; return them."""
    texts = list(ids)
    assert all(texts)
    "\n".join(texts).encode()
    return texts
