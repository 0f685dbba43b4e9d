"""The clock of a stream that is read more than once."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from telex.stream.refit.event_clock import EventClock

NAN = math.nan
passes = st.lists(st.lists(st.one_of(st.just(NAN), st.integers(0, 60).map(float)), max_size=12), max_size=4)


def told(passes, size, *, kept=False):
    """The times read, and the newest after each piece of ``size`` documents."""
    clock, found = EventClock(), []
    for times in passes:
        clock.begin_pass()
        for start in range(0, len(times), size):
            piece = np.array(times[start : start + size])
            found += clock.shifted(piece).tolist()
            clock.advance(piece)
            if kept:
                state, clock = clock.save(), EventClock()
                clock.load(state)
    return found, clock.newest


def slowly(passes):
    found, newest = [], NAN
    for times in passes:
        ahead = None
        for time in times:
            if math.isnan(time):
                found.append(NAN)
                continue
            if ahead is None:
                ahead = 0.0 if math.isnan(newest) else newest - time
            found.append(time + ahead)
            newest = found[-1] if math.isnan(newest) else max(newest, found[-1])
    return found, newest


@given(passes, st.integers(1, 12))
def test_as_read_slowly_however_it_is_cut_and_stored(passes, size):
    assert repr(told(passes, size)) == repr(slowly(passes))
    assert repr(told(passes, size, kept=True)) == repr(slowly(passes))


def test_a_pass_without_documents_changes_nothing():
    clock = EventClock()
    clock.advance(np.array([5.0, 9.0]))
    for _ in range(3):
        clock.begin_pass()
        clock.advance(np.array([NAN]))
    assert clock.shifted(np.array([5.0, 7.0])).tolist() == [9.0, 11.0]
