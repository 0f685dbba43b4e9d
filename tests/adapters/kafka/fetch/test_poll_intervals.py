"""The times between polls, counted as a plain search would."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from telex.adapters.kafka.fetch.poll_intervals import NO_POLLS, POLL_BOUNDS, PollIntervals

GAP = st.sampled_from(POLL_BOUNDS) | st.floats(0, 1000)


@given(st.lists(GAP))
def test_each_time_counts_below_the_first_bound_that_it_does_not_exceed(gaps):
    polls, now = PollIntervals(), 0.0
    polls.observe(now)
    taken = []
    for gap in gaps:
        polls.observe(now + gap)
        taken.append(now + gap - now)
        now += gap
    counts, seconds = polls.counts()
    edges = [-1.0, *POLL_BOUNDS, float("inf")]
    assert list(counts) == [sum(low < gap <= high for gap in taken) for low, high in pairwise(edges)]
    assert seconds == pytest.approx(sum(taken))


def test_the_first_poll_ends_nothing():
    polls = PollIntervals()
    polls.observe(50.0)
    assert polls.counts() == NO_POLLS
