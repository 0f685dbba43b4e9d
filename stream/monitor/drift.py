"""Drift: one of river's detectors watches the loss of each learner."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from telex.learners import did_you_mean, how_to_measure, named_losses
from telex.learners.base import UsageError
from telex.stream.monitor.drift_settings import DriftSettings, drift_settings
from telex.stream.monitor.drift_watch import DriftWatch

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from telex.learners.base import Offsets, Reals
    from telex.learners.losses import Loss

__all__ = ["Detection", "Drift", "DriftSettings", "drift_settings"]


@dataclass(frozen=True, slots=True)
class Detection:
    """An alarm: a detector sees that a learner's loss has changed.

    ``document`` is the position in the stream (from 1) of the newest document read when the answer came that gave the
    alarm; ``scored`` is the number of this learner's answers by then. ``before`` and ``after`` are means of its loss.
    ``before`` covers the values since the learner's last alarm that ``after`` does not cover. ``after`` covers the
    window that ADWIN keeps, the newest ``stat_size`` values for KSWIN, and for the others the newest 100, but half of
    all at most. ``worse`` is what the detector saw if it knows the direction, or looks one way only (PageHinkley, DDM,
    EDDM, FHDDM, and the HDDMs unless ``two_sided_test``). Otherwise it says whether ``after`` is further from the
    loss's best value than ``before``.
    """

    learner: str
    loss: str
    detector: str
    document: int
    scored: int
    worse: bool
    before: float
    after: float


class Drift:
    """A detector for each learner, which watches one of its losses answer by answer.

    ``losses`` are those of the run, or their names; for a name the best value is that of Telex's loss of the name, or
    0. However the answers are cut into calls, the detections are the same. Undefined losses (NaN) are skipped. After
    its alarm a learner's detector starts anew and forgets what it saw before. A learner that is still learning gives
    alarms too: its loss falls, and they are not ``worse``.

    >>> import numpy as np
    >>> watch = Drift(drift_settings("ADWIN:delta=0.01"), ["mmp"], ["iserr"])
    >>> found = watch.add("mmp", np.arange(1, 2001), np.repeat([0.0, 1.0], 1000))
    >>> [(one.document, one.scored, one.worse) for one in found]
    [(1024, 1024, True)]
    """

    def __init__(self, settings: DriftSettings, names: Iterable[str], losses: Sequence[str | Loss]) -> None:
        self.settings = settings
        known = {one if isinstance(one, str) else one.name: one for one in losses}
        if settings.loss not in known:
            close = did_you_mean(settings.loss, known)
            options = how_to_measure(settings.loss)
            measure = f"measure it too, with {options}, or " if options else ""
            raise UsageError(
                f"drift cannot be detected in {settings.loss!r}, which is no loss of this run{close}; {measure}"
                f"give loss=NAME with one of {', '.join(known)}"
            )
        loss = known[settings.loss]
        ours = named_losses().get(loss) if isinstance(loss, str) else loss
        self._watches = {name: DriftWatch(settings.make(), ours.best if ours else 0.0) for name in names}

    @property
    def loss(self) -> str:
        """The name of the loss whose values are added."""
        return self.settings.loss

    def add(self, name: str, documents: Offsets, values: Reals) -> list[Detection]:
        """Add the losses of a learner's answers, in their order; return the alarms.

        ``documents[i]`` is the position in the stream (from 1) of the newest document read when answer ``i`` came.
        """
        watch = self._watches[name]
        first = watch.scored + 1
        return [
            Detection(name, self.loss, self.settings.detector, int(documents[row]), first + row, worse, before, after)
            for row, worse, before, after in watch.add(values)
        ]

    def save(self) -> dict[str, Any]:
        """Return the state of each learner's detector, as plain data."""
        learners = {name: watch.save() for name, watch in self._watches.items()}
        return {"detector": self.settings.detector, "loss": self.loss, "learners": learners}

    def load(self, state: dict[str, Any]) -> None:
        """Restore what :meth:`save` returned; the settings and learners must be the same."""
        watches = self._watches
        match state:
            case {"detector": self.settings.detector, "loss": self.loss, "learners": dict(learners)}:
                if list(learners) == list(watches):
                    for name, watch in watches.items():
                        watch.load(learners[name], self.settings)
                    return
        raise UsageError("the saved drift detectors are those of another run; start without resuming")
