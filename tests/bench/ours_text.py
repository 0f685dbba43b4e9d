"""What is measured of Telex where documents are texts."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Any

from clock import Measured, second_half
from ours import again, replayed, together
from texts import texts, wire

from telex.adapters.formats import open_archive
from telex.learners import MMP, Events
from telex.stream.sources import Features
from telex.stream.words import Words

if TYPE_CHECKING:
    from collections.abc import Callable
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


def reader(documents: Documents, folder: Path) -> Measured:
    """Only the reader, on one thread: from a file of JSON lines to columns of texts."""
    path = wire(documents, folder)
    seconds, _ = quickest(lambda: list(open_archive(path, order="file")))
    return Measured(len(documents), seconds, {"MB/s": path.stat().st_size / seconds / 1e6})


def bare_parts(documents: Documents, folder: Path) -> Measured:
    """What its reader, its words and its learner, each by itself on one thread, allow together on two cores.

    Words begin without any token, as in the run.
    """
    path = wire(documents, folder)
    read, stories = quickest(lambda: list(open_archive(path, order="file")))

    def count() -> None:
        words = Words()
        for some in stories:
            words.features(words.tokenise(some.titles, some.texts), 0, len(some), True)

    def learn() -> None:
        mmp = MMP()
        for batch in batches:
            mmp.progress(Events(batch))

    counted, _ = quickest(count)
    batches = list(Features(open_archive(path, order="file")))
    learnt, _ = quickest(learn)
    return together(len(documents), {"read": read, "count": counted, "learn": learnt})


def quickest(work: Callable[[], Any], times: int = 3) -> tuple[float, Any]:
    """Return the seconds of the quickest of several times, and what the work returned."""
    best, made = math.inf, None
    for _ in range(times):
        start = time.perf_counter()
        made = work()
        best = min(best, time.perf_counter() - start)
    return best, made
