"""When answers come, and how long they are waited for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from telex.learners.errors import UsageError

if TYPE_CHECKING:
    from telex.stream.span import Span

EXPIRE = 1_000_000


@dataclass(frozen=True, slots=True)
class Lateness:
    """When answers come, and how long they are waited for.

    ``after`` is the delay of the labels that documents bring along: so many documents or so much event time, None:
    none. Or else ``by_id`` says that answers also come by themselves. ``limit`` documents that wait are held in memory,
    older ones on disk; as many ids of documents that wait no more are remembered. After ``expire`` documents (a
    million) a document waits no longer for an answer by id, nor does an answer whose document has not come. A second,
    other answer by id within ``correct`` of the first is learnt too. What would change nothing is refused.
    """

    stored_name: ClassVar[str] = "delayed labels"
    after: Span | None = None
    by_id: bool = False
    limit: int = 100_000
    expire: int | None = None
    correct: Span | None = None

    def __post_init__(self) -> None:
        for name, value in (("pending-limit", self.limit), ("expire-after", self.expire)):
            if value is not None and value < 1:
                raise UsageError(f"{name} must be at least 1, not {value}")
        if self.after is not None and self.by_id:
            raise UsageError("labels-after is a delay, or answers come by id from elsewhere; give one of the two")
        if self.expire is not None and not self.by_id:
            raise UsageError(
                "expire-after is about answers from a file, which may never come; labels that documents bring along "
                "all come in time: leave it out, or name a file with --labels-after FILE (by_id=True)"
            )
        if self.correct is not None and not self.by_id:
            raise UsageError(
                "correct-within is about answers from a file; name it with --labels-after FILE (by_id=True), or leave "
                "it out"
            )

    @property
    def expires(self) -> int:
        """After how many documents nothing is waited for any more."""
        return EXPIRE if self.expire is None else self.expire

    @property
    def timed(self) -> str | None:
        """Name a setting that is about event time; None where none is."""
        if self.after is not None and self.after.seconds is not None:
            return "labels-after"
        return "correct-within" if self.correct is not None and self.correct.seconds is not None else None
