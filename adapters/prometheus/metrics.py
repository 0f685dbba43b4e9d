"""A run in figures: a sink that is scraped."""

from __future__ import annotations

import hashlib
import json
import math
import time
from typing import TYPE_CHECKING, Any

import numpy as np
from prometheus_client import CollectorRegistry, ProcessCollector

from telex.adapters.http import RunSnapshots
from telex.adapters.prometheus.checkpoint_metrics import CheckpointCounts
from telex.adapters.prometheus.comparison_metrics import comparisons
from telex.adapters.prometheus.dead_letter_metrics import Letters
from telex.adapters.prometheus.document_metrics import Documents, documents, models
from telex.adapters.prometheus.event_metrics import Watched
from telex.adapters.prometheus.families import counter, gauge, histogram, info
from telex.adapters.prometheus.histogram import LATENCIES, STRETCHES, WORK, Histogram
from telex.adapters.prometheus.kafka_metrics import WireCollector
from telex.adapters.prometheus.label_metrics import LabelCounts
from telex.adapters.prometheus.learner_metrics import figures
from telex.stream.run import Sink
from telex.stream.run_folder import versions

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from prometheus_client.metrics_core import Metric

    from telex.adapters.http import Server
    from telex.learners.base import Batch, Reals
    from telex.stream.curves import Point
    from telex.stream.run import RunView, StepResult
    from telex.stream.sources import DeadLetter


class MetricsSink(Sink):
    """Has what a run keeps anyway in a registry of its own (``registry``), computed when it is scraped.

    All figures of a scrape are of one moment between two documents (see
    :class:`~telex.adapters.http.RunSnapshots`). Counters begin at 0 with the process: those of a run
    that goes on from a checkpoint would else fall to where that was, which Prometheus takes for a start from 0.

    Labels with counters of their own are the ``most_labels`` most frequent, or those named in ``labels``. The latency
    is measured where the source is ``live``, from the documents' times, or from what its ``record_times(batch)``
    returns in epoch seconds (it is told beforehand by ``timed()``, where it has that): times of an archive say nothing
    about this run. Of a source
    with a wire, the metrics of a :class:`~telex.adapters.prometheus.kafka_metrics.WireCollector` come as well.

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
        self._letters = Letters()
        self._labels = LabelCounts(most_labels, labels)
        self._watched = Watched()
        self._checkpoints = CheckpointCounts()
        self._stretches: dict[str, Histogram] = {}
        self._documents: dict[str, Histogram] = {}
        self._latency = Histogram(LATENCIES)
        self._ahead = 0
        self._over = False
        self.server: Server | None = None
        """What serves them: it is closed with the run."""

    # -- what the run tells

    def begin(self, run: RunView) -> None:
        """Take note of where the run stands, and from now on of when it rests."""
        self.run = run
        self._begin = Documents.of(run)
        self._labels.begin(run)
        self._watched.begin(run)
        self._checkpoints.begin(run.checkpoints)
        self._stretches = {name: Histogram(STRETCHES) for name in run.learners}
        self._documents = {name: Histogram(WORK) for name in run.learners}
        self._timed = run.source.live
        if (wire := run.wire) is not None:
            if self._timed:
                wire.track_record_times()
            self.registry.register(WireCollector(wire))
        self._facts = _facts(run)
        self.snapshots.working()
        self.snapshots.see()

    def waiting(self) -> None:
        """Let who asks look: the run waits for its source."""
        self.snapshots.waiting()

    def working(self) -> None:
        """Have who asks wait for the next boundary."""
        self.snapshots.working()

    def step(self, result: StepResult) -> None:
        """Take how long the learners took, one call of ``progress`` each, and how old the documents are by now."""
        self.snapshots.passed_at = time.monotonic()
        documents = len(result.documents)
        for name, seconds in result.seconds.items():
            self._stretches[name].observe(seconds)
            if documents:
                self._documents[name].observe(seconds / documents, documents)
        if result.watched and self._timed and documents:
            self._observe(self._times(result.documents))

    def dead_letter(self, letter: DeadLetter) -> None:
        """Count a broken record."""
        self._letters.add(letter)

    def event(self, event: Mapping[str, Any]) -> None:
        """Count a drift, a refit, another champion."""
        self._watched.event(event)

    def point(self, point: Point) -> None:
        """Let who asks look: all learners have come as far."""
        self.snapshots.passed_at = time.monotonic()
        self.snapshots.passed()

    def sync(self) -> None:
        """Take note that a checkpoint is being written."""
        self._checkpoints.writing()

    def close(self) -> None:
        """Keep what is seen last, for those who still ask."""
        if self.run is not None:
            self.snapshots.see()
        self._over = True
        self.snapshots.end()
        if self.server is not None:
            self.server.close()

    # -- what is scraped, in another thread

    @property
    def ready(self) -> bool:
        """Whether the run has begun, with its checkpoint read where it goes on, and is not about to end."""
        return self.run is not None and not self._over and not self.run.stopping

    def alive(self, patience: float) -> bool:
        """Tell whether the run waits for its source, or has come further in the last ``patience`` seconds."""
        return self._over or self.snapshots.resting or time.monotonic() - self.snapshots.passed_at < patience

    def collect(self) -> Iterator[Metric]:
        """Yield all families."""
        yield from self.snapshots.ask() or ()
        if self.run is not None:
            yield gauge(
                "telex_snapshot_timestamp_seconds",
                "When the figures of the run were taken: earlier than the scrape where a learner is at work for long.",
                self.snapshots.seen_at,
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
            *self._watched.families(run),
            *comparisons(run),
            *self._durations(),
            *self._facts,
        ]
        return [family for family in found if family.samples]

    def _durations(self) -> Iterator[Metric]:
        yield histogram(
            "telex_progress_duration_seconds",
            "What a learner took to predict and learn the documents that it was given at a time.",
            self._stretches,
        )
        yield histogram(
            "telex_document_duration_seconds",
            "What a learner took to predict and learn a document: of those given at a time, the mean.",
            self._documents,
        )
        if self._timed:
            yield histogram(
                "telex_end_to_end_latency_seconds",
                "From a record's time until all learners were scored on it; times to come count as 0.",
                self._latency,
            )
            yield counter(
                "telex_records_ahead_of_clock_total", "Records whose time was still to come when read.", self._ahead
            )

    # -- latency

    def _times(self, batch: Batch) -> Reals:
        assert self.run is not None
        wire = self.run.wire
        return batch.times if wire is None else wire.record_times(batch)

    def _observe(self, times: Reals) -> None:
        now = time.time()
        if len(times) == 1:  # a live wire tells one at a time, and arrays cost more than it does
            age = now - float(times[0])
            if not math.isnan(age):
                self._ahead += age < 0
                self._latency.observe(max(0.0, age))
            return
        ages = now - times
        self._ahead += int(np.count_nonzero(ages < 0))
        self._latency.observe_all(np.maximum(ages, 0.0))


def _facts(run: RunView) -> list[Metric]:
    decisive = json.dumps(run.decisive, sort_keys=True).encode()
    found = {name: value or "" for name, value in versions().items()}
    found["version"] = found.pop("telex")
    found["config"] = hashlib.sha256(decisive).hexdigest()[:12]
    learners = [{"learner": name, "class": type(learner).__name__} for name, learner in run.learners.items()]
    return [
        info("telex_build", "What runs, and the hash of its settings.", [found]),
        info("telex_learner", "The learners of the run and their classes.", learners),
    ]
