"""What looks at losses while a run goes: drift detectors, the choice of a champion, comparisons, refits."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.learners.base import UsageError
from telex.stream.compare import compared_by, order_event
from telex.stream.compare.run_comparison import comparison
from telex.stream.monitor.champion_settings import champion
from telex.stream.monitor.drift import Drift, drift

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from telex.learners import Learner
    from telex.learners.base import Ids, Reals, State
    from telex.learners.losses import Judged, Loss
    from telex.stream.delayed_labels import Work
    from telex.stream.monitor.champion import Champion
    from telex.stream.monitor.drift import DriftSettings


class Watching:
    """Hears each learner's losses, stretch by stretch, and tells what follows from them, document by document.

    A drift to the worse has a learner that ``reacts`` refitted at the next boundary; such a run takes one document at a
    time. Events are in the order of the documents at which they happened, whatever the stretches.
    """

    def __init__(
        self,
        learners: Mapping[str, Learner],
        losses: Sequence[Loss],
        drifting: str | DriftSettings | None,
        choosing: str | Champion | None,
    ) -> None:
        self.learners = learners
        self._rows = {loss.name: row for row, loss in enumerate(losses)}
        settings = drift(drifting) if isinstance(drifting, str) else drifting
        self.drift = None if settings is None else Drift(settings, list(learners), losses)
        for name, learner in learners.items() if self.drift is None else ():
            if getattr(learner, "reacts", False):
                raise UsageError(
                    f"the learner {name} is to be fitted anew on drift, and nobody looks for one; give --drift ADWIN "
                    "(of a Run: drift='ADWIN'), or every=5000 of the learner"
                )
        known = {loss.name: loss for loss in losses}
        self.champion = champion(choosing, learners, known) if isinstance(choosing, str) else choosing
        self.compared = compared_by(losses, self.champion)
        self.comparison = comparison(learners, self.compared)
        self.drifts = dict.fromkeys(learners, 0)
        telling = any(hasattr(learner, "take_events") for learner in learners.values())
        self._blind = self.drift is None and self.champion is None and self.comparison is None and not telling
        self._answered = self._newest = 0  # answers, and how many documents had come at the last
        self._earlier: dict[str, int] = {}  # answers that a learner had been told of before this run
        self._values: dict[str, Reals] = {}
        self._costs: dict[str, Reals] = {}
        self._events: list[tuple[int, int, dict[str, Any]]] = []

    def begin_pass(self) -> None:
        """Tell learners that mind the time of documents that the stream begins anew."""
        for learner in self.learners.values():
            if begin := getattr(learner, "begin_pass", None):
                begin()

    def judged(self, name: str, work: Work, judged: Judged, values: Reals, *, training: bool) -> None:
        """Hear a learner's losses of the answers of ``work``, a row a loss; only where they learn are they compared."""
        if self.comparison is not None and self.compared is not None and training:
            self._costs[name] = values[self._rows[self.compared.name]]
        if self.champion is not None:
            self._values[name] = values[self._rows[self.champion.loss.name]]
        learner: Any = self.learners[name]
        if self.drift is not None:
            # Where no label but the true ones was known there was nothing to be wrong about.
            losses = np.where(judged.irrelevant > 0, values[self._rows[self.drift.loss]], np.nan)
            for found in self.drift.add(name, work.when()[work.scores()], losses):
                self.drifts[name] += 1
                self._note(found.document, name, {"event": "drift", **asdict(found)})
                if found.worse and getattr(learner, "reacts", False):
                    learner.ask_for_refit()
        if take := getattr(learner, "take_events", None):
            when = work.when()
            earlier = self._earlier.setdefault(name, learner.answered - len(when) - self._answered)
            for event in take():
                # Counted in answers; what was asked for at the end of a stretch is done at the begin of the next.
                answered = int(event["document"]) - earlier
                at = min(answered - self._answered, len(when))
                document = int(when[at - 1]) if at > 0 else self._newest
                self._note(document, name, {**event, "learner": name, "answered": answered, "document": document})

    def done(self, work: Work) -> tuple[Ids | None, list[dict[str, Any]]]:
        """Return which learner's predictions of the documents of ``work`` count, and what happened, in order."""
        chosen = None
        if self._blind:
            return None, []
        when = work.when()
        scored = when[work.scores()]
        if self.champion is not None:
            order = work.order()
            chosen, switches = self.champion.follow(order, self._values)
            answers = np.flatnonzero(order < 0)
            before = self.champion.answered - len(answers)
            for one in switches:
                document = int(scored[one.answered - before - 1])
                event = {"event": "champion", "document": document, "from": one.old, "to": one.new}
                self._note(document, "", {**event, "loss": self.champion.loss.name, "figures": dict(one.figures)})
        if self.comparison is not None and self.compared is not None and self._costs:
            for told in self.comparison.add(self._costs, scored):
                self._note(told.document, "", order_event(told, self.comparison, self.compared))
        if len(when):
            self._answered, self._newest = self._answered + len(when), int(when[-1])
        events = sorted(self._events, key=lambda event: (event[0], event[1]))
        self._events, self._values, self._costs = [], {}, {}
        return chosen, [event for _, _, event in events]

    def save(self) -> State:
        """Return the state of all that watches."""
        return {
            "answered": [self._answered, self._newest],
            "drifts": dict(self.drifts),  # it is written while the run goes on
            "drift": self.drift.save() if self.drift is not None else None,
            "champion": self.champion.save() if self.champion is not None else None,
            "comparison": self.comparison.save() if self.comparison is not None else None,
        }

    def load(self, state: State) -> None:
        """Go on where :meth:`save` was called."""
        self._answered, self._newest = map(int, state["answered"])
        self.drifts = {name: int(count) for name, count in state["drifts"].items()}
        if self.drift is not None:
            self.drift.load(state["drift"])
        if self.champion is not None:
            self.champion.load(state["champion"])
        if self.comparison is not None and (kept := state.get("comparison")) is not None:
            self.comparison.load(kept)  # the first version compared nobody: it begins here

    def _note(self, document: int, name: str, event: dict[str, Any]) -> None:
        place = list(self.learners).index(name) if name else len(self.learners)
        self._events.append((document, place, event))
