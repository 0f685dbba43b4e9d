"""A sink that Prometheus scrapes."""

from __future__ import annotations

import hashlib
import json
import time
from typing import TYPE_CHECKING, Any

from prometheus_client import CollectorRegistry, ProcessCollector

from telex.adapters.http import RunSnapshots
from telex.adapters.kafka.fetch import SILENT
from telex.adapters.prometheus.checkpoint_metrics import CheckpointCounts
from telex.adapters.prometheus.comparison_metrics import comparisons
from telex.adapters.prometheus.dead_letter_metrics import LetterCounts
from telex.adapters.prometheus.document_metrics import DocumentCounts, documents, models
from telex.adapters.prometheus.event_metrics import EventCounts
from telex.adapters.prometheus.families import counter, gauge, histogram, info
from telex.adapters.prometheus.histogram import STRETCHES, WORK, Histogram
from telex.adapters.prometheus.kafka_metrics import WireCollector
from telex.adapters.prometheus.label_metrics import LabelCounts
from telex.adapters.prometheus.latencies import Latencies
from telex.adapters.prometheus.learner_metrics import figures
from telex.adapters.prometheus.shard_metrics import shards
from telex.learners import _core
from telex.stream.run import Sink
from telex.stream.run_folder import versions

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from prometheus_client.metrics_core import Metric

    from telex.adapters.http import Server
    from telex.learners.base import Batch
    from telex.stream.curves import Point
    from telex.stream.run import RunView, StepResult
    from telex.stream.sources import DeadLetter


class MetricsSink(Sink):
    """Offers the figures of a run in a registry of its own (``registry``), computed at each scrape.

    All figures of a scrape are of one moment between two documents (see :class:`~telex.adapters.http.RunSnapshots`).
    Counters begin at 0 with the process: those of a resumed run would otherwise fall back to the checkpoint, which
    Prometheus takes for a restart from 0.

    The ``most_labels`` most frequent labels have counters of their own, or those named in ``labels``. The latency is
    measured only if the source is ``live``, because the times of an archive say nothing about this run. It counts from
    the documents' times; if the source has a wire, from the times of the records
    (:class:`~telex.adapters.prometheus.latencies.Latencies`). A wire with figures also adds the metrics of a
    :class:`~telex.adapters.prometheus.kafka_metrics.WireCollector`.

    >>> from telex.learners import MMP
    >>> from telex.learners.base import BatchBuilder
    >>> from telex.stream import Run
    >>> stream = BatchBuilder()
    >>> stream.add({"cup": 1.0}, ["sport"])
    >>> metrics = MetricsSink()
    >>> _ = list(Run([stream.take()], {"mmp": MMP()}, sinks=[metrics]))
    >>> metrics.registry.get_sample_value("telex_documents_learned_total", {"learner": "mmp"})
    1
    """

    def __init__(self, *, most_labels: int = 20, labels: Iterable[str] | None = None) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        self.registry.register(self)
        self.run: RunView | None = None
        self.snapshots: RunSnapshots[list[Metric]] = RunSnapshots(self._look)
        self._letters = LetterCounts()
        self._labels = LabelCounts(most_labels, labels)
        self._events = EventCounts()
        self._checkpoints = CheckpointCounts()
        self._stretches: dict[str, Histogram] = {}
        self._documents: dict[str, Histogram] = {}
        self._latencies = Latencies()
        self._over = False
        self.server: Server | None = None
        """The server of the metrics; the run closes it at its end."""

    # -- called by the run

    def begin(self, run: RunView) -> None:
        """Take the counts with which the run begins, and take the first snapshot."""
        self.run = run
        self._begin = DocumentCounts.of(run)
        self._labels.begin(run)
        self._events.begin(run)
        self._checkpoints.begin(run.checkpoints)
        self._stretches = {name: Histogram(STRETCHES) for name in run.learners}
        self._documents = {name: Histogram(WORK) for name in run.learners}
        self._scores_not_finite = dict.fromkeys(run.learners, 0)
        self._timed = run.source.live
        if (wire := run.wire) is not None:
            if self._timed:
                wire.track_record_times()
            if wire.figures() is not None:
                self.registry.register(WireCollector(wire))
        self._facts = _facts(run)
        self.snapshots.working()
        self.snapshots.look_now()

    def waiting(self) -> None:
        """Let other threads look while the run waits for its source."""
        self.snapshots.waiting()

    def working(self) -> None:
        """Let other threads wait for the next boundary."""
        self.snapshots.working()

    def step(self, result: StepResult) -> None:
        """Measure how long each learner's ``progress`` took, and how old the documents are by now."""
        self.snapshots.boundary_at = time.monotonic()
        documents = len(result.documents)
        for name, seconds in result.seconds.items():
            self._stretches[name].observe(seconds)
            if documents:
                self._documents[name].observe(seconds / documents, documents)
        for name, made in result.predictions.items():
            self._scores_not_finite[name] += _core.count_not_finite(made.scores, made.known)
        if result.watched and self._timed and documents:
            self._observe(result.documents)

    def dead_letter(self, letter: DeadLetter) -> None:
        """Count a broken record."""
        self._letters.add(letter)

    def event(self, event: Mapping[str, Any]) -> None:
        """Count a drift, a refit or a new champion."""
        self._events.event(event)

    def point(self, point: Point) -> None:
        """Let other threads look: all learners have reached this point."""
        self.snapshots.boundary_at = time.monotonic()
        self.snapshots.look_if_asked()

    def sync(self) -> None:
        """Note that a checkpoint begins."""
        self._checkpoints.writing()

    def close(self) -> None:
        """Take the last snapshot, and close the server."""
        if self.run is not None:
            self.snapshots.look_now()
        self._over = True
        self.snapshots.end()
        if self.server is not None:
            self.server.close()

    # -- called at a scrape, in another thread

    @property
    def ready(self) -> bool:
        """Whether the run has begun, its checkpoint loaded, is not about to end, and has weights that are finite."""
        return self.unready is None

    @property
    def unready(self) -> str | None:
        """Why the run is not ready to be relied on; None if it is."""
        if self.run is None or self._over or self.run.stopping:
            return "the run has not begun yet, or is about to end"
        if silent := self.silent:
            return silent
        if broken := self.run.weights_not_finite:
            return (
                f"weights of {', '.join(broken)} are NaN or infinite, and it predicts by chance; begin a new run "
                "without the records that did it, or leave the learner out"
            )
        return None

    def alive(self, patience: float) -> bool:
        """Tell whether the run waits for its source, or has made progress in the last ``patience`` seconds.

        It waits in vain if the process that fetches is silent, and so is the one that took its place.
        """
        return self._over or (self._silence() <= 2 * SILENT and self._progresses(patience))

    def _progresses(self, patience: float) -> bool:
        return self.snapshots.resting or time.monotonic() - self.snapshots.boundary_at < patience

    @property
    def silent(self) -> str | None:
        """That the process that fetches is silent; None if it is not."""
        if (seconds := self._silence()) <= SILENT:
            return None
        return (
            f"the process that fetches has said nothing for {seconds:.0f} s; another one takes its place by itself, or "
            "the run ends and can be resumed"
        )

    def _silence(self) -> float:
        wire = None if self.run is None else self.run.wire
        figures = None if wire is None else wire.figures()
        return 0.0 if figures is None else float(figures.silence)

    def collect(self) -> Iterator[Metric]:
        """Yield all families."""
        yield from self.snapshots.ask() or ()
        if self.run is not None:
            yield gauge(
                "telex_snapshot_timestamp_seconds",
                "When the figures of the run were taken: before the scrape if a learner is busy for long.",
                self.snapshots.looked_at,
            )
            yield from self._checkpoints.families()

    def _look(self) -> list[Metric]:
        run = self.run
        assert run is not None
        found = [
            *documents(run, self._begin),
            *self._letters.families(),
            *figures(run),
            *self._labels.families(run),
            *models(run),
            *shards(run),
            *self._events.families(run),
            *comparisons(run),
            *self._durations(),
            *self._facts,
        ]
        return [family for family in found if family.samples]

    def _durations(self) -> Iterator[Metric]:
        yield histogram(
            "telex_progress_duration_seconds",
            "How long a learner took to predict and learn the documents of one call.",
            self._stretches,
        )
        yield histogram(
            "telex_document_duration_seconds",
            "How long a learner took to predict and learn a document: the mean over the documents of one call.",
            self._documents,
        )
        yield counter(
            "telex_scores_not_finite_total",
            "Scores that a learner gave and that are NaN or infinite.",
            [((name,), count) for name, count in self._scores_not_finite.items()],
            ("learner",),
        )
        if self._timed:
            yield from self._latencies.families()

    # -- latency

    def _observe(self, batch: Batch) -> None:
        assert self.run is not None
        wire = self.run.wire
        if wire is None:
            self._latencies.observe(batch.times)
        else:
            self._latencies.observe(wire.record_times(batch), wire.newest_time)


def _facts(run: RunView) -> list[Metric]:
    decisive = json.dumps(run.decisive, sort_keys=True).encode()
    found = {name: value or "" for name, value in versions().items()}
    found["version"] = found.pop("telex")
    found["config"] = hashlib.sha256(decisive).hexdigest()[:12]
    learners = [{"learner": name, "class": type(learner).__name__} for name, learner in run.learners.items()]
    return [
        info("telex_build", "The versions of Telex and its libraries, and a hash of the run's settings.", [found]),
        info("telex_learner", "The learners of the run and their classes.", learners),
    ]
