"""The progress of a run: the only place where it counts documents, answers and dead letters."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class Progress:
    """What a run has read and learnt.

    The counts ``pass_...`` start at 0 with each pass, and give the place in the source. The others are of all passes,
    however often the run was resumed; ``dead_letters`` counts those of the first pass, as each pass brings the same.

    >>> progress = Progress()
    >>> progress.count(3, 1)
    >>> progress.count_letter(first_pass=True)
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
    revised: int = 0
    """Newer versions of documents, those left out among them; these are no dead letters that count."""

    @property
    def records(self) -> list[int]:
        """The documents, answers and dead letters of this pass."""
        return [self.pass_documents, self.pass_answers, self.pass_letters]

    @records.setter
    def records(self, counts: list[int]) -> None:
        self.pass_documents, self.pass_answers, self.pass_letters = counts

    def count(self, documents: int, answers: int, revised: int = 0) -> None:
        """Count documents, ``revised`` of them newer versions of others, and answers that come by themselves."""
        self.documents += documents
        self.revised += revised
        self.pass_documents += documents
        self.pass_answers += answers

    def count_letter(self, *, first_pass: bool, revised: bool = False) -> None:
        """Count a record that could not be read, or that is ``revised`` and left out."""
        self.pass_letters += 1
        self.dead_letters += first_pass and not revised
        self.revised += first_pass and revised
