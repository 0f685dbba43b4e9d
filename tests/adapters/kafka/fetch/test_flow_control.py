"""Partitions are paused when their share is fetched ahead, and resumed when half of it is free."""

from types import SimpleNamespace

from kafka.structs import TopicPartition

from telex.adapters.kafka.fetch.flow_control import FlowControl

ONE, OTHER = TopicPartition("wire", 0), TopicPartition("wire", 1)


class Consumer:
    def __init__(self, *assigned):
        self.assigned, self.paused = set(assigned), set()

    def assignment(self):
        return self.assigned

    def pause(self, *partitions):
        self.paused |= set(partitions)

    def resume(self, *partitions):
        self.paused -= set(partitions)


def bounds(*, answers):
    return SimpleNamespace(try_ends=lambda _: answers)


def records(size):
    return SimpleNamespace(size=size)


def test_each_partition_has_an_equal_share():
    flow, consumer = FlowControl(200), Consumer(ONE, OTHER)
    flow.add(ONE, records(99))
    flow.balance(consumer, [ONE, OTHER], bounds(answers=True))
    assert flow.paused == consumer.paused == set()
    flow.add(ONE, records(1))
    flow.balance(consumer, [ONE, OTHER], bounds(answers=True))
    assert flow.paused == consumer.paused == {ONE}
    flow.free({ONE: 49})
    flow.balance(consumer, [ONE, OTHER], bounds(answers=True))
    assert consumer.paused == {ONE}
    flow.free({ONE: 1})
    flow.balance(consumer, [ONE, OTHER], bounds(answers=True))
    assert flow.paused == consumer.paused == set()


def test_a_partition_stays_paused_until_its_end_is_known():
    flow, consumer = FlowControl(10), Consumer(ONE)
    flow.add(ONE, records(10))
    flow.balance(consumer, [ONE], bounds(answers=True))
    flow.free({ONE: 10**6})  # more than was added counts as nothing left
    flow.balance(consumer, [ONE], bounds(answers=False))
    assert flow.paused == consumer.paused == {ONE}
    flow.balance(consumer, [ONE], bounds(answers=True))
    assert flow.paused == consumer.paused == set()
    flow.add(ONE, records(10))
    flow.balance(consumer, [ONE], bounds(answers=True))
    assert consumer.paused == {ONE}


def test_what_is_revoked_meanwhile_is_left_alone():
    flow, consumer = FlowControl(10), Consumer()
    flow.add(ONE, records(10))
    flow.balance(consumer, [ONE], bounds(answers=True))
    assert flow.paused == consumer.paused == set()
