"""What is measured of Telex where documents are texts."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from clock import Measured, second_half
from ours import again, replayed
from texts import texts, wire

from telex.stream.words import Words

if TYPE_CHECKING:
    from pathlib import Path

    from documents import Documents
    from texts import Texts

BATCH = 256  # as formats of texts give them


def step(words: Words, made: Texts, start: int) -> None:
    """Make features of a batch."""
    titles, bodies = made.titles[start : start + BATCH], made.texts[start : start + BATCH]
    words.features(words.tokenise(titles, bodies), 0, len(bodies), True)


def cold(documents: Documents, folder: Path) -> Measured:
    """Tokens, stop words, stems, tf-idf, by words that have met none of the tokens."""
    made = texts(documents)
    start = time.perf_counter()
    words = Words()
    for i in range(0, len(documents), BATCH):
        step(words, made, i)
    return Measured(len(documents), time.perf_counter() - start, {"terms": len(words.feature_names)})


def warm(documents: Documents, folder: Path) -> Measured:
    """The same as the peers are clocked: by words that have learnt the first half."""
    made = texts(documents)

    def measure() -> Measured:
        words = Words()
        return second_half(len(documents), lambda i: step(words, made, i), BATCH)

    return again(measure)


def known(documents: Documents, folder: Path) -> Measured:
    """The same by words that have met all tokens, as most are late in a stream."""
    made = texts(documents)

    def measure() -> Measured:
        words = Words()
        for i in range(0, len(documents), BATCH):
            step(words, made, i)
        return second_half(len(documents), lambda i: step(words, made, i), BATCH)

    return again(measure)


def replay(documents: Documents, folder: Path) -> Measured:
    """From a file of JSON lines to curves, by its own clock, which begins before the order is looked at."""
    said, _ = replayed(wire(documents, folder))
    return Measured(said["documents"], said["seconds"], said["learners"]["mmp"])
