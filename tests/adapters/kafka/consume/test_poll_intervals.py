"""The bounds that are written down twice, since one of the two is slow to import."""

from telex.adapters.kafka.consume.poll_intervals import BOUNDS
from telex.adapters.prometheus.histogram import POLLS


def test_the_bounds_are_those_of_the_figures():
    assert BOUNDS == POLLS
