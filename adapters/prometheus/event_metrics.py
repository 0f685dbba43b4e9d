"""Metrics of refits, drifts, changes of the champion, and learners that fail."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from telex.adapters.prometheus.families import counter, gauge, histogram
from telex.adapters.prometheus.histogram import TASKS, Histogram
from telex.learners.thresholds import innermost
from telex.stream.refit import Refit

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from prometheus_client.metrics_core import Metric

    from telex.stream.refit import RefitState
    from telex.stream.run import RunView


class EventCounts:
    """Counts the events of a run since it began in this process."""

    def begin(self, run: RunView) -> None:
        """Set every count to 0, so that the first event shows as a rise."""
        self._begin = _refits(run)
        self._seconds = {name: Histogram(TASKS) for name in self._begin}
        drift = run.drift
        self._drifts: Counter[tuple[str, str, str]] = Counter()
        if drift is not None:
            both = [(name, drift.detector, way) for name in run.learners for way in ("worse", "better")]
            self._drifts.update(dict.fromkeys(both, 0))
        self._switches = self._failures = 0

    def event(self, event: Mapping[str, Any]) -> None:
        """Count an event."""
        match event["event"]:
            case "drift":
                self._drifts[event["learner"], event["detector"], "worse" if event["worse"] else "better"] += 1
            case "learner set aside":
                self._failures += 1
            case "champion":
                self._switches += 1
            case "refit" if event["seconds"] is not None:
                self._seconds[event["learner"]].observe(event["seconds"])

    def families(self, run: RunView) -> Iterator[Metric]:
        """Yield the metrics; a feature that the run does not use has no series."""
        yield counter(
            "telex_drift_detections_total",
            "Changes of a learner's loss that the detector found, for the worse and for the better.",
            [(key, count) for key, count in self._drifts.items()],
            ("learner", "detector", "direction"),
        )
        champion = run.champion
        if champion is not None:
            yield gauge(
                "telex_champion",
                "1 for the learner whose predictions are the run's, 0 for the others.",
                [((name,), float(name == champion.now)) for name in champion.names],
                ("learner",),
            )
            yield counter("telex_champion_switches_total", "How often the champion changed.", self._switches)
        yield gauge(
            "telex_learner_set_aside",
            "1 for a learner that failed and is set aside, 0 for the others.",
            [((name,), float(name in run.set_aside)) for name in run.learners],
            ("learner",),
        )
        yield counter(
            "telex_learner_failures_total",
            "Learners that failed since this process began or resumed the run.",
            self._failures,
        )
        yield gauge(
            "telex_learner_finite",
            "0 for a learner that had a weight that is NaN or infinite at a checkpoint or the end, 1 for the others.",
            [((name,), float(name not in run.weights_not_finite)) for name in run.learners],
            ("learner",),
        )
        yield from self._refitted(_refits(run))

    def _refitted(self, states: Mapping[str, RefitState]) -> Iterator[Metric]:
        counts = {name: (one.refits, one.failures) for name, one in self._begin.items()}
        yield counter(
            "telex_refits_total",
            "Models that came from refits.",
            [((name,), one.refits - counts[name][0]) for name, one in states.items()],
            ("learner",),
        )
        yield counter(
            "telex_refit_failures_total",
            "Refits that failed or took too long.",
            [((name,), one.failures - counts[name][1]) for name, one in states.items()],
            ("learner",),
        )
        yield histogram("telex_refit_duration_seconds", "How long successful refits took.", self._seconds)
        gauges = {
            "refit_staleness_documents": ("Answers since the window of the model in use.", "staleness"),
            "refit_running": ("1 while another process fits.", "running"),
            "window_documents": ("Documents in the window of the next refit.", "window_documents"),
            "window_bytes": ("Memory of that window.", "window_bytes"),
        }
        for name, (what, field) in gauges.items():
            rows = [((learner,), _number(getattr(state, field))) for learner, state in states.items()]
            yield gauge(f"telex_{name}", what, rows, ("learner",))


def _refits(run: RunView) -> dict[str, RefitState]:
    learners = {name: innermost(learner) for name, learner in run.learners.items()}
    return {name: one.state for name, one in learners.items() if isinstance(one, Refit)}


def _number(value: float | None) -> float | None:
    return None if value is None else float(value)
