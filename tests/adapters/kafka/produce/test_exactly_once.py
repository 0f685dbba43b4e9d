"""What is put back exactly once, into topics of a real broker, whenever the run is killed.

Covers transactions too.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import sys
from collections import Counter
from itertools import pairwise
from pathlib import Path

import broker.told as broker_told
import pytest
from broker.killed import killed_until_done
from broker.told import logs, wire
from kafka import KafkaConsumer, KafkaProducer
from kafka.errors import KafkaConnectionError
from kafka.structs import TopicPartition

from telex.adapters.kafka import Brokers
from telex.adapters.kafka.fetch import poll
from telex.adapters.kafka.produce import AtLeastOnce, ResultsSink, RunStamp, Transactions
from telex.adapters.kafka.produce.exactly_once import ExactlyOnce
from telex.adapters.kafka.topic_names import TopicNames
from telex.learners import BR, MMP
from telex.learners.base import StoppedError, UsageError
from telex.stream import Run
from telex.stream.checkpoints import Checkpoints
from telex.stream.run import Sink
from telex.stream.sources import Features


class CutError(Exception):
    """Ends a run in the middle of a test."""


class Patient(Sink):
    """Has a run wait for each of its checkpoints, so that there are many."""

    def begin(self, run):
        self.checkpoints = run.checkpoints

    def point(self, point):
        self.checkpoints.wait()


class Setting:
    """A run that reads records of a seed and puts back into topics of its own, begun as often as wanted."""

    def __init__(self, broker, folder, seed=1):
        self.broker, self.brokers, self.checkpoints = broker, Brokers.of(broker.address), Checkpoints(folder)
        self.source, self.out, self.dead = broker.topic(2), broker.topic(2), broker.topic()
        self.group, self.found, self.draw = broker.name("g"), logs(seed, 100, self.source), random.Random(seed)

    def run(self, *, resume=False, once=True, limit=None, checkpoints=None, every=10, **how):
        kept = checkpoints or self.checkpoints
        at = kept.newest()[1]["reading"]["source"] if resume else None  # None in checkpoint 0 too
        place = at["place"]["partitions"] if at else None
        read = wire(self.found, self.draw, place)
        read.revisions = "replace"
        if once:
            puts = ExactlyOnce(self.brokers, self.group, self.group, TopicNames((self.source,)), **how)
        else:
            puts = AtLeastOnce(self.brokers, **how)
        back = ResultsSink(
            puts, read.follow(), out_topic=self.out, dead_letter_topic=self.dead, top=2, stamp=RunStamp("r")
        )
        sinks = [Patient(), back]
        run = Run(Features(read), {"mmp": MMP(), "br": BR()}, sinks=sinks, limit=limit, checkpoints=kept,
                  checkpoint_every=every, points=1)  # fmt: skip
        if resume:
            run.resume()
        list(run)
        return run

    def records(self):
        """What is there, without the wall clock's time and without what hangs on the names of topics."""
        found = []
        for topic in (self.out, self.dead):
            for one in self.broker.read(topic):
                value = re.sub(rb'"predicted":"[^"]*"', b"", one.value).replace(self.source.encode(), b"")
                beside = {"__streams.errors.topic", "telex.checkpoint"}
                headers = [header for header in one.headers if header[0] not in beside]
                found.append((topic == self.out, one.key or b"", value, one.timestamp, headers))
        return sorted(found)

    def committed(self):
        """The group's offsets, and the numbers of checkpoints with them."""
        consumer = KafkaConsumer(bootstrap_servers=self.broker.address, group_id=self.group)
        found = [consumer.committed(TopicPartition(self.source, one), metadata=True) for one in (0, 1)]
        consumer.close()
        return [one.offset for one in found], {int(one.metadata.split()[0]) for one in found}


@pytest.fixture(scope="module")
def undisturbed(broker, tmp_path_factory):
    setting = Setting(broker, tmp_path_factory.mktemp("undisturbed"))
    setting.run()
    assert setting.committed() == (
        [len(log) for log in setting.found.values()],
        set(setting.checkpoints.numbers()[-1:]),
    )
    records = setting.records()
    assert len(records) == len(setting.broker.read(setting.out, committed=False)) + len(
        setting.broker.read(setting.dead)
    )
    assert 100 < len(records) < 200
    return records


def cut_at(monkeypatch, calls, where):
    """End a run at its n-th transaction: before it begins, in its middle, or after its end."""
    real, seen = Transactions.commit, []

    def commit(self, offsets):
        seen.append(len(self.messages))
        if len(seen) == calls and where == "before":
            raise CutError
        if len(seen) < calls:
            real(self, offsets)
        elif where == "midst" and self.messages:
            self._connection.send(self.messages, 60)
            self._connection.producer.flush()
            self._connection.producer.send_offsets_to_transaction(dict(offsets), self._group)
        elif where == "after":
            real(self, offsets)
        if len(seen) == calls:
            raise CutError

    monkeypatch.setattr(Transactions, "commit", commit)


@pytest.mark.parametrize("removed", [0, 1, 2])
@pytest.mark.parametrize("where", ["before", "midst", "after"])
def test_each_message_is_there_once_wherever_it_was_killed(broker, tmp_path, monkeypatch, undisturbed, where, removed):
    setting = Setting(broker, tmp_path)
    for number, calls in enumerate((3, 2)):
        with monkeypatch.context() as patch:
            cut_at(patch, calls, where)
            with pytest.raises(CutError):
                setting.run(resume=number > 0)
        for one in setting.checkpoints.numbers()[-removed or 99 :]:
            shutil.rmtree(setting.checkpoints.path(one))
    setting.run(resume=True)
    assert setting.records() == undisturbed
    assert setting.committed() == ([len(log) for log in setting.found.values()], {setting.checkpoints.numbers()[-1]})


@pytest.mark.parametrize("where", ["before", "midst", "after"])
def test_the_last_transaction_is_made_up_for_when_the_run_is_finished(
    broker, tmp_path, monkeypatch, undisturbed, where
):
    setting = Setting(broker, tmp_path)
    real = Checkpoints.begin

    def begin(self, facts, *rest, **options):
        if facts["finished"]:
            cut_at(monkeypatch, 1, where)
        real(self, facts, *rest, **options)

    monkeypatch.setattr(Checkpoints, "begin", begin)
    with pytest.raises(CutError):
        setting.run()
    monkeypatch.undo()
    assert setting.run(resume=True).finished
    assert setting.records() == undisturbed
    setting.run(resume=True)
    assert setting.records() == undisturbed
    assert setting.committed()[0] == [len(log) for log in setting.found.values()]


KILLED = """
import random, sys, time
from pathlib import Path
from broker.told import logs, wire
from telex.adapters.kafka import Brokers
from telex.adapters.kafka.produce.exactly_once import ExactlyOnce
from telex.adapters.kafka.produce import ResultsSink
from telex.adapters.kafka.topic_names import TopicNames
from telex.learners import MMP
from telex.stream import Run
from telex.stream.checkpoints import Checkpoints
from telex.stream.sources import Features
from telex.stream.run import Sink

class Slow(Sink):
    def point(self, point):
        time.sleep(0.008)

address, folder, source, out, name = sys.argv[1:]
kept = Checkpoints(Path(folder))
goes_on = bool(kept.numbers())
at = kept.newest()[1]["reading"]["source"] if goes_on else None  # None in checkpoint 0 too
place = at["place"]["partitions"] if at else None
read = wire(logs(5, 400, source), random.Random(), place)
puts = ExactlyOnce(Brokers.of(address), name, name, TopicNames((source,)))
back = ResultsSink(puts, read.follow(), out_topic=out, dead_letter_topic=out)
run = Run(Features(read), {"mmp": MMP()}, sinks=[back, Slow()], checkpoints=kept, checkpoint_every=5, points=1)
if goes_on:
    run.resume()
list(run)
"""


def test_killed_at_any_instant_each_message_is_there_once(broker, tmp_path):
    source, out, name = broker.topic(2), broker.topic(2), broker.name()
    command = [sys.executable, "-c", KILLED, broker.address, str(tmp_path), source, out, name]
    path = os.pathsep.join([str(Path(broker_told.__file__).parents[1]), *sys.path])
    killed_until_done(command, random.Random(7), (0.9, 2.1), most=4, PYTHONPATH=path)
    there = Counter(one.key if b'"learner"' in one.value else (one.timestamp, one.value) for one in broker.read(out))
    documents, letters = set(), set()
    for log in logs(5, 400, source).values():
        for _, stamp, _, value, _ in log:
            try:
                documents.add(json.loads(value)["id"].encode())
            except ValueError:
                letters.add((stamp, value))
    assert set(there) == documents | letters
    assert set(there.values()) == {1}


@pytest.mark.parametrize("lost", ["before", "after"])
def test_a_commit_whose_end_nobody_heard_of_counts_once(broker, tmp_path, monkeypatch, undisturbed, lost):
    setting, real, calls = Setting(broker, tmp_path), KafkaProducer.commit_transaction, []

    def commit(producer):
        calls.append(producer)
        if len(calls) != 2 or lost == "after":
            real(producer)
        if len(calls) == 2:
            raise KafkaConnectionError

    monkeypatch.setattr(KafkaProducer, "commit_transaction", commit)
    setting.run()
    assert setting.records() == undisturbed
    assert len({id(one) for one in calls}) == 2


def test_a_run_that_stops_in_order_resumes(broker, tmp_path, undisturbed):
    setting = Setting(broker, tmp_path)
    for limit in (20, 21, 55, None):
        setting.run(resume=limit != 20, limit=limit)
    assert setting.records() == undisturbed


def test_another_run_of_the_group_puts_its_own(broker, tmp_path, undisturbed):
    setting = Setting(broker, tmp_path / "a")
    setting.run()
    setting.run(checkpoints=Checkpoints(tmp_path / "b"))
    assert setting.records() == sorted(undisturbed * 2)


def test_what_is_stored_is_bounded(broker, tmp_path, undisturbed):
    setting = Setting(broker, tmp_path)
    committed, real = [], Transactions.commit

    def commit(self, offsets):
        committed.append(self.messages.size)
        real(self, offsets)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Transactions, "commit", commit)
        setting.run(most=3000, every=1000)
    assert setting.records() == undisturbed
    assert len(committed) > 5
    assert max(committed) < 25_000


def test_a_second_process_ends_the_first(broker, tmp_path):
    setting = Setting(broker, tmp_path)
    first = ExactlyOnce(setting.brokers, setting.group, setting.group, TopicNames((setting.source,)))
    first.begin([setting.out])
    second = ExactlyOnce(setting.brokers, setting.group, setting.group, TopicNames((setting.source,)))
    second.begin([setting.out])
    with pytest.raises(StoppedError, match=f"another process has taken over as {setting.group}, or .* --resume"):
        first.checkpointed(1, {"partitions": {setting.source: {"0": [1, 5, None]}}})
    second.checkpointed(1, {"partitions": {setting.source: {"0": [2, 5, None], "1": [3, 5, None]}}})
    first.close()
    second.close()
    assert setting.committed() == ([2, 3], {1})


def test_it_commits_for_a_group_that_has_a_member(broker, tmp_path, undisturbed):
    setting = Setting(broker, tmp_path)
    member = KafkaConsumer(setting.source, bootstrap_servers=broker.address, group_id=setting.group,
                           group_instance_id="m", enable_auto_commit=False, metadata_max_age_ms=500)  # fmt: skip
    try:
        broker.until(lambda: poll(member, 0.1) or member.assignment())
        setting.run()
        assert member.assignment()
    finally:
        member.close()
    assert setting.records() == undisturbed


def test_offsets_that_kafka_forgot_are_no_sign(broker, tmp_path, monkeypatch):
    setting = Setting(broker, tmp_path)
    with monkeypatch.context() as patch:
        cut_at(patch, 3, "before")
        with pytest.raises(CutError):
            setting.run()
    with broker.admin() as admin:
        admin.delete_groups([setting.group])
    with pytest.raises(UsageError, match=r"has no offsets of this run any more .* without --exactly-once"):
        setting.run(resume=True)
    before = len(setting.records())
    setting.run(resume=True, once=False, limit=setting.checkpoints.newest()[1]["reading"]["counts"][0])
    there = setting.records()
    assert len(there) > before
    assert all(one != other for one, other in pairwise(there))


def cut_when(monkeypatch, name, *, earlier):
    """End a run behind a call of its delivery; with ``earlier`` it was begun by a version that named it later."""
    real, save = getattr(ExactlyOnce, name), ExactlyOnce.save

    def cut(self, *arguments):
        real(self, *arguments)
        raise CutError

    monkeypatch.setattr(ExactlyOnce, name, cut)
    if earlier:
        monkeypatch.setattr(ExactlyOnce, "save", lambda self: {**save(self), "putting": False})


@pytest.mark.parametrize("earlier", [False, True])
def test_offsets_that_kafka_forgot_are_no_sign_at_the_first_checkpoint_either(broker, tmp_path, monkeypatch, earlier):
    setting = Setting(broker, tmp_path)
    with monkeypatch.context() as patch:
        cut_when(patch, "checkpointed", earlier=earlier)
        with pytest.raises(CutError):
            setting.run()
    assert setting.checkpoints.numbers() == [0, 1]
    before = setting.records()
    assert before
    with broker.admin() as admin:
        admin.delete_groups([setting.group])
    with pytest.raises(UsageError, match="has no offsets of this run any more"):
        setting.run(resume=True)
    assert setting.records() == before


@pytest.mark.parametrize("earlier", [False, True])
def test_a_run_that_was_killed_before_its_first_checkpoint_sends_all(
    broker, tmp_path, monkeypatch, undisturbed, earlier
):
    setting = Setting(broker, tmp_path)
    with monkeypatch.context() as patch:
        cut_when(patch, "put", earlier=earlier)
        with pytest.raises(CutError):
            setting.run()
    assert setting.checkpoints.numbers() == [0]
    if earlier:  # which had committed nothing by then
        with broker.admin() as admin:
            admin.delete_groups([setting.group])
    setting.run(resume=True)
    assert setting.records() == undisturbed


def test_a_run_killed_as_soon_as_it_has_its_name_begins_anew(broker, tmp_path, monkeypatch, undisturbed):
    setting = Setting(broker, tmp_path)
    with monkeypatch.context() as patch:
        cut_when(patch, "begin", earlier=False)
        with pytest.raises(CutError):
            setting.run()
    assert setting.checkpoints.numbers() == []
    assert setting.committed() == ([0, 0], {0})
    setting.run()
    assert setting.records() == undisturbed


def test_a_run_may_take_to_exactly_once_when_it_resumes(broker, tmp_path, undisturbed):
    setting = Setting(broker, tmp_path)
    setting.run(once=False, limit=20)
    setting.run(resume=True)
    assert setting.records() == undisturbed


def test_topics_that_are_missing_are_reported(broker, tmp_path):
    setting = Setting(broker, tmp_path)
    setting.out = "nowhere"
    for once in (True, False):
        with pytest.raises(UsageError, match=r"has no topic nowhere.*--create-topics N makes it"):
            setting.run(once=once)
