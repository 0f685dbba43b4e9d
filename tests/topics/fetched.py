"""A fetching process for tests, and what it took."""

from __future__ import annotations

import contextlib
import time

from telex.adapters.kafka import Brokers
from telex.adapters.kafka.fetch import FetchSettings, PollResult
from telex.adapters.kafka.fetch.events import FetchProblem
from telex.adapters.kafka.fetch.fetcher import ProcessFetcher

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


def committed(broker, topic):
    with broker.admin() as admin:
        found = admin.list_group_offsets({f"of-{topic}": None})[f"of-{topic}"]
    return {at.partition: (place.offset, place.metadata) for at, place in found.items()}


def said(events):
    return " ".join(event.sentence for event in events if isinstance(event, FetchProblem))
