"""The settings of a newswire."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import ClassVar

from telex.learners.base import UsageError


@dataclass(frozen=True, slots=True)
class NewswireSettings:
    """The settings of a newswire: equal settings give the same documents, on every machine.

    ``n`` decides nothing but the end: a shorter wire is the beginning of a longer one. ``OPTIONS`` describes them all.
    """

    n: int = 20_000
    seed: int = 0
    drift: float = 0.0
    topics: int = 103
    start: float = 840_499_200.0
    rate: int = 2200
    vocabulary: int = 1_000_000
    repeats: float = 0.02
    unlabelled: float = 0.0

    OPTIONS: ClassVar = {
        "n": "number of documents (20000)",
        "seed": "another seed is another wire (0)",
        "drift": "share of each topic's words that others replace in 10,000 documents (0)",
        "topics": "topics in the tree, some of which come and go (103)",
        "start": "time of the first document (1996-08-20)",
        "rate": "documents a day (2200)",
        "vocabulary": "words that there are, names aside (1000000)",
        "repeats": "share of documents that repeat an earlier one under another id (0.02)",
        "unlabelled": "share of documents without labels (0)",
    }

    def __post_init__(self) -> None:
        values = asdict(self)
        for name, low, high in (
            ("n", 1, 10**12),
            ("seed", 0, 2**64 - 1),
            ("drift", 0, 10_000),
            ("topics", 2, 5000),
            ("start", -(2**40), 2**40),
            ("rate", 1, 10**9),
            ("vocabulary", 1023, 2**30),
            ("repeats", 0, 0.9),
            ("unlabelled", 0, 1),
        ):
            value = values[name]
            if not low <= value <= high:
                raise UsageError(f"{name}={value}: give a number from {low} to {high}")
