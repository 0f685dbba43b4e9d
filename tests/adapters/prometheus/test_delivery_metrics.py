"""The figures of results that go to topics, from a sink with given figures."""

from deploy.exported import Results, of, scraped
from prometheus_client import CollectorRegistry

from telex.adapters.kafka.produce import AtLeastOnce, DeliveryFigures, ExactlyOnce, ResultsSink, TransactionFigures
from telex.adapters.prometheus import Delivering, DeliveryCollector
from telex.stream.run import Sink


def exported(results):
    registry = CollectorRegistry()
    registry.register(DeliveryCollector(results))
    return scraped(registry)


def test_what_waits_and_what_is_delivered():
    results = Results()
    results.now = DeliveryFigures(3, 900, 70)
    found = exported(results)
    assert {name: value for (name, _), value in found.items()} == {
        "telex_results_pending_messages": 3,
        "telex_results_pending_bytes": 900,
        "telex_results_delivered_total": 70,
    }


def test_transactions_have_figures_of_their_own():
    results = Results()
    results.now = DeliveryFigures(transactions=TransactionFigures(2, 0.5, 1, 4.0))
    found = exported(results)
    assert of(found, "telex_transactions_total") == 2
    assert of(found, "telex_transaction_seconds_total") == 0.5
    assert of(found, "telex_transaction_failures_total") == 1
    assert of(found, "telex_transaction_open_seconds") == 4.0


def test_a_sink_of_results_has_them_before_it_begins():
    for delivery in (AtLeastOnce(None), ExactlyOnce(None, "g", "n", ["news"])):
        results = ResultsSink(delivery, dead_letter_topic="broken")
        assert isinstance(results, Delivering)
        assert results.delivery_figures() == DeliveryFigures()
    assert not isinstance(Sink(), Delivering)
