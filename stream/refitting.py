"""When a model is fitted anew, what comes of it, and which one is in use."""

from __future__ import annotations

import copy
from collections import Counter, deque
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.learners.names import Names
from telex.learners.recycled_ids import Gone
from telex.stream.fitting import Failed, Fitted, Fitter, fitted
from telex.stream.in_use import InUse, StrangerError
from telex.stream.origin import Origin
from telex.stream.refitted import Refitted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from telex.learners.arrays import Reals
    from telex.learners.batch_learner import BatchLearner
    from telex.learners.recycled_ids import Forgotten
    from telex.stream.cadence import Cadence
    from telex.stream.window import Window

_REASONS = 50
_EVENTS = 1000


@dataclass(slots=True)
class _Asked:
    """The fit that was begun last: on what, after how many answers, and what was forgotten since."""

    origin: Origin
    end: int
    gone: Gone


class Refitting:
    """Copies of ``model``, fitted on a ``window`` whenever ``cadence`` says so or somebody wants it.

    They are fitted in place, or by ``fitter`` in another process: then the stream goes on, and what is due meanwhile
    waits. A fit that fails is counted, and the model in use stays; where nothing else would have it tried again
    (``reacts``) and there is no model yet, the first stretch begins anew.
    """

    def __init__(
        self, model: BatchLearner, cadence: Cadence, fitter: Fitter | None, timeout: float | None, *, reacts: bool
    ) -> None:
        self.model, self.cadence, self.fitter, self.reacts = model, cadence, fitter, reacts
        self.current: InUse | None = None
        self.refits = 0
        self.reasons: Counter[str] = Counter()
        self.wanted = False
        self._timeout = timeout
        self._begun: _Asked | None = None
        self._events: deque[Refitted] = deque(maxlen=_EVENTS)

    @property
    def running(self) -> bool:
        """Whether another process is fitting."""
        return self.fitter is not None and self.fitter.busy

    def until_due(self, times: Reals) -> int | None:
        """Return after how many of these next answers a fit may begin; None where it is not among them."""
        if self.wanted and not self.running and len(times):
            return 1  # it was asked for before there was anything to learn
        return self.cadence.until_due(times)

    def note(self, forgotten: Forgotten) -> None:
        """Be told of features that were forgotten."""
        if self.current is not None:
            self.current.gone.note(forgotten.features, forgotten.asked)
        if self.running and self._begun is not None:
            self._begun.gone.note(forgotten.features, forgotten.asked)

    def boundary(self, window: Window) -> None:
        """Between two documents, take the model that has come, and begin what is due."""
        self.collect(window.labels)
        if self.running or not len(window) or not (self.wanted or self.cadence.due):
            return
        self.wanted = False
        self.cadence.restart()
        # Names may have changed hands since a document came, sooner or later as the stream is cut, and a checkpoint
        # keeps none: a fit must not see them.
        batch = replace(window.take(), feature_names=Names())
        if not len(batch):
            return
        self._begun = _Asked(Origin.of(batch, self.model, len(window.labels)), window.appended, Gone())
        if self.fitter is None:
            model = copy.deepcopy(self.model) if self.current is None else self.current.next(self.model)
            self._take(self._begun, fitted(model, batch), window.labels)
        elif failed := self.fitter.begin(batch):
            self._take(self._begun, failed, window.labels)

    def collect(self, labels: Names, *, waiting: bool = False) -> None:
        """Take what has come from the other process, or wait for it."""
        if self.fitter and self._begun and (found := self.fitter.result(self._timeout, waiting=waiting)):
            self._take(self._begun, found, labels)

    def take_events(self) -> list[dict[str, Any]]:
        """Return the fits that came and that failed since the last call, the last 1,000 at most."""
        events, self._events = self._events, deque(maxlen=_EVENTS)
        return [event.event() for event in events]

    def begin_run(self) -> None:
        """Count anew: what came and what failed until now was of another run."""
        self.refits = 0
        self.reasons.clear()
        self._events.clear()

    def close(self) -> None:
        """End the other process; it is started again where it is needed again."""
        if self.fitter:
            self.fitter.close()

    def save(self) -> dict[str, Any]:
        """Return the model and the counts, as plain data; a fit under way is asked for again."""
        nothing = {"model": None, "end": 0, "gone": np.zeros(0, np.int64)}
        return {
            "cadence": self.cadence.save(),
            **(nothing if self.current is None else self.current.save()),
            "refits": self.refits,
            "reasons": [[reason, count] for reason, count in self.reasons.items()],
            "wanted": self.wanted or self.running,
            "events": [event.save() for event in self._events],
        }

    def load(self, state: Mapping[str, Any], labels: Names) -> None:
        """Go on where :meth:`save` was called; ``labels`` are those known then."""
        self.close()
        self.cadence.load(state["cadence"])
        self.refits, self.wanted = int(state["refits"]), bool(state["wanted"])
        self.reasons = Counter({str(reason): int(count) for reason, count in state["reasons"]})
        self._events = deque((Refitted.of(one) for one in state["events"]), maxlen=_EVENTS)
        self._begun = None
        self.current = None if state["model"] is None else InUse.load(state, self.model, labels)

    def _take(self, begun: _Asked, found: Fitted | Failed, labels: Names) -> None:
        self._begun = None
        if isinstance(found, Fitted):
            try:
                self.current = InUse.of(
                    found.model, begun.origin, labels, end=begun.end, seconds=found.seconds, gone=begun.gone
                )
            except StrangerError:
                found = Failed("the model has labels that its window did not have")
            else:
                self.refits += 1
                self._events.append(Refitted(begun.end, begun.origin.documents, seconds=found.seconds))
                return
        # Reasons may hold what differs each time; their number must not grow with the stream.
        crowded = len(self.reasons) >= _REASONS and found.reason not in self.reasons
        self.reasons["others" if crowded else found.reason] += 1
        self._events.append(Refitted(begun.end, begun.origin.documents, reason=found.reason))
        if self.reacts and self.current is None:
            self.cadence.restart(first=True)
