"""The settings of delayed labels: when answers come, and how long documents wait for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from telex.learners.base import UsageError

if TYPE_CHECKING:
    from telex.learners.base import Span

EXPIRE = 1_000_000
"""After how many documents a document or an answer stops waiting by id, by default."""


@dataclass(frozen=True, slots=True)
class Lateness:
    """When answers come, and how long documents wait for them.

    Either ``after`` delays the labels that documents carry, by a number of documents or by event time (None: no delay).
    Or ``by_id`` says that answers also come on their own and name their document by id. The newest ``limit`` documents
    that wait stay in memory, and older ones go to disk; as many ids of documents that no longer wait are remembered.
    After ``expire`` documents (a million by default) a document stops waiting for its answer by id, and an answer for
    its document. A later, different answer by id within ``correct`` of the first one is learnt too. A setting that
    would have no effect is refused.
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
            raise UsageError("labels-after is either a delay or a source of answers by id; give one of the two")
        if self.expire is not None and not self.by_id:
            raise UsageError(
                "expire-after is for answers from a file, which may never come; labels that documents carry always "
                "come: leave it out, or name a file with --labels-after FILE (by_id=True)"
            )
        if self.correct is not None and not self.by_id:
            raise UsageError(
                "correct-within is for answers from a file; name the file with --labels-after FILE (by_id=True), or "
                "leave it out"
            )

    @property
    def expires(self) -> int:
        """After how many documents a document or an answer stops waiting."""
        return EXPIRE if self.expire is None else self.expire

    @property
    def timed(self) -> str | None:
        """The name of a setting that is given as event time, or None."""
        if self.after is not None and self.after.seconds is not None:
            return "labels-after"
        return "correct-within" if self.correct is not None and self.correct.seconds is not None else None
