"""A consumer as Telex makes it, against a real broker."""

from __future__ import annotations

from kafka.coordinator.base import BaseCoordinator
from topics.fetched import SMALL

from telex.adapters.kafka import Brokers
from telex.adapters.kafka.fetch import FetchSettings, connect_group_member, poll
from telex.adapters.kafka.last_warning import LastWarning


def test_a_poll_that_ends_while_the_group_assigns_partitions_loses_no_join(broker, monkeypatch):
    """Polls end between the answer to a join and the assignment: it takes longer than five of them."""
    join = BaseCoordinator._do_join_and_sync_async

    async def slow(self):
        found = await join(self)
        await self._net.sleep(0.5)
        return found

    monkeypatch.setattr(BaseCoordinator, "_do_join_and_sync_async", slow)
    topic = broker.topic(1)
    settings = FetchSettings((topic,), f"of-{topic}", "one", start="earliest", consumer=SMALL)
    one = connect_group_member(Brokers.of(broker.address, {"metadata_max_age_ms": 200}), settings, LastWarning())

    def partitions():
        poll(one, 0.1)
        return len(one.assignment())

    try:
        broker.until(lambda: partitions() == 1)
        broker.more_partitions(topic, 2)  # the new metadata begin another join
        broker.until(lambda: partitions() == 2)
    finally:
        one.close()
