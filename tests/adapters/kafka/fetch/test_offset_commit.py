"""The offsets of checkpoints are committed one request at a time, the newest last."""

from kafka.structs import OffsetAndMetadata, TopicPartition

from telex.adapters.kafka import Brokers
from telex.adapters.kafka.fetch.offset_commit import OffsetCommit

ONE = ("wire", 0)


class Consumer:
    def __init__(self):
        self.asked = []

    def commit_async(self, offsets, done):
        self.asked.append((offsets, lambda result: done(offsets, result)))


def commit_of(events):
    return OffsetCommit(Brokers(("one:1",), {"ssl_password": "hush"}), events.append)


def test_one_request_is_under_way_and_the_newest_follows():
    events, consumer = [], Consumer()
    commit = commit_of(events)
    assert not commit.is_pending(consumer)
    for number in (1, 2, 3):
        commit.put({ONE: number}, str(number))
        commit.send(consumer)
    [(offsets, answer)] = consumer.asked
    assert offsets == {TopicPartition(*ONE): OffsetAndMetadata(1, "1", -1)}
    answer(None)
    assert commit.is_pending(consumer)
    commit.send(consumer)
    offsets, answer = consumer.asked[1]
    assert offsets == {TopicPartition(*ONE): OffsetAndMetadata(3, "3", -1)}
    assert commit.is_pending(consumer)
    answer(None)
    assert not commit.is_pending(consumer)
    assert events == []


def test_a_commit_that_fails_is_a_problem_without_secrets():
    events, consumer = [], Consumer()
    commit = commit_of(events)
    commit.put({ONE: 1}, "7")
    commit.send(consumer)
    consumer.asked[0][1](RuntimeError("hush is no password"))
    [problem] = events
    assert "checkpoint 7 could not be committed (*** is no password); the checkpoint counts" in problem.sentence
    assert not commit.is_pending(consumer)


def test_what_a_replaced_consumer_began_does_not_hold_up_the_new_one():
    old, new = Consumer(), Consumer()
    commit = commit_of([])
    commit.put({ONE: 1}, "1")
    commit.send(old)
    commit.put({ONE: 2}, "2")
    commit.send(new)
    assert len(new.asked) == 1
    old.asked[0][1](None)
    assert commit.is_pending(new)
    new.asked[0][1](None)
    assert not commit.is_pending(new)
