"""Records that could not be read, by stage and reason."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from telex.stream.run_folder import read_dead_letters
from telex.stream.sources import REVISED

if TYPE_CHECKING:
    from pathlib import Path

_KINDS = 100
_LONGEST = 300
"""How many characters of a broken record are shown."""


class DeadLetterCounts:
    """Counts broken records, and stores the first of each kind.

    >>> broken = DeadLetterCounts()
    >>> broken.add("decode", "no labels", "wire.jsonl:7", "{}")
    >>> broken.plain()["kinds"]
    [{'stage': 'decode', 'reason': 'no labels', 'count': 1, 'place': 'wire.jsonl:7', 'raw': '{}'}]
    """

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, str]] = Counter()
        self._first: dict[tuple[str, str], dict[str, str]] = {}

    def add(self, stage: str, reason: str, place: str, raw: str | None) -> None:
        """Count a record; one that is left out because it is revised is not broken."""
        if stage == REVISED:
            return
        kind = stage, reason
        self._counts[kind] += 1
        if kind not in self._first and len(self._first) < _KINDS:
            self._first[kind] = {"place": place, "raw": (raw or "")[:_LONGEST]}

    def plain(self) -> dict[str, Any]:
        """Return the counts as plain data, the most frequent first."""
        kinds = [
            {"stage": kind[0], "reason": kind[1], "count": count, **self._first.get(kind, {"place": "", "raw": ""})}
            for kind, count in self._counts.most_common(_KINDS)
        ]
        return {"count": self._counts.total(), "kinds": kinds}


def count_dead_letters(folder: Path) -> DeadLetterCounts:
    """Return the counts of the dead letters of the run in ``folder``."""
    found = DeadLetterCounts()
    for letter in read_dead_letters(folder):
        found.add(letter.stage, letter.reason, letter.place, letter.raw.decode("utf-8", "replace"))
    return found
