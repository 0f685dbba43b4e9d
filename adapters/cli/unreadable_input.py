"""Stops a run of which no record can be read."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from telex.learners.base import UnclearInputError
from telex.stream.run import Sink

if TYPE_CHECKING:
    from telex.stream import DeadLetter
    from telex.stream.run import RunView, StepResult

_MOST = 200


class UnreadableInput(Sink):
    """Stops a run whose first ``most`` records are broken, or all of its records; ``remedy`` ends the sentence.

    A few broken records among others are dead letters, and no reason to stop; nor are those that are only too large.
    """

    def __init__(self, most: int = _MOST, remedy: str = "") -> None:
        self._most, self._remedy = most, remedy
        self._reasons = Counter[str]()
        self._example: DeadLetter | None = None
        self._any_document = False

    def begin(self, run: RunView) -> None:
        """Note whether a run that resumes has had documents."""
        self._any_document = run.progress.documents > 0

    def step(self, result: StepResult) -> None:
        """Note that there are documents."""
        self._any_document = True

    def dead_letter(self, letter: DeadLetter) -> None:
        """Count a record; the last of ``most`` before any document stops the run."""
        if self._any_document or letter.stage == "skip" or "--budget" in letter.reason:
            return
        self._reasons[letter.reason] += 1
        self._example = self._example or letter
        if self._reasons.total() >= self._most:
            raise self._error("the first")

    def check(self) -> None:
        """Raise an error if the run is at its end and there were broken records alone."""
        if self._example is not None and not self._any_document:
            raise self._error("all")

    def _error(self, which: str) -> UnclearInputError:
        assert self._example is not None
        if self._reasons.total() == 1:
            return UnclearInputError(f"nothing could be read: {self._example}")
        reason, count = self._reasons.most_common(1)[0]
        example = self._example.raw[:80].decode(errors="replace")
        return UnclearInputError(
            f"{which} {self._reasons.total():,} records are broken, {count:,} of them as {reason}; "
            f"{self._example.place} begins with {example!r}{self._remedy}"
        )
