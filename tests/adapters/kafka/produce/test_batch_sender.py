"""Messages given to a producer as whole batches: the bytes that kafka-python makes of each record by itself.

Covers encoded_messages and message_blocks too.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kafka import KafkaProducer
from kafka import errors as kafka
from kafka.partitioner.default import murmur2
from kafka.producer.record_accumulator import RecordAccumulator
from kafka.record.memory_records import MemoryRecords
from kafka.structs import TopicPartition

from telex.adapters.kafka.produce import batch_sender
from telex.adapters.kafka.produce.batch_sender import BatchSender
from telex.adapters.kafka.produce.encoded_messages import EncodedMessages
from telex.adapters.kafka.produce.message_blocks import BLOCK, MessageBlocks
from telex.adapters.kafka.produce.messages import Message

NOW = 1_700_000_000.25
COUNTS = {"out": 3, "dead": 1}
BYTES = st.one_of(st.binary(max_size=20), st.integers(0, 3000).map(lambda size: b"x" * size))
MESSAGES = st.lists(
    st.builds(
        Message,
        st.sampled_from(list(COUNTS)),
        BYTES,
        st.one_of(st.none(), BYTES),
        st.one_of(st.none(), st.integers(0, 1 << 45)),
        st.lists(st.tuples(st.text(max_size=20), BYTES), max_size=20),
        st.tuples(st.just("wire"), st.integers(0, 300), st.integers(0, 1 << 50)),
    ),
    max_size=30,
)


class Standing:
    """A producer's parts that take records, without a broker and without the thread that sends."""

    def __init__(self, size=4096, compression=0):
        self._accumulator = RecordAccumulator(batch_size=size, compression_attrs=compression)
        self._transaction_manager = None
        self._sender = SimpleNamespace(wakeup=lambda: None)

    def partitions_for(self, topic):
        return set(range(COUNTS[topic]))

    def send(self, one):
        """Append as ``KafkaProducer.send`` does."""
        partition = (murmur2(one.key) & 0x7FFFFFFF) % COUNTS[one.topic]
        into = TopicPartition(one.topic, partition)
        stamp = int(1000 * NOW) if one.timestamp is None else one.timestamp
        return self._accumulator.append(into, stamp, one.key, one.value, one.headers)

    def batches(self):
        found = defaultdict(list)
        for partition, queue in self._accumulator._batches.items():
            for number, batch in enumerate(queue):
                batch.records.set_producer_state(7, 1, number, True)
                batch.records.close()
                found[partition].append(bytes(batch.records.buffer()))
        return found


@given(st.lists(MESSAGES, max_size=4), st.sampled_from([200, 4096]), st.sampled_from([0, 1]))
@settings(max_examples=50, deadline=None)
def test_batches_are_those_of_kafka_python(pieces, size, compression):
    fast, slow = Standing(size, compression), Standing(size, compression)
    sender = BatchSender(fast)
    assert sender._whole
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("time.time", lambda: NOW)
        for messages in pieces:
            sender.send(EncodedMessages.of(messages))
            for one in messages:
                slow.send(one)
        found = fast.batches()
        assert found == slow.batches()
    for batches in found.values():
        for batch in batches:
            assert all(one.validate_crc() for one in MemoryRecords(batch))


@given(MESSAGES, st.integers(0, 1000), st.data())
@settings(max_examples=50, deadline=None)
def test_blocks_give_back_what_was_put(messages, most, data):
    blocks, whole = MessageBlocks(), EncodedMessages.of(messages)
    cut = list(whole.cut(most))
    assert [one for some in cut for one in some] == messages
    assert all(len(some) == 1 or some.size <= most for some in cut)
    for some in cut:
        blocks.add(some)
    start = data.draw(st.integers(0, len(messages)))
    assert [one for some in blocks.rows(start) for one in some] == messages[start:]
    assert (len(blocks), blocks.size) == (len(messages), whole.size)
    others = MessageBlocks()
    others.add(whole)
    others.take(blocks)
    assert [one for some in others.rows() for one in some] == messages * 2
    assert not blocks


def test_a_block_that_is_begun_changes_nothing_that_was_taken():
    blocks, one = MessageBlocks(), Message("out", b"a", b"v" * 1000, 5, [], ("wire", 0, 7))
    blocks.add(EncodedMessages.of([one]))
    [before], [saved] = blocks.rows(), blocks.save()
    blocks.add(EncodedMessages.of([one] * (2 * BLOCK // 1000)))
    blocks.add(EncodedMessages.of([Message("out", b"a", b"v" * (2 * BLOCK), 5, [], ("wire", 0, 7))]))
    assert list(before) == list(EncodedMessages.load(saved)) == [one]
    assert [len(some.data) <= BLOCK for some in blocks.rows()] == [True] * 4 + [False]


@given(st.binary(max_size=60))
def test_bytes_that_are_no_message_are_refused(data):
    broken = np.frombuffer(data, np.uint8), np.array([len(data)])
    with pytest.raises(ValueError, match="this is no message"):
        batch_sender.places(*broken, ["out"], [1])
    with pytest.raises(ValueError, match="this is no message"):
        batch_sender.records(*broken, np.zeros(1, np.int64), 0, offset=0, first=None, now=0, room=99)


def test_a_cut_message_is_refused():
    whole = EncodedMessages.of([Message("out", b"a", b"v", 1 << 40, [("n", b"h")], ("wire", 300, 1 << 40))])
    for stop in range(whole.size):
        with pytest.raises(ValueError, match="this is no message"):
            batch_sender.places(whole.data[:stop], np.array([stop]), ["out"], [1])


def message(number, size=100):
    return Message("out", str(number).encode(), b"x" * size, 5, [], ("wire", 0, number))


def test_what_is_under_way_is_known():
    standing = Standing(1000)
    sender = BatchSender(standing)
    sender.send(EncodedMessages.of(message(number) for number in range(100)))
    sender.settle(sender.bytes, 0)
    whole = sender.bytes
    assert 10_000 < whole < 13_000
    assert sender.pending() == (100, whole)
    batches = [one for queue in standing._accumulator._batches.values() for one in queue]
    threading.Timer(0.1, lambda: [one.done(0, -1) for one in batches[:-1]]).start()
    with pytest.raises(kafka.KafkaTimeoutError):
        sender.settle(0, 0.5)
    assert 0 < sender.bytes < 1200
    assert sender.pending()[1] == sender.bytes
    assert 0 < sender.pending()[0] < 11
    batches[-1].done(top_level_exception=kafka.RecordListTooLargeError(), record_exceptions_fn=lambda _: KeyError(3))
    with pytest.raises(KeyError):
        sender.settle(sender.bytes, 0)


def test_a_batch_that_was_split_is_waited_for():
    standing = Standing(1000)
    sender, accumulator = BatchSender(standing), standing._accumulator
    sender.send(EncodedMessages.of([Message("dead", b"k", b"x" * 80, 5, [], ("wire", 0, 1))] * 9))
    [[batch]] = accumulator._batches.values()
    batch.records.close()
    accumulator._batches[batch.topic_partition].clear()
    assert accumulator.split_and_reenqueue(batch) == 2
    first, second = accumulator._batches[batch.topic_partition]
    first.done(0, -1)
    with pytest.raises(kafka.KafkaTimeoutError):
        sender.settle(0, 0.01)
    sender.send(EncodedMessages.of([message(1)]))
    assert [first.record_count, second.record_count] == [5, 4]  # nothing comes into a half
    second.done(5, -1)
    accumulator._batches[TopicPartition("out", 0)]
    sender.settle(sender.bytes, 0)
    assert sender.bytes < 200


def test_another_kafka_python_sends_each_message_itself():
    sent = []
    send = SimpleNamespace(
        send=lambda *record: sent.append(record) or SimpleNamespace(is_done=True, get=lambda _: None)
    )
    sender = BatchSender(send, known_hashes=())
    sender.send(EncodedMessages.of([message(3)]))
    assert sent == [("out", b"x" * 100, b"3", [], None, 5)]
    sender.settle(0, 0)
    assert sender.bytes == 0


def test_a_real_broker_takes_them(broker):
    topic = broker.topic(3)
    some = [
        Message(topic, None if k % 9 == 0 else b"%d" % k, b"v" * k, k + 1, [("n", b"h")], ("w", 0, k))
        for k in range(500)
    ]
    for compression in (None, "gzip"):
        producer = KafkaProducer(bootstrap_servers=broker.address, compression_type=compression)
        sender = BatchSender(producer)
        sender.send(EncodedMessages.of(some))
        sender.flush(30)
        producer.close()
    found = sorted((one.timestamp, one.key, one.value, one.headers) for one in broker.read(topic))
    assert found == sorted([(one.timestamp, one.key, one.value, one.headers) for one in some] * 2)
