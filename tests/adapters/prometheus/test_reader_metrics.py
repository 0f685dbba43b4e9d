"""Metrics of a process that only predicts."""

from types import SimpleNamespace

from deploy.exported import of, scraped

from telex.adapters.http import Request
from telex.adapters.kafka.consume import PartitionFigures, TopicFigures
from telex.adapters.prometheus import ReaderMetrics


def test_what_is_not_known_has_no_series():
    names = {name for name, _ in scraped(ReaderMetrics().registry) if name.startswith("telex_")}
    assert "telex_reader_checkpoint" not in names
    assert "telex_reader_lag_records" not in names
    assert "telex_reader_documents_total" in names


def test_a_reader_says_how_far_it_is_behind():
    figures = TopicFigures([PartitionFigures("news", 0, 7, 10), PartitionFigures("news", 1)], rebalances=2)
    metrics = ReaderMetrics()
    metrics.figures = lambda: figures
    now = SimpleNamespace(number=7, documents=70, learnt=60, written=5.0, seconds=0.2)
    metrics.followed = SimpleNamespace(newest=now, written=(8, 80), documents_behind=10, failures=3)
    metrics.loaded(now)
    for status in (200, 200, 503):
        metrics.answered("/predict", status, 0.01)
    metrics.answered("/metrics", 200, 0.01)
    metrics.predicted(5, 0.5)
    found = scraped(metrics.registry)
    assert of(found, "telex_reader_requests_total", status="200") == 2
    assert of(found, "telex_reader_request_duration_seconds_count") == 3
    assert (of(found, "telex_reader_documents_total"), of(found, "telex_reader_predict_seconds_total")) == (5, 0.5)
    assert (of(found, "telex_reader_checkpoint"), of(found, "telex_reader_newest_checkpoint")) == (7, 8)
    assert (of(found, "telex_reader_model_documents"), of(found, "telex_reader_documents_behind")) == (70, 10)
    assert of(found, "telex_reader_load_failures_total") == 3
    assert of(found, "telex_reader_load_duration_seconds_sum") == 0.2
    assert of(found, "telex_reader_lag_records") == 3
    assert (of(found, "telex_reader_partitions"), of(found, "telex_reader_rebalances_total")) == (2, 2)


def test_a_reader_is_ready_from_its_first_model_to_its_end():
    metrics = ReaderMetrics()
    routes = metrics.routes()

    def statuses():
        return [routes[path].page(Request({})).status for path in ("/healthz", "/-/healthy", "/readyz", "/-/ready")]

    assert statuses() == [200, 200, 503, 503]
    metrics.followed = SimpleNamespace(newest=object())
    assert statuses() == [200, 200, 200, 200]
    metrics.ending = True
    assert statuses() == [200, 200, 503, 503]
