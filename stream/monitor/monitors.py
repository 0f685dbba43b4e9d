"""The monitors of a run: drift detectors, the choice of a champion, comparisons, refits."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.learners import Refits
from telex.learners.base import UsageError
from telex.learners.thresholds import innermost
from telex.stream.compare import choose_comparison_loss, make_comparison, order_event
from telex.stream.monitor.champion_settings import make_champion
from telex.stream.monitor.drift import Drift, drift_settings
from telex.stream.monitor.not_finite import NotFinite

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from telex.learners import Learner
    from telex.learners.base import Ids, Offsets, Reals, State
    from telex.learners.losses import Judged, Loss
    from telex.stream.delayed_labels import StepInput
    from telex.stream.monitor.champion import Champion, Switch
    from telex.stream.monitor.drift import DriftSettings


class Monitors:
    """Watches each learner's losses, and returns the events and the champion, document by document.

    After a drift to the worse a learner that ``reacts_to_drift`` is refitted at the next boundary; such a run takes one
    document at a time. Events are in the order of the documents at which they happened, however the stream is cut into
    steps.
    """

    def __init__(
        self,
        learners: Mapping[str, Learner],
        losses: Sequence[Loss],
        drift: str | DriftSettings | None,
        champion: str | Champion | None,
    ) -> None:
        self.learners = learners
        self._losses = losses  # as many as the run measures, which may be fewer once it resumes
        settings = drift_settings(drift) if isinstance(drift, str) else drift
        self.drift = None if settings is None else Drift(settings, list(learners), losses)
        inner = {name: innermost(learner) for name, learner in learners.items()}
        self.refits = {name: learner for name, learner in inner.items() if isinstance(learner, Refits)}
        for name, learner in self.refits.items() if self.drift is None else ():
            if learner.reacts_to_drift:
                raise UsageError(
                    f"the learner {name} is refitted on drift, and no detector looks for one; give --drift ADWIN "
                    "(of a Run: drift='ADWIN'), or every=5000 of the learner"
                )
        known = {loss.name: loss for loss in losses}
        self.champion = make_champion(champion, learners, known) if isinstance(champion, str) else champion
        self.comparison_loss = choose_comparison_loss(losses, self.champion)
        self.comparison = make_comparison(learners, self.comparison_loss)
        self.drifts = dict.fromkeys(learners, 0)
        self.scores_not_finite = NotFinite(learners)
        self._blind = self.drift is None and self.champion is None and self.comparison is None and not self.refits
        self._newest = 0  # how many documents had come at the newest answer
        self._earlier: dict[str, int] = {}  # answers that a learner had learnt before this run
        self._left_out: set[str] = set()
        self._events: list[tuple[int, int, dict[str, Any]]] = []

    def begin_pass(self) -> None:
        """Begin another pass: learners that follow the time of documents continue their clocks."""
        for learner in self.refits.values():
            learner.begin_pass()

    def step(
        self,
        step: StepInput,
        judged: Mapping[str, Judged],
        losses: Mapping[str, Reals],
        moments: Offsets,
        *,
        learnt: int,
        training: bool,
    ) -> Ids | None:
        """Return which learner's predictions of the documents count; :meth:`take_events` has what happened.

        All learners that are not set aside have gone through ``step``; ``losses`` has a row for each loss, ``moments``
        says of each answer how many documents had come, and ``learnt`` is how many answers the learners had learnt
        before. Learners are compared only where they learn.
        """
        for event in self.scores_not_finite.take_events():
            self.note(event["document"], event["learner"], event)
        if self._blind:
            return None
        scored = moments[step.scored_answers()]
        for name in losses:
            learner = self.refits.get(name)
            self._look_for_drift(name, learner, judged[name], losses[name], scored)
            if learner is not None:
                self._place_events(name, learner, moments, learnt)
        chosen = self._choose(step, losses, scored)
        if self.comparison is not None and self.comparison_loss is not None and training:
            row, missing = self._row(self.comparison_loss.name), np.full(len(scored), np.nan)
            values = {name: losses[name][row] if name in losses else missing for name in self.comparison.names}
            for change in self.comparison.add(values, scored):
                if not self._left_out.isdisjoint(self.comparison.pairs[change.pair]):
                    continue
                self.note(change.document, "", order_event(change, self.comparison, self.comparison_loss))
        if len(moments):
            self._newest = int(moments[-1])
        return chosen

    def take_events(self) -> list[dict[str, Any]]:
        """Return the events since the last call, in their order."""
        events = sorted(self._events, key=lambda event: (event[0], event[1]))
        self._events = []
        return [event for _, _, event in events]

    def leave_out(self, name: str) -> Switch | None:
        """Watch a learner no more, which is set aside; return the switch if it was the champion."""
        self._left_out.add(name)
        self.refits.pop(name, None)
        return None if self.champion is None else self.champion.leave_out(name)

    def set_aside(self, name: str, event: dict[str, Any]) -> None:
        """Leave out a learner that has failed, note this ``event``, and who is champion in its place."""
        self.note(event["document"], name, event)
        if (switch := self.leave_out(name)) is not None and self.champion is not None:
            event = {"event": "champion", "document": event["document"], "from": switch.old, "to": switch.new}
            found = {"loss": self.champion.loss.name, "figures": dict(switch.figures)}
            self.note(event["document"], "", {**event, **found, "reason": f"{name} is set aside"})

    def _row(self, name: str) -> int:
        return next(row for row, loss in enumerate(self._losses) if loss.name == name)

    def _look_for_drift(
        self, name: str, learner: Refits | None, judged: Judged, losses: Reals, scored: Offsets
    ) -> None:
        if self.drift is None:
            return
        # Where no label but the true ones was known there was nothing to be wrong about.
        values = np.where(judged.irrelevant > 0, losses[self._row(self.drift.loss)], np.nan)
        for found in self.drift.add(name, scored, values):
            self.drifts[name] += 1
            self.note(found.document, name, {"event": "drift", **asdict(found)})
            if found.worse and learner is not None and learner.reacts_to_drift:
                learner.ask_for_refit()

    def _place_events(self, name: str, learner: Refits, moments: Offsets, learnt: int) -> None:
        """Note the events of a learner, which counts its own answers, at documents of the run."""
        earlier = self._earlier.setdefault(name, learner.answered - len(moments) - learnt)
        for event in learner.take_events():
            # A refit requested at the end of a stretch happens at the beginning of the next.
            answered = int(event["document"]) - earlier
            at = min(answered - learnt, len(moments))
            document = int(moments[at - 1]) if at > 0 else self._newest
            self.note(document, name, {**event, "learner": name, "answered": answered, "document": document})

    def _choose(self, step: StepInput, losses: Mapping[str, Reals], scored: Offsets) -> Ids | None:
        if self.champion is None:
            return None
        row, order = self._row(self.champion.loss.name), step.order()
        chosen, switches = self.champion.follow(order, {name: values[row] for name, values in losses.items()})
        before = self.champion.answered - int(np.count_nonzero(order < 0))
        for one in switches:
            document = int(scored[one.answered - before - 1])
            event = {"event": "champion", "document": document, "from": one.old, "to": one.new}
            self.note(document, "", {**event, "loss": self.champion.loss.name, "figures": dict(one.figures)})
        return chosen

    def save(self) -> State:
        """Return the state of all monitors."""
        return {
            "newest": self._newest,
            "scores_not_finite": self.scores_not_finite.save(),
            "drifts": dict(self.drifts),  # a copy, as a thread writes it while the run continues
            "drift": self.drift.save() if self.drift is not None else None,
            "champion": self.champion.save() if self.champion is not None else None,
            "comparison": self.comparison.save() if self.comparison is not None else None,
        }

    def load(self, state: State) -> None:
        """Restore what :meth:`save` returned."""
        self._newest = int(state["newest"])
        self.drifts = {name: int(count) for name, count in state["drifts"].items()}
        self.scores_not_finite.load(state.get("scores_not_finite", {}))
        if self.drift is not None:
            self.drift.load(state["drift"])
        if self.champion is not None:
            self.champion.load(state["champion"])
        if self.comparison is not None and (saved := state.get("comparison")) is not None:
            self.comparison.load(saved)  # the oldest checkpoints have none: it begins here

    def note(self, document: int, name: str, event: dict[str, Any]) -> None:
        """Note an event about a learner, or about none if ``name`` is empty, which happened at that document."""
        place = list(self.learners).index(name) if name else len(self.learners)
        self._events.append((document, place, event))
