"""Learners on several threads: the same results, to the bit, as on one."""

import os
import threading
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.streams import zipf

from telex.learners import AROW, BR, MLPP, MMP, NB, PA, PerDocument, Prior
from telex.learners.base import BatchBuilder, UsageError
from telex.stream import Run
from telex.stream.run.side_by_side import SideBySide

STREAM = zipf(7, documents=260, unlabelled=0.1)


class Counting(PerDocument):
    """Counts labels, fails where it is told to, and notes on which thread it is called."""

    def __init__(self, fails_at=None):
        self.fails_at = fails_at
        self.answers, self.threads = 0, set()

    def ask(self, x):
        self.threads.add(threading.get_ident())
        return {}

    def answer(self, x, y):
        self.answers += 1
        if self.answers == self.fails_at:
            raise ZeroDivisionError("nothing to divide by")


class Native(NB):
    """A native learner that fails at a call."""

    calls, fails_at = 0, None

    def progress(self, events):
        self.calls += 1
        if self.calls == self.fails_at:
            raise RuntimeError("enough is enough")
        return super().progress(events)


def batches(size):
    builder, found = BatchBuilder(), []
    for i, (x, y) in enumerate(STREAM):
        builder.add(x, y, id=f"d{i}", time=60.0 * i)
        if i % size == size - 1:
            found.append(builder.take())
    return [*found, builder.take()]


def through(threads, size=100, fails_at=None, python_fails_at=None, **options):
    native, python = Native(), Counting(python_fails_at)
    native.fails_at = fails_at
    learners = {"mmp": MMP(), "nb": native, "py": python, "mlpp": MLPP(), "arow": AROW(), "pa": PA(), "prior": Prior()}
    run = Run(batches(size), learners, threads=threads, **options)
    for _ in run:
        pass
    return run, learners


def figures(run):
    return {name: {key: column.tolist() for key, column in curve.items()} for name, curve in run.curves.items()}


def same(one, other):
    (run, learners), (again, others) = one, other
    np.testing.assert_equal(figures(run), figures(again))
    assert list(run.set_aside) == list(again.set_aside)
    assert [f.plain() for f in run.set_aside.values()] == [f.plain() for f in again.set_aside.values()]
    for name in learners.keys() - run.set_aside.keys() - {"py", "prior"}:
        mine, theirs = learners[name].arrays(), others[name].arrays()
        assert mine.keys() == theirs.keys()
        assert all(np.array_equal(mine[key], theirs[key]) for key in mine), name


@settings(max_examples=6, deadline=None)
@given(
    threads=st.integers(2, 5),
    size=st.sampled_from([7, 64, 130, 260]),
    fails_at=st.none() | st.integers(1, 3),
    python_fails_at=st.none() | st.integers(1, 200),
    late=st.booleans(),
)
def test_any_number_of_threads_gives_the_same(threads, size, fails_at, python_fails_at, late):
    options = {"test_after": "n:190"} if late else {}
    one = through(1, size, fails_at, python_fails_at, **options)
    same(one, through(threads, size, fails_at, python_fails_at, **options))


def test_python_learners_stay_in_the_thread_of_the_run_and_native_ones_leave_it():
    _, learners = through(3)
    assert learners["py"].threads == {threading.get_ident()}
    released, seen = threading.Event(), []

    class Waits(BR):
        def progress(self, events):
            if len(events.batch) == 200:
                seen.append(threading.get_ident())
                if len(set(seen)) > 1:
                    released.set()
                assert released.wait(10)
            return super().progress(events)

    for _ in Run(batches(200)[:1], {"a": Waits(), "b": Waits()}, threads=2, points=1000):
        pass  # each waits until the other has begun: on one thread this would never end
    assert len(set(seen)) == 2


def test_what_ends_the_run_waits_for_the_other_threads():
    begun, ended = threading.Event(), []

    class Slow(BR):
        def progress(self, events):
            begun.set()
            time.sleep(0.2)
            ended.append(self)
            return super().progress(events)

    class Ends(PerDocument):
        def ask(self, x):
            assert begun.wait(10)
            raise KeyboardInterrupt

        def answer(self, x, y):
            pass

    run = Run(batches(200)[:1], {"slow": Slow(), "ends": Ends()}, threads=2, points=1000)
    with pytest.raises(KeyboardInterrupt):
        list(run)
    assert len(ended) == 1


def test_threads_are_as_many_as_processors():
    assert SideBySide(None).threads == len(os.sched_getaffinity(0))
    with pytest.raises(UsageError, match="threads must be at least 1"):
        SideBySide(0)
