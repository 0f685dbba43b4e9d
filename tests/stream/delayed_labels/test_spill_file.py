"""Bytes in one temporary file."""

import gc
import os
import random
import tempfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from telex.learners.base import StoppedError
from telex.stream.delayed_labels.spill_file import SpillFile
from telex.testing import crash_at


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 300), st.integers(0, 50)), max_size=60))
@settings(max_examples=60, deadline=None)
def test_what_was_put_there_is_read_while_others_come_and_go(moves):
    aside, held, rng, most = SpillFile(), [], random.Random(1), 0
    for put, size, which in moves:
        if put or not held:
            data = rng.randbytes(size)
            held.append((aside.put([data[:7], data[7:]]), data))
        else:
            del held[which % len(held)]
        most = max(most, sum(len(data) for _, data in held))
        assert all(extent.read() == data for extent, data in held)
        assert aside.size >= sum(len(data) for _, data in held)
    held.clear()
    aside.put([b""])
    assert aside.size == 0


def test_a_file_that_continues_like_a_queue_does_not_grow():
    aside, queue = SpillFile(), []
    for i in range(1_000):
        queue.append(aside.put([bytes([i % 256]) * 100]))
        del queue[:-10]
    assert aside.size <= 1_200


def test_one_file_is_open_and_none_when_all_is_gone():
    gc.collect()  # files that earlier tests left to it
    before = len(os.listdir("/proc/self/fd"))
    aside = SpillFile()
    extents = [aside.put([b"x"]) for _ in range(2_000)]
    assert len(os.listdir("/proc/self/fd")) == before + 1
    last = extents.pop()
    del aside, extents
    assert last.read() == b"x"
    del last
    assert len(os.listdir("/proc/self/fd")) == before


def test_a_folder_without_room_is_reported():
    aside = SpillFile("let less wait")
    tempfile.gettempdir()  # which writes a file to find out
    with (
        crash_at(1, stays=True),
        pytest.raises(StoppedError, match=r"cannot be written .No space left on device.; .* or let less wait"),
    ):
        aside.put([b"abc"])
    assert aside.put([b"abc"]).read() == b"abc"
    assert aside.size == 3
