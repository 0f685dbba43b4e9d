"""Transactions of one reader among many, with producers that fail or are held up."""

import threading

import pytest
from kafka import errors as kafka
from kafka.structs import ConsumerGroupMetadata, TopicPartition

from telex.adapters.kafka import Brokers
from telex.adapters.kafka.produce import EncodedMessages, GroupTransactions, Message, group_transactions
from telex.adapters.kafka.topics import TopicLimits

MEMBER = ConsumerGroupMetadata(group_id="readers", generation_id=3, member_id="one")
MESSAGE = Message("out", b"d1", b"{}", None, [], ("news", 0, 7))


class Producer:
    """Notes what it is asked; ``fails`` has what the commit of each producer in turn raises, or waits for."""

    all = ()
    fails = ()

    def __init__(self, **options):
        self.name, self.calls = options["transactional_id"], []
        type(self).all += (self,)

    def begin_transaction(self):
        self.calls.append("begin")

    def send(self, topic, value, key, headers, partition, timestamp_ms):
        self.calls.append(f"send {topic} {key.decode()}")

    def send_offsets_to_transaction(self, offsets, member):
        [(partition, place)] = offsets.items()
        self.calls.append(
            f"offset {partition.partition} {place.offset} of {member.member_id} in {member.generation_id}"
        )

    def commit_transaction(self):
        own = self.all.index(self)
        failure = self.fails[own] if own < len(self.fails) else None
        if isinstance(failure, threading.Event):
            failure.wait(10)
        elif failure:
            raise failure
        self.calls.append("commit")

    def init_transactions(self):
        self.calls.append("init")


class Sender:
    """Sends one message after the other."""

    def __init__(self, producer):
        self.producer = producer

    def send(self, messages):
        for one in messages:
            self.producer.send(one.topic, one.value, one.key, one.headers, None, one.timestamp)


@pytest.fixture
def transactions(monkeypatch):
    monkeypatch.setattr(group_transactions, "KafkaProducer", Producer)
    monkeypatch.setattr(group_transactions, "BatchSender", Sender)
    monkeypatch.setattr(
        group_transactions, "prepare_topics", lambda brokers, topics, create: [*map(TopicLimits, topics)]
    )
    monkeypatch.setattr(group_transactions, "close_producer", lambda producer: producer.calls.append("close"))
    monkeypatch.setattr(group_transactions, "HELD_UP", 0.2)
    monkeypatch.setattr(Producer, "all", ())
    found = GroupTransactions(Brokers.of("127.0.0.1:1", None), "readers")
    found.begin(["out"])
    return found


def deliver(transactions):
    return transactions.deliver(EncodedMessages.of([MESSAGE]), {TopicPartition("news", 0): 8}, MEMBER)


WHOLE = ["begin", "send out d1", "offset 0 8 of one in 3", "commit"]


def test_messages_and_offsets_are_one_transaction(transactions):
    assert deliver(transactions) is None
    [producer] = Producer.all
    assert producer.calls == ["init", *WHOLE]


def test_a_member_that_has_lost_its_place_commits_nothing_and_begins_anew(transactions, monkeypatch):
    monkeypatch.setattr(Producer, "fails", (kafka.CommitFailedError("stale"),))
    assert deliver(transactions) == "CommitFailedError"
    first, second = Producer.all
    assert first.calls == ["init", *WHOLE[:-1], "close"]
    assert second.calls == ["init"]
    assert second.name == first.name
    assert deliver(transactions) is None
    assert second.calls == ["init", *WHOLE]


def test_a_transaction_that_was_held_up_touches_no_later_one(transactions, monkeypatch):
    held_up = threading.Event()
    monkeypatch.setattr(Producer, "fails", (held_up,))
    assert deliver(transactions) == "KafkaTimeoutError"
    first, second = Producer.all
    held_up.set()
    for thread in threading.enumerate():
        if thread.name == "transaction":
            thread.join(10)
    assert first.calls == ["init", *WHOLE[:-1], "close", "commit"]
    assert second.calls == ["init"]


def test_two_readers_have_names_of_their_own(transactions):
    other = GroupTransactions(Brokers.of("127.0.0.1:1", None), "readers")
    other.begin(["out"])
    one, two = (producer.name for producer in Producer.all)
    assert one != two
    assert one.startswith("readers-")
    assert two.startswith("readers-")
