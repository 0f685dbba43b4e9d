"""What is put back at least once, into topics of a real broker, and the errors when it cannot be.

Covers producer_options too.
"""

from __future__ import annotations

import random
import re
import subprocess
import sys
from collections import Counter

import pytest
from broker.told import logs, wire
from broker.wire import Wire

from telex.adapters.kafka import Brokers
from telex.adapters.kafka.produce import DeliveryFigures, ResultsSink
from telex.adapters.kafka.produce.at_least_once import AtLeastOnce
from telex.adapters.kafka.produce.batch_sender import BatchSender
from telex.adapters.kafka.produce.encoded_messages import EncodedMessages
from telex.adapters.kafka.produce.messages import Message
from telex.learners import BR, MMP
from telex.stream import Run
from telex.stream.checkpoints import Checkpoints
from telex.stream.run import Sink
from telex.stream.sources import Features


class CutError(Exception):
    """Ends a run in the middle of a test."""


class Ending(Sink):
    """Waits for each checkpoint, and ends the run after a number of documents."""

    def __init__(self, documents):
        self.documents = documents

    def begin(self, run):
        self.checkpoints = run.checkpoints

    def point(self, point):
        if self.checkpoints:
            self.checkpoints.wait()
        if point.documents == self.documents:
            raise CutError


def run(broker, out, folder=None, *, until=None, resume=False, seed=1):
    checkpoints = Checkpoints(folder) if folder else None
    place = checkpoints.newest()[1]["reading"]["source"]["place"]["partitions"] if resume else None
    read = wire(logs(seed), random.Random(until or 0), place)
    back = ResultsSink(AtLeastOnce(Brokers.of(broker.address)), read.follow(), out_topic=out, dead_letter_topic=out)
    going = Run(Features(read), {"mmp": MMP(), "br": BR()}, sinks=[back, Ending(until)], points=1,
                checkpoints=checkpoints, checkpoint_every=10)  # fmt: skip
    if resume:
        going.resume()
    list(going)
    return going


def records(broker, topic):
    """What is there how often, without the wall clock's time, and the run and checkpoint that made it."""
    own = {"telex.run", "telex.checkpoint"}
    return Counter(
        (
            one.key,
            re.sub(rb'"predicted":"[^"]*"', b"", one.value),
            one.timestamp,
            tuple(header for header in one.headers if header[0] not in own),
        )
        for one in broker.read(topic)
    )


def test_all_is_there_when_a_run_has_ended_with_or_without_checkpoints(broker, tmp_path):
    first, second = broker.topic(2), broker.topic(2)
    run(broker, first)
    run(broker, second, tmp_path)
    assert records(broker, first) == records(broker, second)
    assert set(records(broker, first).values()) == {1}
    assert records(broker, first).total() > 60


def test_what_came_since_the_last_checkpoint_comes_again_the_same(broker, tmp_path):
    whole, broken = broker.topic(2), broker.topic(2)
    run(broker, whole)
    with pytest.raises(CutError):
        run(broker, broken, tmp_path, until=40)
    kept = Checkpoints(tmp_path).newest()[1]["reading"]["counts"][0]
    assert 0 < kept < 40
    run(broker, broken, tmp_path, resume=True)
    found = records(broker, broken)
    assert set(found) == set(records(broker, whole))
    assert 0 < found.total() - len(found) <= 2 * (40 - kept) + 10


def test_what_is_as_long_as_a_topic_takes_is_taken(broker):
    small, large = broker.topic(max_message_bytes=3000), broker.topic(max_message_bytes=4_000_000)
    puts = AtLeastOnce(Brokers.of(broker.address))
    for limits in puts.begin([small, large]):
        room = limits.longest - message(limits.topic, size=0).size
        puts.put(EncodedMessages.of(message(limits.topic, size=room) for _ in range(2)))
    puts.sync()
    puts.close()
    assert [len(broker.read(topic)) for topic in (small, large)] == [2, 2]


@pytest.mark.parametrize(("most", "length"), [(4_000_000, 3_000_000), (100_000, -1)])
def test_a_long_record_that_cannot_be_read_does_not_stop_the_run(broker, most, length):
    out, dead, said = broker.topic(), broker.topic(max_message_bytes=most), []
    found = {("wire", 0): [(0, 5, b"a", b"{" + b"x" * 2_999_999, (("h", b"y"),)), (1, 6, b"b", b'{"text": "gold"}')]}
    read = wire(found, random.Random(1))
    puts = AtLeastOnce(Brokers.of(broker.address))
    back = ResultsSink(puts, read.follow(), out_topic=out, dead_letter_topic=dead, say=said.append)
    list(Run(Features(read), {"mmp": MMP()}, sinks=[back]))
    [letter], [_] = broker.read(dead), broker.read(out)
    assert (-1 if letter.value is None else len(letter.value)) == length
    assert (letter.key, letter.timestamp, letter.headers[0]) == (b"a", 5, ("h", b"y"))
    assert len(said) == (length < 0)


# A process of its own: kafka-python leaves sockets behind that got no answer.
CHILD = """
import sys
from telex.adapters.kafka.produce.at_least_once import AtLeastOnce
from telex.adapters.kafka import Brokers
from telex.adapters.kafka.produce.encoded_messages import EncodedMessages
from telex.adapters.kafka.produce.messages import Message
from telex.learners.base import StoppedError

address, topic, patience = sys.argv[1:]
puts = AtLeastOnce(Brokers.of(address, {"request_timeout_ms": 2000}), ahead=50_000, patience=float(patience))
puts.begin([topic])
try:
    for first, last in ((0, 100), (100, 300)):
        each = (Message(topic, b"k", b"x" * 1000, one, [], ("wire", 0, one)) for one in range(first, last))
        puts.put(EncodedMessages.of(each))
        puts.sync()
        print("there", flush=True)
        sys.stdin.readline()
except StoppedError as error:
    print(error)
puts.close()
"""


def message(topic, number=0, size=100):
    return Message(topic, str(number).encode(), b"x" * size, number, [], ("wire", 0, number))


def test_a_checkpoint_waits_until_all_is_acknowledged(broker):
    topic, puts = broker.topic(), AtLeastOnce(Brokers.of(broker.address))
    puts.begin([topic])
    puts.put(EncodedMessages.of(message(topic, number) for number in range(500)))
    puts.sync()
    assert puts.figures() == DeliveryFigures(0, 0, 500)
    assert len(broker.read(topic)) == 500
    puts.close()


def test_what_is_under_way_is_bounded(broker, monkeypatch):
    topic, puts, most = broker.topic(), AtLeastOnce(Brokers.of(broker.address), ahead=20_000), []
    real = BatchSender.send

    def send(self, messages):
        most.append(self.bytes)
        return real(self, messages)

    monkeypatch.setattr(BatchSender, "send", send)
    puts.begin([topic])
    puts.put(EncodedMessages.of(message(topic, number, 1000) for number in range(300)))
    puts.put(EncodedMessages.of([message(topic, 300, 30_000)]))  # one that is larger than the bound goes alone
    puts.sync()
    puts.close()
    assert len(broker.read(topic)) == 301
    assert 10_000 < max(most) < 20_000
    assert most[-1] == 0


def test_a_broker_that_is_away_is_waited_for_but_not_for_ever(own_broker):
    broker = own_broker()
    wire_of, command = Wire(broker.address), [sys.executable, "-c", CHILD, broker.address]
    topics = [wire_of.topic(), wire_of.topic()]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with (
        subprocess.Popen([*command, topics[0], "60"], **pipes) as patient,
        subprocess.Popen([*command, topics[1], "3"], **pipes) as impatient,
    ):
        assert [one.stdout.readline() for one in (patient, impatient)] == ["there\n", "there\n"]
        broker.kill()
        assert re.search(r"could not be delivered: .*; continue with --resume", impatient.communicate("\n", 60)[0])
        patient.stdin.write("\n")
        patient.stdin.flush()
        broker.start()
        assert patient.communicate("", 60)[0] == "there\n"
    assert [record.timestamp for record in wire_of.read(topics[0])] == list(range(300))
    assert [record.timestamp for record in wire_of.read(topics[1])] == list(range(100))
