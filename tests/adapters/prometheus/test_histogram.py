"""Histograms against those of prometheus_client."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from prometheus_client import CollectorRegistry
from prometheus_client import Histogram as Theirs

from telex.adapters.prometheus.families import histogram
from telex.adapters.prometheus.histogram import Histogram

BOUNDS = (0.1, 0.5, 2.0)


@given(st.lists(st.sampled_from([0.0, 0.1, 0.3, 0.5, 1.9, 2.0, 7.0]), max_size=30), st.integers(0, 30))
def test_buckets_are_those_of_prometheus_client(values, cut):
    registry = CollectorRegistry()
    theirs = Theirs("x", "X.", buckets=BOUNDS, registry=registry)
    ours, some = Histogram(BOUNDS), values[:cut]
    for value in values:
        theirs.observe(value)
    for value in some:
        ours.observe(value)
    ours.observe_all(np.array([*values[cut:], math.nan]))
    expected = {(s.name, s.labels.get("le")): s.value for family in registry.collect() for s in family.samples}
    found = {(s.name, s.labels.get("le")): s.value for s in histogram("x", "X.", ours).samples}
    assert found.keys() == {key for key in expected if key[0] != "x_created"}
    assert all(math.isclose(value, expected[key]) for key, value in found.items())


def test_many_at_once_are_as_one_after_the_other():
    once, each = Histogram(BOUNDS), Histogram(BOUNDS)
    once.observe(0.5, times=4)
    for _ in range(4):
        each.observe(0.5)
    assert (once.counts, once.sum) == (each.counts, each.sum)
