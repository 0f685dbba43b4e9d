"""Repeated texts: stories that came before under another id."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.learners.base import UsageError
from telex.stream._seen import Seen, fingerprints
from telex.stream.sources.arrivals import Arrivals, without_rows
from telex.stream.sources.stages.stage import Stage
from telex.stream.sources.stages.tokenised import Tokenised

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from telex.learners.base import Batch, Keys, State

POLICIES = ("keep", "skip")


class Repeats:
    """Counts the documents that repeat one of the last ``window``, and skips them if ``policy`` is ``skip``.

    Agencies repeat their stories; a repeat leaks its labels to a learner that has seen the first. Two documents are
    repeats if they have the same fingerprint of 64 bits: of a text's tokens, or of the features if there is no text.

    The stream numbers of repeats are stored, so that their count among the first N documents does not depend on how far
    the source has read ahead.

    >>> repeats = Repeats("skip")
    >>> repeats.begin()
    >>> list(repeats.stretches(np.array([7, 8, 7, 9], np.uint64), 0)), repeats.count
    ([(0, 2), (3, 4)], 1)
    >>> repeats.count_up_to(2), repeats.count_up_to(3)
    (0, 1)
    """

    def __init__(self, policy: str = "keep", window: int = 1_000_000) -> None:
        if policy not in POLICIES:
            raise UsageError(f"duplicates={policy}: give one of {', '.join(POLICIES)}")
        self.policy, self.window = policy, window
        self._places = array("q")

    def begin(self, *, counting: bool = True) -> None:
        """Begin a pass, and forget the texts of earlier ones; ``count`` grows only if ``counting``."""
        self._seen, self._counting = Seen(self.window), counting

    def save(self) -> State:
        """Return the fingerprints of this pass, and the stream numbers of repeats."""
        places = np.frombuffer(self._places, np.int64).copy()
        return {"seen": self._seen.hashes(), "places": places, "counting": self._counting}

    def load(self, state: State) -> None:
        """Go on in the midst of a pass."""
        self.begin(counting=bool(state["counting"]))
        self._seen.repeated(np.ascontiguousarray(state["seen"], np.uint64))
        self._places = array("q", state["places"].astype(np.int64).tobytes())

    @property
    def count(self) -> int:
        """How many repeats were counted so far."""
        return len(self._places)

    def count_up_to(self, documents: int) -> int:
        """Return how many repeats came up to the last of the first ``documents`` documents."""
        return bisect_left(self._places, documents)

    def rows_to_skip(self, prints: Keys, number: int) -> list[int]:
        """Count the repeated rows, and return those to skip; ``number`` is the stream number of the first that stays.

        Repeats are stored by stream number, and rows that are skipped have none.
        """
        repeated = self._seen.repeated(prints)
        skipping = self.policy == "skip"
        if self._counting:
            self._places.extend(number + row - (i if skipping else 0) for i, row in enumerate(repeated))
        return repeated if skipping else []

    def stretches(self, prints: Keys, number: int) -> Iterator[tuple[int, int]]:
        """Yield the stretches of rows that stay: all rows, unless repeated ones are skipped."""
        start = 0
        for row in [*self.rows_to_skip(prints, number), len(prints)]:
            if row > start:
                yield start, row
            start = row + 1


class RepeatedTexts(Stage):
    """Counts repeated documents, and leaves them out where ``duplicates`` is ``skip``.

    ``documents_out`` returns how many documents of the pass have left the pipeline.
    """

    name = "repeated texts"
    summary = "count texts that came before, or skip them"

    def __init__(self, policy: str, documents_out: Callable[[], int]) -> None:
        self.repeats, self._documents_out = Repeats(policy), documents_out

    def each(self, item: Any) -> Iterator[Any]:
        """Yield the documents that stay."""
        rows = self.repeats.rows_to_skip(fingerprints_of(item), self._documents_out()) if len(item) else []
        return (piece for piece in without_rows(item, rows) if not isinstance(piece, int)) if rows else iter((item,))

    def save(self) -> State:
        """Return the state of the repeats."""
        return {"repeats": self.repeats.save()}

    def load(self, state: State) -> State:
        """Go on in the midst of a pass."""
        self.repeats.load(state["repeats"])
        return state


def fingerprints_of(item: Any) -> Keys:
    """Return a fingerprint of each document: of a text's tokens, or of its features."""
    documents = item.documents if isinstance(item, Arrivals) else item
    return documents.fingerprints if isinstance(documents, Tokenised) else row_fingerprints(documents)


def row_fingerprints(batch: Batch) -> Keys:
    """Return a fingerprint of each row's features and values."""
    prints = np.empty(len(batch), np.uint64)
    fingerprints(np.ascontiguousarray(batch.indptr), batch.features, batch.values, prints)
    return prints
