"""Documents put into topics of a real broker: each once, in order, whatever happens to the publisher.

Covers progress, skip_published and target too.
"""

from __future__ import annotations

import contextlib
import io
import json
import math
import random
import sys
import threading
import time

import pytest
from broker.killed import killed_until_done
from kafka import KafkaProducer
from kafka.admin import ConfigResource
from kafka.errors import KafkaConnectionError

from telex.adapters.formats.jsonl import JsonLinesFile
from telex.adapters.kafka import Brokers
from telex.adapters.kafka.publish import AT_ONCE, LabelDelay, PublishTarget, SkipPublished
from telex.adapters.kafka.publish.publisher import Publisher
from telex.adapters.publish import Publishing
from telex.learners.base import StoppedError, UsageError
from telex.stream.sources import DeadLetter, Story, StoryBuilder, as_archive
from telex.testing import ListArchive

AUGUST = 840499200.0
QUICK = "from telex.adapters.kafka.publish import publisher as producing; producing._OPEN = 0.02\n"
CLI = "import sys; from telex.adapters.cli.main import main; sys.exit(main(sys.argv[1:]))"


def stories(*rows):
    builder = StoryBuilder()
    for row in rows:
        builder.add(row)
    return builder.take()


def hourly(count, start=0):
    """Stories an hour apart, the third of them without labels."""
    return stories(
        *(
            Story(f"d{i}", f"text {i}", time=AUGUST + 3600 * i, labels=None if i % 3 == 2 else [f"l{i % 2}"])
            for i in range(start, start + count)
        )
    )


def keys(broker, topic):
    return [record.key.decode() for record in broker.read(topic)]


def publish(broker, archive, target, *, limit=None, said=None):
    said = io.StringIO() if said is None else said
    with Publisher(Brokers.of(broker.address), target) as wire:
        left = None if limit is None else max(limit - wire.documents, 0)
        return Publishing(SkipPublished(as_archive(archive), wire), wire, limit=left, stream=said).run()


class Feed(ListArchive):
    live = True


def test_records_are_the_lines_of_a_file_with_key_and_time(broker, tmp_path):
    topic = broker.topic(3)
    items = [hourly(20), stories(Story("ö", "no time", "Title"), Story("old", "of 1950", time=-6e8, labels=[]))]
    summary = publish(broker, items, PublishTarget(topic))
    with JsonLinesFile(str(tmp_path / "wire.jsonl")) as file:
        for item in items:
            file.write(item)
    records = broker.read(topic)
    assert sorted(r.value for r in records) == sorted((tmp_path / "wire.jsonl").read_bytes().splitlines())
    assert all(json.loads(r.value)["id"] == r.key.decode() for r in records)
    assert {r.key.decode(): r.timestamp for r in records} | {"ö": 0} == {
        "ö": 0, "old": 0, **{f"d{i}": int(AUGUST + 3600 * i) * 1000 for i in range(20)}
    }  # fmt: skip
    assert abs(next(r.timestamp for r in records if r.key == "ö".encode()) / 1000 - time.time()) < 60
    assert len({r.partition for r in records}) == 3
    assert (summary["documents"], summary["published"], summary["published_labels"]) == (22, 22, 0)


def test_labels_come_by_themselves_when_they_are_due(broker):
    topic, answers = broker.topic(), broker.topic()
    publish(broker, [hourly(6)], PublishTarget(topic, answers, LabelDelay.of("90m")))
    assert all("labels" not in json.loads(r.value) for r in broker.read(topic))
    found = [(json.loads(r.value), r.key.decode(), r.timestamp / 1000) for r in broker.read(answers)]
    assert [name for _, name, _ in found] == ["d0", "d1", "d3", "d4"]
    for told, name, stamp in found:
        i = int(name[1:])
        assert told == {"id": name, "labels": [f"l{i % 2}"], "time": f"1996-08-20T{i + 1:02}:30:00Z"}
        assert stamp == AUGUST + (i + 1.5) * 3600


@pytest.mark.parametrize(("delay", "hours"), [(AT_ONCE, (0, 1, 3, 4)), (LabelDelay.of("2"), (2, 3, 5, 5))])
def test_labels_n_documents_later_have_the_time_of_the_newest(broker, delay, hours):
    topic, answers = broker.topic(), broker.topic()
    publish(broker, [hourly(6)], PublishTarget(topic, answers, delay))
    assert [r.timestamp for r in broker.read(answers)] == [int(AUGUST + 3600 * hour) * 1000 for hour in hours]


def test_a_publisher_resumes_behind_what_it_published(broker):
    topic, answers, whole = broker.topic(), broker.topic(), broker.topic()
    delay = LabelDelay.of("exp:5h,seed=2")
    letter = DeadLetter(b"?", "a.jsonl", 1, 0, "decode", "no JSON")
    items = [hourly(10), letter, hourly(10, 10), hourly(10, 20)]
    for number, limit in enumerate((7, 7, 13, None)):
        publish(broker, items, PublishTarget(topic, answers, delay, resume=number > 0), limit=limit)
    assert keys(broker, topic) == [f"d{i}" for i in range(30)]
    publish(broker, items, PublishTarget(broker.topic(), whole, delay))
    assert (
        sorted(keys(broker, answers)) == sorted(keys(broker, whole)) == sorted(f"d{i}" for i in range(30) if i % 3 < 2)
    )


class CutError(Exception):
    """Ends a publisher in the middle of a test."""


def test_what_was_open_when_it_ended_is_not_there_and_is_published_again(broker, monkeypatch):
    topic, answers = broker.topic(), broker.topic()
    target = PublishTarget(topic, answers, LabelDelay.of("2h"), resume=True)

    def broken():
        yield hourly(10)
        yield hourly(10, 10)
        raise CutError

    monkeypatch.setattr("telex.adapters.kafka.publish.publisher._OPEN", 0.0)
    publish(broker, [hourly(4), hourly(3, 4)], target)
    labels = len(broker.read(answers))
    monkeypatch.undo()
    with pytest.raises(CutError):
        publish(broker, broken(), target)
    assert keys(broker, topic) == [f"d{i}" for i in range(7)]
    assert len(broker.read(answers)) == labels
    assert publish(broker, [hourly(20)], target)["documents"] == 13
    assert keys(broker, topic) == [f"d{i}" for i in range(20)]
    assert keys(broker, answers) == [f"d{i}" for i in range(20) if i % 3 < 2]


def test_killed_at_any_instant_no_document_is_missing_or_twice(broker, tmp_path):
    topic, answers, path = broker.topic(2), broker.topic(2), tmp_path / "wire.jsonl"
    with JsonLinesFile(str(path)) as file:
        file.write(hourly(3000))
    argv = ["publish", path, "--brokers", broker.address, "--topic", topic, "--labels-topic", answers]
    argv += ["--label-delay", "exp:3d", "--rate", "1500", "--resume"]
    killed_until_done([sys.executable, "-c", QUICK + CLI, *map(str, argv)], random.Random(1), (1.0, 1.7))
    assert sorted(keys(broker, topic)) == sorted(f"d{i}" for i in range(3000))
    assert sorted(keys(broker, answers)) == sorted(f"d{i}" for i in range(3000) if i % 3 < 2)
    for partition in (0, 1):
        found = [r.timestamp for r in broker.read(topic) if r.partition == partition]
        assert found == sorted(found)


@pytest.mark.parametrize("lost", ["before", "after", "silent"])
def test_a_commit_whose_end_nobody_heard_of_counts_once(broker, monkeypatch, lost):
    topic, real, calls, ended = broker.topic(2), KafkaProducer.commit_transaction, [], threading.Event()

    def commit(producer):
        calls.append(producer)
        if len(calls) == 2:
            if lost == "after":
                real(producer)
            elif lost == "silent":
                ended.wait(30)
            raise KafkaConnectionError
        real(producer)

    monkeypatch.setattr(KafkaProducer, "commit_transaction", commit)
    monkeypatch.setattr("telex.adapters.kafka.produce.transactions.HELD_UP", 0.5)
    monkeypatch.setattr("telex.adapters.kafka.publish.publisher._OPEN", 0.0)
    publish(broker, [hourly(4), hourly(4, 4), hourly(4, 8)], PublishTarget(topic))
    ended.set()
    assert len(calls) == (3 if lost == "after" else 4)
    assert sorted(keys(broker, topic)) == sorted(f"d{i}" for i in range(12))


def test_a_connection_that_cannot_be_mended_ends_it(broker, monkeypatch):
    def commit(producer):
        raise KafkaConnectionError

    monkeypatch.setattr(KafkaProducer, "commit_transaction", commit)
    monkeypatch.setattr("telex.adapters.kafka.produce.transactions.PATIENCE", 0.0)
    topic = broker.topic()
    with pytest.raises(StoppedError, match="; 0 documents published by now; --resume continues there"):
        publish(broker, [hourly(4)], PublishTarget(topic))
    monkeypatch.undo()
    publish(broker, [hourly(4)], PublishTarget(topic, resume=True))
    assert len(keys(broker, topic)) == 4


def test_a_second_publisher_of_the_name_takes_over(broker):
    topic = broker.topic()
    target, brokers = PublishTarget(topic, resume=True), Brokers.of(broker.address)
    with contextlib.suppress(StoppedError), Publisher(brokers, target) as first:
        first.write(hourly(3))
        publish(broker, [hourly(5)], target)
        with pytest.raises(StoppedError, match="another publisher called"):
            first.finish()
    assert keys(broker, topic) == [f"d{i}" for i in range(5)]


def test_what_cannot_resume_is_said(broker):
    topic = broker.topic()
    publish(broker, [hourly(5)], PublishTarget(topic))
    for items, target, words in (
        ([hourly(5)], PublishTarget(topic), "continue behind them with --resume"),
        ([hourly(9, 1)], PublishTarget(topic, resume=True), "document 5 of the archive is 'd5'"),
        ([hourly(4)], PublishTarget(topic, resume=True), "has 4 documents, and 5 were published"),
        ([hourly(5)], PublishTarget(topic, broker.topic(), resume=True), "this publisher began with"),
        ([hourly(5)], PublishTarget("nowhere-" + topic), "has no topic nowhere-.*--create-topics N makes it"),
        ([hourly(5)], PublishTarget("a b"), "is not a name for a topic"),
        ([stories(Story("x", "no time", labels=["a"]))],
         PublishTarget(broker.topic(), topic, LabelDelay.of("2h")), "document x has no time"),
    ):  # fmt: skip
        with pytest.raises(UsageError, match=words):
            publish(broker, items, target)
    assert len(keys(broker, topic)) == 5
    publish(broker, [hourly(2)], PublishTarget(topic, name=f"other-{topic}"))
    assert len(keys(broker, topic)) == 7


def test_a_topic_that_would_delete_the_archive_is_refused(broker, capsys):
    topic = broker.topic(retention_ms=604_800_000)
    with pytest.raises(UsageError, match=r"older than 7 days, so .* 1996-08-20.*retention\.ms=-1"):
        publish(broker, [hourly(5)], PublishTarget(topic))
    recent = stories(Story("now", "text", time=time.time()))
    publish(broker, [recent], PublishTarget(topic))
    assert keys(broker, topic) == ["now"]
    assert capsys.readouterr().err == ""
    publish(broker, [hourly(1), hourly(1, 1)], PublishTarget(topic, name=f"feed-{topic}", live=True))
    assert capsys.readouterr().err.count("retention.ms=-1") == 1


def test_topics_are_made_when_asked(broker):
    topic, answers = broker.name(), broker.name()
    publish(broker, [hourly(5)], PublishTarget(topic, answers, create=3))
    assert len(keys(broker, topic)) == 5
    with broker.admin() as admin:
        assert [len(one["partitions"]) for one in admin.describe_topics([topic, answers])] == [3, 3]
        told = admin.describe_configs([ConfigResource("TOPIC", topic)])
    assert told["topic"][topic]["retention.ms"]["value"] == "-1"


def test_what_the_topic_does_not_take_is_a_broken_record(broker):
    topic, said = broker.topic(max_message_bytes=2000), io.StringIO()
    items = [
        stories(
            Story("a", "gold"), Story("b", "x" * 2000), Story("c", "\udcff"), Story("d", "cup"), Story("e", "\udcff")
        )
    ]
    target = PublishTarget(topic, resume=True)
    assert publish(broker, items, target, said=said)["dead_letters"] == 3
    assert "document 'b' has 2,0" in said.getvalue()
    assert "max.message.bytes=2000" in said.getvalue()
    assert publish(broker, [*items, stories(Story("f", "more"))], target)["dead_letters"] in (0, 1)
    assert keys(broker, topic) == ["a", "d", "f"]


def test_a_feed_is_asked_for_what_the_topic_does_not_have(broker):
    topic, answers = broker.topic(2), broker.topic()
    target = PublishTarget(topic, answers, LabelDelay.of("3h"), resume=True, live=True)
    with Publisher(Brokers.of(broker.address), target) as wire:
        wire.write(hourly(5))  # ended before the labels of d3 and d4 were due
        wire.wait(math.nan)
    assert keys(broker, answers) == ["d0", "d1"]
    summary = publish(broker, Feed([hourly(5), hourly(3, 4)]), target)
    assert (summary["documents"], summary["published"]) == (2, 7)
    assert sorted(keys(broker, topic)) == [f"d{i}" for i in range(7)]
    assert sorted(keys(broker, answers)) == ["d0", "d1", "d3", "d4", "d6"]


def test_the_labels_due_come_while_the_next_document_is_waited_for(broker, monkeypatch):
    topic, answers = broker.topic(), broker.topic()
    monkeypatch.setattr("telex.adapters.kafka.publish.publisher._OPEN", 0.0)
    with Publisher(Brokers.of(broker.address), PublishTarget(topic, answers, LabelDelay.of("30m"))) as wire:
        wire.write(hourly(1))
        assert keys(broker, topic) == ["d0"]
        wire.wait(AUGUST + 1799)
        assert keys(broker, answers) == []
        wire.wait(AUGUST + 1800)
        assert keys(broker, answers) == ["d0"]
