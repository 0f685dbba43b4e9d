"""Blocks keep their order, and the memory for them its bound, however many threads look at them."""

import threading
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from telex.stream.raw_records import BlocksAhead, GatheredLines, RawLines
from telex.stream.sources import DeadLetter

letter = DeadLetter(b"", "x", 1, 0, "read", "broken")
items = st.one_of(
    st.binary(max_size=30).map(lambda data: RawLines(data, "x", 1, 0)),
    st.just(letter),
    st.binary(min_size=1, max_size=9).map(lambda data: GatheredLines([data], [("x", 1, 0)])),
)


class BrokenOffError(Exception):
    pass


@given(st.lists(items, max_size=30), st.integers(1, 5), st.integers(0, 40), st.integers(1, 60), st.booleans())
@settings(max_examples=60)
def test_blocks_come_in_order_and_an_error_behind_them(blocks, threads, alone, together, fails):
    def source():
        yield from blocks
        if fails:
            raise BrokenOffError

    def look(data):
        time.sleep(len(data) % 3 / 10_000)  # so that threads pass each other
        return data

    seen = []
    with pytest.raises(BrokenOffError) if fails else threading.Lock():
        for item, found in BlocksAhead(look, threads, alone=alone, together=together)(source()):
            seen.append(item)
            assert found is None or (isinstance(item, RawLines) and found is item.data)
            assert threads > 1 or found is None
    assert seen == blocks


def test_threads_have_a_bounded_part_of_the_file():
    read = taken = most = 0

    def source():
        nonlocal read
        for _ in range(300):
            read += 1
            yield RawLines(b"x" * 10, "x", 1, 0)

    for _ in BlocksAhead(len, 4, alone=0, together=20)(source()):
        taken += 1
        most = max(most, read - taken)
    assert taken == 300
    assert most * 10 <= (3 + 2) * 20 + 2 * 20  # what is waiting, what is handed on, and what comes together


def test_a_block_larger_than_all_is_alone():
    ahead, read = 0, 0

    def source():
        nonlocal read
        for read in range(1, 9):  # noqa: B007 - it says how many were read
            yield RawLines(b"x" * 1000, "x", 1, 0)

    for number, _ in enumerate(BlocksAhead(len, 4, alone=0, together=20)(source()), 1):
        ahead = max(ahead, read - number)
    assert (ahead, read) == (0, 8)


def test_an_empty_block_waits_for_nothing():
    asked = 0

    def source():
        nonlocal asked
        for data in (b"a\n", b"b\n", b"", b"c\n"):
            asked += 1
            yield RawLines(data, "x", 1, 0)

    blocks = BlocksAhead(len, 3, alone=0)(source())
    assert [(next(blocks)[0].data, asked) for _ in range(3)] == [(b"a\n", 3), (b"b\n", 3), (b"", 3)]


def test_an_error_of_looking_is_raised():
    def look(data):
        raise MemoryError

    with pytest.raises(MemoryError):
        list(BlocksAhead(look, 3, alone=0, together=1)([RawLines(b"a\n", "x", 1, 0)] * 99))


def test_closing_waits_for_the_threads():
    looking = threading.Semaphore(0)
    inside = 0

    def look(data):
        nonlocal inside
        inside += 1
        looking.release()
        time.sleep(0.02)
        inside -= 1

    blocks = BlocksAhead(look, 2, alone=1, together=1)(RawLines(b"a\n", "x", 1, 0) for _ in range(99))
    next(blocks)
    next(blocks)
    looking.acquire()
    blocks.close()
    assert inside == 0
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("parse")]


def test_where_no_thread_can_start_the_caller_does_all(monkeypatch):
    def refuse(thread):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    blocks = [RawLines(b"a\n", "x", 1, 0)] * 9
    assert [item for item, _ in BlocksAhead(len, 4, alone=0, together=1)(blocks)] == blocks
