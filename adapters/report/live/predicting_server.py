"""Serves the pages of a run, and beside them predictions from its checkpoints, in a process of its own."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from telex.adapters.http import Place, PredictEndpoint, ServerProcess, predict_route
from telex.adapters.prometheus import ReaderMetrics, counter, server
from telex.stream.predict import FollowedModel

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from prometheus_client.metrics_core import Metric

    from telex.adapters.http import Route
    from telex.adapters.prometheus import MetricsSink
    from telex.stream.sources import RecordBudget


def serve_and_predict(
    address: str,
    routes: Mapping[str, Route],
    metrics: MetricsSink,
    predicts: Predicts,
    say: Callable[[str], object] = lambda _: None,
) -> ServerProcess:
    """Serve ``routes`` and ``/predict`` at ``address``; its figures are among the ``metrics`` of the run."""
    process = ServerProcess(address, routes, partial(PredictingServer, predicts), say)
    metrics.registry.register(ServedFigures(process))
    return process


@dataclass(frozen=True, slots=True)
class Predicts:
    """What is predicted: by the checkpoints of the run in ``folder``, documents within the ``budget``."""

    folder: Path
    budget: RecordBudget


class PredictingServer:
    """What the other process serves; it follows the checkpoints, so that no request waits for a model."""

    def __init__(
        self, predicts: Predicts, address: str, routes: Mapping[str, Route], say: Callable[[str], object]
    ) -> None:
        self._metrics = ReaderMetrics()
        self._metrics.followed = FollowedModel(predicts.folder, say=say, loaded=self._metrics.loaded)
        answering = PredictEndpoint(self._metrics.followed, predicts.budget, predicted=self._metrics.predicted)
        pages = {**routes, "/predict": predict_route(answering)}
        self._server = server(address, pages, answered=self._metrics.answered)
        self._metrics.followed.follow()
        self.place = Place(self._server.url, f"{address.rpartition(':')[0]}:{self._server.port}")

    def news(self) -> list[Metric]:
        """Return the figures."""
        return [*self._metrics.collect()]

    def close(self) -> None:
        """End the predictions that are under way, and release the port."""
        self._server.close()


class ServedFigures:
    """The figures of the other process, for a registry of this one."""

    def __init__(self, process: ServerProcess) -> None:
        self._process = process

    def collect(self) -> Iterator[Metric]:
        """Yield all families."""
        found: Any = self._process.news
        yield from found or ()
        yield counter(
            "telex_reader_restarts_total",
            "How often the process that serves beside a run ended, and another one took its place.",
            self._process.replaced,
        )
