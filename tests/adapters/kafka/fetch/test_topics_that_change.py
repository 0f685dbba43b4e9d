"""Topics whose partitions and records come and go while they are fetched, against a real broker.

Covers log_bounds too.
"""

from __future__ import annotations

from importlib.util import find_spec

import pytest
from topics.fetched import SMALL, fetching, said, taken

from telex.adapters.kafka import Brokers
from telex.adapters.kafka.fetch import FetchSettings, LastRead, PartitionsAssigned
from telex.adapters.kafka.fetch.events import FetchProblem
from telex.adapters.kafka.fetch.fetcher import ProcessFetcher
from telex.learners.base import StoppedError, UsageError


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


def test_what_is_not_there_is_named(broker):
    topic = broker.topic(stem="newswire")
    with pytest.raises(UsageError, match=rf"no topic {topic[:-1]}; there is .*{topic}"), fetching(broker, topic[:-1]):
        pass
    if find_spec("lz4") is None:
        lz4 = broker.topic(compression_type="lz4")
        why = f"topic {lz4} are compressed with lz4; pip install lz4"
        with pytest.raises(UsageError, match=why), fetching(broker, lz4):
            pass
    nobody = ProcessFetcher(Brokers.of("127.0.0.1:1"), FetchSettings(("t",), "g", "m", patience=1.0, connecting=2.0))
    with pytest.raises(StoppedError, match=r"no broker at 127\.0\.0\.1:1 has answered for 1 s \(.*REFUSED"):
        nobody.begin({})
