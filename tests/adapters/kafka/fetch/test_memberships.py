"""The group that a fetching process is in, against a real broker: places, other members, users.

Covers membership too.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import pickle
import signal
import threading
import time
from types import SimpleNamespace

import pytest
from kafka import KafkaConsumer
from kafka.coordinator.assignors.cooperative_sticky import (
    CooperativeStickyAssignor,
)
from kafka.coordinator.base import BaseCoordinator
from topics.fetched import SMALL, committed, fetching, taken

from telex.adapters.kafka import Brokers
from telex.adapters.kafka.fetch import FetchSettings, PartitionsAssigned, fetch_loop, membership, poll
from telex.adapters.kafka.fetch.events import PartitionsRevoked, SignOfLife
from telex.adapters.kafka.fetch.fetcher import ProcessFetcher
from telex.adapters.kafka.fetch.pipe import receive_message
from telex.adapters.kafka.fetch.process import MessageSender
from telex.learners.base import StoppedError, UsageError


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


@contextlib.contextmanager
def other_member(broker, topic):
    """Another client in the group of a fetching; yield a function that returns how many partitions it has."""
    options = {**SMALL, "group_id": f"of-{topic}", "enable_auto_commit": False}
    assignor = [CooperativeStickyAssignor]
    one = KafkaConsumer(topic, bootstrap_servers=broker.address, partition_assignment_strategy=assignor, **options)
    ends, has = threading.Event(), [0]

    def polls():
        while not ends.is_set():
            poll(one, 0.05)
            has[0] = len(one.assignment())
        one.close()

    thread = threading.Thread(target=polls)
    thread.start()
    try:
        yield lambda: has[0]
    finally:
        ends.set()
        thread.join()


def test_nothing_begins_before_all_partitions_are_ours(broker):
    topic, begun = broker.topic(2), []
    broker.put(topic, [{"partition": number, "value": b"old"} for number in (0, 1)])
    settings = FetchSettings((topic,), f"of-{topic}", "learner", start="latest", consumer=SMALL)
    one = ProcessFetcher(Brokers.of(broker.address), settings)
    thread = threading.Thread(target=lambda: begun.append(one.begin({})))
    with other_member(broker, topic) as count:
        assert broker.until(lambda: count() == 2)
        thread.start()
        assert broker.until(lambda: count() == 1)
        thread.join(2.0)
        assert begun == []
    thread.join()
    # The second partition was there when the run began, so it begins at its end, too.
    assert begun[0].state.partitions == ((topic, 0), (topic, 1))
    assert begun[0].state.positions.tolist() == begun[0].state.ends.tolist() == [1, 1]
    one.close()


def test_another_member_is_told_and_then_refused(broker):
    topic = broker.topic(2)
    # A broker that the tests did not start takes no sessions shorter than 6 s.
    short = {**SMALL, "session_timeout_ms": 6000 if "TELEX_TEST_KAFKA" in os.environ else 1500}
    with fetching(broker, topic, consumer=short) as (first, _), other_member(broker, topic):
        _, [revoked] = taken(first, 0, until=lambda _told, _rows, others: others)
        assert isinstance(revoked, PartitionsRevoked)
        assert len(revoked.partitions) == 1
        with pytest.raises(
            StoppedError, match=f"another member of group of-{topic} has {topic} [01]: a run is one learner"
        ):
            taken(first, 1)
        # Nor does one begin that never had all.
        with (
            pytest.raises(StoppedError, match=f"another member of group of-{topic} has {topic} [01]"),
            fetching(broker, topic, member="third", consumer=short),
        ):
            pass


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
