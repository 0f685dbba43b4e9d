"""Transactions that are open while their messages come, on a real broker."""

from __future__ import annotations

import threading
import time

import pytest
from kafka import KafkaConsumer
from kafka import errors as kafka
from kafka.coordinator.consumer import ConsumerCoordinator
from kafka.structs import OffsetAndMetadata, TopicPartition

from telex.adapters.kafka import Brokers
from telex.adapters.kafka.produce import EncodedMessages, Message, Transactions, producer_options
from telex.adapters.kafka.produce import transactions as module
from telex.adapters.kafka.topics import TopicLimits


class Bench:
    """Transactions of one name into a topic."""

    def __init__(self, broker, **options):
        self.broker, self.topic, self.name = broker, broker.topic(2), broker.name("t")
        self.place, self.options = TopicPartition(broker.topic(), 0), options

    def open(self):
        brokers = Brokers.of(self.broker.address)
        made = Transactions(
            brokers, self.name, self.name, producer_options(brokers, [TopicLimits(self.topic)]) | self.options, 20
        )
        made.begin([self.place])
        return made

    def messages(self, first, last, size=100):
        each = (Message(self.topic, b"%d" % one, b"x" * size, 5, [], ("w", 0, one)) for one in range(first, last))
        return EncodedMessages.of(each)

    def at(self, offset):
        return {self.place: OffsetAndMetadata(offset, "", -1)}

    def keys(self, committed=True):
        return sorted(int(one.key) for one in self.broker.read(self.topic, committed=committed))

    def is_over(self):
        """Whether a transaction has ended, whichever way."""
        consumer = KafkaConsumer(bootstrap_servers=self.broker.address, isolation_level="read_committed")
        ends = consumer.end_offsets([TopicPartition(self.topic, one) for one in range(2)])
        consumer.close()
        return any(ends.values())


def test_a_coordinator_that_is_away_is_not_waited_for_without_end(broker, monkeypatch):
    async def away(coordinator, timeout_ms=None):
        await coordinator._net.sleep(0.05)
        return False

    monkeypatch.setattr(ConsumerCoordinator, "ensure_coordinator_ready_async", away)
    place, raised = TopicPartition(broker.topic(), 0), []

    def asks():
        try:
            module.committed_offsets(Brokers.of(broker.address, attempt=2.0), broker.name(), [place])
        except kafka.CoordinatorNotAvailableError as error:  # which a commit tries again, and which a start says
            raised.append(error)

    thread = threading.Thread(target=asks, daemon=True)
    thread.start()
    thread.join(30)
    assert len(raised) == 1
    assert raised[0].retriable


def test_messages_are_sent_before_the_commit_and_seen_behind_it(broker):
    bench = Bench(broker)
    made = bench.open()
    made.put(bench.messages(0, 300))
    broker.until(lambda: len(bench.keys(committed=False)) == 300)
    assert bench.keys() == []
    assert made.is_open
    assert made.figures()[:3] == (0, 0.0, 0)
    assert 0 < made.figures().open_seconds == pytest.approx(made.age, abs=5)
    made.commit(bench.at(1))
    assert (bench.keys(), made.is_open, made.failures) == (list(range(300)), False, 0)
    assert (made.figures().commits, made.delivered, made.figures().open_seconds) == (1, 300, 0.0)
    assert made.figures().seconds > 0
    made.put(bench.messages(300, 310))
    made.abort()
    made.close()
    assert bench.keys() == list(range(300))


def test_a_producer_that_breaks_in_its_midst_is_replaced_and_all_is_sent_again(broker):
    bench = Bench(broker)
    made = bench.open()
    made.put(bench.messages(0, 100))
    broker.until(lambda: bench.keys(committed=False))
    made._connection.producer._transaction_manager.transition_to_fatal_error(kafka.KafkaConnectionError())
    made.put(bench.messages(100, 200))
    made.commit(bench.at(1))
    made.put(bench.messages(200, 300))
    made.commit(bench.at(2))
    made.close()
    assert (bench.keys(), made.failures) == (list(range(300)), 1)
    assert (made.figures().commits, made.figures().failures, made.delivered) == (2, 1, 300)


def test_a_second_process_ends_the_first_between_its_messages(broker):
    bench = Bench(broker)
    first = bench.open()
    first.put(bench.messages(0, 10))
    broker.until(lambda: bench.keys(committed=False))
    second = bench.open()
    second.put(bench.messages(10, 20))

    def puts():
        while True:
            first.put(bench.messages(20, 21))
            time.sleep(0.02)

    with pytest.raises(module.FENCED):
        puts()
    with pytest.raises(module.FENCED):
        first.commit(bench.at(7))
    second.commit(bench.at(1))
    first.close()
    second.close()
    assert bench.keys() == list(range(10, 20))


@pytest.mark.parametrize("puts", [False, True])
def test_a_transaction_that_was_open_for_too_long_is_made_again(broker, puts):
    bench = Bench(broker, transaction_timeout_ms=700)
    made = bench.open()
    made.put(bench.messages(0, 10))
    broker.until(lambda: made.age > made.longest and bench.is_over())
    if puts:
        made.put(bench.messages(10, 20))
    made.commit(bench.at(1))
    made.close()
    assert (bench.keys(), made.failures) == (list(range(20 if puts else 10)), 1)


def test_more_than_has_room_waits_for_the_commit(broker, monkeypatch):
    monkeypatch.setattr(module, "_AHEAD", 20_000)
    monkeypatch.setattr(module, "_PIECE", 5_000)
    bench, most = Bench(broker), []
    made = bench.open()
    for first in range(0, 900, 300):
        made.put(bench.messages(first, first + 300, 1000))
        most.append(made._connection._sender.bytes)
    made.commit(bench.at(1))
    made.close()
    assert bench.keys() == list(range(900))
    assert max(most) < 40_000
