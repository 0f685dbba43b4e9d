"""The fetching process, against a real broker.

Covers client, events, fetch_loop, log_bounds, membership, process and settings too.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from importlib.util import find_spec
from types import SimpleNamespace

import pytest
from kafka.coordinator.base import BaseCoordinator
from kafka.structs import TopicPartition

from telex.adapters.kafka import Brokers
from telex.adapters.kafka.fetch import FetchSettings, LastRead, PartitionsAssigned, PollResult, fetch_loop, membership
from telex.adapters.kafka.fetch.events import FetchProblem, PartitionsRevoked, SignOfLife
from telex.adapters.kafka.fetch.fetcher import ProcessFetcher
from telex.adapters.kafka.fetch.pipe import receive_message
from telex.adapters.kafka.fetch.process import MessageSender
from telex.learners.base import StoppedError, UsageError

SMALL = {"session_timeout_ms": 6000, "heartbeat_interval_ms": 300, "metadata_max_age_ms": 500}
"""Times of the group that a test can wait for."""


@contextlib.contextmanager
def fetching(wire, topics, place=None, last_read=None, **wanted):
    """Yield a fetching that has begun, and what it was assigned."""
    named = (topics,) if isinstance(topics, str) else tuple(topics)
    settings = {"group": f"of-{named[0]}", "member": "learner", "consumer": SMALL, **wanted}
    one = ProcessFetcher(Brokers.of(wire.address), FetchSettings(named, **settings))
    try:
        yield one, one.begin(place or {}, last_read)
    finally:
        one.close()


def rows_of(frame):
    """Give (partition, offset, timestamp, key, value) of a frame's records."""
    return [
        (part.partition[1], *row)
        for part in frame.record_sets
        for row in zip(part.offsets.tolist(), part.timestamps.tolist(), part.keys_of(), part.values_of(), strict=True)
    ]


def taken(one, count, *, free=True, seconds=30.0, until=None):
    """Take until this many records have come, or the expected event."""
    rows, others, deadline = [], [], time.monotonic() + seconds
    while time.monotonic() < deadline:
        told = one.take(0.1)
        if isinstance(told, PollResult):
            rows += rows_of(told)
            if free:
                one.free({part.partition: part.size for part in told.record_sets})
        elif told is not None:
            others.append(told)
        if until(told, rows, others) if until else len(rows) >= count:
            return rows, others
    message = f"{len(rows)} of {count} records came, and {others}"
    raise AssertionError(message)


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


def committed(broker, topic):
    with broker.admin() as admin:
        found = admin.list_group_offsets({f"of-{topic}": None})[f"of-{topic}"]
    return {at.partition: (place.offset, place.metadata) for at, place in found.items()}


def test_what_is_committed_last_is_there_after_a_close(broker):
    topic = broker.topic()
    broker.put(topic, [{"value": b"x"}] * 3)
    with fetching(broker, topic) as (one, _):
        taken(one, 3)
        one.commit({(topic, 0): 2}, "1")
        one.commit({(topic, 0): 3}, "2")
    assert committed(broker, topic) == {0: (3, "2")}


def test_a_place_is_committed_while_nobody_takes_what_is_ahead(broker):
    topic = broker.topic()
    broker.put(topic, [{"value": b"x" * 10_000} for _ in range(300)])  # more than a pipe takes
    with fetching(broker, topic) as (one, _):
        taken(one, 1, free=False)
        time.sleep(1.0)
        threads = [threading.Thread(target=one.commit, args=({(topic, 0): n}, str(n))) for n in range(1, 9)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        one.commit({(topic, 0): 9}, "9")
        assert broker.until(lambda: committed(broker, topic) == {0: (9, "9")})
        one.commit({(topic, 0): 10}, "10")
    assert committed(broker, topic) == {0: (10, "10")}


def test_who_is_gone_gets_nothing(broker):
    topic = broker.topic()
    with fetching(broker, topic) as (one, _):
        os.kill(one.pid, signal.SIGKILL)
        one.commit({(topic, 0): 0}, "1")
        for _ in range(2):
            with pytest.raises(StoppedError, match="resume from the last checkpoint"):
                taken(one, 1)
        one.commit({(topic, 0): 0}, "2")
        one.free({(topic, 0): 1})
    for _ in range(2):
        one.close()
        one.commit({(topic, 0): 0}, "3")
        with pytest.raises(StoppedError):
            one.take(0.1)
    never = ProcessFetcher(Brokers.of(broker.address), FetchSettings((topic,), "g", "m"))
    with pytest.raises(UsageError, match="call begin first"):
        never.take(0.1)
    never.commit({(topic, 0): 0}, "4")
    never.close()
    with pytest.raises(StoppedError, match="was closed"):
        never.begin({})


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


def test_a_second_process_of_the_same_run_fences_the_first(broker):
    topic = broker.topic(2)
    broker.put(topic, [{"value": b"x"}])
    with fetching(broker, topic) as (first, _):
        taken(first, 1)
        with fetching(broker, topic) as (second, assigned):
            assert len(assigned.state.partitions) == 2
            with pytest.raises(StoppedError, match=f"another process has joined group of-{topic} as learner"):
                taken(first, 99)
            assert len(taken(second, 1)[0]) == 1


def test_another_member_is_told_and_then_refused(broker):
    topic = broker.topic(2)
    # A broker that the tests did not start takes no sessions shorter than 6 s.
    short = {**SMALL, "session_timeout_ms": 6000 if "TELEX_TEST_KAFKA" in os.environ else 1500}
    with (
        fetching(broker, topic, consumer=short) as (first, _),
        fetching(broker, topic, member="other", consumer=short) as (_, assigned),
    ):
        _, [revoked] = taken(first, 0, until=lambda _told, _rows, others: others)
        assert isinstance(revoked, PartitionsRevoked)
        assert revoked.partitions == assigned.state.partitions
        with pytest.raises(
            StoppedError, match=f"another member of group of-{topic} has {topic} [01]: a run is one learner"
        ):
            taken(first, 1)


def test_partitions_that_are_added_are_read_from_their_start(broker):
    topic = broker.topic()
    with fetching(broker, topic, start="latest") as (one, _):
        broker.more_partitions(topic, 2)
        broker.put(topic, [{"partition": 1, "value": b"early"}])
        rows, others = taken(one, 1)
        assert [row[4] for row in rows] == [b"early"]
        [assigned] = others
        assert isinstance(assigned, PartitionsAssigned)
        assert assigned.state.partitions == ((topic, 0), (topic, 1))
    # One that comes back under its name does not know that it leads the group: no other would look for new ones.
    with fetching(broker, topic, {(topic, 0): 0, (topic, 1): 1}) as (one, _):
        broker.more_partitions(topic, 3)
        broker.put(topic, [{"partition": 2, "value": b"later"}])
        assert [row[4] for row in taken(one, 1)[0]] == [b"later"]


def test_records_that_are_gone_stop_it_or_are_skipped(broker):
    topic = broker.topic()
    broker.put(topic, [{"value": b"%d" % i} for i in range(10)])
    broker.forget(topic, 0, 6)
    why = rf"offset 2 of {topic} 0 .* up to 4 records are lost; .*--on-gap skip"
    with pytest.raises(StoppedError, match=why), fetching(broker, topic, {(topic, 0): 2}):
        pass
    with fetching(broker, topic, {(topic, 0): 2}, on_gap="skip") as (one, assigned):
        assert (assigned.state.positions.tolist(), assigned.state.beginnings.tolist()) == ([6], [6])
        rows, [problem] = taken(one, 4)
        assert [row[1] for row in rows] == [6, 7, 8, 9]
        assert isinstance(problem, FetchProblem)
        assert problem.lost[:4] == ((topic, 0), 2, 6, 10)
    with pytest.raises(StoppedError, match="created again"), fetching(broker, topic, {(topic, 0): 99}):
        pass


def test_a_topic_that_was_made_again_is_not_the_one_that_was_read(broker):
    topic = broker.topic()
    broker.put(topic, [{"value": b"old %d" % i} for i in range(10)])
    with fetching(broker, topic) as (one, assigned):
        taken(one, 10)
        before = LastRead(assigned.topic_ids[topic], 9, 1009)
        broker.make_again(topic)
        broker.put(topic, [{"timestamp_ms": 5000 + i, "value": b"new %d" % i} for i in range(30)])
        with pytest.raises(
            StoppedError, match=f"{topic} was deleted and created again, so offset 10 of partition 0 is"
        ):
            taken(one, 1)
    # While nobody read it, by its id, and by its last record where brokers know no ids.
    for known, why in [
        (before, "was deleted and created again"),
        (before._replace(topic_id=None), "has another record"),
    ]:
        with (
            pytest.raises(StoppedError, match=f"{why}.*--on-gap skip"),
            fetching(broker, topic, {(topic, 0): 10}, {(topic, 0): known}) as (one, _),
        ):
            taken(one, 1)
        with fetching(broker, topic, {(topic, 0): 10}, {(topic, 0): known}, on_gap="skip") as (one, _):
            rows, [problem] = taken(one, 30)
            assert [row[4] for row in rows] == [b"new %d" % i for i in range(30)]
            assert problem.lost[:4] == ((topic, 0), 10, 0, 30)
            assert problem.lost.topic_id != before.topic_id or known.topic_id is None


def test_a_topic_that_is_the_one_that_was_read_goes_on(broker):
    topic = broker.topic()
    broker.put(topic, [{"value": b"%d" % i} for i in range(10)])
    with fetching(broker, topic) as (one, assigned):
        taken(one, 6)
        ids = assigned.topic_ids
    for read in (LastRead(ids[topic], 5, 1005), LastRead(None, 5, 1005), LastRead(ids[topic])):
        with fetching(broker, topic, {(topic, 0): 6}, {(topic, 0): read}) as (one, assigned):
            assert assigned.state.positions.tolist() == [6]
            assert [row[1] for row in taken(one, 4)[0]] == [6, 7, 8, 9]
    broker.forget(topic, 0, 6)  # and the last record need not be there any more
    with fetching(broker, topic, {(topic, 0): 6}, {(topic, 0): LastRead(ids[topic], 5, 7)}) as (one, _):
        assert [row[1] for row in taken(one, 4)[0]] == [6, 7, 8, 9]


def test_records_that_go_while_nobody_takes_them_stop_it(broker):
    topic = broker.topic()
    broker.put(topic, [{"value": b"x" * 5000} for i in range(1000)], max_request_size=2**20)
    small = {**SMALL, "max_poll_records": 5, "max_partition_fetch_bytes": 10_000, "fetch_max_bytes": 10_000}
    with fetching(broker, topic, ahead=10_000, consumer=small) as (one, _):
        taken(one, 0, free=False, until=lambda told, rows, _: told is None and rows)
        broker.forget(topic, 0, 900)
        one.free({(topic, 0): 10**6})
        with pytest.raises(StoppedError, match="is no longer there: the log begins at 900"):
            taken(one, 1000)


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


def test_what_is_not_there_is_named(broker):
    topic = broker.topic(stem="newswire")
    with pytest.raises(UsageError, match=rf"no topic {topic[:-1]}; there is .*{topic}"), fetching(broker, topic[:-1]):
        pass
    if find_spec("lz4") is None:
        lz4 = broker.topic(compression_type="lz4")
        why = f"topic {lz4} are compressed with lz4; pip install lz4"
        with pytest.raises(UsageError, match=why), fetching(broker, lz4):
            pass
    nobody = ProcessFetcher(Brokers.of("127.0.0.1:1"), FetchSettings(("t",), "g", "m", patience=1.0))
    with pytest.raises(StoppedError, match=r"no broker at 127\.0\.0\.1:1 has answered for 1 s \(.*REFUSED"):
        nobody.begin({})


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


def test_a_join_that_hangs_is_begun_anew(broker, monkeypatch):
    join, asked = BaseCoordinator._do_join_and_sync_async, []

    async def hangs_at_first(self):
        asked.append(self)
        if len(asked) == 1:
            await self._net.sleep(3600)
        return await join(self)

    monkeypatch.setattr(BaseCoordinator, "_do_join_and_sync_async", hangs_at_first)
    monkeypatch.setattr(membership, "JOINING", 0.5)
    monkeypatch.setattr(fetch_loop, "LastWarning", lambda: SimpleNamespace(text=""))
    topic = broker.topic()
    mine, theirs = multiprocessing.Pipe()
    telling = MessageSender(theirs)
    wanted = FetchSettings((topic,), f"of-{topic}", "learner", consumer=SMALL)
    one = fetch_loop.FetchLoop(theirs, telling, Brokers.of(broker.address), wanted, {}, last_read={})
    thread = threading.Thread(target=one.run)
    thread.start()
    assert mine.poll(30)
    assert receive_message(mine) == SignOfLife()
    assert isinstance(receive_message(mine), PartitionsAssigned)
    mine.send_bytes(pickle.dumps(("stop",)))
    thread.join()
    telling.end()
    one.close()
    mine.close()
    theirs.close()
    assert len({id(coordinator) for coordinator in asked}) == 2


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


def test_a_topic_that_is_deleted_is_said_and_waited_for(broker):
    topic = broker.topic(1)
    broker.put(topic, [{"value": b"before"}])
    with fetching(broker, topic, on_gap="skip") as (one, _):
        taken(one, 1)
        with broker.admin() as admin:
            admin.delete_topics([topic])
        _, others = taken(one, 0, until=lambda _told, _rows, new: any(hasattr(event, "sentence") for event in new))
        assert "was deleted, or this user may no longer see it; the run waits" in said(others)
        with (
            pytest.raises(UsageError, match=f"the broker has no topic {topic}"),
            fetching(broker, topic, connecting=1.0),
        ):
            pass
        place, gone = {(topic, 0): 1}, f"topic {topic}, which this run has read, is no longer there"
        with pytest.raises(StoppedError, match=gone), fetching(broker, topic, place, connecting=1.0, member="another"):
            pass
        with broker.admin() as admin:
            admin.create_topics({topic: {"num_partitions": 1, "replication_factor": 1}})
        broker.put(topic, [{"value": b"behind"}])
        rows, others = taken(one, 1)
        assert [row[4] for row in rows] == [b"behind"]
        assert "was deleted and created again" in said(others)


def said(events):
    return " ".join(event.sentence for event in events if isinstance(event, FetchProblem))


def test_users_are_let_in_by_their_password_and_told_what_they_may_not(own_broker, monkeypatch, tmp_path):
    from broker.wire import Wire  # noqa: PLC0415

    authorizer = "org.apache.kafka.metadata.authorizer.StandardAuthorizer"
    settings = {"authorizer.class.name": authorizer, "super.users": "User:ANONYMOUS;User:editor"}
    own = own_broker(settings, {"editor": "let-me-in", "guest": "guest"})
    topic = Wire(own.address).topic()
    Wire(own.address).put(topic, [{"value": b"x"}])
    (tmp_path / "password").write_text("let-me-in\n")
    section = {"security_protocol": "SASL_PLAINTEXT", "sasl_mechanism": "PLAIN"}

    def begun(name, password):
        user = {**section, "sasl_plain_username": name, "sasl_plain_password": password}
        one = ProcessFetcher(Brokers.of(own.sasl_address, user), FetchSettings((topic,), "g", name, patience=3.0))
        try:
            one.begin({})
            return taken(one, 1)[0]
        finally:
            one.close()

    assert len(begun("editor", {"file": str(tmp_path / "password")})) == 1
    monkeypatch.setenv("WIRE_PASSWORD", "hush")
    with pytest.raises(UsageError, match=r"refused the connection .*Invalid username or password") as caught:
        begun("editor", {"env": "WIRE_PASSWORD"})
    assert "hush" not in str(caught.value)
    monkeypatch.setenv("WIRE_PASSWORD", "guest")
    with pytest.raises(UsageError, match="this user may not see topic"):
        begun("guest", {"env": "WIRE_PASSWORD"})


def test_the_wire_of_the_tests_is_where_it_says(broker):
    topic = broker.topic(3)
    with broker.admin() as admin:
        [told] = admin.describe_topics([topic])
    assert len(told["partitions"]) == 3
    assert TopicPartition(topic, 0) not in committed(broker, topic)
