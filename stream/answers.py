"""Answers that come by themselves: what somebody says of a document that came before, or is still to come."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from telex.learners.arrays import Ids
    from telex.learners.batch import Batch


@dataclass(frozen=True, slots=True)
class Answers:
    """Answer i says that the document ``ids[i]`` has ``labels[i]``, and comes before row ``rows[i]`` of its batch.

    Rows ascend; the number of the batch's rows stands for after the last.
    """

    rows: Ids
    ids: list[str]
    labels: list[Sequence[str]]

    def __len__(self) -> int:
        return len(self.ids)

    def rest(self, start: int) -> Answers:
        """Return all but the first ``start`` answers."""
        return Answers(self.rows[start:], self.ids[start:], self.labels[start:])


@dataclass(frozen=True, slots=True)
class Exchange:
    """Documents and the answers that came among them.

    >>> from telex.learners.batch import BatchBuilder
    >>> builder = BatchBuilder()
    >>> for id in "ab":
    ...     builder.add({}, None, id=id)
    >>> whole = Exchange(builder.take(), Answers(np.array([1, 2], np.int32), ["a", "b"], [["war"], ["sport"]]))
    >>> whole.rows(0, 1).answers.ids, whole.rows(1, 2).answers.ids
    ([], ['a', 'b'])
    """

    batch: Batch
    answers: Answers

    def __len__(self) -> int:
        return len(self.batch)

    def rows(self, start: int, stop: int) -> Exchange:
        """Return the documents ``start`` to ``stop`` and what came before each, behind the last row what came then."""
        found = self.answers
        if not len(found):
            return Exchange(self.batch.rows(start, stop), found)
        first = 0 if not start else bisect_left(found.rows, start) if start < len(self.batch) else len(found)
        last = bisect_left(found.rows, stop) if stop < len(self.batch) else len(found)
        answers = Answers(found.rows[first:last] - start, found.ids[first:last], found.labels[first:last])
        return Exchange(self.batch.rows(start, stop), answers)


NO_ANSWERS = Answers(np.zeros(0, np.int32), [], [])
