"""A step of a run: each learner predicts, is judged and learns a stretch of documents."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

from telex.learners import EstimatesWork, work_of
from telex.learners.base import Events, check_predictions
from telex.learners.losses import check_judged
from telex.stream.delayed_labels import StepInput
from telex.stream.run.set_aside import SetAside, Where, check_some_left
from telex.stream.run.side_by_side import SideBySide
from telex.stream.run.step_result import StepResult
from telex.stream.sources import NO_REVISIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from telex.learners import Learner
    from telex.learners.base import Batch, Offsets, Predictions, Reals
    from telex.learners.losses import Judged
    from telex.stream.run.run_state import RunState
    from telex.stream.run.sink import Sink
    from telex.stream.sources import Arrivals, Revisions

_SCORES_AT_ONCE = 16_000_000
"""How many scores all learners may hold for a stretch: with many labels and learners, stretches are shorter."""
_WORK_AT_ONCE = 250_000_000
"""How many multiplications a stretch may take, about a tenth of a second: a run can be stopped between them."""


class Stepper:
    """Takes stretches of a stream through the learners, then calls the monitors and the sinks."""

    def __init__(self, state: RunState, sinks: Sequence[Sink]) -> None:
        self._state, self._sinks = state, sinks
        self._refits = state.monitors.refits
        self.began: float | None = None
        """When the step under way began, by the monotonic clock."""
        self._side_by_side = SideBySide(state.settings.threads)
        self._simple = not any(isinstance(learner, EstimatesWork) for learner in state.settings.learners.values())
        self._one_by_one = any(learner.reacts_to_drift for learner in self._refits.values())

    def end_of_step(self, batch: Batch, start: int, stop: int) -> int:
        """Return where a step that begins at ``start`` has to end, at most at ``stop``."""
        if self._one_by_one:
            return start + 1
        learners = [learner for _, _, learner in self._working()]
        known = max(len(learner.labels) for learner in learners)
        scores = (stop - start) * max(known, len(batch.label_names)) * len(learners)
        terms = int(batch.indptr[stop] - batch.indptr[start])
        work_at_most = scores * 16 + scores // (stop - start) * terms
        if self._simple and scores <= _SCORES_AT_ONCE and work_at_most <= _WORK_AT_ONCE:
            return stop  # the sum of what follows, at its most
        new = batch.label_indptr[start + 1 : stop + 1] - batch.label_indptr[start]
        width = np.maximum(np.minimum(known + new, max(known, len(batch.label_names))), 1)  # once a row is learnt
        features = np.diff(batch.indptr[start : stop + 1])
        work = np.cumsum(np.sum([work_of(learner, features, width) for learner in learners], axis=0))
        held = np.arange(1, len(width) + 1) * width * len(learners)
        fits = (work <= _WORK_AT_ONCE) & (held <= _SCORES_AT_ONCE)
        return start + max(1, int(np.count_nonzero(fits)))

    def step(self, arrivals: Arrivals[Batch]) -> None:
        """Predict and learn documents and answers that have been read."""
        labels = self._state.tree_labels
        if labels is None:
            self._take(arrivals)
            return
        end = labels.end_of_doubt(arrivals)
        counting = self._state.section.epoch == 1
        self._take(labels.take(arrivals if end is None else arrivals.rows(0, end), counting=counting))
        if end is not None:
            raise labels.error()

    def _take(self, arrivals: Arrivals[Batch]) -> None:
        state, batch = self._state, arrivals.documents
        if batch.label_names is not state.tables.label_names or batch.feature_names is not state.tables.feature_names:
            state.tables = batch.rows(0, 0)
        state.section.count(batch)
        base = state.progress.pass_documents
        state.progress.count(len(batch), len(arrivals.answers), len(arrivals.revised))
        queue = state.delay_queue
        if queue and (state.section.name == "train" or queue.lateness.by_id):
            self._step(queue.take(batch, arrivals.answers, arrivals.revised), arrivals.revised)
        else:
            self._step(StepInput(batch, batch, batch, base=base), arrivals.revised)

    def flush(self) -> None:
        """Learn the answers that are still due."""
        if self._state.delay_queue:
            for step in self._state.delay_queue.flush(self._state.tables):
                self._step(step)

    def _working(self) -> list[tuple[int, str, Learner]]:
        """Return the learners that are not set aside, with their numbers and names."""
        learners = enumerate(self._state.settings.learners.items())
        return [(number, name, one) for number, (name, one) in learners if not isinstance(one, SetAside)]

    def _step(self, step: StepInput, revised: Revisions = NO_REVISIONS) -> None:
        self.began = time.monotonic()
        try:
            self._learn(step, revised)
        finally:
            self.began = None

    def _learn(self, step: StepInput, revised: Revisions) -> None:
        state = self._state
        section, progress, training = state.section, state.progress, state.section.name == "train"
        watched = section.epoch == (1 if training else state.settings.epochs)
        answered, places = step.scored_documents()
        section.count_answers(answered, None if places is None else places - section.start)
        moments, learnt = step.moments_of_answers(), progress.learnt
        seconds: dict[str, float] = {}
        predictions: dict[str, Predictions] = {}
        judged: dict[str, Judged] = {}
        losses: dict[str, Reals] = {}
        not_finite: dict[str, Offsets] = {}
        scored = moments[step.scored_answers()]
        working = self._working()
        calls = [(learner, _call(learner, step, training=training)) for _, _, learner in working]
        with self._side_by_side.begun(calls, len(step.batch)) as results:
            for (number, name, learner), outcome in zip(working, results, strict=True):
                try:
                    made, took = outcome()
                    check_predictions(made, len(step.documents))
                    own = step.judged(number, made)
                    check_judged(own, len(scored))
                except Exception as error:  # it fails alone: the others go on as if it had not been there
                    step.drop(number)
                    where = Where.of(learner, step, progress.pass_documents, training=training)
                    state.set_aside(name, error, where)
                    continue
                seconds[name] = took
                values = section.curves[name].add(own)
                if watched:
                    predictions[name], judged[name], losses[name] = step.of_asked(made), own, values
                    not_finite[name] = section.curves[name].not_finite
                elif name in self._refits:
                    self._refits[name].take_events()  # drops the events of a pass that is not watched
        chosen = None
        if watched:
            state.monitors.scores_not_finite.add(not_finite, scored)
            chosen = state.monitors.step(step, judged, losses, moments, learnt=learnt, training=training)
        if training:
            progress.learnt += len(moments)
        step.finish()

        def learnt_before() -> Offsets:
            return learnt + step.answers_before() if training else np.full(len(step.documents), learnt)

        result = StepResult(
            section=section.name,
            watched=watched,
            documents=step.documents,
            seconds=seconds,
            predictions=predictions,
            judged=judged,
            losses=losses,
            scored=scored if watched else None,
            answered=answered if watched and places is not None else None,
            chosen=chosen,
            learnt_before=learnt_before if watched else None,
            revised=revised,
        )
        events = state.monitors.take_events()
        for sink in self._sinks:
            sink.step(result)
            for event in events:
                sink.event(event)
        check_some_left(state.settings.learners)


def _call(learner: Learner, step: StepInput, *, training: bool) -> Callable[[], Predictions]:
    if training:
        return lambda: learner.progress(Events(step.batch, step.steps))
    return lambda: learner.scores(step.asks)
