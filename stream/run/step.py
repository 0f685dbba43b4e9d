"""A stretch of a stream: each learner predicts, is judged and learns, one after the other."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

from telex.learners.base import Events, UsageError
from telex.stream.delayed_labels import Work

if TYPE_CHECKING:
    from telex.learners.base import Batch, Offsets
    from telex.stream.run.run import Run
    from telex.stream.sources import Arrivals

_SCORES_AT_ONCE = 16_000_000
"""How many scores a learner may hold for a stretch of documents: with many labels, stretches are shorter."""


def step(run: Run, exchange: Arrivals[Batch]) -> None:
    """Take documents and answers that have been read."""
    batch = exchange.documents
    if batch.label_names is not run.tables.label_names or batch.feature_names is not run.tables.feature_names:
        run.tables = batch.rows(0, 0)
    run.part.read(batch)
    base = run.reading.documents
    run.reading.documents += len(batch)
    run.reading.answers += len(exchange.answers)
    late = run.late if run.late and (run.part.name == "train" or run.late.lateness.by_id) else None
    learn(run, late.take(batch, exchange.answers) if late else Work(batch, batch, batch, base=base))


def learn(run: Run, work: Work) -> None:
    """Have each learner of ``run`` answer and learn, its answers be judged, and the sinks be told."""
    part, training = run.part, run.part.name == "train"
    watched = part.epoch == (1 if training else run.epochs)
    answered, places = work.answered()
    part.told(answered, None if places is None else places - part.start)
    scored = work.when()[work.scores()] if watched else None

    def learnt() -> Offsets:
        return run.learnt + work.before() if training else np.full(len(work.documents), run.learnt)

    for sink in run.sinks if watched else ():
        sink.asked(work.documents, learnt)
        if places is not None:
            sink.answered(answered)
    for number, (name, learner) in enumerate(run.learners.items()):
        began = time.perf_counter()
        predictions = learner.progress(Events(work.batch, work.steps)) if training else learner.scores(work.asks)
        took = time.perf_counter() - began
        for sink in run.sinks:
            sink.progressed(name, len(work.documents), took)
        judged = work.judged(number, predictions)
        values = part.curves[name].add(judged)
        if scored is not None:
            run.watching.judged(name, work, judged, values, training=training)
            for sink in run.sinks:
                sink.predicted(name, work.asked(predictions), work.documents, judged)
                sink.scored(name, scored, values)
        elif name in run.watching.refits:
            run.watching.refits[name].take_events()  # of passes that nobody follows
    if watched:
        chosen, events = run.watching.done(work)
        for sink in run.sinks:
            if chosen is not None:
                sink.chosen(chosen)
            for event in events:
                sink.event(event)
    if training:
        run.learnt += len(work.when())
    work.done()


def at_once(run: Run) -> int:
    """Return how many documents may be taken at a time."""
    if any(learner.reacts for learner in run.watching.refits.values()):
        return 1
    known = max(len(learner.labels) for learner in run.learners.values())
    return max(1, _SCORES_AT_ONCE // max(1, known))


def check(run: Run) -> None:
    """Refuse what no run can be made of."""
    if not run.learners:
        raise UsageError("a run needs a learner; try {'mmp': MMP()}")
    for what, value in {"window": run.window, "epochs": run.epochs, "limit": run.limit}.items():
        if value is not None and value < 1:
            raise UsageError(f"{what} must be at least 1, not {value}")
    twice = {name for name in run.names if run.names.count(name) > 1}
    if twice:
        raise UsageError(f"two losses have the name {min(twice)!r}; give one another name")
