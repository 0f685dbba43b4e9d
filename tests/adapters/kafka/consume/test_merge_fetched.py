"""Fetching and merging together: the order of a whole wire, with little memory."""

from __future__ import annotations

import time
from collections import deque

from telex.adapters.kafka import Brokers
from telex.adapters.kafka.consume.merge import TimestampMerge
from telex.adapters.kafka.consume.positions import positions_of
from telex.adapters.kafka.fetch import FetchSettings, PollResult
from telex.adapters.kafka.fetch.fetcher import ProcessFetcher


def read(wire, topics, place=None, most=None):
    """Read up to the end with room for few records; return (topic, partition, offset) in order, and the place."""
    merging = TimestampMerge(until_end=True)
    if place:
        merging.load(place)
    wanted = FetchSettings(tuple(topics), f"of-{topics[0]}", "reader", ahead=180_000, consumer={"max_poll_records": 25})
    fetching = ProcessFetcher(Brokers.of(wire.address), wanted)
    order, parts, deadline = [], {}, time.monotonic() + 60
    try:
        starts = {one: at[0] for one, at in positions_of(place or {}).items()}
        merging.assign(fetching.begin(starts).state)
        while not merging.ended and (most is None or len(order) < most) and time.monotonic() < deadline:
            told = fetching.take(0.1)
            if isinstance(told, PollResult):
                merging.add(told)
                for part in told.record_sets:
                    parts.setdefault(part.partition, deque()).append((part, deque(part.offsets.tolist())))
            taken = merging.take(None if most is None else most - len(order))
            for index in taken.partitions.tolist():
                partition = merging.partitions[index]
                part, offsets = parts[partition][0]
                order.append((*partition, offsets.popleft()))
                if not offsets:
                    fetching.free({partition: part.size})
                    parts[partition].popleft()
        return order, merging.place(), merging.ended
    finally:
        fetching.close()


def test_a_wire_is_read_in_order_with_little_room_and_continues_where_it_stopped(broker):
    news, labels = broker.topic(2, stem="news"), broker.topic(1, stem="labels")
    late, early = 1_000_000, 0
    for topic, partition, begin in ((news, 0, late), (news, 1, early), (labels, 0, early)):
        rows = [{"partition": partition, "timestamp_ms": begin + 10 * i, "value": b"x" * 900} for i in range(300)]
        broker.put(topic, rows)
    with broker.producer(transactional_id=broker.name("tx")) as producer:  # its mark is the last in the log
        producer.init_transactions()
        producer.begin_transaction()
        producer.send(labels, b"last", partition=0, timestamp_ms=5)
        producer.commit_transaction()
    expected = sorted(
        [(late + 10 * i, news, 0, i) for i in range(300)]
        + [(early + 10 * i, news, 1, i) for i in range(300)]
        + [(early + 10 * min(i, 299), labels, 0, i) for i in range(301)]
    )
    whole, place, ended = read(broker, [news, labels])
    assert whole == [row[1:] for row in expected]
    assert ended
    assert place[labels] == {"0": [302, 2990, 302]}
    first, place, ended = read(broker, [news, labels], most=431)
    assert not ended
    broker.put(news, [{"partition": 1, "timestamp_ms": 1, "value": b"another run's"}])
    rest, _, ended = read(broker, [news, labels], place)
    assert ended
    assert first + rest == whole
