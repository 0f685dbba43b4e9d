"""What passes between two processes."""

from __future__ import annotations

import os
import pickle
import threading
from contextlib import suppress
from multiprocessing import Pipe

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from telex.adapters._records import receive
from telex.adapters.kafka.fake import poll_result
from telex.adapters.kafka.fetch import RecordSet
from telex.adapters.kafka.fetch.events import FetchingEnded
from telex.adapters.kafka.fetch.pipe import discard_message, receive_message, send_message

LARGE = st.sampled_from([0, 1, 2**15 - 1, 2**15, 10**6, 3 * 10**6])


def passed(*told):
    """Pass them on in one thread, and take them in in another."""
    mine, theirs = Pipe()

    def all_of_them():
        for one in told:
            send_message(theirs, one)
        theirs.close()

    thread = threading.Thread(target=all_of_them)
    thread.start()
    found = [receive_message(mine) for _ in told]
    thread.join()
    with pytest.raises((EOFError, OSError)):
        receive_message(mine)
    return found


@given(st.lists(st.lists(LARGE, min_size=1, max_size=3), min_size=1, max_size=3))
@settings(max_examples=25, deadline=None)
def test_parts_come_as_they_were(sizes):
    rows = [[[(0, 1, b"k", os.urandom(size)), (1, 2, None, None, [("n", b"")])] for size in some] for some in sizes]
    frames = [poll_result({("wire", i): some for i, some in enumerate(one)}) for one in rows]
    told = passed(*frames, FetchingEnded("over"))
    assert told.pop() == FetchingEnded("over")
    for found, wanted in zip(told, frames, strict=True):
        assert found.partitions == wanted.partitions
        for a, b in zip(found.record_sets, wanted.record_sets, strict=True):
            assert (a.partition, a.keys_of(), a.values_of(), a.headers) == (
                b.partition,
                b.keys_of(),
                b.values_of(),
                b.headers,
            )
            assert (a.offsets.tolist(), a.timestamps.tolist()) == (b.offsets.tolist(), b.timestamps.tolist())
            assert type(a.values) is bytes


@pytest.mark.parametrize("protocol", range(6))
def test_a_part_is_pickled_by_any_protocol(protocol):
    part = RecordSet.of(("wire", 0), [(0, 1, b"k", b"v")])
    assert pickle.loads(pickle.dumps(part, protocol)).values_of() == [b"v"]


def test_who_ends_in_the_midst_is_noticed():
    mine, theirs = Pipe()
    os.write(theirs.fileno(), b"half")
    theirs.close()
    with pytest.raises(EOFError):
        receive(mine.fileno(), 5)
    mine.close()
    with pytest.raises(OSError, match="Bad file"):
        receive(10**6, 5)


def test_what_nobody_wants_is_read_away_whatever_it_is():
    mine, theirs = Pipe()

    def tell():
        with suppress(OSError):  # of an ended process
            for _ in range(100):
                send_message(theirs, RecordSet.of(("wire", 0), [(0, 1, b"k", bytes(10**6))]))

    thread = threading.Thread(target=tell)
    thread.start()
    assert mine.poll(10)
    os.read(mine.fileno(), 1000)  # the other end closed in the middle
    assert all(discard_message(mine, 1.0) for _ in range(50))
    mine.close()
    thread.join()
    assert not discard_message(mine, 1.0)
    theirs.close()
