"""Labels that come after their documents."""

from __future__ import annotations

import heapq
import math
import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from telex.learners import key_values
from telex.learners.base import Span, UsageError, span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_WHAT = "label-delay"


@dataclass(frozen=True, slots=True)
class LabelDelay:
    """The delay of labels: ``after``, or an exponential time with that mean, drawn with ``seed``.

    >>> LabelDelay.of("2h")
    LabelDelay(after=Span(documents=None, seconds=7200.0), exponential=False, seed=0)
    >>> str(LabelDelay.of("exp:100,seed=3"))
    'exp:100 documents,seed=3'
    """

    after: Span
    exponential: bool = False
    seed: int = 0

    @classmethod
    def of(cls, text: str) -> LabelDelay:
        """Read ``100`` (documents), ``2h``, ``exp:2h`` or ``exp:2h,seed=3``."""
        if not text.startswith("exp:"):
            return AT_ONCE if text.strip() == "0" else cls(span(_WHAT, text))
        mean, _, rest = text.removeprefix("exp:").partition(",")
        settings = key_values(rest, _WHAT)
        seed = settings.pop("seed", "0")
        if settings or not str(seed).isdecimal():
            raise UsageError(f"{_WHAT} is {text!r}; give a mean and a seed, such as exp:2h,seed=3")
        return cls(span(_WHAT, mean), True, int(seed))

    def __str__(self) -> str:
        mean = f"{self.after.seconds:g} s" if self.after.seconds is not None else f"{self.after.documents} documents"
        return f"exp:{mean},seed={self.seed}" if self.exponential else mean


AT_ONCE = LabelDelay(Span(documents=0))


class DueLabels(NamedTuple):
    """The labels of a document, to be published at ``due``: a time, or a number of documents."""

    due: float
    number: int
    id: str
    labels: Sequence[str]


class PendingLabels:
    """The labels that are not published yet, in the order in which they will be.

    The clock is that of the documents: the newest time so far, or the number of documents. So the order among documents
    and labels depends on the documents alone, and a second reading gives the same order.

    >>> waiting = PendingLabels(LabelDelay.of("1m"))
    >>> waiting.add("a", ["gold"], 0.0)
    >>> [labels.id for labels in waiting.before(59.0)], [labels.id for labels in waiting.before(60.0)]
    ([], ['a'])
    """

    def __init__(self, delay: LabelDelay) -> None:
        self._delay = delay
        self._timed = delay.after.seconds is not None
        self._mean = float(delay.after.seconds or delay.after.documents or 0)
        self._random = random.Random(delay.seed)
        self._heap: list[DueLabels] = []
        self._documents = 0
        self.newest = math.nan

    def __len__(self) -> int:
        return len(self._heap)

    def before(self, time: float) -> Iterator[DueLabels]:
        """Take the labels that are due before a document of that ``time``, or by that time."""
        if self._timed:
            yield from self._until(float(np.fmax(self.newest, time)))

    def add(self, name: str, labels: Sequence[str] | None, time: float) -> None:
        """Add a published document; its labels, if any, will become due."""
        self._documents += 1
        self.newest = float(np.fmax(self.newest, time))
        if labels is None:
            return
        if self._timed and math.isnan(self.newest):
            raise UsageError(f"document {name} has no time, so {_WHAT} cannot end; give a number of documents")
        delay = self._mean
        if self._delay.exponential:
            delay *= -math.log(1.0 - self._random.random())
        due = self.newest + delay if self._timed else self._documents + float(round(delay))
        heapq.heappush(self._heap, DueLabels(due, self._documents, name, labels))

    def after(self) -> Iterator[DueLabels]:
        """Take the labels that are due after the last document added."""
        if not self._timed:
            yield from self._until(self._documents)

    def next(self) -> DueLabels | None:
        """Take the next labels, whenever they are due."""
        return heapq.heappop(self._heap) if self._heap else None

    def time_of(self, labels: DueLabels) -> float:
        """Return the time of labels that are published now; NaN if unknown."""
        return labels.due if self._timed else self.newest

    def _until(self, clock: float) -> Iterator[DueLabels]:
        while self._heap and self._heap[0].due <= clock:
            yield heapq.heappop(self._heap)
