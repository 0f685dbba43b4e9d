"""A batch learner that follows a stream: fitted again and again on a sliding window."""

from __future__ import annotations

import copy
import math
from collections import Counter, deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from telex.learners.batch_learner import BatchLearner
from telex.learners.errors import InputError, UsageError
from telex.learners.predictions import Events, Predictions
from telex.learners.reasons import Reasons, alone, reasons_of
from telex.stream.cadence import Cadence
from telex.stream.fitting import Failed, Fitted, Fitter, fitted
from telex.stream.gone import Gone
from telex.stream.origin import Origin
from telex.stream.refitted import Refitted
from telex.stream.rows import features_kept, forgotten_before, picked, row_of_entry, undelayed
from telex.stream.span import Span, seconds, span
from telex.stream.window import Window

if TYPE_CHECKING:
    from collections.abc import Mapping

    from telex.learners.arrays import Flags, Ids, Offsets, Values
    from telex.learners.batch import Batch
    from telex.learners.names import Names

_STEPS_AT_ONCE = 256
"""How many asks and answers may pass before it is seen whether a model has come from the background."""
_REASONS = 50
_EVENTS = 1000
_FIRST_OF_DRIFT = 1000


@dataclass(frozen=True, slots=True)
class RefitState:
    """How refitting goes.

    ``refits`` models came, ``failures`` did not, for these ``reasons``. ``staleness`` is the number of documents
    answered since the end of the window of the model in use, None before the first; ``seconds`` is what its fit took,
    None where it came with a state.
    """

    refits: int
    failures: int
    reasons: dict[str, int]
    staleness: int | None
    seconds: float | None
    running: bool
    window_documents: int
    window_bytes: int


class Refit:
    """A batch learner fitted again and again on the last documents, while the stream goes on.

    Answered documents enter the window, and each time the schedule says so a fresh copy of ``model`` is fitted on
    it. In ``sync`` mode that happens in place, at the document's boundary: however the stream is cut, predictions
    are the same to the bit. In ``background`` mode another process fits, and the model is taken at the first boundary
    at which it is there (one is at the begin of each call, and every 256 steps). A refit that fails or takes too
    long is counted, and the last good model stays.

    Known are the labels answered so far. One that the model's window did not have is ranked last and not predicted;
    before the first model that is all of them, with score 0, so that the time until then counts against the learner. A
    feature that was forgotten since the model's window is, to the model, one never met.

    A checkpoint keeps a model that has ``save`` and ``load``; of any other it keeps the documents that it was fitted
    on, and fits it again. So those stay in memory beside the window: twice the window in all, three times while
    another process fits. A refit under way in the background is not kept, but asked for again.

    Parameters
    ----------
    model
        What is fitted; its own parameters are given as ``model.KEY=value``.
    every
        Documents, or event time such as ``2h``, from one refit to the next; or ``drift``: then one follows only
        when it is asked for, as a run does when this learner's loss has drifted.
    window
        Documents, or event time, that a refit learns.
    mode
        ``sync`` makes a replay deterministic, ``background`` is for live streams.
    after
        Documents, or event time, before the first refit: as ``every``, or 1,000 documents for ``drift``, again where
        there is no model then.
    timeout
        Seconds, or a time such as ``10m``, that a refit in the background may take.
    most
        The most documents of a window that is given as event time.
    seed
        Orders equal scores, and is the seed of a model that has one and is given none.

    """

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
        self.reacts = every == "drift"
        """Whether refits wait for :meth:`ask_for_refit`, which is then to be called at the document's boundary."""
        often = None if self.reacts else span("every", every)
        first = span("after", after) if after is not None else often or Span(documents=_FIRST_OF_DRIFT)
        self._cadence = Cadence(often, first)
        self._timeout = None if timeout is None else seconds("timeout", timeout)
        self._fitter = Fitter(model) if mode == "background" else None
        self._current: BatchLearner | None = None
        self._origin = self._next_origin = Origin()
        self._events: deque[Refitted] = deque(maxlen=_EVENTS)
        self._columns = np.zeros(0, np.int32)
        self._seconds: float | None = None
        self._end = self._next_end = 0
        self._gone, self._next_gone = Gone(), Gone()
        self._asked = 0
        self._refits = 0
        self._reasons: Counter[str] = Counter()
        self._wanted = False

    @property
    def labels(self) -> Names:
        """The labels known, by column: those answered so far."""
        return self._window.labels

    @property
    def state(self) -> RefitState:
        """How refitting goes."""
        return RefitState(
            self._refits,
            self._reasons.total(),
            dict(self._reasons),
            self._window.appended - self._end if self._current else None,
            self._seconds,
            self._running,
            len(self._window),
            self._window.memory_bytes,
        )

    def ask_for_refit(self) -> None:
        """Have the model refitted at the next document boundary, whatever the schedule says."""
        self._wanted = True

    def take_events(self) -> list[dict[str, Any]]:
        """Return the refits that came and that failed since the last call, the last 1,000 at most.

        ``document`` is the number of documents answered when the window ended, ``window`` how many it held;
        ``seconds``, which the fit took, is the one figure of the clock.
        """
        events, self._events = self._events, deque(maxlen=_EVENTS)
        return [event.event() for event in events]

    def check_savable(self) -> None:
        """Every batch learner can be kept in a checkpoint, by its state or by the documents that it was fitted on."""

    def save(self) -> dict[str, Any]:
        """Return all that is no setting, as plain data."""
        wanted = self._wanted or self._running
        return {
            "window": self._window.save(),
            "cadence": self._cadence.save(),
            "model": None if self._current is None else self._origin.save(self._current),
            "end": self._end,
            "gone": self._gone.save(),
            "asked": self._asked,
            "refits": self._refits,
            "reasons": [[reason, count] for reason, count in self._reasons.items()],
            "wanted": wanted,
            "events": [event.save() for event in self._events],
        }

    def load(self, state: Mapping[str, Any]) -> None:
        """Go on where :meth:`save` was called, with the same settings, and batches that number features alike."""
        try:
            self._load(state)
        except (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError) as error:
            if isinstance(error, UsageError):
                raise
            whole = f"what is kept of a refitted learner is broken ({type(error).__name__}: {error})"
            raise InputError(f"{whole}; take another checkpoint") from error

    def settle(self) -> None:
        """Wait for the refit under way in the background, if there is one, and take its model."""
        self._collect(waiting=True)

    def close(self) -> None:
        """End the other process; it is started again where it is needed again."""
        if self._fitter:
            self._fitter.close()

    def scores(self, batch: Batch) -> Predictions:
        """Predict every document with the model as it is, and learn nothing."""
        if batch.forget:
            raise InputError("scores changes no learner, and this batch forgets features; give progress asks only")
        self._window.check(batch)
        rows = np.arange(len(batch), dtype=np.int32)
        answer = _Answer(len(batch), len(self.labels))
        self._predict(batch, rows, self._asked, answer, 0)
        answer.known[:] = len(self.labels)
        return self._predictions(batch, rows, answer)

    def reasons(self, batch: Batch, row: int) -> Reasons | None:
        """Return what each feature says to the model in use; None where that cannot tell, or there is none."""
        document = asked = alone(batch, row)
        if self._gone:
            moments = np.full(len(document.features), self._asked)
            asked = features_kept(document, self._gone.stands(document.features, moments))
        found = None if self._current is None else reasons_of(self._current, asked, 0)
        if found is None:
            return None
        contributions, base = np.zeros((len(document.features), len(self.labels))), np.zeros(len(self.labels))
        if len(self._columns):
            contributions[np.ix_(np.isin(document.features, asked.features), self._columns)] = found.contributions
            base[:] = (found.contributions.sum(axis=0) + found.base).min() - 1
            base[self._columns] = found.base
        return Reasons(document.features, self.labels, contributions, base)

    def learn(self, batch: Batch) -> None:
        """Learn every labelled document, predicting nothing."""
        self.progress(Events(batch, ~np.flatnonzero(batch.labelled).astype(np.int32)))

    def progress(self, events: Events) -> Predictions:
        """Predict what is asked with the model of that moment; let what is answered enter the window."""
        batch = events.batch
        self._window.check(batch)
        steps = undelayed(batch) if events.steps is None else events.steps
        if len(steps) and not -len(batch) <= steps.min() <= steps.max() < len(batch):
            raise InputError(f"a step names a row outside the batch's {len(batch)}; give r or ~r of its own rows")
        asks = steps >= 0
        rows = np.where(asks, steps, ~steps)
        answer = _Answer(int(asks.sum()), len(self.labels) + len(batch.label_names))
        before, features = forgotten_before(batch, steps)
        forgets = _Forgets(before, features, asks, self._asked, self._window.appended)
        self._boundary()
        start = done = 0
        while start < len(steps):
            stop = self._stop(batch, rows, asks, start)
            gone = forgets.between(start, stop)
            self._note(gone)
            self._stretch(batch, rows[start:stop], asks[start:stop], answer, done)
            self._window.forget(gone.features, gone.answered)
            done += int(asks[start:stop].sum())
            start = stop
            self._boundary()
        gone = forgets.between(len(steps), len(steps) + 1)
        self._note(gone)
        self._window.forget(gone.features, gone.answered)
        return self._predictions(batch, rows[asks], answer)

    def _load(self, state: Mapping[str, Any]) -> None:
        self.close()
        self._window.load(state["window"])
        self._cadence.load(state["cadence"])
        self._end, self._asked, self._refits = int(state["end"]), int(state["asked"]), int(state["refits"])
        self._gone.load(state["gone"])
        self._reasons = Counter({str(reason): int(count) for reason, count in state["reasons"]})
        self._wanted = bool(state["wanted"])
        self._events = deque((Refitted.of(one) for one in state["events"]), maxlen=_EVENTS)
        self._current, self._seconds = None, None
        if state["model"] is not None:
            self._origin, self._current, self._seconds = Origin.load(state["model"], self.model, self.labels)
            self._columns = self._current.labels.columns(self.labels)
            if self._columns.min(initial=0) < 0:
                raise InputError("a kept model has labels that its window did not have; take another checkpoint")

    # -- between two boundaries

    def _stop(self, batch: Batch, rows: Ids, asks: Flags, start: int) -> int:
        """Return where the next boundary is at which something may change."""
        furthest = min(len(rows), start + _STEPS_AT_ONCE) if self._running else len(rows)
        answers = start + np.flatnonzero(~asks[start:furthest])
        if self._wanted and not self._running and len(answers):
            return int(answers[0]) + 1  # it was asked for before there was anything to learn
        due = self._cadence.until_due(batch.times[rows[answers]])
        return furthest if due is None else int(answers[due - 1]) + 1

    def _stretch(self, batch: Batch, rows: Ids, asks: Flags, answer: _Answer, done: int) -> None:
        asked, answered = rows[asks], rows[~asks]
        known = np.concatenate([[len(self.labels)], self._window_known(batch, answered)])
        self._predict(batch, asked, self._asked, answer, done)
        answer.known[done : done + len(asked)] = known[np.cumsum(~asks)[asks]]
        self._asked += len(asked)
        self._cadence.passed(batch.times[answered])

    def _window_known(self, batch: Batch, answered: Ids) -> Offsets:
        return self._window.append(batch, answered) if len(answered) else np.zeros(0, np.int64)

    def _predict(self, batch: Batch, rows: Ids, moment: int, answer: _Answer, done: int) -> None:
        """Score ``rows``, the first of which is the ask of that ``moment``."""
        if self._current is None or not len(self._columns) or not len(rows):
            return
        asked = picked(batch, rows)
        if self._gone:
            span = slice(int(asked.indptr[0]), int(asked.indptr[-1]))
            keep = self._gone.stands(asked.features[span], moment + row_of_entry(asked))
            asked = features_kept(asked, keep)
        found = self._current.scores(asked)
        here = slice(done, done + len(rows))
        scores = found.scores[:, : len(self._columns)]
        answer.scores[here] = scores.min(axis=1, keepdims=True) - np.float32(1)
        answer.scores[here, self._columns] = scores
        answer.relevant[here, self._columns] = found.relevant[:, : len(self._columns)]

    def _note(self, gone: _Gone) -> None:
        for one in (self._gone if self._current else None, self._next_gone if self._running else None):
            if one is not None:
                one.note(gone.features, gone.asked)

    def _predictions(self, batch: Batch, rows: Ids, answer: _Answer) -> Predictions:
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

    # -- at a boundary

    @property
    def _running(self) -> bool:
        return self._fitter is not None and self._fitter.busy

    def _boundary(self) -> None:
        self._collect()
        if self._running or not len(self._window) or not (self._wanted or self._cadence.due):
            return
        self._wanted = False
        self._cadence.restart()
        batch = self._window.take()
        if not len(batch):
            return
        self._next_end, self._next_gone = self._window.appended, Gone()
        self._next_origin = Origin.of(batch, self.model, len(self.labels))
        if self._fitter is None:
            self._take(fitted(copy.deepcopy(self.model), batch))
        elif failed := self._fitter.begin(batch):
            self._take(failed)

    def _collect(self, *, waiting: bool = False) -> None:
        if self._fitter and (found := self._fitter.result(self._timeout, waiting=waiting)):
            self._take(found)

    def _take(self, found: Fitted | Failed) -> None:
        if isinstance(found, Fitted) and (columns := found.model.labels.columns(self.labels)).min(initial=0) < 0:
            found = Failed("the model has labels that its window did not have")
        if isinstance(found, Failed):
            # Reasons may hold what differs each time; their number must not grow with the stream.
            crowded = len(self._reasons) >= _REASONS and found.reason not in self._reasons
            self._reasons["others" if crowded else found.reason] += 1
            self._events.append(Refitted(self._next_end, self._next_origin.documents, reason=found.reason))
            self._next_origin = Origin()
            if self.reacts and self._current is None:
                self._cadence.restart(first=True)
            return
        self._current, self._seconds = found.model, found.seconds
        self._end, self._gone = self._next_end, self._next_gone
        self._events.append(Refitted(self._end, self._next_origin.documents, seconds=found.seconds))
        self._origin, self._next_origin = self._next_origin, Origin()
        self._refits += 1
        self._columns = columns


class _Answer:
    """The arrays of the predictions of one call."""

    def __init__(self, asks: int, labels: int) -> None:
        self.scores: Values = np.zeros((asks, max(1, labels)), np.float32)
        self.relevant: Flags = np.zeros((asks, max(1, labels)), np.bool_)
        self.known: Ids = np.zeros(asks, np.int32)


@dataclass(frozen=True, slots=True)
class _Gone:
    """Features forgotten, and how many asks and answers there had been by then."""

    features: Ids
    asked: Offsets
    answered: Offsets


class _Forgets:
    """What is forgotten in one call, by step."""

    def __init__(self, before: Offsets, features: Ids, asks: Flags, asked: int, answered: int) -> None:
        self._before = before
        counts = np.concatenate([np.zeros(1, np.int64), np.cumsum(asks)])
        self._all = _Gone(features, asked + counts[before], answered + before - counts[before])

    def between(self, start: int, stop: int) -> _Gone:
        """Return what is forgotten before the steps ``start`` to ``stop``."""
        first, last = np.searchsorted(self._before, (start, stop)).tolist()
        return _Gone(self._all.features[first:last], self._all.asked[first:last], self._all.answered[first:last])
