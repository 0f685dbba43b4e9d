"""A fetching process that says nothing, played by the test: the other end is no process, but a pipe."""

import multiprocessing
import pickle
import time

import pytest

from telex.adapters.kafka import Brokers
from telex.adapters.kafka.fake import poll_result
from telex.adapters.kafka.fetch import FetchProblem, FetchSettings, LastRead, LostRecords, PartitionsAssigned, fetcher
from telex.adapters.kafka.fetch.events import SignOfLife
from telex.adapters.kafka.fetch.fetcher import ProcessFetcher
from telex.adapters.kafka.fetch.pipe import is_asked_to_stop, limit_waits, send_message
from telex.learners.base import StoppedError

NEWS = ("news", 0)
ASSIGNED = PartitionsAssigned(poll_result({}, positions={NEWS: 3}, ends={NEWS: 9}), {"news": "first"})


class Played(ProcessFetcher):
    """A fetching whose processes are pipes: ``begun`` has each with what it was told to begin with."""

    def __init__(self, patience):
        super().__init__(Brokers.of("localhost:1"), FetchSettings(("news",), "g", "m", patience=patience))
        self.begun, self.ended = [], []

    def _spawn(self, settings):
        mine, theirs = multiprocessing.Pipe()
        limit_waits(mine, fetcher.SILENT)
        self._connection, self._ending = mine, lambda: self.ended.append(mine.close())
        self.begun.append((theirs, dict(self._place), dict(self._last_read), settings.connecting))
        if len(self.begun) == 1:
            send_message(theirs, ASSIGNED)


@pytest.fixture
def one(monkeypatch):
    monkeypatch.setattr(fetcher, "SILENT", 0.3)
    return Played(patience=1.5)


def until(one, wanted):
    """Take until something comes that is wanted; return it."""
    while not isinstance(told := one.take(0.05), wanted):
        assert told is None
    return told


def test_one_that_hangs_is_replaced_behind_what_has_come(one):
    assert one.begin({}) == ASSIGNED
    send_message(one.begun[0][0], poll_result({NEWS: [(3, 30), (7, 20)]}, positions={NEWS: 9}, ends={NEWS: 12}))
    assert len(one.take(1.0)) == 2
    assert one.silence == 0.0
    said = until(one, FetchProblem).sentence
    assert said.startswith(
        "the fetching process has said nothing for 0 s; it is ended, and another one takes its place"
    )
    assert one.silence > 0.3
    assert len(one.ended) == 1
    second, *told = one.begun[1]
    assert told == [{NEWS: 9}, {NEWS: LastRead("first", 7, 20)}, 30.0]
    send_message(second, ASSIGNED)
    assert until(one, PartitionsAssigned) == ASSIGNED
    assert one.silence == 0.0
    until(one, FetchProblem)  # and so again, as long as each begins
    assert len(one.begun) == 3


def test_a_gap_is_where_another_one_continues(one):
    one.begin({})
    send_message(one.begun[0][0], FetchProblem("a gap", LostRecords(NEWS, 3, 0, 5, "second")))
    until(one, FetchProblem)
    until(one, FetchProblem)
    assert one.begun[1][1:3] == ({NEWS: 0}, {NEWS: LastRead("second")})


def test_when_another_one_says_nothing_either_it_ends(one):
    one.begin({})
    until(one, FetchProblem)
    with pytest.raises(StoppedError, match=r"has said nothing for 2 s, nor has another one in its place; resume from"):
        until(one, FetchProblem)
    assert len(one.ended) == len(one.begun) == 2


def test_a_sign_of_life_is_a_word_and_a_caller_that_does_not_listen_hears_no_silence(one):
    one.begin({})
    for _ in range(2):
        send_message(one.begun[0][0], SignOfLife())
        assert one.take(0.2) is None
        assert one.take(0.2) is None
    time.sleep(1.6)  # longer than patience
    assert one.take(0.0) is None
    assert len(one.begun) == 1


def test_one_that_hangs_amid_a_message_is_replaced_too(one):
    one.begin({})
    one.begun[0][0].send_bytes(pickle.dumps(([99], pickle.dumps(ASSIGNED))))  # 99 bytes never follow
    assert "another one takes its place" in until(one, FetchProblem).sentence
    assert len(one.begun) == 2


def test_a_process_that_waits_for_a_broker_hears_that_it_should_stop():
    mine, theirs = multiprocessing.Pipe()
    assert not is_asked_to_stop(theirs, 0.0)
    mine.send_bytes(pickle.dumps(("free", {})))
    assert not is_asked_to_stop(theirs, 0.05)
    mine.send_bytes(pickle.dumps(("stop",)))
    assert is_asked_to_stop(theirs, 60.0)
    mine.close()
    assert is_asked_to_stop(theirs, 60.0)
