"""The first records of topics, read by a consumer that belongs to no group."""

from __future__ import annotations

import time
from contextlib import closing
from typing import TYPE_CHECKING

from kafka import errors as kafka
from kafka.structs import TopicPartition

from telex.adapters.kafka.failures import telex_error
from telex.adapters.kafka.fetch.client import connect_consumer
from telex.adapters.kafka.fetch.record_batches import record_sets_of
from telex.adapters.kafka.last_warning import LastWarning
from telex.learners.base import StoppedError

if TYPE_CHECKING:
    from kafka import KafkaConsumer

    from telex.adapters.kafka.brokers import Brokers
    from telex.adapters.kafka.fetch.record_set import RecordSet
    from telex.adapters.kafka.fetch.settings import FetchSettings

_ANSWER = 10_000  # milliseconds that a request for offsets may take


def first_records(brokers: Brokers, settings: FetchSettings, most: int) -> tuple[list[RecordSet], bool]:
    """Return the first records of the topics, at least ``most`` of each partition that has as many, and if it is all.

    They begin where ``settings`` say; with ``latest`` where the last ``most`` do, as no later one is there yet. No
    group is joined and nothing is committed, so a run that reads the same topics notices nothing.
    """
    warning = LastWarning()
    try:
        found = connect_consumer(brokers, settings, warning, group_id=None, group_instance_id=None)
        with closing(found) as consumer:
            return _read(consumer, settings, most)
    except kafka.KafkaError as error:
        raise telex_error(error, brokers, resume="") from error


def _read(consumer: KafkaConsumer, settings: FetchSettings, most: int) -> tuple[list[RecordSet], bool]:
    parts = [
        TopicPartition(topic, number)
        for topic in settings.names.of(consumer)
        for number in sorted(consumer.partitions_for_topic(topic))
    ]
    begins = consumer.beginning_offsets(parts, timeout_ms=_ANSWER)
    ends = consumer.end_offsets(parts, timeout_ms=_ANSWER)
    if settings.start == "latest":
        begins = {one: max(begins[one], ends[one] - most) for one in parts}
    elif not isinstance(settings.start, str):
        found = consumer.offsets_for_times(dict.fromkeys(parts, settings.start), timeout_ms=_ANSWER)
        begins = {one: ends[one] if found[one] is None else found[one].offset for one in parts}
    consumer.assign(parts)
    for one in parts:
        consumer.seek(one, begins[one])
    left, whole = dict.fromkeys(parts, most), True
    sets: list[RecordSet] = []
    heard = time.monotonic()
    while left:
        for one, rows in consumer.poll(timeout_ms=200).items():
            heard = time.monotonic()
            for some in record_sets_of(one, rows):
                sets.append(some)
                left[one] = left.get(one, 0) - len(some)
        for one in list(left):
            at_end = consumer.position(one, timeout_ms=_ANSWER) >= ends[one]
            if at_end or left[one] <= 0:
                whole &= at_end
                del left[one]
                consumer.pause(one)
        if time.monotonic() - heard > settings.connecting:
            raise StoppedError(f"the broker has sent nothing for {settings.connecting:.0f} s; is it well?")
    return sets, whole
