"""Learners of Telex, fed with the batches of a run."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from prequential.judging import Judge
from telex.learners import Events
from telex.learners.registry import learner as make
from telex.learners.registry import parse_spec

if TYPE_CHECKING:
    from telex.learners import Batch


def learner(batches: list[Batch], spec: str) -> tuple[Judge, float]:
    """Take all batches through a learner, on one thread; return its judge, and the seconds that it took."""
    if "threads" in parse_spec(spec).parameters:
        spec += (":" if ":" not in spec else ",") + "threads=1"
    found = make(spec)
    judge, seconds = Judge(), 0.0
    for batch in batches:
        start = time.process_time()
        predictions = found.progress(Events(batch))
        seconds += time.process_time() - start
        judge.add(predictions, batch)
    return judge, seconds
