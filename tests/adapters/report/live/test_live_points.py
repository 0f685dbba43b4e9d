"""The points of a running run: none is lost up to the most, and then every second one is dropped."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from telex.adapters.report.live.live_points import LivePoints


@given(st.lists(st.integers(1, 9), max_size=40).map(lambda steps: np.cumsum(steps).tolist()), st.integers(0, 100))
def test_points_come_back_after_a_document(places, after):
    points = LivePoints(["a", "b"], ["iserr"])
    for n in places:
        figures = {"a": {"iserr": 1 / n, "iserr_window": None}, "b": {"iserr": 2 / n, "iserr_window": float(n)}}
        points.add(n, n / 4 if n % 2 else None, figures)
        points.add(n, 0.0, figures)  # the same place again
    found, new = points.curves(after), [n for n in places if n > after]
    assert found.documents.tolist() == new
    np.testing.assert_array_equal(found.times, [n / 4 if n % 2 else np.nan for n in new])
    np.testing.assert_array_equal(found.learners["a"]["iserr_window"], [np.nan] * len(new))
    np.testing.assert_array_equal(found.learners["b"]["iserr"], [2 / n for n in new])


def test_a_long_run_keeps_every_second_point():
    points = LivePoints(["a"], ["iserr"], most=4)
    for n in range(1, 6):
        points.add(n, None, {"a": {"iserr": float(n), "iserr_window": 0.0}})
    found = points.curves()
    assert found.documents.tolist() == found.learners["a"]["iserr"].tolist() == [2, 4]
