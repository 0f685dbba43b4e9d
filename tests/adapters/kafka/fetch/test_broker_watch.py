"""A silent broker is asked for a sign of life, reported once, and given up when patience ends."""

import time
from types import SimpleNamespace

import pytest

from telex.adapters.kafka import Brokers
from telex.adapters.kafka.fetch.broker_watch import SILENT, BrokerWatch
from telex.learners.base import StoppedError


@pytest.fixture
def clock(monkeypatch):
    now = SimpleNamespace(value=1000.0)
    monkeypatch.setattr(time, "monotonic", lambda: now.value)
    return now


def watch_of(events, patience=60.0):
    return BrokerWatch(Brokers(("one:1",)), patience, SimpleNamespace(text="refused"), events.append)


def test_it_is_asked_after_some_silence_and_not_all_the_time(clock):
    watch = watch_of([])
    assert not watch.is_silent(1000.0 + SILENT)
    assert watch.is_silent(1000.1 + SILENT)
    watch.asked = 1006.0
    assert not watch.is_silent(1007.0)
    assert watch.is_silent(1006.1 + SILENT)
    clock.value = 1011.0
    watch.note_answer()
    assert not watch.is_silent(1012.0)


def test_a_silence_and_its_end_are_reported_once(clock):
    events = []
    watch = watch_of(events)
    watch.note_answer()
    for clock.value in (1006.0, 1012.0):
        watch.note_silence(clock.value)
    clock.value = 1020.0
    watch.note_answer()
    watch.note_answer()
    assert [event.sentence for event in events] == [
        "no broker has answered for 6 s; retrying for 60 s in all",
        "the broker answers again, after 20 s",
    ]


def test_patience_ends(clock):
    watch = watch_of([], patience=4.0)
    with pytest.raises(StoppedError, match=r"no broker at one:1 has answered for 5 s \(refused\)"):
        watch.note_silence(clock.value + 5.0)
