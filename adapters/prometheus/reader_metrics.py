"""Metrics of a reader: a process that predicts by the checkpoints of a run that another process continues."""

from __future__ import annotations

from collections import Counter
from threading import Lock
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, ProcessCollector

from telex.adapters.http import Page, Route
from telex.adapters.prometheus.endpoints import scrape_route
from telex.adapters.prometheus.families import counter, gauge, histogram
from telex.adapters.prometheus.histogram import STRETCHES, TASKS, Histogram

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from prometheus_client.metrics_core import Metric

    from telex.adapters.kafka.consume import TopicFigures
    from telex.stream.predict import FollowedModel, LoadedModel


class ReaderMetrics:
    """Counts what a reader answers and predicts, and how far its model is behind the run.

    ``followed`` is its model, and ``figures`` returns those of its topics, if it reads any. Any thread may call.

    >>> from telex.stream.predict import FollowedModel
    >>> metrics = ReaderMetrics()
    >>> metrics.followed = FollowedModel("nowhere")
    >>> metrics.predicted(3, 0.25)
    >>> metrics.registry.get_sample_value("telex_reader_documents_total"), metrics.ready
    (3.0, False)
    """

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        self.followed: FollowedModel | None = None
        self.ending = False
        self.figures: Callable[[], TopicFigures] | None = None
        self._lock = Lock()
        self._requests: Counter[str] = Counter()
        self._durations, self._loads = Histogram(STRETCHES), Histogram(TASKS)
        self._documents, self._seconds = 0, 0.0
        self.registry.register(self)

    @property
    def ready(self) -> bool:
        """Whether there is a model, and the process is not about to end."""
        return not self.ending and self.followed is not None and self.followed.newest is not None

    def answered(self, path: str, status: int, seconds: float) -> None:
        """Count a request for predictions."""
        if path == "/predict":
            with self._lock:
                self._requests[str(status)] += 1
                self._durations.observe(seconds)

    def predicted(self, documents: int, seconds: float) -> None:
        """Count documents, and the seconds that their predictions took."""
        with self._lock:
            self._documents += documents
            self._seconds += seconds

    def loaded(self, model: LoadedModel) -> None:
        """Count a model that was loaded."""
        with self._lock:
            self._loads.observe(model.seconds)

    def routes(self) -> Mapping[str, Route]:
        """Return the pages of a reader's metrics and health, with Prometheus's own names for the health."""
        no_model = Page(b"there is no model yet, or the process is about to end\n", status=503)
        health = Route(lambda _: Page(b"ok\n"), free=True)
        ready = Route(lambda _: Page(b"ok\n") if self.ready else no_model, free=True)
        probes = {"/healthz": health, "/-/healthy": health, "/readyz": ready, "/-/ready": ready}
        return {"/metrics": scrape_route(self.registry), **probes}

    def collect(self) -> Iterator[Metric]:
        """Yield all families that have a value."""
        with self._lock:
            found = [*self._work(), *self._model(), *self._topics()]
        yield from (family for family in found if family.samples)

    def _work(self) -> Iterator[Metric]:
        yield counter(
            "telex_reader_requests_total",
            "Requests for predictions, by the status of the answer; 499 where the client left before.",
            [((status,), count) for status, count in self._requests.items()],
            ("status",),
        )
        yield histogram(
            "telex_reader_request_duration_seconds",
            "From the start of a request for predictions until its answer was made.",
            self._durations,
        )
        yield counter("telex_reader_documents_total", "Documents that this process predicted.", float(self._documents))
        yield counter(
            "telex_reader_predict_seconds_total",
            "Seconds that predictions took: documents divided by them are what this process can do.",
            self._seconds,
        )

    def _model(self) -> Iterator[Metric]:
        followed = self.followed
        if followed is not None and (now := followed.newest) is not None:
            yield gauge("telex_reader_checkpoint", "The number of the checkpoint that predicts.", now.number)
            yield gauge(
                "telex_reader_model_documents",
                "Documents that the run had read when it wrote the checkpoint that predicts.",
                now.documents,
            )
            yield gauge("telex_reader_model_learned", "Answers that the run had learnt by then.", now.learnt)
            yield gauge(
                "telex_reader_checkpoint_timestamp_seconds",
                "When the checkpoint that predicts was written.",
                now.written,
            )
        if followed is not None and followed.written is not None:
            yield gauge(
                "telex_reader_newest_checkpoint",
                "The number of the run's newest checkpoint, which may be damaged.",
                followed.written[0],
            )
            yield gauge(
                "telex_reader_documents_behind",
                "Documents that the run had read from the checkpoint that predicts to its newest one.",
                followed.documents_behind,
            )
        yield histogram("telex_reader_load_duration_seconds", "How long loading a model took.", self._loads)
        yield counter(
            "telex_reader_load_failures_total",
            "Checkpoints that could not be loaded or reached; each try counts.",
            0 if followed is None else followed.failures,
        )

    def _topics(self) -> Iterator[Metric]:
        if self.figures is None:
            return
        now = self.figures()
        yield gauge(
            "telex_reader_lag_records",
            "Records that were written and not yet predicted: the end of the partition minus the position.",
            [((one.topic, str(one.partition)), one.lag) for one in now.partitions],
            ("topic", "partition"),
        )
        yield gauge("telex_reader_partitions", "Partitions that the group gives to this process.", len(now.partitions))
        yield counter("telex_reader_rebalances_total", "How often the partitions changed.", now.rebalances)
