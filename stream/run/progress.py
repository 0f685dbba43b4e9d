"""How far a run has come: the only keeper of its counts."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class Progress:
    """What a run has read and learnt.

    The counts ``pass_...`` begin anew with each pass and tell where the source stands. The others are of all passes and
    of all lives of the run, however often it was resumed; ``dead_letters`` are those of the first pass, since each
    pass brings the same.

    >>> progress = Progress()
    >>> progress.read(3, 1)
    >>> progress.read_letter(first_pass=True)
    >>> progress.records, progress.documents
    ([3, 1, 1], 3)
    """

    pass_documents: int = 0
    pass_answers: int = 0
    pass_letters: int = 0
    documents: int = 0
    dead_letters: int = 0
    learnt: int = 0
    """Answers that the learners have learnt."""

    @property
    def records(self) -> list[int]:
        """The documents, answers and dead letters of this pass."""
        return [self.pass_documents, self.pass_answers, self.pass_letters]

    @records.setter
    def records(self, counts: list[int]) -> None:
        self.pass_documents, self.pass_answers, self.pass_letters = counts

    def read(self, documents: int, answers: int) -> None:
        """Count documents, and answers that come by themselves."""
        self.documents += documents
        self.pass_documents += documents
        self.pass_answers += answers

    def read_letter(self, *, first_pass: bool) -> None:
        """Count a record that could not be read."""
        self.pass_letters += 1
        self.dead_letters += first_pass
