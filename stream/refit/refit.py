"""A batch learner that follows a stream: it is fitted again and again on a sliding window."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from telex.learners import BatchLearner, files_of
from telex.learners.base import (
    Events,
    ForgetSteps,
    InputError,
    Predictions,
    Span,
    TelexError,
    UsageError,
    answers_only,
    check_forgets_nothing,
    check_steps,
    forgotten_before,
    seconds,
    span,
    undelayed_steps,
)
from telex.stream.refit.controller import RefitController
from telex.stream.refit.schedule import RefitSchedule
from telex.stream.refit.status import RefitState
from telex.stream.refit.window import Window
from telex.stream.refit.worker import Fitter, check_picklable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from telex.learners.base import Batch, Flags, Ids, Names, Reasons, Values
    from telex.stream.refit.worker import Fits

_STEPS_AT_ONCE = 256
"""After how many asks and answers to look again whether the background has finished a model."""
_FIRST_OF_DRIFT = 1000


class Refit:
    """A batch learner that follows a stream: it is fitted again and again on the last documents.

    Answered documents enter the window, and whenever the schedule says so, a fresh copy of ``model`` is fitted on it.
    In ``sync`` mode the stream waits for the fit, between two documents: however the stream is cut, predictions are
    the same to the bit. In ``background`` mode another process fits, and the model is used from the first boundary at
    which it is ready (at the start of each call, and every 256 steps). A refit that fails or takes too long is
    counted, and the last good model stays.

    The learner knows the labels answered so far. A label that was not in the model's window is ranked last and not
    predicted. Before the first model that is every label, with score 0, so the time until then counts against the
    learner. If a feature has been forgotten since the model's window, the model sees no such feature.

    A checkpoint saves the model if it has ``save`` and ``load``; otherwise it saves the documents that the model was
    fitted on, and a resumed run fits it again. Those documents therefore stay in memory beside the window: twice the
    window in all, three times while another process fits. A background refit that is still running is not saved; the
    resumed run starts it again.

    Parameters
    ----------
    model
        The batch learner to fit; set its own parameters with ``model.KEY=value``.
    every
        Documents, or event time such as ``2h``, from one refit to the next. With ``drift`` the model is refitted only
        on request, which a run makes when this learner's loss has drifted.
    window
        Documents, or event time, that a refit learns from.
    mode
        ``sync`` makes a replay deterministic, ``background`` is for live streams.
    after
        Documents, or event time, before the first refit. By default ``every``; for ``drift`` 1,000 documents, and as
        many again if that refit gives no model.
    timeout
        Seconds, or a time such as ``10m``, that a refit in the background may take.
    most
        The most documents that a window given as event time may hold.
    seed
        Orders equal scores. It is also the model's seed, if the model has one and you set none.

    """

    stored_name: ClassVar[str] = "refit"

    def __init__(
        self,
        model: BatchLearner,
        *,
        every: int | str = 5000,
        window: int | str = 20_000,
        mode: Literal["sync", "background"] = "sync",
        after: int | str | None = None,
        timeout: float | str | None = None,
        most: int = 100_000,
        seed: int = 0,
    ) -> None:
        given: object = model
        if not isinstance(given, BatchLearner):
            name = type(given).__name__
            raise UsageError(f"{name} learns one by one and cannot be refitted; try refit:model=sklearn:LinearSVC")
        if mode not in {"sync", "background"}:
            raise UsageError(f"mode is {mode!r}; choose one of sync, background")
        self.model, self.every, self.window, self.mode, self.after = model, every, window, mode, after
        self.timeout, self.most, self.seed = timeout, most, seed
        length = span("window", window)
        self._window = Window(length.documents or most, math.inf if length.seconds is None else length.seconds)
        self.reacts_to_drift = every == "drift"
        """Whether refits wait for :meth:`ask_for_refit`, which the run then calls between two documents."""
        often = None if self.reacts_to_drift else span("every", every)
        first = span("after", after) if after is not None else often or Span(documents=_FIRST_OF_DRIFT)
        longest = None if timeout is None else seconds("timeout", timeout)
        if longest is not None and mode == "sync":
            raise UsageError("timeout is for refits in the background; give mode=background too, or leave it out")
        if mode == "background":
            check_picklable(model)
        fitter = Fitter() if mode == "background" else None
        self._controller = RefitController(
            model, RefitSchedule(often, first), fitter, longest, reacts_to_drift=self.reacts_to_drift
        )
        self._asked = 0

    @property
    def labels(self) -> Names:
        """The labels known, by column: those answered so far."""
        return self._window.labels

    @property
    def files(self) -> tuple[str, ...]:
        """The files that the model was made from."""
        return files_of(self.model)

    @property
    def answered(self) -> int:
        """How many answered documents it has taken in all, in earlier runs too."""
        return self._window.appended

    @property
    def state(self) -> RefitState:
        """The figures of refitting so far."""
        refitting, current = self._controller, self._controller.current
        return RefitState(
            refitting.refits,
            refitting.reasons.total(),
            dict(refitting.reasons),
            None if current is None else self._window.appended - current.end,
            None if current is None else current.seconds,
            refitting.running,
            len(self._window),
            self._window.memory_bytes,
        )

    def ask_for_refit(self) -> None:
        """Refit the model at the next document boundary, whatever the schedule says."""
        self._controller.requested = True

    def take_events(self) -> list[dict[str, Any]]:
        """Return the refits that succeeded or failed since the last call, the last 1,000 at most.

        ``document`` is the number of documents answered when the window ended, ``window`` the number it held.
        ``seconds``, the time that the fit took, is the only figure that differs from run to run.
        """
        return self._controller.take_events()

    def begin_run(self) -> None:
        """Start another run with what was learnt: the counts of refits start at 0."""
        self._controller.begin_run()

    def begin_pass(self) -> None:
        """Start another pass over the stream: its times, which jump back, follow on from those before."""
        self._window.begin_pass()
        self._controller.schedule.begin_pass()

    def save(self) -> dict[str, Any]:
        """Return the state, without the settings, as plain data."""
        return {"window": self._window.save(), "asked": self._asked, **self._controller.save()}

    def load(self, state: Mapping[str, Any]) -> None:
        """Restore what :meth:`save` returned; the settings and the numbering of features must be the same."""
        try:
            self._window.load(state["window"])
            self._asked = int(state["asked"])
            self._controller.load(state, self.labels)
        except (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError) as error:
            if isinstance(error, TelexError):
                raise
            whole = f"the saved state of a refitted learner is broken ({type(error).__name__}: {error})"
            raise InputError(f"{whole}; take another checkpoint") from error

    def use_fitter(self, fitter: Fits) -> None:
        """Have models be fitted elsewhere; in ``sync`` mode the stream waits for them as before."""
        self._controller.close()
        self._controller.fitter, self._controller.waits = fitter, self.mode == "sync"

    def settle(self) -> None:
        """Wait for the running background refit, if there is one, and use its model."""
        self._controller.collect(self.labels, waiting=True)

    def close(self) -> None:
        """End the other process; the next background refit starts it again."""
        self._controller.close()

    def scores(self, batch: Batch) -> Predictions:
        """Predict every document with the current model; learn nothing."""
        check_forgets_nothing(batch)
        self._window.check(batch)
        rows = np.arange(len(batch), dtype=np.int32)
        answer = _PredictionArrays(len(batch), len(self.labels))
        self._predict(batch, rows, answer, 0)
        answer.known[:] = len(self.labels)
        return self._predictions(batch, rows, answer)

    def reasons(self, batch: Batch, row: int) -> Reasons | None:
        """Return what each feature contributes to the scores, or None if the model cannot say or there is none."""
        current = self._controller.current
        return None if current is None else current.reasons(batch, row, self._asked, self.labels)

    def learn(self, batch: Batch) -> None:
        """Learn every labelled document; predict nothing."""
        self.progress(Events(batch, answers_only(batch)))

    def progress(self, events: Events) -> Predictions:
        """Predict each ask with the current model, and add each answered document to the window, step by step."""
        batch = events.batch
        self._window.check(batch)
        steps = undelayed_steps(batch) if events.steps is None else events.steps
        check_steps(batch, steps)
        asks = steps >= 0
        rows = np.where(asks, steps, ~steps)
        answer = _PredictionArrays(int(asks.sum()), len(self.labels) + len(batch.label_names))
        before, features = forgotten_before(batch, steps)
        forgets = ForgetSteps(before, features, asks, self._asked, self._window.appended)
        self._controller.at_boundary(self._window)
        start = done = 0
        while start < len(steps):
            stop = self._stop(batch, rows, asks, start)
            forgotten = forgets.between(start, stop)
            self._controller.forget(forgotten)
            self._stretch(batch, rows[start:stop], asks[start:stop], answer, done)
            self._window.forget(forgotten.features, forgotten.answered)
            done += int(asks[start:stop].sum())
            start = stop
            self._controller.at_boundary(self._window)
        forgotten = forgets.between(len(steps), len(steps) + 1)
        self._controller.forget(forgotten)
        self._window.forget(forgotten.features, forgotten.answered)
        return self._predictions(batch, rows[asks], answer)

    def _stop(self, batch: Batch, rows: Ids, asks: Flags, start: int) -> int:
        """Return the step before which the model may change: after the answer that makes a refit due, or the end."""
        furthest = min(len(rows), start + _STEPS_AT_ONCE) if self._controller.running else len(rows)
        answers = start + np.flatnonzero(~asks[start:furthest])
        due = self._controller.until_due(batch.times[rows[answers]])
        return furthest if due is None else int(answers[due - 1]) + 1

    def _stretch(self, batch: Batch, rows: Ids, asks: Flags, answer: _PredictionArrays, done: int) -> None:
        """Do the steps up to the next boundary; one model answers all asks among them."""
        asked, answered = rows[asks], rows[~asks]
        known = np.array([len(self.labels)])  # becomes known[k]: how many labels are known after k of these answers
        if len(answered):
            known = np.concatenate([known, self._window.append(batch, answered)])
        self._predict(batch, asked, answer, done)
        answer.known[done : done + len(asked)] = known[np.cumsum(~asks)[asks]]
        self._asked += len(asked)
        self._controller.schedule.count_answers(batch.times[answered])

    def _predict(self, batch: Batch, rows: Ids, answer: _PredictionArrays, done: int) -> None:
        if self._controller.current is not None:
            here = slice(done, done + len(rows))
            self._controller.current.predict(batch, rows, self._asked, answer.scores[here], answer.relevant[here])

    def _predictions(self, batch: Batch, rows: Ids, answer: _PredictionArrays) -> Predictions:
        columns = batch.label_names.columns(self.labels)
        return Predictions(
            answer.scores,
            answer.relevant,
            answer.known,
            rows,
            columns,
            self.labels,
            self.labels.hashes()[: len(self.labels)],
            self.seed & 0xFFFFFFFFFFFFFFFF,
            batch.numbers[rows],
        )


class _PredictionArrays:
    """The arrays of the predictions of one call."""

    def __init__(self, asks: int, labels: int) -> None:
        self.scores: Values = np.zeros((asks, max(1, labels)), np.float32)
        self.relevant: Flags = np.zeros((asks, max(1, labels)), np.bool_)
        self.known: Ids = np.zeros(asks, np.int32)
