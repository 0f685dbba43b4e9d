"""What a wire brings: documents, and the answers that come by themselves among them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from telex.stream.answers import NO_ANSWERS, Answers

if TYPE_CHECKING:
    from telex.learners.batch import Batch
    from telex.stream.stories import Stories


@dataclass(frozen=True, slots=True, eq=False)
class Posted:
    """Documents as an :class:`~telex.stream.source.Archive` tells them, and the answers that came among them.

    Answers stand before the rows that they name; the number of the documents stands for behind the last.
    """

    documents: Stories | Batch
    answers: Answers = NO_ANSWERS

    def __len__(self) -> int:
        return len(self.documents)
