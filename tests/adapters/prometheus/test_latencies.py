"""Ages of records by the wall clock and in event time, one at a time or many."""

import time

import numpy as np
import pytest

from telex.adapters.prometheus.latencies import ARCHIVED, Latencies


def figures(latencies):
    """Return the sums and numbers of both histograms, and the two counts."""
    wall, event, ahead, archived = latencies.families()

    def read(family, end):
        return next(sample.value for sample in family.samples if sample.name.endswith(end))

    sums = [(round(read(one, "_sum")), read(one, "_count")) for one in (wall, event)]
    return [*sums, ahead.samples[0].value, archived.samples[0].value]


@pytest.mark.parametrize("at_once", [1, 7])
def test_ages_are_counted_alike_however_many_come(at_once, monkeypatch):
    monkeypatch.setattr(time, "time", lambda: 1e9)
    times = 1e9 - np.array([5.0, 3600.0, -60.0, np.nan, ARCHIVED, ARCHIVED + 1, 1e8])
    latencies = Latencies()
    for start in range(0, len(times), at_once):
        latencies.observe(times[start : start + at_once], newest=1e9 - 1000.0)
    behind = [0, 2600, 0, ARCHIVED - 1000, ARCHIVED - 999, 1e8 - 1000]
    assert figures(latencies) == [(5 + 3600 + round(ARCHIVED), 4), (round(sum(behind)), 6), 1, 2]


def test_without_a_newest_time_there_is_none_in_event_time():
    latencies = Latencies()
    latencies.observe(np.array([time.time()]))
    latencies.observe(np.array([time.time()] * 3))
    assert figures(latencies)[1] == (0, 0)
