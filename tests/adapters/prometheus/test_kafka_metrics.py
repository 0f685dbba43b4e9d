"""The figures of a reader from Kafka, from a source with given figures."""

from deploy.exported import Kafka, of, scraped
from prometheus_client import CollectorRegistry

from telex.adapters.kafka.consume import PartitionFigures, TopicFigures
from telex.adapters.kafka.fetch.poll_intervals import PollIntervals
from telex.adapters.prometheus.kafka_metrics import WireCollector


def exported(kafka):
    registry = CollectorRegistry()
    registry.register(WireCollector(kafka))
    return registry


def lags(registry):
    found = scraped(registry)
    return {
        (dict(labels)["topic"], dict(labels)["partition"]): value
        for (name, labels), value in found.items()
        if name == "telex_consumer_lag_records"
    }


def test_lag_is_what_is_still_to_come():
    kafka = Kafka()
    kafka.now = TopicFigures(
        [
            PartitionFigures("news", 0, position=7, end=10),
            PartitionFigures("news", 1, position=5, end=5),
            PartitionFigures("labels", 0, position=3, end=2),  # the broker's figure is older than what was taken
            PartitionFigures("labels", 1, position=3),
            PartitionFigures("labels", 2, end=9),
        ]
    )
    registry = exported(kafka)
    assert lags(registry) == {("news", "0"): 3, ("news", "1"): 0, ("labels", "0"): 0}
    assert of(scraped(registry), "telex_assigned_partitions") == 5


def test_what_was_taken_away_is_gone():
    kafka = Kafka()
    kafka.now = TopicFigures([PartitionFigures("news", 0, 7, 10), PartitionFigures("news", 1, 7, 10)])
    registry = exported(kafka)
    assert set(lags(registry)) == {("news", "0"), ("news", "1")}
    kafka.now = TopicFigures([PartitionFigures("news", 1, 8, 10)], rebalances=2, lost=1, late=4, silence=31.5)
    assert lags(registry) == {("news", "1"): 2}
    found = scraped(registry)
    assert of(found, "telex_rebalances_total") == 2
    assert of(found, "telex_partitions_lost_total") == 1
    assert of(found, "telex_late_records_total") == 4
    assert of(found, "telex_fetch_silence_seconds") == 31.5


def test_polls_are_a_histogram():
    kafka, polls = Kafka(), PollIntervals()
    for moment in (7.0, 7.05, 7.25, 407.25):
        polls.observe(moment)
    kafka.now = TopicFigures(polls=polls.counts())
    found = scraped(exported(kafka))
    assert of(found, "telex_poll_interval_seconds_bucket", le="300.0") == 2
    assert of(found, "telex_poll_interval_seconds_count") == 3
    assert of(found, "telex_poll_interval_seconds_sum") == 400.25
    assert [dict(labels)["le"] for name, labels in found if name == "telex_poll_interval_seconds_bucket"] == [
        "0.001", "0.01", "0.1", "0.5", "1.0", "5.0", "30.0", "60.0", "120.0", "300.0", "+Inf",
    ]  # fmt: skip
