"""Learners of Telex, fed with the batches of a run."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from prequential.judging import Judge

from telex.learners import Events
from telex.learners.registry import learner as make
from telex.learners.registry import parameters

if TYPE_CHECKING:
    from telex.learners import Batch


def learner(batches: list[Batch], spec: str) -> tuple[Judge, float]:
    """Take all batches through a learner, on one thread; return its judge, and the seconds that it took."""
    found = make(spec)
    if "threads" in parameters(type(found)):
        found = make(spec + (":" if ":" not in spec else ",") + "threads=1")
    judge, seconds = Judge(), 0.0
    for batch in batches:
        start = time.process_time()
        predictions = found.progress(Events(batch))
        seconds += time.process_time() - start
        judge.add(predictions, batch)
    return judge, seconds
