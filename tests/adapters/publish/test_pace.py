"""When documents are due, by a clock that the test moves."""

import numpy as np
import pytest

from telex.adapters.publish.pace import Pace

NAN = float("nan")


class Clock:
    now = 100.0

    def __call__(self):
        return self.now


def played(pace, clock, times, step=1.0):
    """At which moment each document comes."""
    moments, times = [], np.array(times)
    while len(moments) < len(times):
        count, seconds = pace.due(times[len(moments) :])
        pace.passed(times[len(moments) : len(moments) + count])
        moments += [clock.now - 100] * count
        clock.now += seconds if not count else 0.0
        assert count or seconds > 0
    return moments


def test_n_a_second():
    clock = Clock()
    assert played(Pace(rate=4, now=clock), clock, [NAN] * 6) == [0, 0.25, 0.5, 0.75, 1, 1.25]


def test_who_was_held_up_catches_up():
    clock = Clock()
    pace = Pace(rate=4, now=clock)
    assert pace.due(np.zeros(9)) == (1, 0.0)
    pace.passed(np.zeros(1))
    clock.now += 1
    assert pace.due(np.zeros(9)) == (4, 0.0)


@pytest.mark.parametrize("speed", [0.5, 1, 60])
def test_as_fast_as_they_came(speed):
    clock = Clock()
    times = [NAN, 5000, 5060, NAN, 5030, 5120, 4000, 5150]
    wanted = [0, 0, 60, 60, 60, 120, 120, 150]
    assert played(Pace(speed=speed, now=clock), clock, times) == pytest.approx([one / speed for one in wanted])


def test_time_begins_with_the_first_that_has_one():
    clock = Clock()
    pace = Pace(speed=1, now=clock)
    assert pace.due(np.array([NAN])) == (1, 0.0)
    pace.passed(np.array([NAN]))
    clock.now += 1000
    assert pace.due(np.array([50.0, 53.0])) == (1, 0.0)
    pace.passed(np.array([50.0]))
    clock.now += 1
    assert pace.due(np.array([53.0])) == (0, 2.0)
    assert pace.event_time == 51.0


def test_the_time_of_the_wire_stays_behind_the_next_document():
    clock = Clock()
    pace = Pace(speed=3, now=clock)
    pace.due(np.array([0.0]))
    pace.passed(np.array([0.0]))
    for _ in range(50):
        clock.now += 0.1
        count, _ = pace.due(np.array([7.0]))
        assert count or pace.event_time <= 7.0


def test_without_a_measure_all_are_due():
    assert Pace().due(np.zeros(5)) == (5, 0.0)
