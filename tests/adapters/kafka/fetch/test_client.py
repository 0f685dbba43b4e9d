"""A consumer as Telex makes it, against a real broker."""

from __future__ import annotations

import pytest
from kafka import KafkaConsumer
from kafka.coordinator.base import BaseCoordinator
from kafka.errors import KafkaConnectionError
from topics.fetched import SMALL

from telex.adapters.kafka import Brokers
from telex.adapters.kafka.fetch import FetchSettings, connect_group_member, poll
from telex.adapters.kafka.last_warning import LastWarning
from telex.learners.base import StoppedError


def connected(broker, topic, **options):
    settings = FetchSettings((topic,), f"of-{topic}", "one", start="earliest", consumer=SMALL)
    return connect_group_member(Brokers.of(broker.address, options), settings, LastWarning())


def test_a_poll_that_ends_while_the_group_assigns_partitions_loses_no_join(broker, monkeypatch):
    """Polls end between the answer to a join and the assignment: it takes longer than five of them."""
    join = BaseCoordinator._do_join_and_sync_async

    async def slow(self):
        found = await join(self)
        await self._net.sleep(0.5)
        return found

    monkeypatch.setattr(BaseCoordinator, "_do_join_and_sync_async", slow)
    topic = broker.topic(1)
    one = connected(broker, topic, metadata_max_age_ms=200)

    def partitions():
        poll(one, 0.1)
        return len(one.assignment())

    try:
        broker.until(lambda: partitions() == 1)
        broker.more_partitions(topic, 2)  # the new metadata begin another join
        broker.until(lambda: partitions() == 2)
    finally:
        one.close()


def test_a_connection_that_breaks_while_topics_are_looked_for_may_be_tried_again(broker, monkeypatch):
    look, looks, topic = KafkaConsumer.partitions_for_topic, [], broker.topic()

    def breaks_at_first(self, name):
        looks.append(self)
        if len(looks) == 1:
            raise KafkaConnectionError("[Errno 104] Connection reset by peer")
        return look(self, name)

    monkeypatch.setattr(KafkaConsumer, "partitions_for_topic", breaks_at_first)
    with pytest.raises(StoppedError, match=r"KafkaConnectionError: .*reset by peer"):
        connected(broker, topic)
    assert looks[0]._closed
    connected(broker, topic).close()
