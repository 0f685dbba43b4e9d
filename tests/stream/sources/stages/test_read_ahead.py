import threading
import time

import pytest

from telex.stream.sources.stages import read_ahead as readahead
from telex.stream.sources.stages.read_ahead import ReadAhead


def running():
    return [thread for thread in threading.enumerate() if thread.name == "readahead"]


def test_items_come_in_their_order_in_every_pass():
    stage, source = ReadAhead(), list(range(100))
    assert list(stage(source)) == list(stage(source)) == source
    assert not running()


def test_the_next_items_are_read_before_they_are_asked_for():
    read, enough = [], threading.Event()

    def reading():
        for i in range(9):
            read.append(i)
            if i == 3:
                enough.set()
            yield i

    items = iter(ReadAhead(depth=2)(reading()))
    assert next(items) == 0
    assert enough.wait(10)  # 1 and 2 wait in the queue, 3 waits for room
    assert read == [0, 1, 2, 3]
    items.close()


def test_an_exception_comes_at_its_place():
    def reading():
        yield from (1, 2)
        raise ValueError("broken")

    items = iter(ReadAhead()(reading()))
    assert [next(items), next(items)] == [1, 2]
    with pytest.raises(ValueError, match="broken"):
        next(items)
    assert not running()


@pytest.mark.parametrize("how", ["close", "forget", "break"])
def test_a_reader_that_stops_early_leaves_nothing_running(how):
    closed = threading.Event()

    class Endless:
        def __iter__(self):
            try:
                while True:
                    yield 1
            finally:
                closed.set()

    items = iter(ReadAhead()(Endless()))
    assert next(items) == 1
    if how == "close":
        items.close()
    elif how == "forget":
        del items
    else:
        for _ in items:
            break
        del items, _
    assert closed.wait(10)
    assert not running()


def test_an_iterator_never_begun_starts_no_thread():
    items = iter(ReadAhead()([1]))
    assert not running()
    del items


def test_reading_continues_while_the_reader_works():
    slept = []

    def reading():
        for i in range(5):
            time.sleep(0.001)
            slept.append(i)
            yield i

    for item in ReadAhead(depth=4)(reading()):
        deadline = time.monotonic() + 10
        while len(slept) < 5 and time.monotonic() < deadline:
            time.sleep(0.001)  # the reader works, and all the rest is read meanwhile
        assert item == 0
        break
    assert slept == list(range(5))


def test_who_stops_is_not_held_up_by_a_source_in_which_nothing_comes(monkeypatch):
    monkeypatch.setattr(readahead, "_PATIENCE", 0.01)
    comes = threading.Event()

    def reading():
        yield 1
        comes.wait(10)

    items = iter(ReadAhead()(reading()))
    assert next(items) == 1
    items.close()
    assert running()
    comes.set()
    running()[0].join(10)


def test_an_error_ends_what_its_stage_reads_from():
    """Another thread reads ahead of that stage; in native code at the end of Python it would abort the process."""

    def failing(items):
        for _ in items:
            raise ValueError("of the stage")
            yield

    with pytest.raises(ValueError, match="of the stage") as caught:
        list(ReadAhead()(failing(ReadAhead()(iter(range(1000))))))
    assert caught.value.__traceback__ is not None  # it is alive, with its frames
    assert not running()
