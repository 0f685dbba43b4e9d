"""Curves as the data of a page: how large they get, and what is left out."""

import numpy as np

from telex.adapters.report.curve_data import curve_data
from telex.adapters.report.page import embedded
from telex.stream.run_folder import SPANS, CurveTable


def test_curves_of_a_whole_collection_take_less_than_three_megabytes():
    documents = np.append(np.arange(100, 804_414, 100), 804_414)
    figures = [f"loss{i}" for i in range(18)]
    random = np.random.default_rng(1)
    columns = {name + span: random.random(len(documents)) for name in figures for span in SPANS}
    for learners in (6, 20):
        curves = CurveTable(
            documents, 8.4e8 + 30.0 * documents, tuple(figures), {f"l{i}": columns for i in range(learners)}
        )
        assert len(embedded(curve_data(curves))) < 2_900_000


def test_points_of_all_lines_are_given_once_where_nothing_is_thinned():
    line = np.array([0.5, np.nan])
    columns = dict.fromkeys(("a", "a_window"), line) | dict.fromkeys(("b", "b_window"), line * np.nan)
    curves = CurveTable(np.array([1, 2]), np.array([np.nan, 5.0]), ("a", "b"), {"x": columns})
    assert curve_data(curves) == {
        "points": 2,
        "last": 2,
        "documents": [1, 2],
        "clock": {"d": [2], "t": [5.0]},
        "figures": ("a",),
        "learners": {"x": {"a": {"v": [0.5, None]}, "a_window": {"v": [0.5, None]}}},
    }


def test_without_a_point_there_are_no_curves():
    none = np.empty(0)
    assert curve_data(None) is None
    assert curve_data(CurveTable(none, none, ("a",), {"x": dict.fromkeys(("a", "a_window"), none)})) is None
