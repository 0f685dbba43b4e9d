"""The fetching process, against a real broker.

Covers client, events, fetch_loop, process and settings too.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from importlib.util import find_spec

import pytest
from kafka.structs import TopicPartition
from topics.fetched import SMALL, committed, fetching, rows_of, taken

from telex.adapters.kafka import Brokers
from telex.adapters.kafka.fetch import FetchSettings, PollResult
from telex.adapters.kafka.fetch.fetcher import ProcessFetcher
from telex.learners.base import StoppedError


def test_records_come_as_they_were_put(broker):
    topic = broker.topic(2)
    headers = [("source", b"reuters"), ("empty", b"")]
    records = [
        {"partition": 0, "timestamp_ms": 5, "key": b"k", "value": b"first", "headers": headers},
        {"partition": 1, "timestamp_ms": 3, "key": None, "value": b""},
        {"partition": 0, "timestamp_ms": 4, "key": b"", "value": None},
    ]
    broker.put(topic, records)
    with fetching(broker, topic) as (one, assigned):
        assert assigned.state.partitions == ((topic, 0), (topic, 1))
        assert assigned.state.ends.tolist() == [2, 1]
        rows, found = [], {}
        while len(rows) < 3:
            if isinstance(told := one.take(1.0), PollResult):
                rows += rows_of(told)
                found |= {part.partition[1]: part.headers for part in told.record_sets}
                last = told
        assert sorted(rows) == [(0, 0, 5, b"k", b"first"), (0, 1, 4, b"", None), (1, 0, 3, None, b"")]
        assert found == {0: {0: tuple(headers)}, 1: {}}
        assert (last.positions.tolist(), last.at_end.tolist()) == ([2, 1], [True, True])
        assert abs(last.time - time.monotonic()) < 60


def test_it_begins_where_it_should(broker):
    topic = broker.topic(3)
    broker.put(topic, [{"partition": i % 2, "timestamp_ms": 1000 + i, "value": b"%d" % i} for i in range(10)])
    with fetching(broker, topic, start=1004) as (one, assigned):
        assert assigned.state.positions.tolist() == [2, 2, 0]
        rows, _ = taken(one, 6)
        assert sorted(row[4] for row in rows) == [b"4", b"5", b"6", b"7", b"8", b"9"]
    with fetching(broker, topic, {(topic, 0): 4}, start="latest") as (one, assigned):
        # A partition that a checkpoint does not know has come after it: it is read from its start.
        assert assigned.state.positions.tolist() == [4, 0, 0]
        assert len(taken(one, 6)[0]) == 6
    with fetching(broker, topic, start="latest") as (one, assigned):
        assert assigned.state.positions.tolist() == [5, 5, 0]
        assert assigned.state.at_end.tolist() == [True, True, True]
        broker.put(topic, [{"partition": 2, "value": b"new"}])
        assert [row[4] for row in taken(one, 1)[0]] == [b"new"]


def test_who_frees_nothing_gets_no_more_but_keeps_the_membership(broker):
    topic = broker.topic(2)
    broker.put(topic, [{"partition": 0, "value": b"x" * 1000} for _ in range(400)] + [{"partition": 1, "value": b"y"}])
    tight = {**SMALL, "max_poll_interval_ms": 1500, "max_poll_records": 20}
    with fetching(broker, topic, ahead=50_000, consumer=tight) as (one, _):
        rows, _ = taken(one, 0, free=False, until=lambda told, rows, _: told is None and rows)
        full = [row for row in rows if row[0] == 0]
        assert 25_000 <= 1064 * len(full) <= 25_000 + 20 * 1064
        began = time.monotonic()
        while time.monotonic() < began + 4.0:  # longer than a consumer may go without polling
            assert one.take(0.2) is None
        # An empty partition continues, though the other is full.
        one.free({(topic, 1): 10_000})
        broker.put(topic, [{"partition": 1, "value": b"z"}])
        assert [row[4] for row in taken(one, 1, free=False)[0]] == [b"z"]
        one.commit({(topic, 0): 7}, "12")
        one.free({(topic, 0): 1064 * len(full)})
        rest, others = taken(one, 400 - len(full))
        assert [row[1] for row in full + rest] == list(range(400))
        assert others == []
        assert broker.until(lambda: committed(broker, topic)) == {0: (7, "12")}


def test_one_thread_closes_while_another_begins_or_takes(broker):
    topic = broker.topic()
    for seconds in (0.2, 4.0):  # before the partitions are there, and after
        one, said = ProcessFetcher(Brokers.of(broker.address), FetchSettings((topic,), f"of-{topic}", "learner")), []

        def reads(one=one, said=said):
            try:
                one.begin({})
                while True:
                    one.take(0.1)
            except StoppedError as error:
                said.append(str(error))

        thread = threading.Thread(target=reads)
        thread.start()
        time.sleep(seconds)
        one.close()
        thread.join(20)
        assert said == ["the fetching was closed; make a new one to continue"]
        assert not os.path.exists(f"/proc/{one.pid}")


@pytest.mark.parametrize("codec", ["gzip", "zstd"])
def test_compressed_records_are_opened(broker, codec):
    if codec == "zstd" and find_spec("zstandard") is None:
        pytest.skip("the package zstandard is not there")
    topic = broker.topic()
    broker.put(topic, [{"value": b"news " * 50}] * 20, compression_type=codec)
    with fetching(broker, topic) as (one, _):
        assert {row[4] for row in taken(one, 20)[0]} == {b"news " * 50}


def test_a_large_record_comes_whole(broker):
    topic = broker.topic(max_message_bytes=8 << 20)
    large = os.urandom(5 << 20)
    broker.put(topic, [{"value": b"before"}, {"value": large}, {"value": b"behind"}], max_request_size=8 << 20)
    with fetching(broker, topic, ahead=1 << 20) as (one, _):
        assert [row[4] for row in taken(one, 3)[0]] == [b"before", large, b"behind"]


def test_only_what_is_committed_is_read(broker):
    topic = broker.topic()
    with broker.producer(transactional_id=broker.name("tx")) as producer, fetching(broker, topic) as (one, _):
        producer.init_transactions()
        for value, end in ((b"kept", producer.commit_transaction), (b"dropped", producer.abort_transaction)):
            producer.begin_transaction()
            producer.send(topic, value, partition=0)
            producer.flush()
            end()
        rows, _ = taken(one, 1)
        assert [row[4] for row in rows] == [b"kept"]

        # At its end, behind the marks of both transactions, and again where an open one begins.
        def at(offset):
            return lambda told, *_: (
                isinstance(told, PollResult) and (told.positions[0], told.at_end[0]) == (offset, True)
            )

        taken(one, 0, until=at(4))
        producer.begin_transaction()
        producer.send(topic, b"open", partition=0)
        producer.flush()
        broker.put(topic, [{"value": b"behind"}])
        taken(one, 0, until=lambda told, *_: told is None)
        producer.commit_transaction()
        assert [row[4] for row in taken(one, 2)[0]] == [b"open", b"behind"]
    with fetching(broker, topic, read_committed=False) as (one, _):
        assert [row[4] for row in taken(one, 4)[0]] == [b"kept", b"dropped", b"open", b"behind"]


def test_the_process_ends_with_its_parent(broker):
    topic = broker.topic()
    with fetching(broker, topic) as (one, _):
        os.kill(
            one.pid, signal.SIGTERM
        )  # a supervisor that ends a service signals all its processes: this one still has to commit
        one.commit({(topic, 0): 0}, "3")
    assert committed(broker, topic) == {0: (0, "3")}
    with fetching(broker, topic) as (one, _):
        os.kill(one.pid, signal.SIGKILL)
        with pytest.raises(StoppedError, match=r"exit code -9.*last checkpoint"):
            taken(one, 1)
    script = f"""
import os, sys, time
from telex.adapters.kafka import Brokers
from telex.adapters.kafka.fetch.fetcher import ProcessFetcher
from telex.adapters.kafka.fetch import FetchSettings
if __name__ == "__main__":
    one = ProcessFetcher(Brokers.of("{broker.address}"), FetchSettings(("{topic}",), "g-{topic}", "m"))
    one.begin({{}})
    print(one.pid, flush=True)
    time.sleep(60)
"""
    maker = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    pid = int(maker.stdout.readline())
    maker.kill()
    maker.communicate()
    broker.until(lambda: not os.path.exists(f"/proc/{pid}"), 10)


def test_a_broker_that_is_killed_is_waited_for(own_broker):
    from broker.wire import Wire  # noqa: PLC0415 - needs the client, which the conftest imports

    own = own_broker()
    wire = Wire(own.address)
    topic = wire.topic()
    wire.put(topic, [{"value": b"before"}])
    with fetching(wire, topic, patience=60.0) as (one, _):
        taken(one, 1)
        own.kill()
        _, [problem] = taken(one, 0, until=lambda _told, _rows, others: others)
        assert "no broker has answered for" in problem.sentence
        own.start()
        wire.put(topic, [{"value": b"behind"}])
        rows, others = taken(one, 1, seconds=60.0)
        assert [row[4] for row in rows] == [b"behind"]
        _, others = taken(one, 0, until=lambda _told, _rows, new: others or new)
        one.commit({(topic, 0): 2}, "5")
        assert wire.until(lambda: committed(wire, topic)) == {0: (2, "5")}
    with fetching(wire, topic, {(topic, 0): 2}, patience=4.0) as (one, _):
        own.pause()
        with pytest.raises(StoppedError, match="has answered for"):
            taken(one, 1, seconds=60.0)
        own.go_on()


def test_the_wire_of_the_tests_is_where_it_says(broker):
    topic = broker.topic(3)
    with broker.admin() as admin:
        [told] = admin.describe_topics([topic])
    assert len(told["partitions"]) == 3
    assert TopicPartition(topic, 0) not in committed(broker, topic)
