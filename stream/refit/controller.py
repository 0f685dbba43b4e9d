"""The controller of refits: it starts fits, takes their models into use, and counts those that fail."""

from __future__ import annotations

import copy
from collections import Counter, deque
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.learners.base import FirstForgotten, Names
from telex.stream.refit.current_model import CurrentModel, UnknownLabelsError
from telex.stream.refit.outcome import RefitOutcome
from telex.stream.refit.provenance import Provenance
from telex.stream.refit.worker import Failed, Fits, Fitted, fit_model

if TYPE_CHECKING:
    from collections.abc import Mapping

    from telex.learners import BatchLearner
    from telex.learners.base import Forgotten, Reals
    from telex.stream.refit.schedule import RefitSchedule
    from telex.stream.refit.window import Window

_REASONS = 50
"""How many different reasons of failures are counted; further ones count as "others"."""
_EVENTS = 1000
"""How many events are held until someone takes them."""


@dataclass(slots=True)
class _StartedFit:
    """The fit that was begun last: its window, the number of answers at its end, and the features forgotten since."""

    provenance: Provenance
    end: int
    gone: FirstForgotten


class RefitController:
    """Fits copies of ``model`` on a window whenever ``schedule`` says so or ``requested`` is set.

    Without ``fitter`` the stream waits for the fit. With ``fitter`` another process fits and the stream does not wait;
    a refit that becomes due meanwhile waits for the fit. A failed fit is counted, and the model in use stays. A learner
    that refits only on request (``reacts_to_drift``) and has no model yet counts to its first refit once more.
    """

    def __init__(
        self,
        model: BatchLearner,
        schedule: RefitSchedule,
        fitter: Fits | None,
        timeout: float | None,
        *,
        reacts_to_drift: bool,
    ) -> None:
        self.model, self.schedule, self.fitter, self.reacts_to_drift = model, schedule, fitter, reacts_to_drift
        self.waits = False
        """Whether the stream waits for what ``fitter`` fits."""
        self.current: CurrentModel | None = None
        self.refits = 0
        self.reasons: Counter[str] = Counter()
        self.requested = False
        self._timeout = timeout
        self._started: _StartedFit | None = None
        self._events: deque[RefitOutcome] = deque(maxlen=_EVENTS)

    @property
    def running(self) -> bool:
        """Whether another process is fitting."""
        return self.fitter is not None and self.fitter.busy

    def until_due(self, times: Reals) -> int | None:
        """Return after how many of these next answers a fit may begin, or None if it is after none of them."""
        if self.requested and not self.running and len(times):
            return 1  # it was requested while the window was still empty
        return self.schedule.until_due(times)

    def forget(self, forgotten: Forgotten) -> None:
        """Note features that were forgotten: the model in use and the one being fitted know them no more."""
        if self.current is not None:
            self.current.gone.note(forgotten.features, forgotten.asked)
        if self.running and self._started is not None:
            self._started.gone.note(forgotten.features, forgotten.asked)

    def at_boundary(self, window: Window) -> None:
        """Between two documents, use the model that is ready, and begin the fit that is due."""
        self.collect(window.labels)
        if self.running or not len(window) or not (self.requested or self.schedule.due):
            return
        self.requested = False
        self.schedule.restart()
        # A fit must not see the names of features: an id may have been given to another term since a document came,
        # how soon the table shows it depends on how the stream is cut, and a checkpoint saves no names.
        batch = replace(window.take(), feature_names=Names())
        if not len(batch):
            return
        self._started = _StartedFit(
            Provenance.of(batch, self.model, len(window.labels)), window.appended, FirstForgotten()
        )
        warm = None if self.current is None else self.current.warm_start()
        if self.fitter is None:
            self._take(self._started, fit_model(warm or copy.deepcopy(self.model), batch), window.labels)
        elif failed := self.fitter.begin(warm or self.model, batch):
            self._take(self._started, failed, window.labels)
        elif self.waits:
            self.collect(window.labels, waiting=True)

    def collect(self, labels: Names, *, waiting: bool = False) -> None:
        """Take the result of the other process if it is there, or wait for it."""
        if self.fitter and self._started and (result := self.fitter.result(self._timeout, waiting=waiting)):
            self._take(self._started, result, labels)

    def take_events(self) -> list[dict[str, Any]]:
        """Return the fits that succeeded or failed since the last call, the last 1,000 at most."""
        events, self._events = self._events, deque(maxlen=_EVENTS)
        return [event.event() for event in events]

    def begin_run(self) -> None:
        """Start the counts at 0: the refits so far belong to another run."""
        self.refits = 0
        self.reasons.clear()
        self._events.clear()

    def close(self) -> None:
        """End the other process; the next fit starts it again."""
        if self.fitter:
            self.fitter.close()

    def save(self) -> dict[str, Any]:
        """Return the model and the counts, as plain data; a running fit is saved as a request for another."""
        nothing = {"model": None, "end": 0, "gone": np.zeros(0, np.int64)}
        return {
            "cadence": self.schedule.save(),
            **(nothing if self.current is None else self.current.save()),
            "refits": self.refits,
            "reasons": [[reason, count] for reason, count in self.reasons.items()],
            "wanted": self.requested or self.running,
            "events": [event.save() for event in self._events],
        }

    def load(self, state: Mapping[str, Any], labels: Names) -> None:
        """Restore what :meth:`save` returned; ``labels`` are those known then."""
        self.close()
        self.schedule.load(state["cadence"])
        self.refits, self.requested = int(state["refits"]), bool(state["wanted"])
        self.reasons = Counter({str(reason): int(count) for reason, count in state["reasons"]})
        self._events = deque((RefitOutcome.of(one) for one in state["events"]), maxlen=_EVENTS)
        self._started = None
        self.current = None if state["model"] is None else CurrentModel.load(state, self.model, labels)

    def _take(self, started: _StartedFit, result: Fitted | Failed, labels: Names) -> None:
        self._started = None
        if isinstance(result, Fitted):
            try:
                self.current = CurrentModel.of(
                    result.model, started.provenance, labels, end=started.end, seconds=result.seconds, gone=started.gone
                )
            except UnknownLabelsError:
                result = Failed("the model has labels that its window did not have")
            else:
                self.refits += 1
                self._events.append(RefitOutcome(started.end, started.provenance.documents, seconds=result.seconds))
                return
        # A reason may hold a figure that differs each time; the table must not grow with the stream.
        crowded = len(self.reasons) >= _REASONS and result.reason not in self.reasons
        self.reasons["others" if crowded else result.reason] += 1
        self._events.append(RefitOutcome(started.end, started.provenance.documents, reason=result.reason))
        if self.reacts_to_drift and self.current is None:
            self.schedule.restart(first=True)
