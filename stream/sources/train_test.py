"""Where the training part of a stream ends and its test part begins."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, ClassVar, Protocol

import numpy as np

from telex.learners.base import UsageError
from telex.stream.curves import iso

if TYPE_CHECKING:
    from telex.learners.base import Batch
    from telex.stream.sources.cut_stories import CutStories
    from telex.stream.sources.stories import Stories


class Boundary(Protocol):
    """Finds the end of the training part, which includes the document at the boundary."""

    def training_rows(self, batch: Batch | Stories | CutStories, before: int) -> int | None:
        """Return how many rows of ``batch`` belong to the training part, None if it continues after them.

        ``before`` is the number of documents before the batch.
        """
        ...

    def missed(self) -> str:
        """Return the error message for a stream that ends within its training part."""
        ...


@dataclass(frozen=True, slots=True)
class AfterDocuments:
    """The training part is the first ``count`` documents."""

    stored_name: ClassVar[str] = "after documents"
    count: int

    def __str__(self) -> str:
        return f"after {self.count:,} documents"

    def training_rows(self, batch: Batch | Stories | CutStories, before: int) -> int | None:
        """Return the rows up to the ``count``-th document of the stream."""
        return self.count - before if before + len(batch) >= self.count else None

    def missed(self) -> str:
        """Return the sentence: a stream shorter than its training part has no test part."""
        return f"the stream has fewer than {self.count} documents, and nothing to test on; try a smaller n:N"


@dataclass(frozen=True, slots=True)
class AfterId:
    """The training part ends with the document of this id."""

    stored_name: ClassVar[str] = "after id"
    id: str

    def __str__(self) -> str:
        return f"after the document {self.id!r}"

    def training_rows(self, batch: Batch | Stories | CutStories, before: int) -> int | None:
        """Return the rows up to the document of that id."""
        wanted = self.id.encode("utf-8", "surrogatepass")
        ids = batch.ids
        if wanted not in ids.data[ids.offsets[0] : ids.offsets[-1]].tobytes():
            return None
        return next((row for row, id_ in enumerate(ids, 1) if id_ == self.id), None)

    def missed(self) -> str:
        """Return the sentence that names the id looked for."""
        return f"no document has the id {self.id!r}, after which testing was to begin; try n:N or a date"


@dataclass(frozen=True, slots=True)
class AfterTime:
    """The test part begins with the first document later than ``last``, in epoch seconds.

    Documents after that one test, whatever their time; a document without a time belongs to the part in which it
    comes.
    """

    stored_name: ClassVar[str] = "after time"
    last: float

    def __str__(self) -> str:
        return f"after {iso(math.floor(self.last))}"

    def training_rows(self, batch: Batch | Stories | CutStories, before: int) -> int | None:
        """Return the rows before the first document that is later."""
        later = np.flatnonzero(batch.times > self.last)
        return int(later[0]) if len(later) else None

    def missed(self) -> str:
        """Return the sentence: nothing was later."""
        when = iso(math.floor(self.last))
        return f"no document is later than {when}, after which testing was to begin; try an earlier date or n:N"


def boundary(text: str) -> Boundary:
    """Read ``DATE``, ``id:X`` or ``n:N``.

    A bare date includes that whole day; a time of day without an offset is UTC; a number is epoch seconds.

    >>> boundary("n:2000"), boundary("id:2286")
    (AfterDocuments(count=2000), AfterId(id='2286'))
    >>> boundary("1996-08-20T12:00")
    AfterTime(last=840542400.0)
    """
    kind, _, value = text.partition(":")
    if kind == "id" and value:
        return AfterId(value)
    try:
        if kind == "n" and value.isdecimal() and int(value):
            return AfterDocuments(int(value))
        return AfterTime(_last_second(text))
    except (ValueError, OverflowError):
        raise UsageError(
            f"{text!r} says nowhere in a stream; give a date, a document or a number of documents, "
            "such as 1996-08-31, id:2286 or n:2000"
        ) from None


def _last_second(text: str) -> float:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        if text.replace(".", "", 1).isdecimal() and len(text) > 8 and (seconds := float(text)) < math.inf:
            return seconds
        time = datetime.fromisoformat(text)
        return (time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp()
    midnight = datetime(day.year, day.month, day.day, tzinfo=UTC) + timedelta(days=1)
    return math.nextafter(midnight.timestamp(), 0)
