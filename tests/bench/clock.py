"""How everything is clocked: the first half of the documents is learnt before the clock starts.

So start-up and most growth of tables do not count, only the steady work, on the same documents.
"""

from __future__ import annotations

import gc
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class Measured:
    """What a measurement found: the work, the seconds that it took, and what else is worth knowing."""

    documents: int
    seconds: float
    notes: dict[str, float]


def second_half(count: int, step: Callable[[int], object], width: int = 1, **notes: float) -> Measured:
    """Call ``step(i)`` for i = 0, ``width``, ... below ``count``, and clock the calls of the second half."""
    half = count // 2 // width * width
    for i in range(0, half, width):
        step(i)
    gc.collect()
    gc.disable()  # as timeit does: the collector would bill one contestant for the objects of all
    start = time.perf_counter()
    for i in range(half, count, width):
        step(i)
    seconds = time.perf_counter() - start
    gc.enable()
    return Measured(count - half, seconds, notes)
