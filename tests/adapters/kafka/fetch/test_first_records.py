"""The first records of a real broker's topics."""

import pytest
from broker import fixtures
from kafka import KafkaAdminClient

from telex.adapters.kafka import Brokers
from telex.adapters.kafka.fetch import FetchSettings, first_records
from telex.learners.base import UsageError

wire_broker = fixtures.broker


def offsets(sets, topic, partitions=2):
    return [
        [at for some in sets if some.partition == (topic, one) for at in some.offsets.tolist()]
        for one in range(partitions)
    ]


@pytest.fixture
def filled(wire_broker):
    """A topic with 30 records in one partition and 3 in the other, and what reads it."""
    topic = wire_broker.topic(2, "news")
    wire_broker.put(topic, [{"partition": int(i >= 30), "value": b"%d" % i, "timestamp_ms": 1000 + i}
                            for i in range(33)])  # fmt: skip
    brokers = Brokers.of(wire_broker.address)
    return topic, lambda most, **how: first_records(brokers, FetchSettings((topic,), "", "looker", **how), most)


def test_the_first_of_each_partition_and_no_group(filled, wire_broker):
    topic, read = filled
    sets, whole = read(100)
    assert (offsets(sets, topic), whole) == ([[*range(30)], [*range(3)]], True)
    with KafkaAdminClient(bootstrap_servers=wire_broker.address) as admin:
        assert "looker" not in str(admin.list_groups())


def test_from_where_it_is_said(filled):
    topic, read = filled
    assert offsets(read(100, start=1028)[0], topic) == [[28, 29], [0, 1, 2]]
    assert offsets(read(5, start="latest")[0], topic) == [[*range(25, 30)], [0, 1, 2]]
    assert offsets(read(5, start=10**12)[0], topic) == [[], []]


def test_a_topic_that_is_not_there(wire_broker):
    with pytest.raises(UsageError, match="the broker has no topic"):
        first_records(Brokers.of(wire_broker.address), FetchSettings(("no-such",), "", "looker"), 5)
